"""Messages to and from JSON values; an unknown type, field or value is an error, never a guess."""

import re
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any, Generic, TypeVar

import msgspec

from domain.kernel.errors import CorruptLog, InvalidInput, NewerSoftware
from domain.kernel.messages import Command, Event, type_of

M = TypeVar("M", Command, Event)
T = TypeVar("T")

_FAULT = re.compile(r"^(?P<sentence>.*?)(?: - at `(?P<path>\$[^`]*)`)?$", re.DOTALL)


class Codec(Generic[M]):
    """One closed union of messages, by their stored names."""

    def __init__(self, classes: Iterable[type[M]]) -> None:
        self.by_type: dict[str, type[M]] = {}
        for one in classes:
            if self.by_type.setdefault(type_of(one), one) is not one:
                msg = f"two messages are called {type_of(one)}"
                raise ValueError(msg)
        # Any: a union built from values, which no type checker can spell
        self.union: Any = reduce(or_, self.by_type.values())

    def decode(self, value: Any) -> M:
        """The message of a tagged JSON value.

        Raises: InvalidInput with a JSON pointer.
        """
        message: M = convert(value, self.union)
        return message


class EventCodec(Codec[Event]):
    """Events as stored: the type stands apart from the fields."""

    def restore(self, type_name: str, schema_version: int, data: dict[str, Any]) -> Event:
        """The event of a stored row, already upcast.

        Raises: NewerSoftware for a type or schema version this release does not know; CorruptLog for data that does
        not fit.
        """
        known = self.by_type.get(type_name)
        if known is None or schema_version > known.schema_version:
            msg = f"{type_name} version {schema_version} is not known to this release"
            raise NewerSoftware(msg)
        try:
            return msgspec.convert({**data, "type": type_name}, known)
        except msgspec.ValidationError as fault:
            msg = f"{type_name}: {fault}"
            raise CorruptLog(msg) from fault


def to_json(message: msgspec.Struct) -> dict[str, Any]:
    """The JSON value of a message or view, exactly as a reader of its JSON text gets it: lists, never tuples."""
    value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(message))
    return value


def event_data(event: Event) -> dict[str, Any]:
    """The stored fields of an event, without its type."""
    value = to_json(event)
    del value["type"]
    return value


def convert(value: Any, into: type[T]) -> T:
    """A JSON value as the given type, strictly.

    Raises: InvalidInput with a JSON pointer.
    """
    try:
        return msgspec.convert(value, into)
    except msgspec.ValidationError as fault:
        raise InvalidInput((located(fault),)) from fault


def located(fault: msgspec.ValidationError) -> tuple[str, str]:
    """The JSON pointer and the sentence of a validation fault."""
    match = _FAULT.match(str(fault))
    sentence, path = (match["sentence"], match["path"] or "$") if match else (str(fault), "$")
    steps = re.findall(r"\.([^.\[]+)|\[(\d+|\.\.\.)\]", path)
    return "".join(f"/{name or index}" for name, index in steps), sentence
