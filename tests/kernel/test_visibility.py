"""Secrets in public events: hidden from all who may not see them, and open to be checked by all who may."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.messages import Audience, Event
from domain.kernel.visibility import (
    SALT_BYTES,
    Document,
    Opening,
    audiences_of,
    commitment,
    conceal,
    replaced,
    reveal,
    salter,
    to_everyone,
    to_seat,
    value_at,
)
from tests.kernel import checker
from tests.strategies import game_ids, json_values, salts, seats, secrets

GAME_ID = "018f0000-0000-7000-8000-000000000001"
SECRET = bytes(range(32))


class HandsDealt(Event, frozen=True, kw_only=True, tag="toy.hands_dealt"):
    """Shape: one hand per seat."""

    hands: tuple[tuple[int, ...], ...]
    open_cards: int

    def secrets(self) -> dict[str, Audience]:
        return {f"hands/{seat}": frozenset({seat}) for seat in range(len(self.hands))}


DEALT: Document = {"data": {"hands": [[1, 2], [3, 4], [5, 6]], "open_cards": 0}, "meta": {"command": {"type": "deal"}}}
AUDIENCES = {
    **audiences_of(HandsDealt(hands=((1, 2), (3, 4), (5, 6)), open_cards=0)),
    "/meta/command": frozenset({2, 0}),
}


def concealed() -> tuple[Document, dict[str, Opening]]:
    """The dealt hands as they are stored."""
    return conceal(DEALT, AUDIENCES, salter(SECRET, GAME_ID, 7))


def test_an_event_declares_its_secrets_once() -> None:
    assert {
        "/data/hands/0": {0},
        "/data/hands/1": {1},
        "/data/hands/2": {2},
        "/meta/command": {0, 2},
    } == AUDIENCES


def test_an_event_without_a_declaration_has_no_secrets() -> None:
    class Rung(Event, frozen=True, kw_only=True, tag="toy.rung"):
        pass

    assert audiences_of(Rung()) == {}


def test_what_is_stored_in_public_holds_commitments_only() -> None:
    public, openings = concealed()
    assert public["data"]["open_cards"] == 0
    assert [list(hand) for hand in public["data"]["hands"]] == [["commitment"]] * 3
    assert public["meta"]["command"] == {"commitment": commitment({"type": "deal"}, openings["/meta/command"].salt)}
    assert openings["/meta/command"].seats == (0, 2)
    assert DEALT["data"]["hands"][0] == [1, 2]


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_viewer_gets_what_is_for_his_seat(seat: Literal[0, 1, 2] | None) -> None:
    public, openings = concealed()
    shown = reveal(public, openings, to_seat(seat))
    for other, hand in enumerate(DEALT["data"]["hands"]):
        place = f"/data/hands/{other}"
        seen = value_at(shown.document, place)
        assert (seen == hand) == (other == seat)
        assert (place in shown.salts) == (other == seat)
    assert shown.redacted
    assert ("/meta/command" in shown.salts) == (seat in (0, 2))


def test_everyone_gets_everything_when_all_is_over() -> None:
    public, openings = concealed()
    shown = reveal(public, openings, to_everyone)
    assert shown.document == DEALT
    assert not shown.redacted
    assert shown.salts.keys() == openings.keys()


def test_nothing_is_redacted_where_nothing_is_secret() -> None:
    public, openings = conceal(DEALT, {}, salter(SECRET, GAME_ID, 7))
    assert (public, openings) == (DEALT, {})
    assert not reveal(public, openings, to_seat(None)).redacted


@given(json_values, salts)
def test_a_commitment_is_what_the_page_says(value: Any, salt: str) -> None:
    assert commitment(value, salt) == checker.field_commitment(value, salt)


@given(secrets, game_ids, st.integers(1, 20_000), st.sampled_from(["/data/card", "/data/seats/0", "/meta/command"]))
def test_a_salt_is_what_the_page_says(secret: bytes, game_id: str, version: int, pointer: str) -> None:
    salt = salter(secret, game_id, version)(pointer)
    assert salt == checker.field_salt(secret, game_id, version, pointer)
    assert len(bytes.fromhex(salt)) == SALT_BYTES


def test_no_two_values_share_a_salt() -> None:
    salted = {
        salter(secret, game_id, version)(pointer)
        for secret in (SECRET, bytes(32))
        for game_id in (GAME_ID, "018f0000-0000-7000-8000-000000000002")
        for version in (1, 2)
        for pointer in ("/data/a", "/data/b")
    }
    assert len(salted) == 16


@given(json_values, json_values, salts, salts)
def test_a_commitment_binds_value_and_salt(one: Any, other: Any, salt: str, another: str) -> None:
    same = checker.canonical(one) == checker.canonical(other) and salt == another
    assert (commitment(one, salt) == commitment(other, another)) == same


@given(json_values, st.frozensets(seats, max_size=3), seats)
def test_concealing_and_revealing_lose_nothing(value: Any, audience: frozenset[int], seat: int) -> None:
    document = {"data": {"before": 1, "hidden": value}, "meta": {}}
    public, openings = conceal(document, {"/data/hidden": audience}, salter(SECRET, GAME_ID, 1))
    shown = reveal(public, openings, to_seat(seat))
    assert shown.document == (document if seat in audience else public)
    assert shown.redacted == (seat not in audience)


TREE: dict[str, Any] = {"list": [{"deep": 1}, 2], "object": {"0": "zero"}}


class TestPointers:
    @pytest.mark.parametrize(
        ("pointer", "value"),
        [("/list", [{"deep": 1}, 2]), ("/list/0/deep", 1), ("/list/1", 2), ("/object/0", "zero"), ("", TREE)],
    )
    def test_a_pointer_leads_to_its_value(self, pointer: str, value: Any) -> None:
        assert value_at(TREE, pointer) == value

    @pytest.mark.parametrize("pointer", ["/none", "/list/2", "/list/x", "/list/1/deep", "/object/0/deep"])
    def test_a_pointer_to_nothing_is_an_error(self, pointer: str) -> None:
        with pytest.raises((KeyError, IndexError, TypeError, ValueError)):
            value_at(TREE, pointer)

    @pytest.mark.parametrize("pointer", ["/list", "/list/0", "/list/0/deep", "/list/1", "/object/0", "/object"])
    def test_a_replaced_value_stands_where_the_old_one_stood(self, pointer: str) -> None:
        changed = replaced(TREE, pointer, "new")
        assert value_at(changed, pointer) == "new"
        assert replaced(changed, pointer, value_at(TREE, pointer)) == TREE
        assert value_at(TREE, pointer) != "new"

    def test_what_is_not_on_the_way_is_shared(self) -> None:
        changed = replaced(TREE, "/list/0/deep", 2)
        assert changed["object"] is TREE["object"]
        assert changed["list"] is not TREE["list"]
