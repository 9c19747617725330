"""One watched game in this process: read once, redacted once per audience, handed to everybody who watches."""

import asyncio
from collections.abc import AsyncGenerator, Mapping

import structlog

from api.live.telling import Audience, audience_of, frame, told, walked
from api.live.watcher import Frame, Watcher
from domain.application.folding import Aggregate, blank, fold
from domain.application.ports import EventStore, StoreUnavailable
from domain.kernel.game import AnyGame

PAGE = 64
"""Events that are read, and held for one reader, at once; to redact and encode them takes some 10 ms of the loop."""

_log = structlog.get_logger()


class Feed:
    """A game as far as its watchers have been told of it.

    Whoever watches is in `watchers`; those that have caught up are told what happens, the others read it themselves.
    """

    def __init__(self, games: Mapping[str, AnyGame], store: EventStore, aggregate: Aggregate) -> None:
        self._games = games
        self._store = store
        self._heard = aggregate.head.version
        self._reading: asyncio.Task[None] | None = None
        self.aggregate = aggregate
        self.watchers: set[Watcher] = set()

    @property
    def version(self) -> int:
        """The version up to which the watchers have been told."""
        return self.aggregate.head.version

    def hinted(self, version: int) -> None:
        """The game has reached a version: read on, unless somebody is at it already."""
        self._heard = max(self._heard, version)
        if self._heard > self.version and self._reading is None:
            self._reading = asyncio.get_running_loop().create_task(self._read_on())

    def end(self) -> None:
        """End every stream at once."""
        for watcher in self.watchers:
            watcher.end()

    def stop(self) -> None:
        """Read no more."""
        if self._reading:
            self._reading.cancel()

    async def missed(self, watcher: Watcher, after: int) -> AsyncGenerator[Frame, None]:
        """What happened between a reader's version and the live tail, page by page; then the watcher has joined.

        No connection and no more than a page is held while the reader takes his time.

        Raises: StoreUnavailable, CorruptLog, NewerSoftware.
        """
        await self._reach(after)
        aggregate = blank(self.aggregate.game_id)
        while after < self.version:
            start, end = aggregate.head.version, min(aggregate.head.version + PAGE, self.version)
            tail = await self._store.load(aggregate.game_id, start=start + 1, end=end)
            if len(tail.events) != end - start:
                msg = f"{aggregate.game_id}: events that were told of are gone"
                raise StoreUnavailable(msg)
            seen = max(0, after - start)
            aggregate = fold(self._games, aggregate, tail.events[:seen])
            aggregate, steps = walked(self._games, aggregate, tail.events[seen:])
            if steps:
                after = end
                table = self.aggregate.opened
                audience = audience_of(table, watcher.viewer)
                yield frame(told(steps, audience, table), audience, table, newest=end == self.version)
        # Nothing has been awaited since the comparison, so the next event that is told is the next one to send.
        watcher.joined = True

    async def _reach(self, version: int) -> None:
        """Be no further back than a reader, who has heard of a version from another process."""
        self.hinted(version)
        if self._reading:
            await asyncio.wait({self._reading})
        if self.version < version:
            msg = f"{self.aggregate.game_id}: version {version} could not be read"
            raise StoreUnavailable(msg)

    async def _read_on(self) -> None:
        try:
            while self._heard > self.version and self.watchers:
                if not await self._tell_more():
                    break
        except StoreUnavailable as fault:
            _log.warning("stream_waits", game_id=self.aggregate.game_id, reason=str(fault))
        except Exception:  # noqa: BLE001 - at the edge of a task of our own
            # Whoever comes back is told what is wrong with the game.
            _log.exception("stream_broken", game_id=self.aggregate.game_id)
            self.end()
        finally:
            # What is still to come is found by the next hint or look.
            self._heard = self.version
            self._reading = None

    async def _tell_more(self) -> bool:
        """Read a page and tell it; False when there was none."""
        head = self.aggregate.head
        tail = await self._store.load(self.aggregate.game_id, start=head.version, end=head.version + PAGE)
        if not tail.events or tail.events[0].hash != head.hash:
            # A failover has lost what was told: the readers must begin again from what is stored.
            _log.error("stream_lost", game_id=self.aggregate.game_id, version=head.version)
            self.end()
            return False
        if len(tail.events) == 1:
            return False
        self.aggregate, steps = walked(self._games, self.aggregate, tail.events[1:])
        table = self.aggregate.opened
        frames: dict[Audience, Frame] = {}
        for watcher in self.watchers:
            if not watcher.joined:
                continue
            audience = audience_of(table, watcher.viewer)
            if audience not in frames:
                frames[audience] = frame(told(steps, audience, table), audience, table)
            if not watcher.put(frames[audience]):
                _log.info("slow_reader_cut", game_id=self.aggregate.game_id, version=head.version)
        return True
