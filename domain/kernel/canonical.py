"""Canonical JSON (RFC 8785, restricted): the one byte form under every hash, commitment and draw.

Only null, booleans, integers of at most 53 bits, strings, lists and objects with ASCII keys are allowed, so that every
language writes the same bytes. Floats are refused: no two libraries agree on all of them.
"""

import hashlib
from typing import TypeAlias

import msgspec

Json: TypeAlias = "bool | int | str | list[Json] | tuple[Json, ...] | dict[str, Json] | None"

SAFE_INTEGER = 2**53 - 1

_encode = msgspec.json.Encoder(order="deterministic").encode


def canonical(value: Json) -> bytes:
    """UTF-8 bytes of `value`: keys sorted, no space, shortest escapes.

    Raises: ValueError for floats, integers beyond 53 bits, keys that are not ASCII, lone surrogates and other types.
    """
    _refuse_ambiguous(value)
    return _encode(value)


def digest(value: Json) -> str:
    """SHA-256 of the canonical form, in lower-case hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _refuse_ambiguous(value: Json) -> None:
    if value is None or value is True or value is False:
        return
    if type(value) is str:
        if not value.isascii():
            value.encode()  # UnicodeEncodeError, a ValueError, for lone surrogates
    elif type(value) is int:
        if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
            msg = f"integer beyond 53 bits: {value}"
            raise ValueError(msg)
    elif isinstance(value, list | tuple):
        for item in value:
            _refuse_ambiguous(item)
    elif type(value) is dict:
        for key, item in value.items():
            if type(key) is not str or not key.isascii():
                msg = f"key is not an ASCII string: {key!r}"
                raise ValueError(msg)
            _refuse_ambiguous(item)
    else:
        msg = f"no canonical form for {type(value).__name__}"
        raise ValueError(msg)
