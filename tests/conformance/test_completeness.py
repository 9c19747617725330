"""These tests are for every game: they name none, and no game is left out."""

from pathlib import Path

import pytest

from domain.kernel.game import AnyGame
from domain.registry import all_games
from tests.architecture.source import ROOT, registered_games
from tests.architecture.test_game_keys import named_games
from tests.conformance.cases import CASES, GAMES, folder_of, per_game, support_of

SHARED = [
    *sorted((ROOT / "tests" / "conformance").glob("*.py")),
    ROOT / "tests" / "house.py",
    ROOT / "tests" / "spec.py",
]


def test_every_game_is_tested() -> None:
    assert [game.key for game in GAMES] == [folder.name for folder in registered_games()] == list(all_games())


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.name)
def test_shared_tests_name_no_game(path: Path) -> None:
    assert list(named_games(path.read_text(), all_games())) == []


@per_game
def test_a_game_brings_along_what_these_tests_need(game: AnyGame) -> None:
    assert callable(support_of(game, "candidates").candidates)
    for golden in (f"{game.key}.perft", "events", "replays"):
        assert (folder_of(game) / golden).exists()


@per_game
def test_every_number_of_seats_and_every_preset_has_its_cases(game: AnyGame) -> None:
    labels = {(case.seats, case.label) for case in CASES if case.key == game.key}
    assert {(seats, preset) for seats in game.seats for preset in game.presets} <= labels
