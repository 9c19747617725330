"""The hash of an event: everything that is told of it counts, and so does all that was before."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.chain import GENESIS, event_hash
from tests.kernel import checker
from tests.strategies import digests, documents, game_ids

EVENT: dict[str, Any] = {
    "game_id": "018f0000-0000-7000-8000-000000000001",
    "version": 1,
    "previous": GENESIS,
    "type": "toy.moved",
    "schema_version": 1,
    "recorded_at": "2026-02-02T02:40:00.000000Z",
    "command_id": "a661c6e3-14c3-8986-a582-ebb0d6d4fddc",
    "command_ix": 0,
    "data": {"to": "dock"},
    "meta": {"actor": {"kind": "player", "seat": 0}},
}

CHANGES: dict[str, Any] = {
    "game_id": "018f0000-0000-7000-8000-000000000002",
    "version": 2,
    "previous": "0" * 63 + "1",
    "type": "toy.move",
    "schema_version": 2,
    "recorded_at": "2026-02-02T02:40:00.000001Z",
    "command_id": "a661c6e3-14c3-8986-a582-ebb0d6d4fddd",
    "command_ix": 1,
    "data": {"to": "doc"},
    "meta": {"actor": {"kind": "player", "seat": 1}},
}


@pytest.mark.parametrize("field", CHANGES)
def test_every_field_counts(field: str) -> None:
    assert event_hash(**{**EVENT, field: CHANGES[field]}) != event_hash(**EVENT)


def test_no_field_is_left_out() -> None:
    assert CHANGES.keys() == EVENT.keys()


@given(game_ids, digests, st.integers(1, 20_000), documents)
def test_a_hash_is_what_the_page_says(game_id: str, previous: str, version: int, document: dict[str, Any]) -> None:
    event = {**EVENT, **document, "version": version, "game_id": game_id, "previous": previous}
    assert event_hash(**event) == checker.event_hash(game_id, previous, event)


def test_fractions_have_no_hash() -> None:
    with pytest.raises(ValueError, match="canonical form"):
        event_hash(**{**EVENT, "data": {"points": 0.5}})
