"""Bases of commands and events: frozen, keyword-only, tagged in JSON by `type`, refusing unknown fields."""

from typing import ClassVar, TypeAlias

import msgspec

Seat: TypeAlias = int
"""A place at the table, counted from 0; clockwise is the next number."""

Audience: TypeAlias = frozenset[Seat]
"""The seats that may see a secret value while the game runs."""


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What a seat, or the service, asks for; a subclass writes its public name out as `tag`."""


class Event(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """What has happened; tag and field names are the storage format and never change once released."""

    schema_version: ClassVar[int] = 1

    def secrets(self) -> dict[str, Audience]:
        """Which fields only some seats may see: a field name, or `name/index` for one item of a list, to its audience.

        This one declaration drives storage, redaction, the live stream, the record and the verifier.
        """
        return {}


def type_of(message: type[Command] | type[Event]) -> str:
    """The stored name of a message class, as its `tag` spells it.

    Raises: TypeError when the class has no written-out tag.
    """
    tag = message.__struct_config__.tag
    if not isinstance(tag, str):
        msg = f"{message.__qualname__} has no tag"
        raise TypeError(msg)
    return tag
