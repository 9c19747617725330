"""What a viewer gets depends on nothing that he may not know, at every version, also within a command.

The proof is a second state, made from his view alone. If anything that he is shown differs between the two, it tells
him what he cannot see.
"""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from domain.kernel.chance import NoChance, SeededChance
from domain.kernel.codec import event_data
from domain.kernel.errors import IllegalCommand
from domain.kernel.messages import Command, Event, Seat, type_of
from domain.kernel.visibility import audiences_of, replaced
from tests.conformance.cases import Case, Viewer, per_case, support_of
from tests.conformance.journeys import Step, journey, per_run, positions


class Double(NamedTuple):
    """A state, a viewer, and another state that he must not be able to tell from it."""

    state: Any
    viewer: Viewer
    other: Any


@cache
def doubles(case: Case, style: str) -> tuple[Double, ...]:
    """One for each viewer at every version of a game; none where he knows everything."""
    return tuple(double for double in _doubles(case, style) if double.other != double.state)


def _doubles(case: Case, style: str) -> Iterator[Double]:
    for version, state in enumerate(positions(case, style)):
        for viewer in case.viewers:
            yield Double(state, viewer, double(case, state, viewer, version))


def double(case: Case, state: Any, viewer: Viewer, number: int = 0) -> Any:
    """Another state that fits all that the viewer sees of this one."""
    chance = SeededChance(f"{case}/{number}/{viewer}".encode())
    return case.game.resample(case.game.view(state, viewer), viewer, chance)


def seated(case: Case, style: str) -> Iterator[tuple[Any, Seat, Any]]:
    """The doubles of those who sit at the table."""
    return ((state, viewer, other) for state, viewer, other in doubles(case, style) if viewer is not None)


@per_run
def test_the_view_is_the_same_to_the_byte(case: Case, style: str) -> None:
    game = case.game
    for state, viewer, other in doubles(case, style):
        assert msgspec.json.encode(game.view(other, viewer)) == msgspec.json.encode(game.view(state, viewer))


@per_run
def test_the_other_state_is_a_whole_game(case: Case, style: str) -> None:
    game = case.game
    for state, _, other in doubles(case, style):
        assert game.components(other) == game.components(state)
        assert game.to_act(other) == game.to_act(state)
        assert game.upkeep(other) == game.upkeep(state)
        assert game.outcome(other) == game.outcome(state)


@per_run
def test_legal_moves_and_their_notes_are_the_same(case: Case, style: str) -> None:
    game = case.game
    for state, seat, other in seated(case, style):
        legal = game.legal(state, seat)
        assert game.legal(other, seat) == legal
        for command in legal:
            assert game.barrier(other, seat, command) == game.barrier(state, seat, command)


@per_run
def test_refusals_are_the_same_to_the_letter(case: Case, style: str) -> None:
    for state, seat, other in islice(seated(case, style), 0, None, 9):
        for command in islice(support_of(case.game, "candidates").candidates(state, seat), seat, None, 23):
            assert refusal(case, other, seat, command) == refusal(case, state, seat, command)


@per_run
def test_a_move_that_can_be_taken_back_shows_nothing_new(case: Case, style: str) -> None:
    game = case.game
    for state, seat, other in seated(case, style):
        for command in game.legal(state, seat):
            if game.barrier(state, seat, command) is None:
                events, others = (game.decide(one, seat, command, NoChance()) for one in (state, other))
                assert [shown(event, seat) for event in others] == [shown(event, seat) for event in events]
                after, other_after = folded(case, state, events), folded(case, other, others)
                assert msgspec.json.encode(game.view(other_after, seat)) == msgspec.json.encode(game.view(after, seat))


@per_case
def test_what_others_do_tells_what_the_view_then_tells(case: Case) -> None:
    """Where two commands look different to a viewer who could not tell the states apart, his views differ after them.

    So no event tells more than the view, and neither does the public mark whether a command can be taken back.
    """
    game = case.game
    for step in journey(case, "uniform")[1:]:
        for viewer in case.viewers:
            other = double(case, step.before, viewer)
            if viewer == step.seat or other == step.before:
                continue
            one, another = (attempted(case, state, step, viewer) for state in (step.before, other))
            if one and another and one.seen != another.seen:
                assert msgspec.json.encode(game.view(one.after, viewer)) != msgspec.json.encode(
                    game.view(another.after, viewer)
                )


class Attempt(NamedTuple):
    """What a viewer gets of a command, and the state after it."""

    seen: tuple[Any, ...]
    after: Any


def attempted(case: Case, state: Any, step: Step, viewer: Viewer) -> Attempt | None:
    """The step's command in another state; None where it cannot be given there."""
    assert step.command is not None
    try:
        events = case.game.decide(state, step.seat, step.command, SeededChance(b"the same for both"))
    except IllegalCommand:
        return None
    free = step.seat is not None and case.game.barrier(state, step.seat, step.command) is None
    return Attempt((free, *(shown(event, viewer) for event in events)), folded(case, state, events))


def refusal(case: Case, state: Any, seat: Seat, command: Command) -> tuple[str, str, str] | None:
    """All that a refusal tells; None where there is none."""
    try:
        case.game.decide(state, seat, command, SeededChance(b"refusals"))
    except IllegalCommand as refused:
        return refused.rule, refused.reason, refused.detail
    return None


def folded(case: Case, state: Any, events: tuple[Event, ...]) -> Any:
    """The state after the events."""
    for event in events:
        state = case.game.evolve(state, event)
    return state


def shown(event: Event, viewer: Viewer) -> tuple[str, Any]:
    """The event without the values that the viewer may not see."""
    document: Any = {"data": event_data(event)}
    for pointer, audience in audiences_of(event).items():
        if viewer not in audience:
            document = replaced(document, pointer, "hidden")
    return type_of(type(event)), document
