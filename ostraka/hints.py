"""Wake-up hints through Redis. Whoever misses one finds the event by polling: nothing waits for Redis here."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Self

import msgspec
import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.application.ports import Due

CHANNEL = "ostraka:hints"
_WAITING = 1000
_AWAY_SECONDS = 1.0
_log = structlog.get_logger()


class Hint(msgspec.Struct, frozen=True, array_like=True):
    """A game has reached a version and waits for a pool of workers from a time on, in microseconds since 1970."""

    game_id: str
    version: int
    pool: str | None
    at: int | None


class RedisHints:
    """Sends hints without waiting and passes received ones on. Start it with `async with`."""

    def __init__(self, url: str) -> None:
        self._redis = Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1)
        self._waiting: asyncio.Queue[Hint] = asyncio.Queue(_WAITING)
        self._task: asyncio.Task[None] | None = None
        self.away: str | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._send_on())
        return self

    async def __aexit__(self, *_exception: object) -> None:
        if self._task:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        with contextlib.suppress(RedisError, OSError):
            await self._redis.aclose()

    def hint(self, game_id: str, version: int, due: Due | None) -> None:
        """Send a hint soon, or drop it when too many wait."""
        with contextlib.suppress(asyncio.QueueFull):
            self._waiting.put_nowait(Hint(game_id, version, due.pool if due else None, due.at if due else None))

    async def received(self) -> AsyncIterator[Hint | None]:
        """Hints as they come; None each time the connection is made anew, for hints may have been missed."""
        while True:
            try:
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    yield None
                    while True:
                        message = await channel.get_message(ignore_subscribe_messages=True, timeout=1.0)
                        if message is not None:
                            yield msgspec.json.decode(message["data"], type=Hint)
            except (RedisError, OSError, msgspec.DecodeError) as fault:
                self._note(fault)
                await asyncio.sleep(_AWAY_SECONDS)

    async def _send_on(self) -> None:
        while True:
            hint = await self._waiting.get()
            try:
                await self._redis.publish(CHANNEL, msgspec.json.encode(hint))
                self._note(None)
            except (RedisError, OSError) as fault:
                self._note(fault)
                await asyncio.sleep(_AWAY_SECONDS)
                self._drop_old()

    def _drop_old(self) -> None:
        while not self._waiting.empty():
            self._waiting.get_nowait()

    def _note(self, fault: Exception | None) -> None:
        away = None if fault is None else f"Redis does not answer: {type(fault).__name__}"
        if away and not self.away:
            _log.warning("hints_lost", reason=away)
        self.away = away
