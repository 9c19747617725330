"""What an event hides from a viewer changes nothing that he is shown, once the event has happened."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec

from domain.kernel.codec import EventCodec, event_data
from domain.kernel.game import AnyGame
from domain.kernel.messages import Audience, Event, type_of
from domain.kernel.visibility import audiences_of, replaced, value_at
from tests.conformance.cases import Case, per_game
from tests.conformance.journeys import journey, runs_of

Field = tuple[str, str]
"""A secret field: event type, and its pointer without the numbers of places."""


class Hiding(NamedTuple):
    """An event that hides a value: the states around it, and who may see the value."""

    case: Case
    before: Any
    event: Event
    after: Any
    pointer: str
    audience: Audience

    @property
    def field(self) -> Field:
        """Which secret of the game this is."""
        return type_of(type(self.event)), re.sub(r"/\d+", "/_", self.pointer)

    @property
    def value(self) -> Any:
        """What is hidden."""
        return value_at({"data": event_data(self.event)}, self.pointer)

    def instead(self, value: Any) -> Any:
        """The state, had the hidden value been another; None where such an event cannot have happened."""
        data = replaced({"data": event_data(self.event)}, self.pointer, value)["data"]
        kind = type(self.event)
        other = EventCodec([kind]).restore(type_of(kind), kind.schema_version, data)
        try:
            return self.case.game.evolve(self.before, other)
        except (AssertionError, LookupError, ValueError):
            return None


@cache
def hidings(key: str) -> tuple[Hiding, ...]:
    """Every hidden value of every random game."""
    return tuple(hiding for case, style in runs_of(key) for hiding in _hidings(case, style))


def _hidings(case: Case, style: str) -> Iterator[Hiding]:
    for step in journey(case, style):
        for before, event, after in zip((step.before, *step.states), step.events, step.states, strict=False):
            for pointer, audience in audiences_of(event).items():
                yield Hiding(case, before, event, after, pointer, audience)


def shape(value: Any) -> Any:
    """What may well be seen of a hidden value: how many things there are of which type, but not which."""
    if isinstance(value, list):
        return [shape(item) for item in value]
    return {key: shape(item) for key, item in value.items()} if isinstance(value, dict) else type(value)


def plausible(game: AnyGame) -> Mapping[Field, list[Any]]:
    """All that each secret field of a game has ever held."""
    held: dict[Field, list[Any]] = defaultdict(list)
    for hiding in hidings(game.key):
        if hiding.value not in held[hiding.field]:
            held[hiding.field].append(hiding.value)
    return held


@per_game
def test_a_hidden_value_shows_in_no_view(game: AnyGame) -> None:
    values = plausible(game)
    tried = set()
    for hiding in hidings(game.key):
        own = hiding.value
        alike = (value for value in values[hiding.field] if value != own and shape(value) == shape(own))
        other = next((state for state in map(hiding.instead, alike) if state is not None), None)
        if other is not None:
            tried.add(hiding.field)
            for viewer in set(hiding.case.viewers) - hiding.audience:
                assert msgspec.json.encode(game.view(other, viewer)) == msgspec.json.encode(
                    game.view(hiding.after, viewer)
                )
                assert viewer is None or game.legal(other, viewer) == game.legal(hiding.after, viewer)
    assert tried == values.keys()


@per_game
def test_a_secret_is_a_field_of_its_own(game: AnyGame) -> None:
    for hiding in hidings(game.key):
        assert hiding.audience <= set(range(hiding.case.seats))
        others = audiences_of(hiding.event).keys() - {hiding.pointer}
        assert not any(pointer.startswith(f"{hiding.pointer}/") for pointer in others)
