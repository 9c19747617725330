"""What the types of messages, options and views can hold, read from the classes themselves."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from domain.kernel.game import AnyGame
from domain.kernel.outcome import Outcome


def leaves(kind: type | inspect.Type, path: str = "") -> Iterator[tuple[str, inspect.Type]]:
    """Every type without inner types that a value can consist of, with a path such as `lines[].points`."""
    described = kind if isinstance(kind, inspect.Type) else inspect.type_info(kind)
    match described:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from leaves(field.type, f"{path}.{field.name}".removeprefix("."))
        case inspect.UnionType(types=types):
            for one in types:
                yield from leaves(one, path)
        case inspect.VarTupleType(item_type=item):
            yield from leaves(item, f"{path}[]")
        case inspect.TupleType(item_types=items):
            for place, item in enumerate(items):
                yield from leaves(item, f"{path}[{place}]")
        case inspect.DictType(key_type=key, value_type=value):
            yield from leaves(key, f"{path}{{key}}")
            yield from leaves(value, f"{path}{{}}")
        case _:
            yield path, described


def can_hold_text(kind: inspect.Type) -> bool:
    """Whether a leaf could hold a text that is neither enumerated nor of a fixed pattern."""
    if isinstance(kind, inspect.StrType):
        return kind.pattern is None
    return not isinstance(kind, inspect.NoneType | inspect.BoolType | inspect.IntType | inspect.LiteralType)


def values_of(kind: inspect.Type) -> tuple[Any, ...]:
    """The values an option may take; of a range of numbers both ends."""
    match kind:
        case inspect.BoolType():
            return (False, True)
        case inspect.NoneType():
            return (None,)
        case inspect.LiteralType(values=values):
            return tuple(values)
        case inspect.IntType(ge=int() as lowest, le=int() as highest):
            return (lowest, highest)
        case inspect.UnionType(types=types):
            return tuple(value for one in types for value in values_of(one))
        case _:
            msg = f"an option of type {type(kind).__name__} has no list of values"
            raise TypeError(msg)


def end_reasons(game: AnyGame) -> tuple[str, ...]:
    """Every way to end that the game declares: the `reason` of each event that carries a whole outcome."""
    declared: set[str] = set()
    for event in game.events:
        if set(event.__struct_fields__) >= set(Outcome.__struct_fields__):
            described = inspect.type_info(event)
            assert isinstance(described, inspect.StructType)
            (reason,) = (field.type for field in described.fields if field.name == "reason")
            declared.update(values_of(reason))
    return tuple(sorted(declared))


def struct_fields(kind: type[msgspec.Struct]) -> dict[str, inspect.Type]:
    """The fields of a class with their types."""
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    return {field.name: field.type for field in described.fields}
