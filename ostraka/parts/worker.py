"""A worker: Celery processes that play bots, score, run clocks and deliver notices."""

import gc
import sys
import warnings
from collections.abc import Sequence

from celery import Celery
from celery.exceptions import SecurityWarning
from celery.signals import setup_logging, worker_init
from celery.utils.nodenames import default_nodename, host_format

from eventstore.connecting import open_pool
from eventstore.dues import PostgresDues
from eventstore.notices import PostgresNotices
from eventstore.postgres import PostgresEventStore
from eventstore.sealed_log import PostgresSealedLog
from ostraka.hints import RedisHints
from ostraka.logging import set_up_logging
from ostraka.outside import SystemClock, SystemEntropy
from ostraka.parts.connections import NotConfigured, database_url, redis_url, secret_box
from ostraka.settings import Settings
from ostraka.wiring import build
from workers.celery_app import POOLS, create_celery, queue_of
from workers.parts import WorkerParts
from workers.tasks import register

_MICROSECONDS = 1_000_000


def celery_app(settings: Settings) -> Celery:
    """The application with its tasks, not yet connected.

    Raises: NotConfigured.
    """
    app = create_celery(redis_url(settings), task_seconds=settings.task_seconds)
    register(app, lambda: _open(settings))
    return app


def run_worker(settings: Settings, pools: Sequence[str], processes: int) -> None:
    """Work until told to stop.

    Raises: NotConfigured.
    """
    unknown = [pool for pool in pools if pool not in POOLS]
    if unknown:
        msg = f"There is no pool {unknown[0]}; there are {', '.join(POOLS)}."
        raise NotConfigured(msg)
    part = f"worker {'+'.join(pools)}"
    # What is loaded by now is shared with the processes to be forked, as long as no collection touches it.
    worker_init.connect(lambda **_: gc.freeze(), weak=False)
    setup_logging.connect(lambda **_: set_up_logging(settings, part), weak=False)
    # It warns root of pickled tasks; ours are JSON and nothing else is accepted.
    warnings.filterwarnings("ignore", category=SecurityWarning)
    worker = celery_app(settings).Worker(
        hostname=host_format(default_nodename(f"{'-'.join(pools)}@%h")),
        pool="prefork",
        concurrency=processes,
        queues=[queue_of(pool) for pool in pools],
        loglevel=settings.log_level,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    sys.exit(worker.exitcode)


async def _open(settings: Settings) -> WorkerParts:
    """Open a worker process's connections: one for statements is enough, as it does one task at a time."""
    pool = await open_pool(
        database_url(settings), name="ostraka worker", size=2, statement_seconds=settings.statement_seconds
    )
    hints = RedisHints(redis_url(settings))
    await hints.__aenter__()
    store, clock = PostgresEventStore(pool, secret_box(settings)), SystemClock()
    parts = build(store, PostgresSealedLog(pool), clock=clock, entropy=SystemEntropy(), wake_up=hints)

    async def close() -> None:
        await hints.__aexit__()
        pool.terminate()

    return WorkerParts(
        games=parts.worker,
        dues=PostgresDues(pool),
        notices=PostgresNotices(pool),
        clock=clock,
        lease=int(settings.lease_seconds * _MICROSECONDS),
        slice=int(settings.slice_seconds * _MICROSECONDS),
        tries=settings.task_tries,
        close=close,
    )
