"""The relay: hands due games to the workers, seals the global order, and follows it with projections."""

import asyncio
import contextlib
import signal
from dataclasses import dataclass

from eventstore.dues import PostgresDues
from eventstore.notices import NoticeProjection
from eventstore.projecting import Projector
from eventstore.sealed_log import PostgresSealedLog
from eventstore.sealer import Sealer
from ostraka.hints import RedisHints
from ostraka.logging import set_up_logging
from ostraka.outside import SystemClock
from ostraka.parts.connections import connections, database_url, redis_url
from ostraka.settings import Settings
from workers.broker import CeleryBroker
from workers.celery_app import create_celery
from workers.dispatcher import Dispatcher

_MICROSECONDS = 1_000_000
_TRIES_BEYOND = 2
"""A worker sets a game aside on its last try; if none lives to do so, the dispatcher does, a little later."""


def run_relay(settings: Settings) -> None:
    """Run until told to stop. Any number may run: dispatchers share, one seals, the others stand by.

    Raises: NotConfigured; StoreUnavailable when the database does not answer at the start.
    """
    set_up_logging(settings, "relay")
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_run(settings))


async def _run(settings: Settings) -> None:
    task = asyncio.current_task()
    assert task
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    async with connections(settings, "relay", pool=3) as opened:
        broker = CeleryBroker(
            create_celery(redis_url(settings), task_seconds=settings.task_seconds), redis_url(settings)
        )
        wakes = _Wakes(dispatcher=asyncio.Event(), sealer=asyncio.Event())
        projector = Projector(opened.pool, PostgresSealedLog(opened.pool), [NoticeProjection()])
        dispatcher = Dispatcher(
            dues=PostgresDues(opened.pool),
            broker=broker,
            clock=SystemClock(),
            wake=wakes.dispatcher,
            queue_length=settings.queue_length,
            lease=int(settings.lease_seconds * _MICROSECONDS),
            tries=settings.task_tries + _TRIES_BEYOND,
        )
        sealer = Sealer(
            url=database_url(settings),
            wake=wakes.sealer,
            on_sealed=lambda _count: projector.wake(),
            pause=settings.seal_pause_seconds,
            poll=settings.seal_poll_seconds,
            stale=settings.seal_stale_seconds,
        )
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(dispatcher.run())
                group.create_task(sealer.run())
                group.create_task(projector.run())
                group.create_task(wakes.follow(opened.hints))
        finally:
            await broker.close()


@dataclass(frozen=True, kw_only=True)
class _Wakes:
    """What a hint wakes."""

    dispatcher: asyncio.Event
    sealer: asyncio.Event

    async def follow(self, hints: RedisHints) -> None:
        """Wake the loops as hints come, until cancelled."""
        async for hint in hints.received():
            self.sealer.set()
            # A turn that its worker keeps for itself is nobody's business yet.
            if hint is None or (hint.at is not None and hint.at <= SystemClock().now()):
                self.dispatcher.set()
