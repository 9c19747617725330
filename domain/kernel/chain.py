"""The hash chain of a stream, byte for byte as `docs/hash-chain.md` states it."""

import hashlib

from domain.kernel.canonical import Json, canonical

EVENT_TAG = "ostraka/event/1"
GENESIS = "0" * 64
"""What stands for the previous hash before the first event of a stream."""


def event_hash(
    *,
    game_id: str,
    version: int,
    previous: str,
    type: str,  # noqa: A002 - the field's name on disk and in the API
    schema_version: int,
    recorded_at: str,
    command_id: str,
    command_ix: int,
    data: Json,
    meta: Json,
) -> str:
    """SHA-256, in hex, of the canonical JSON of the event's list form with the hash before it.

    `data` and `meta` are the stored forms, secret values replaced by their commitments; `recorded_at` is RFC 3339 in
    UTC with six decimals and `Z`.
    """
    form: list[Json] = [EVENT_TAG, game_id, version, previous, type, schema_version]
    form += [recorded_at, command_id, command_ix, data, meta]
    return hashlib.sha256(canonical(form)).hexdigest()
