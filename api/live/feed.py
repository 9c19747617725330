"""One watched game in this process: read once, redacted once per audience, handed to everybody who watches."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import TypeAlias

import msgspec

from domain.application.folding import Aggregate, fold
from domain.application.ports import EventStore, Recorded
from domain.application.seeing import SeenEvent, Viewer, may_see, see, sees_all, undone_by, view_of
from domain.kernel.canonical import digest
from domain.kernel.game import AnyGame
from domain.kernel.messages import Seat
from domain.table.chairs import seat_of
from domain.table.state import Closed, Opened, Over

QUEUE_LENGTH = 500
"""Events that may wait for a slow reader before it is cut; it comes back by the version it has."""

Audience: TypeAlias = tuple[Seat | None, bool]
"""The viewer's seat, and whether nothing is hidden from him."""


class LiveEvent(SeenEvent, frozen=True, kw_only=True, omit_defaults=True):
    """An event of the stream; the last of each command tells the hash of the viewer's view after it."""

    view_hash: str | msgspec.UnsetType = msgspec.UNSET


class Watcher:
    """Somebody's queue of chunks; None in it is the end of the stream."""

    def __init__(self, viewer: Viewer, version: int) -> None:
        self.viewer = viewer
        self.version = version
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(QUEUE_LENGTH)
        self.cut = False

    def put(self, chunk: bytes) -> None:
        """Add a chunk, or cut the stream of a reader who is too slow."""
        try:
            self.queue.put_nowait(chunk)
        except asyncio.QueueFull:
            self.end()

    def end(self) -> None:
        """End the stream at once; what still waits is read again by version."""
        self.cut = True
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Feed:
    """A game as far as its watchers have been told of it."""

    def __init__(self, games: Mapping[str, AnyGame], store: EventStore, aggregate: Aggregate) -> None:
        self._games = games
        self._store = store
        self._lock = asyncio.Lock()
        self.aggregate = aggregate
        self.watchers: set[Watcher] = set()

    @property
    def version(self) -> int:
        """The version up to which the watchers have been told."""
        return self.aggregate.head.version

    async def advance(self) -> None:
        """Tell the watchers what has happened since.

        Raises: StoreUnavailable.
        """
        async with self._lock:
            tail = await self._store.load(self.aggregate.game_id, start=self.version + 1)
            if not tail.events:
                return
            newest = fold(self._games, self.aggregate, tail.events)
            audiences = {audience_of(newest, watcher) for watcher in self.watchers}
            told = chunks(self._games, self.aggregate, tail.events, newest, audiences)
            self.aggregate = newest
            for watcher in tuple(self.watchers):
                for chunk in told[audience_of(newest, watcher)]:
                    watcher.put(chunk)
                if is_over(newest.opened) and not watcher.cut:
                    watcher.queue.put_nowait(None)


def audience_of(newest: Aggregate, watcher: Watcher) -> Audience:
    """What a watcher may see now."""
    table = newest.opened
    return seat_of(table.chairs, watcher.viewer.player), sees_all(table, watcher.viewer)


def is_over(table: Opened) -> bool:
    """Whether no event will follow."""
    return isinstance(table, Over | Closed)


def chunks(
    games: Mapping[str, AnyGame],
    before: Aggregate,
    events: Iterable[Recorded],
    newest: Aggregate,
    audiences: Iterable[Audience],
) -> dict[Audience, list[bytes]]:
    """The events as chunks of the stream for each audience; what may be seen is judged by the newest state."""
    told: dict[Audience, list[bytes]] = {audience: [] for audience in audiences}
    aggregate = before
    for event in events:
        aggregate = fold(games, aggregate, (event,))
        for audience, listed in told.items():
            listed.append(_chunk(event, aggregate.opened, newest.opened, audience))
    return told


def _chunk(event: Recorded, after: Opened, newest: Opened, audience: Audience) -> bytes:
    seat, everything = audience
    viewer = Viewer(player=_holder(newest, seat), unredacted=everything and seat is None)
    seen = see(event, may_see(newest, viewer), undone_by(newest, event))
    fields = {name: getattr(seen, name) for name in SeenEvent.__struct_fields__}
    hash_after = digest(view_of(after, seat)) if "to_act" in event.meta else msgspec.UNSET
    live = LiveEvent(**{**fields, "position": None}, view_hash=hash_after)
    return b"id: %d\ndata: %s\n\n" % (event.version, msgspec.json.encode(live))


def _holder(table: Opened, seat: Seat | None) -> str | None:
    return None if seat is None else getattr(table.chairs[seat], "player", None)
