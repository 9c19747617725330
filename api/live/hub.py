"""Every live stream of this process: woken by hints, and by one query a second for all watched games."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator, Mapping

import structlog

from api.live.feed import Feed, Watcher, audience_of, chunks, is_over
from domain.application.errors import NoSuchVersion
from domain.application.folding import blank, fold
from domain.application.loading import Streams
from domain.application.ports import Directory, EventStore, StoreUnavailable
from domain.application.seeing import Viewer
from domain.kernel.errors import DomainError
from domain.kernel.game import AnyGame

_log = structlog.get_logger()

HEARTBEAT = b": still here\n\n"


class Hub:
    """Tails each watched game once, whoever and however many watch it.

    Unit: seconds for `poll` and `heartbeat`.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        store: EventStore,
        streams: Streams,
        directory: Directory,
        *,
        poll: float = 1.0,
        heartbeat: float = 15.0,
    ) -> None:
        self._games = games
        self._store = store
        self._streams = streams
        self._directory = directory
        self._poll = poll
        self._heartbeat = heartbeat
        self._feeds: dict[str, Feed] = {}
        self._waking: set[asyncio.Task[None]] = set()
        self._listeners: set[asyncio.Queue[str | None]] = set()
        self._closed = False

    async def run(self) -> None:
        """Look once a second for what no hint told of, until cancelled."""
        while True:
            await asyncio.sleep(self._poll)
            await self.look()

    async def look(self) -> None:
        """Ask for the versions of all watched games at once, and tell what is new."""
        if not self._feeds:
            return
        try:
            versions = await self._directory.versions(tuple(self._feeds))
        except StoreUnavailable as fault:
            _log.warning("streams_wait", reason=str(fault))
            return
        for game_id, version in versions.items():
            self.hinted(game_id, version)

    def hinted(self, game_id: str, version: int) -> None:
        """A game has reached a version."""
        for listener in self._listeners:
            with contextlib.suppress(asyncio.QueueFull):
                listener.put_nowait(game_id)
        feed = self._feeds.get(game_id)
        if feed is not None and version > feed.version:
            task = asyncio.get_running_loop().create_task(self._advance(feed))
            self._waking.add(task)
            task.add_done_callback(self._waking.discard)

    def close(self) -> None:
        """End every stream at once, so that none delays a stop."""
        self._closed = True
        for feed in self._feeds.values():
            for watcher in feed.watchers:
                watcher.end()
        for listener in self._listeners:
            while not listener.empty():
                listener.get_nowait()
            listener.put_nowait(None)

    async def watch(self, game_id: str, viewer: Viewer, after: int) -> AsyncIterator[bytes]:
        """The events after a version as chunks of a stream, to the game's end; heartbeats in between.

        Raises: StreamNotFound; NoSuchVersion for a version the game has not reached.
        """
        feed = await self._feed(game_id)
        await feed.advance()
        if after > feed.version:
            raise NoSuchVersion(feed.version)
        watcher = Watcher(viewer, feed.version)
        feed.watchers.add(watcher)
        if self._closed:
            watcher.end()
        return self._streamed(feed, watcher, after)

    async def _streamed(self, feed: Feed, watcher: Watcher, after: int) -> AsyncIterator[bytes]:
        try:
            yield b"retry: 1000\n\n"
            newest = feed.aggregate
            for chunk in await self._missed(newest.game_id, watcher, after):
                yield chunk
            if is_over(newest.opened) and watcher.version == newest.head.version and watcher.queue.empty():
                return
            async for chunk in self._waited_for(watcher.queue):
                yield chunk
        finally:
            feed.watchers.discard(watcher)
            if not feed.watchers:
                self._feeds.pop(feed.aggregate.game_id, None)

    async def _waited_for(self, queue: asyncio.Queue[bytes | None]) -> AsyncIterator[bytes]:
        while True:
            try:
                chunk = await asyncio.wait_for(queue.get(), self._heartbeat)
            except TimeoutError:
                yield HEARTBEAT
                continue
            if chunk is None:
                return
            yield chunk

    async def _missed(self, game_id: str, watcher: Watcher, after: int) -> list[bytes]:
        """What happened after the reader's version and before the live events that wait in his queue."""
        if after >= watcher.version:
            return []
        tail = await self._store.load(game_id, end=watcher.version)
        before = fold(self._games, blank(game_id), tail.events[:after])
        newest = fold(self._games, before, tail.events[after:])
        audience = audience_of(newest, watcher)
        return chunks(self._games, before, tail.events[after:], newest, (audience,))[audience]

    async def _feed(self, game_id: str) -> Feed:
        feed = self._feeds.get(game_id)
        if feed is None:
            aggregate = (await self._streams.fresh(game_id)).aggregate
            feed = self._feeds.setdefault(game_id, Feed(self._games, self._store, aggregate))
        return feed

    async def _advance(self, feed: Feed) -> None:
        try:
            await feed.advance()
        except DomainError as fault:
            # The next look tries again; a game that cannot be read ends its streams there and then.
            _log.warning("stream_waits", game_id=feed.aggregate.game_id, reason=type(fault).__name__)

    @contextlib.contextmanager
    def listening(self) -> Iterator[asyncio.Queue[str | None]]:
        """Game ids as they move on, for whoever follows many games; None when the hub closes."""
        queue: asyncio.Queue[str | None] = asyncio.Queue(1000)
        self._listeners.add(queue)
        if self._closed:
            queue.put_nowait(None)
        try:
            yield queue
        finally:
            self._listeners.discard(queue)
