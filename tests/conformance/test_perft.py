"""Counts and order of moves are what the perft files say."""

from pathlib import Path

import pytest

from domain.kernel.game import AnyGame
from tests.conformance.cases import GAMES, folder_of, per_game
from tests.conformance.perft import Entry, entries, recounted


def perft_of(game: AnyGame) -> Path:
    """The perft file of a game."""
    return folder_of(game) / f"{game.key}.perft"


FILES = [perft_of(game) for game in GAMES if perft_of(game).exists()]
ENTRIES = [entry for file in FILES for entry in entries(file.read_text())]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.position} {entry.key}")
def test_moves_are_as_many_and_in_the_order_as_written(entry: Entry) -> None:
    found = entry.found()
    assert found == entry.value, f"line {entry.number + 1}, under each first move:\n{entry.divided()}"


@per_game
def test_a_file_has_every_seat_count_and_the_order_of_some_moves(game: AnyGame) -> None:
    positions = [entry.position for entry in entries(perft_of(game).read_text())]
    assert {position.tree.seats for position in positions} == set(game.seats)
    assert {position.tree.game.key for position in positions} == {game.key}
    assert any(entry.key == "legal" for entry in entries(perft_of(game).read_text()))


def test_a_file_is_counted_anew() -> None:
    game = GAMES[0]
    written = perft_of(game).read_text().splitlines()
    head = written[: next(number for number, line in enumerate(written) if line.startswith("perft 4"))]
    spoilt = [f"{line} 1" if line.startswith("perft") else line for line in head]
    assert "\n".join(spoilt) != recounted("\n".join(spoilt)) == recounted("\n".join(head))
