"""Games made of appended batches, and the parts that tests of the read side stand on."""

import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from uuid import uuid4

import msgspec

from domain.application.ports import Batch, Due, Head, Recorded
from domain.kernel.chain import GENESIS
from eventstore.connecting import Pool, open_pool
from eventstore.postgres import PlainBox, PostgresEventStore
from tests.eventstore.contract import NOON, batch, hash_of, head_of

BEGINNING = Head(version=0, hash=GENESIS)


@contextlib.asynccontextmanager
async def pool_of(url: str, size: int = 10) -> AsyncIterator[Pool]:
    """A pool that ends with its test."""
    pool = await open_pool(url, name="tests", size=size)
    try:
        yield pool
    finally:
        await pool.close()


class Table:
    """A game whose batches a test appends one after the other."""

    def __init__(self, pool: Pool, game_id: str | None = None) -> None:
        self.game_id = game_id or str(uuid4())
        self.head = BEGINNING
        self._store = PostgresEventStore(pool, PlainBox())
        self._commands = 0

    async def append(
        self,
        *types: str,
        due: Due | None = None,
        to_act: tuple[int, ...] = (),
        seated: tuple[tuple[str, int], ...] | None = None,
        at: int | None = None,
        data: dict[str, object] | None = None,
        **listing: object,
    ) -> Batch:
        """Append one command's events, `toy.said` unless told otherwise."""
        self._commands += 1
        bare = batch(self.head, self._commands, game_id=self.game_id, size=max(len(types), 1), due=due)
        first = bare.events[0].recorded_at if at is None else at
        wanted = msgspec.structs.replace(
            bare,
            events=rechained(bare.events, self.head.hash, types or ("toy.said",), to_act, first, data),
            listing=msgspec.structs.replace(bare.listing, to_act=to_act, **listing),
            seated=() if seated is None and self.head.version == 0 else seated,
        )
        await self._store.append(wanted)
        self.head = head_of(wanted)
        return wanted


def rechained(
    events: Sequence[Recorded],
    previous: str,
    types: Sequence[str],
    to_act: tuple[int, ...],
    at: int,
    data: dict[str, object] | None,
) -> tuple[Recorded, ...]:
    """The events with other types, the last of them telling who is to act, chained again."""
    chained: list[Recorded] = []
    for place, event in enumerate(events):
        last = {"to_act": list(to_act)} if place == len(events) - 1 else {}
        changed = msgspec.structs.replace(
            event,
            type=types[place],
            data=event.data if data is None else data,
            meta={**event.meta, **last},
            recorded_at=at,
        )
        chained.append(msgspec.structs.replace(changed, hash=hash_of(changed, previous)))
        previous = chained[-1].hash
    return tuple(chained)


def due(pool: str = "fast", *, at: int = NOON, urgent: bool = False) -> Due:
    """A bot's turn, long due unless told otherwise."""
    return Due(kind="bot", pool=pool, at=at, seat=0, urgent=urgent)


class GrowingLog:
    """A sealed log of the events a test gives it."""

    def __init__(self) -> None:
        self.events: list[Recorded] = []

    def add(self, one: Batch) -> None:
        """Seal a batch."""
        for event in one.events:
            self.events.append(msgspec.structs.replace(event, position=len(self.events) + 1))

    async def after(self, position: int, limit: int) -> Sequence[Recorded]:
        return self.events[position : position + limit]

    async def positions(self, game_id: str, start: int, end: int) -> Mapping[int, int]:
        raise NotImplementedError
