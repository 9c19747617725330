"""Options of a game: presets by name, each value overridable by its own key."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from domain.kernel.codec import convert
from domain.kernel.errors import InvalidInput

O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - the contract's letter for options


def resolve(presets: Mapping[str, O], asked: Mapping[str, Any]) -> O:
    """The complete set of options: the named preset, or the first, with the given keys on top.

    Raises: InvalidInput with the pointer of an unknown key, preset or value.
    """
    name = asked.get("preset", next(iter(presets)))
    if not isinstance(name, str) or name not in presets:
        raise InvalidInput((("/preset", f"expected one of {', '.join(presets)}"),))
    base = presets[name]
    unknown = [key for key in asked if key not in {*base.__struct_fields__, "preset"}]
    if unknown:
        raise InvalidInput(tuple((f"/{key}", "no such option") for key in unknown))
    overrides = {key: value for key, value in asked.items() if key != "preset"}
    return convert({**msgspec.to_builtins(base), **overrides}, type(base))


def schema(presets: Mapping[str, msgspec.Struct]) -> dict[str, Any]:
    """JSON Schema of what `resolve` accepts."""
    first = next(iter(presets.values()))
    whole = msgspec.json.schema(type(first))
    described = whole["$defs"][type(first).__name__]
    defaults = msgspec.to_builtins(first)
    properties = {key: {**value, "default": defaults[key]} for key, value in described["properties"].items()}
    preset = {"enum": list(presets), "default": next(iter(presets))}
    return {"type": "object", "additionalProperties": False, "properties": {"preset": preset, **properties}}
