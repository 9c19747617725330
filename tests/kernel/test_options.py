"""Options: a preset by name, its values overridden one by one, nothing unknown let through."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.errors import InvalidInput
from domain.kernel.options import resolve, schema


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=9)]
    layout: Literal["wide", "narrow"]
    limit: Literal[0] | None


SHORT = Rules(rounds=3, layout="wide", limit=None)
LONG = Rules(rounds=7, layout="narrow", limit=0)
PRESETS: Mapping[str, Rules] = {"short": SHORT, "long": LONG}

changes = st.fixed_dictionaries(
    {},
    optional={
        "rounds": st.integers(1, 9),
        "layout": st.sampled_from(["wide", "narrow"]),
        "limit": st.sampled_from([0, None]),
    },
)


def test_the_first_preset_is_the_default() -> None:
    assert resolve(PRESETS, {}) == SHORT
    assert resolve(PRESETS, {"preset": "long"}) == LONG


@given(st.sampled_from(["short", "long"]), changes)
def test_each_value_can_be_overridden_by_itself(preset: str, changed: dict[str, Any]) -> None:
    resolved = resolve(PRESETS, {"preset": preset, **changed})
    assert msgspec.to_builtins(resolved) == {**msgspec.to_builtins(PRESETS[preset]), **changed}


@pytest.mark.parametrize(
    ("asked", "pointers"),
    [
        ({"preset": "endless"}, ["/preset"]),
        ({"preset": ["short"]}, ["/preset"]),
        ({"preset": None}, ["/preset"]),
        ({"colour": "red", "shape": 1}, ["/colour", "/shape"]),
        ({"rounds": 10}, ["/rounds"]),
        ({"rounds": 2.5}, ["/rounds"]),
        ({"rounds": True}, ["/rounds"]),
        ({"layout": "round"}, ["/layout"]),
        ({"limit": 1}, ["/limit"]),
    ],
)
def test_what_is_not_offered_is_pointed_at(asked: dict[str, Any], pointers: list[str]) -> None:
    with pytest.raises(InvalidInput) as refused:
        resolve(PRESETS, asked)
    assert [pointer for pointer, _ in refused.value.faults] == pointers


def test_the_schema_says_what_may_be_asked() -> None:
    described = schema(PRESETS)
    assert described["additionalProperties"] is False
    assert described["properties"]["preset"] == {"enum": ["short", "long"], "default": "short"}
    assert described["properties"]["rounds"] == {"type": "integer", "minimum": 1, "maximum": 9, "default": 3}
    assert described["properties"]["layout"]["default"] == "wide"
    assert described["properties"].keys() == {"preset", *Rules.__struct_fields__}
    assert "required" not in described
