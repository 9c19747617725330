"""Random games, played through the functions of a game, with everything that happened on the way."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, NamedTuple

import pytest

from domain.kernel.chance import Chance, SeededChance
from domain.kernel.messages import Command, Event, Seat
from domain.table.decide import EVENTS_PER_GAME
from tests.conformance.cases import CASES, TABLES, Case
from tests.house import Choose


class Step(NamedTuple):
    """One command, or the opening: the state before, the events, and the state after each of them."""

    before: Any
    seat: Seat | None
    command: Command | None
    events: tuple[Event, ...]
    states: tuple[Any, ...]

    @property
    def after(self) -> Any:
        """The state the command has led to."""
        return self.states[-1]


def uniform(legal: Sequence[Command], chance: Chance) -> Command:
    """Any move, each as likely."""
    return legal[chance.below(len(legal))]


def patient(legal: Sequence[Command], chance: Chance) -> Command:
    """Mostly the first, the idle move: such games come to states that a random player never sees."""
    return legal[0] if chance.below(4) else uniform(legal, chance)


def eager(legal: Sequence[Command], chance: Chance) -> Command:
    """Mostly the last move, by which lists of moves end: the largest one."""
    return legal[-1] if chance.below(4) else uniform(legal, chance)


STYLES = {one.__name__: one for one in (uniform, patient, eager)}


RUNS = tuple(
    (case, style)
    for place, case in enumerate(CASES)
    for style in (STYLES if case in TABLES else (list(STYLES)[place % len(STYLES)],))
)
"""The random games: on some tables in every style, on the others in one."""

per_run = pytest.mark.parametrize(("case", "style"), RUNS, ids=[f"{case}-{style}" for case, style in RUNS])


def runs_of(key: str) -> Iterator[tuple[Case, str]]:
    """The random games of one game."""
    return ((case, style) for case, style in RUNS if case.key == key)


def chooser(style: str, seed: str) -> Choose:
    """A way to choose that is the same in every run."""
    choose, chance = STYLES[style], SeededChance(seed.encode())
    return lambda legal: choose(legal, chance)


@cache
def journey(case: Case, style: str) -> tuple[Step, ...]:
    """A whole random game."""
    return tuple(_played(case, style))


def _played(case: Case, style: str) -> Iterator[Step]:
    game, chance = case.game, SeededChance(f"draws/{case}/{style}".encode())
    choose = chooser(style, f"moves/{case}/{style}")
    step = stepped(case, case.initial(), None, None, case.setup(chance))
    versions = 0
    yield step
    while game.outcome(step.after) is None:
        state = step.after
        command, seat = game.upkeep(state), None
        if command is None:
            seats = game.to_act(state)
            seat = seats[chance.below(len(seats))]
            command = choose(game.legal(state, seat))
        step = stepped(case, state, seat, command, game.decide(state, seat, command, chance))
        versions += len(step.events)
        assert versions < EVENTS_PER_GAME, "this game does not end"
        yield step


def stepped(case: Case, before: Any, seat: Seat | None, command: Command | None, events: tuple[Event, ...]) -> Step:
    """The step that these events make."""
    _, *states = accumulate(events, case.game.evolve, initial=before)
    return Step(before, seat, command, events, tuple(states))


def positions(case: Case, style: str) -> tuple[Any, ...]:
    """The state at every version, also between the events of one command."""
    steps = journey(case, style)
    return (steps[0].before, *(state for step in steps for state in step.states))


def decisions(case: Case, style: str) -> tuple[Any, ...]:
    """The states in which a command may be given."""
    return tuple(step.after for step in journey(case, style))
