"""The tables on which every game is tested.

Each number of seats with each preset and with every option changed; each option changed by itself.
"""

from collections.abc import Iterator
from importlib import import_module
from itertools import cycle
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import pytest

from domain.kernel.chance import Chance
from domain.kernel.game import AnyGame
from domain.kernel.messages import Event, Seat
from domain.registry import all_games
from tests.conformance.shapes import struct_fields, values_of

OPPOSITE = "opposite"
TESTS_OF_GAMES = Path(__file__).parents[1] / "games"

Viewer = Seat | None


class Case(NamedTuple):
    """A table that is about to begin."""

    key: str
    seats: int
    options: Any  # the game's own type
    label: str

    def __str__(self) -> str:
        return f"{self.key}-{self.seats}-{self.label}"

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return all_games()[self.key]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Every seat, and a watcher."""
        return (*range(self.seats), None)

    def initial(self) -> Any:
        """The state before any event."""
        return self.game.initial(self.seats, self.options, self.game.rules_version)

    def options_json(self) -> dict[str, Any]:
        """The options as a client asks for them."""
        asked: dict[str, Any] = msgspec.to_builtins(self.options)
        return asked

    def setup(self, chance: Chance) -> tuple[Event, ...]:
        """The opening events."""
        return self.game.setup(self.initial(), chance)


def _cases_of(game: AnyGame) -> Iterator[Case]:
    for name, options in {**game.presets, OPPOSITE: opposite(game)}.items():
        for seats in game.seats:
            yield Case(game.key, seats, options, name)
    usual, seat_counts = next(iter(game.presets.values())), cycle(game.seats)
    for option, value in _changes(game):
        changed = msgspec.structs.replace(usual, **{option: value})
        yield Case(game.key, next(seat_counts), changed, f"{option}={value}")


def _changes(game: AnyGame) -> Iterator[tuple[str, Any]]:
    usual = next(iter(game.presets.values()))
    for option, kind in struct_fields(game.options).items():
        for value in values_of(kind):
            if value != getattr(usual, option):
                yield option, value


def opposite(game: AnyGame) -> Any:
    """The first preset with every option changed."""
    return msgspec.structs.replace(next(iter(game.presets.values())), **dict(_changes(game)))


GAMES = tuple(all_games().values())
CASES = tuple(case for game in GAMES for case in _cases_of(game))
TABLES = tuple(case for case in CASES if case.label in {next(iter(case.game.presets)), OPPOSITE})
"""The cases for what takes long and is the service's work rather than the game's."""

per_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
per_case = pytest.mark.parametrize("case", CASES, ids=str)
per_table = pytest.mark.parametrize("case", TABLES, ids=str)


def folder_of(game: AnyGame) -> Path:
    """Where the tests of a game and its golden files lie."""
    return TESTS_OF_GAMES / game.key


def support_of(game: AnyGame, module: str) -> ModuleType:
    """A module that a game brings along for these tests."""
    return import_module(f"tests.games.{game.key}.{module}")
