"""The event store in Postgres: append in one round trip, load by game.

The append's expected version is the predecessor's hash. There is no lock, counter or NOTIFY on this path; the global
order is made afterwards by `eventstore.sealer`.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import asyncpg
import msgspec

from domain.application.instants import from_datetime, to_datetime
from domain.application.ports import Batch, ConcurrencyConflict, Recorded, Tail
from domain.kernel.visibility import Opening
from eventstore.connecting import Pool, connection
from eventstore.statements import APPEND, BY_COMMAND, LOAD, OPEN, RESEAT, SECRET

_NO_END = 2**31 - 1


PLAIN_FORM = b"\x00"
"""The first byte of a secret that is stored as it is."""


class CannotDecrypt(Exception):
    """A secret is encrypted, and not with a key that is known here; or its bytes were changed."""


class SecretBox(Protocol):
    """Keeps the games' secrets from whoever reads the database. The first byte of a stored one tells its form."""

    def seal(self, secret: bytes, game_id: str) -> bytes:
        """The form that is stored."""
        ...

    def open(self, sealed: bytes, game_id: str) -> bytes:
        """The secret again.

        Raises: CannotDecrypt.
        """
        ...


class PlainBox:
    """Stores secrets as they are: for a database whose owner runs the service himself."""

    def seal(self, secret: bytes, _game_id: str) -> bytes:
        """The secret itself, marked as plain."""
        return PLAIN_FORM + secret

    def open(self, sealed: bytes, game_id: str) -> bytes:
        """The secret again.

        Raises: CannotDecrypt.
        """
        if not sealed.startswith(PLAIN_FORM):
            # Drawing with the wrong bytes would break what the game has committed itself to.
            msg = f"the secret of game {game_id} is encrypted, and OSTRAKA_SECRET_KEYS is not set"
            raise CannotDecrypt(msg)
        return sealed[len(PLAIN_FORM) :]


class PostgresEventStore:
    """Streams in one partitioned, append-only table."""

    def __init__(self, pool: Pool, box: SecretBox) -> None:
        self._pool = pool
        self._box = box

    async def append(self, batch: Batch) -> None:
        """Store a batch and the game's directory row, durably, in one statement.

        Raises: ConcurrencyConflict; StoreUnavailable when it is not known whether the batch was stored.
        """
        values = [*_event_columns(batch), *_listing_columns(batch)]
        if batch.after.version == 0:
            statement = OPEN
            sealed = None if batch.secret is None else self._box.seal(batch.secret, batch.game_id)
            values += [*_seat_columns(batch), sealed]
        elif batch.seated is not None:
            statement = RESEAT
            values += _seat_columns(batch)
        else:
            statement = APPEND
        async with connection(self._pool) as one:
            added = await one.fetchval(statement, *values)
        if added != len(batch.events):
            msg = f"{batch.game_id}: version {batch.after.version} with that hash is not stored"
            raise ConcurrencyConflict(msg)

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """The events with start <= version <= end; none for an unknown stream.

        Raises: StoreUnavailable; CannotDecrypt.
        """
        last = _NO_END if end is None else end
        async with connection(self._pool) as one:
            rows = await one.fetch(LOAD, game_id, start, last)
            sealed = await one.fetchval(SECRET, game_id) if with_secret and rows else None
        secret = None if sealed is None else self._box.open(sealed, game_id)
        return Tail(events=[recorded(game_id, row) for row in rows], secret=secret)

    async def command(self, game_id: str, command_id: str) -> Sequence[Recorded]:
        """The events a command has caused, none if it is not stored.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            rows = await one.fetch(BY_COMMAND, game_id, command_id)
        return [recorded(game_id, row) for row in rows]


def _event_columns(batch: Batch) -> list[Any]:
    """The first parameters of every append: where it stands, and the events as one array per column."""
    events = batch.events
    return [
        batch.game_id,
        batch.after.version,
        bytes.fromhex(batch.after.hash),
        batch.command_id,
        to_datetime(events[0].recorded_at),
        [event.type for event in events],
        [event.schema_version for event in events],
        [_json(event.data) for event in events],
        [_json(event.openings) if event.openings else None for event in events],
        [_json(event.meta) for event in events],
        [bytes.fromhex(event.hash) for event in events],
    ]


def _listing_columns(batch: Batch) -> list[Any]:
    listing, due = batch.listing, batch.listing.due
    return [
        listing.status,
        list(listing.to_act),
        due.kind if due else None,
        due.pool if due else None,
        due.seat if due else None,
        to_datetime(due.at) if due else None,
        due.urgent if due else False,
    ]


def _seat_columns(batch: Batch) -> list[Any]:
    listing, seated = batch.listing, batch.seated or ()
    return [
        listing.game,
        listing.opener,
        listing.chairs,
        [player for player, _ in seated],
        [seat for _, seat in seated],
    ]


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def recorded(game_id: str, row: asyncpg.Record, position: int | None = None) -> Recorded:
    """The event of a row with the columns of `statements.LOAD`."""
    return Recorded(
        game_id=game_id,
        version=row["version"],
        type=row["type"],
        schema_version=row["schema_version"],
        data=row["data"],
        meta=row["meta"],
        openings=msgspec.convert(row["secret"] or {}, dict[str, Opening]),
        command_id=str(row["command_id"]),
        command_ix=row["command_ix"],
        recorded_at=from_datetime(row["recorded_at"]),
        hash=row["hash"].hex(),
        position=position,
    )
