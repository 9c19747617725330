"""Secrets in a public chain: a secret field is hashed as a salted commitment and opened to those who may see it.

A stored event is a document `{"data": ..., "meta": ...}`. Where a value is secret it holds `{"commitment": hex}`, and
value, salt and audience stand apart under the value's JSON pointer. Everybody therefore verifies the same hashes.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from domain.kernel.canonical import Json, canonical
from domain.kernel.chance import keyed
from domain.kernel.messages import Audience, Event, Seat

FIELD_TAG = b"ostraka/field/1"
SALT_BYTES = 16

Document: TypeAlias = dict[str, Any]
"""An event's `data` and `meta` as JSON values; `Any` because each event class has fields of its own."""


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    """What turns a commitment back into its value.

    Shape: `salt` 16 bytes in hex; `seats` the audience while the game runs, ascending.
    """

    value: Any  # a JSON value of the event's own shape
    salt: str
    seats: tuple[Seat, ...]


Openings: TypeAlias = Mapping[str, Opening]
"""JSON pointer into the document (`/data/card`, `/data/seats/0`, `/meta/command`) to what opens it."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An event as one viewer sees it: values where he may, commitments elsewhere, and salts to check his values by."""

    document: Document
    salts: dict[str, str]
    redacted: bool


def commitment(value: Json, salt: str) -> str:
    """SHA-256(tag, salt, canonical value) in hex."""
    return hashlib.sha256(FIELD_TAG + bytes.fromhex(salt) + canonical(value)).hexdigest()


def salter(secret: bytes, game_id: str, version: int) -> Callable[[str], str]:
    """Salts of one event by pointer: 128 bits of HMAC(secret, ["salt", game id, version, pointer]), in hex."""
    return lambda pointer: keyed(secret, ["salt", game_id, version, pointer])[:SALT_BYTES].hex()


def audiences_of(event: Event) -> dict[str, Audience]:
    """The event's declared secrets by pointer into its document."""
    return {f"/data/{path}": audience for path, audience in event.secrets().items()}


def conceal(
    document: Document, audiences: Mapping[str, Audience], salt_of: Callable[[str], str]
) -> tuple[Document, dict[str, Opening]]:
    """The public form of a document with a commitment in place of each secret value, and the openings kept apart."""
    openings: dict[str, Opening] = {}
    public = document
    for pointer in sorted(audiences):
        value, salt = value_at(document, pointer), salt_of(pointer)
        openings[pointer] = Opening(value=value, salt=salt, seats=tuple(sorted(audiences[pointer])))
        public = replaced(public, pointer, {"commitment": commitment(value, salt)})
    return public, openings


def reveal(public: Document, openings: Openings, may_see: Callable[[Opening], bool]) -> Shown:
    """The document with every value opened that the viewer may see."""
    document, salts = public, {}
    for pointer, opening in openings.items():
        if may_see(opening):
            document = replaced(document, pointer, opening.value)
            salts[pointer] = opening.salt
    return Shown(document=document, salts=salts, redacted=len(salts) < len(openings))


def to_seat(seat: Seat | None) -> Callable[[Opening], bool]:
    """What one seat may see of a running game; None is a watcher, who sees no secret."""
    return lambda opening: seat in opening.seats


def to_everyone(_opening: Opening) -> bool:
    """What all may see once the game is over."""
    return True


def value_at(document: Any, pointer: str) -> Any:
    """The value at a JSON pointer.

    Raises: KeyError, IndexError, TypeError, ValueError where there is none.
    """
    for step in pointer.split("/")[1:]:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document


def replaced(document: Any, pointer: str, value: Any) -> Any:
    """The document with another value at a pointer; every list and object on the way is new, the rest is shared."""
    head, _, rest = pointer.removeprefix("/").partition("/")
    if isinstance(document, list):
        place = int(head)
        new = value if not rest else replaced(document[place], f"/{rest}", value)
        return [*document[:place], new, *document[place + 1 :]]
    new = value if not rest else replaced(document[head], f"/{rest}", value)
    return {**document, head: new}
