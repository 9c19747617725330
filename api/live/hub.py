"""Every live stream of this process: woken by hints, and by one query a second for all that is watched."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from typing import Protocol, TypeAlias

import structlog

from api.live.feed import Feed
from api.live.sse import HEARTBEAT, RETRY
from api.live.telling import is_over
from api.live.watcher import QUEUE_LENGTH, Frame, Watcher
from domain.application.errors import NoSuchVersion
from domain.application.folding import Aggregate
from domain.application.loading import Streams
from domain.application.ports import Directory, EventStore, StoreUnavailable
from domain.application.seeing import Viewer
from domain.kernel.game import AnyGame

BeforeSecrets: TypeAlias = Callable[[], Awaitable[None]]
"""What must be done before something hidden in a running game is shown."""

_log = structlog.get_logger()


class Follower(Protocol):
    """Whoever follows many games and looks for himself when one of them has moved on."""

    ended: asyncio.Event

    @property
    def games(self) -> Mapping[str, int]:
        """The version of each game as far as he knows."""
        ...

    def moved(self) -> None:
        """One of the games has moved on."""
        ...


class Hub:
    """Tails each watched game once, whoever and however many watch it.

    Unit: seconds for `poll` and `heartbeat`. Shape: `queue` frames that may wait for one reader.
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
        queue: int = QUEUE_LENGTH,
    ) -> None:
        self._games = games
        self._store = store
        self._streams = streams
        self._directory = directory
        self._poll = poll
        self._queue = queue
        self._feeds: dict[str, Feed] = {}
        self._followers: set[Follower] = set()
        self._look = asyncio.Event()
        self._closed = False
        self.heartbeat = heartbeat

    @property
    def watched(self) -> Mapping[str, int]:
        """How many watch each game; a game nobody watches is not in it."""
        return {game_id: len(feed.watchers) for game_id, feed in self._feeds.items()}

    async def run(self) -> None:
        """Look once a second for what no hint told of, until cancelled."""
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._poll):
                    await self._look.wait()
            self._look.clear()
            try:
                await self.look()
            except Exception:  # noqa: BLE001 - at the edge of a task of our own
                _log.exception("look_failed")

    def missed(self) -> None:
        """Hints may have been lost: look now."""
        self._look.set()

    async def look(self) -> None:
        """Ask for the versions of all watched games at once, and read what is new."""
        watched = {*self._feeds, *(game_id for one in self._followers for game_id in one.games)}
        if not watched:
            return
        try:
            versions = await self._directory.versions(watched)
        except StoreUnavailable as fault:
            _log.warning("streams_wait", reason=str(fault))
            return
        for game_id, version in versions.items():
            self.hinted(game_id, version)

    def hinted(self, game_id: str, version: int) -> None:
        """A game has reached a version."""
        feed = self._feeds.get(game_id)
        if feed is not None:
            feed.hinted(version)
        for follower in self._followers:
            if follower.games.get(game_id, version) < version:
                follower.moved()

    def close(self) -> None:
        """End every stream at once, so that none delays a stop."""
        self._closed = True
        for feed in self._feeds.values():
            feed.stop()
            feed.end()
        for follower in self._followers:
            follower.ended.set()
            follower.moved()

    async def watch(
        self, game_id: str, viewer: Viewer, after: int, before_secrets: BeforeSecrets | None = None
    ) -> tuple[AsyncGenerator[bytes, None], asyncio.Event]:
        """The events after a version as chunks of a stream, to the game's end, with heartbeats in between.

        The event beside it is set when the stream must end at once, whether or not its reader reads.

        Raises: StreamNotFound; NoSuchVersion for a version the game has not reached.
        """
        aggregate = (await self._streams.fresh(game_id)).aggregate
        if after > aggregate.head.version:
            raise NoSuchVersion(aggregate.head.version)
        watcher = Watcher(viewer, length=self._queue)
        return self._streamed(aggregate, watcher, after, before_secrets), watcher.ended

    @contextlib.contextmanager
    def following(self, follower: Follower) -> Iterator[None]:
        """Tell a follower of games that move on."""
        self._followers.add(follower)
        if self._closed:
            follower.ended.set()
        try:
            yield
        finally:
            self._followers.discard(follower)

    async def _streamed(
        self, aggregate: Aggregate, watcher: Watcher, after: int, before_secrets: BeforeSecrets | None
    ) -> AsyncGenerator[bytes, None]:
        feed = self._join(aggregate, watcher)
        try:
            yield RETRY
            if is_over(aggregate.opened) and after == aggregate.head.version:
                return
            async with contextlib.aclosing(_frames(feed, watcher, after, self.heartbeat)) as frames:
                async for frame in frames:
                    if frame is None:
                        yield HEARTBEAT
                        continue
                    if frame.unredacted and before_secrets:
                        await before_secrets()
                        before_secrets = None
                    yield frame.chunk
                    if frame.last:
                        return
        except StoreUnavailable as fault:
            # The reader comes back by itself, and is told what is wrong if it still is.
            _log.warning("stream_ended", game_id=aggregate.game_id, reason=str(fault))
        finally:
            self._leave(feed, watcher)

    def _join(self, aggregate: Aggregate, watcher: Watcher) -> Feed:
        feed = self._feeds.get(aggregate.game_id)
        if feed is None:
            feed = self._feeds[aggregate.game_id] = Feed(self._games, self._store, aggregate)
        feed.watchers.add(watcher)
        feed.hinted(aggregate.head.version)
        if self._closed:
            watcher.end()
        return feed

    def _leave(self, feed: Feed, watcher: Watcher) -> None:
        feed.watchers.discard(watcher)
        if not feed.watchers:
            feed.stop()
            self._feeds.pop(feed.aggregate.game_id, None)


async def _frames(feed: Feed, watcher: Watcher, after: int, heartbeat: float) -> AsyncGenerator[Frame | None, None]:
    """What was missed, then what happens, until the stream ends; None when nothing has happened for a while."""
    async with contextlib.aclosing(feed.missed(watcher, after)) as missed:
        async for frame in missed:
            yield frame
    while not watcher.ended.is_set():
        frame_or_none = await watcher.next(heartbeat)
        if not watcher.ended.is_set():
            yield frame_or_none
