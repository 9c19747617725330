"""Old shapes become present ones step by step, and no step is forgotten."""

from typing import Any

import pytest

from domain.kernel.messages import Event
from domain.kernel.upcasting import Upcasters, check_upcasters, upcast


class Moved(Event, frozen=True, kw_only=True, tag="toy.moved"):
    schema_version = 3
    to: str
    cost: int


class Ended(Event, frozen=True, kw_only=True, tag="toy.ended"):
    pass


def renamed(data: dict[str, Any]) -> dict[str, Any]:
    """Version 2 says `to` for `target`."""
    return {"to": data["target"]}


def priced(data: dict[str, Any]) -> dict[str, Any]:
    """Version 3 says what the move cost; until then moves were free."""
    return {**data, "cost": 0}


STEPS: Upcasters = {("toy.moved", 1): renamed, ("toy.moved", 2): priced}
PRESENT = {"to": "dock", "cost": 0}


@pytest.mark.parametrize(("version", "data"), [(1, {"target": "dock"}), (2, {"to": "dock"}), (3, PRESENT)])
def test_every_version_comes_to_the_present_one(version: int, data: dict[str, Any]) -> None:
    before = dict(data)
    assert upcast(STEPS, "toy.moved", version, data) == (3, PRESENT)
    assert data == before


def test_other_events_stay_as_they_are() -> None:
    assert upcast(STEPS, "toy.ended", 1, {}) == (1, {})


def test_a_complete_set_of_steps_is_accepted() -> None:
    check_upcasters(STEPS, (Moved, Ended))


@pytest.mark.parametrize(
    ("steps", "fault"),
    [
        ({("toy.moved", 2): priced}, r"no step from \[\('toy.moved', 1\)\]"),
        ({**STEPS, ("toy.moved", 3): priced}, r"lead nowhere \[\('toy.moved', 3\)\]"),
        ({**STEPS, ("toy.gone", 1): priced}, r"lead nowhere \[\('toy.gone', 1\)\]"),
        ({}, r"no step from \[\('toy.moved', 1\), \('toy.moved', 2\)\]"),
    ],
)
def test_a_gap_or_a_step_too_many_is_named(steps: Upcasters, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        check_upcasters(steps, (Moved, Ended))
