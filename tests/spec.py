"""Given a state, when a seat commands, then events: the form in which the tests state the rules of a game."""

from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar

import pytest

from domain.kernel.chance import Chance, NoChance
from domain.kernel.errors import IllegalCommand
from domain.kernel.game import Game
from domain.kernel.messages import Command, Event, Seat

S = TypeVar("S")
T = TypeVar("T")


class Loaded:
    """Dice that fall as written: each draw takes the next number; `spent` once all are taken."""

    def __init__(self, *numbers: int) -> None:
        self._numbers = list(numbers)

    def below(self, bound: int) -> int:
        """The next written number, which must be a possible one."""
        assert self._numbers, f"a draw below {bound} that the test has not foreseen"
        number = self._numbers.pop(0)
        assert 0 <= number < bound, f"{number} was written for a draw below {bound}"
        return number

    @property
    def spent(self) -> bool:
        """Whether every written number has been drawn."""
        return not self._numbers


def number_of(item: T, counts: Iterable[tuple[T, int]]) -> int:
    """The lowest number with which `chance.pick` picks the item from the multiset."""
    below = 0
    for other, count in counts:
        if other == item:
            assert count, f"there is no {item} left to pick"
            return below
        below += count
    msg = f"{item} is not in the multiset"
    raise AssertionError(msg)


class Given(NamedTuple, Generic[S]):
    """A game as it stands."""

    game: Game[S, Any, Any, Any, Any]
    state: S

    def when(self, seat: Seat | None, command: Command, chance: Chance | None = None) -> "When[S]":
        """The seat, or the service (None), sends the command; without `chance` it must not draw."""
        return When(self, seat, command, NoChance() if chance is None else chance)


class When(NamedTuple, Generic[S]):
    """A command in front of a game."""

    given: Given[S]
    seat: Seat | None
    command: Command
    chance: Chance

    def then(self, *events: Event) -> Given[S]:
        """Exactly these events follow; gives the game after them."""
        after, happened = self._decided()
        assert happened == events
        return after

    def then_including(self, *events: Event) -> Given[S]:
        """These events are among those that follow, in this order; gives the game after all that follow."""
        after, happened = self._decided()
        assert tuple(event for event in happened if event in events) == events, happened
        return after

    def then_illegal(self, rule: str, reason: str) -> IllegalCommand:
        """The command is refused by this rule for this reason, in a sentence for a person."""
        with pytest.raises(IllegalCommand) as refusal:
            self.given.game.decide(self.given.state, self.seat, self.command, self.chance)
        assert (refusal.value.rule, refusal.value.reason) == (rule, reason)
        assert refusal.value.detail[0].isupper()
        assert refusal.value.detail[-1] == "."
        return refusal.value

    def _decided(self) -> tuple[Given[S], tuple[Event, ...]]:
        game, state = self.given
        events = game.decide(state, self.seat, self.command, self.chance)
        assert not isinstance(self.chance, Loaded) or self.chance.spent, "fewer draws than the test has foreseen"
        for event in events:
            state = game.evolve(state, event)
        return Given(game, state), events


def given(game: Game[S, Any, Any, Any, Any], state: S, *events: Event) -> Given[S]:
    """The game in that state, or as the events leave it."""
    for event in events:
        state = game.evolve(state, event)
    return Given(game, state)
