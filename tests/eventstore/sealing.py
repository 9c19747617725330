"""Sealers for tests: in this process or, run as a module, in one of their own that dies where it is told to."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from unittest import mock
from uuid import uuid4

import asyncpg

from domain.application.ports import Recorded
from eventstore import sealer as sealer_module
from eventstore.connecting import Connection, Pool, connection
from eventstore.sealed_log import PostgresSealedLog
from eventstore.sealer import LOCK, Sealer, seal_once
from tests.eventstore.games import Table

HOLDER = """
SELECT l.pid FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objid = $1::bigint::oid
AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


async def insert(one: Connection, game_id: str | None = None, version: int = 1) -> str:
    """An event in whatever transaction the connection is in; the id of its game."""
    game_id = game_id or str(uuid4())
    await one.execute(
        """INSERT INTO ostraka.event (game_id, version, type, schema_version, data, meta, command_id, command_ix,
               recorded_at, hash) VALUES ($1, $2, 'toy.said', 1, '{}', '{}', $3, 0, clock_timestamp(), sha256('x'))""",
        game_id,
        version,
        str(uuid4()),
    )
    return game_id


async def seal_all(one: Connection) -> int:
    """Seal until an idle round."""
    total = 0
    while count := await seal_once(one):
        total += count
    return total


async def until(condition: Callable[[], Awaitable[bool]], limit: float = 15.0) -> float:
    """Wait until something holds; how long it took in seconds."""
    begin = time.monotonic()
    while not await condition():
        assert time.monotonic() < begin + limit, "it did not happen in time"
        await asyncio.sleep(0.02)
    return time.monotonic() - begin


async def holder(pool: Pool) -> int | None:
    """The backend that has the right to seal."""
    async with connection(pool) as one:
        found: int | None = await one.fetchval(HOLDER, LOCK)
    return found


async def count_of(pool: Pool, table: str) -> int:
    """How many rows there are."""
    async with connection(pool) as one:
        found: int = await one.fetchval(f"SELECT count(*) FROM ostraka.{table}")
    return found


async def all_sealed(pool: Pool) -> bool:
    """Whether every event is in the log."""
    return await count_of(pool, "event") == await count_of(pool, "log")


async def check_log(pool: Pool) -> Sequence[Recorded]:
    """Every event is in the log once, by dense positions, each game in its order; the log."""
    log = await PostgresSealedLog(pool).after(0, 1_000_000)
    assert [event.position for event in log] == list(range(1, await count_of(pool, "event") + 1))
    assert await PostgresSealedLog(pool).last() == len(log)
    check_order(log)
    return log


def check_order(log: Sequence[Recorded]) -> None:
    """Each game's versions come one after the other from 1 on."""
    games: dict[str, list[int]] = defaultdict(list)
    for event in log:
        games[event.game_id].append(event.version)
    assert all(versions == list(range(1, len(versions) + 1)) for versions in games.values())


async def play(pool: Pool, done: asyncio.Event, batches: int = 1_000_000) -> None:
    """Append batches of one to three events to a game until told to end."""
    table = Table(pool)
    for number in range(batches):
        if done.is_set():
            return
        await table.append(*["toy.said"] * (1 + number % 3))


@contextlib.contextmanager
def program(url: str, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    """A sealer in a process of its own."""
    started = subprocess.Popen([sys.executable, "-m", "tests.eventstore.sealing", url, *more])
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def make_sealer(url: str, **more: Any) -> Sealer:
    """A sealer whose hints nobody gives and whose news nobody hears."""
    return Sealer(**{"url": url, "wake": asyncio.Event(), "on_sealed": lambda _count: None, **more})


@contextlib.asynccontextmanager
async def running(sealer: Sealer) -> Any:
    """A sealer that runs as long as the block."""
    task = asyncio.create_task(sealer.run())
    try:
        yield sealer
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


if TYPE_CHECKING:
    _Connection: TypeAlias = asyncpg.Connection[asyncpg.Record]
else:
    _Connection = asyncpg.Connection


class Mortal(_Connection):
    """Ends the process, or raises, right before or right after its n-th statement."""

    left = 0
    after = False
    end: Callable[[], None]

    async def _do(self, method: str, args: Any) -> Any:
        Mortal.left -= 1
        if Mortal.left == 0 and not Mortal.after:
            Mortal.end()
        result = await getattr(super(), method)(*args)
        if Mortal.left == 0 and Mortal.after:
            Mortal.end()
        return result

    async def fetchrow(self, *args: Any, **_more: Any) -> Any:
        return await self._do("fetchrow", args)

    async def fetchval(self, *args: Any, **_more: Any) -> Any:
        return await self._do("fetchval", args)


@contextlib.contextmanager
def mortal(step: int, *, after: bool, end: Callable[[], None]) -> Iterator[None]:
    """Within the block, sealers have connections that end at their n-th statement."""
    connect = asyncpg.connect

    async def connect_mortal(url: str, **more: Any) -> Any:
        return await connect(url, connection_class=Mortal, **more)

    Mortal.left, Mortal.after, Mortal.end = step, after, end
    with mock.patch.object(cast("Any", sealer_module).asyncpg, "connect", connect_mortal):
        yield


def main(url: str, step: str = "0", after: str = "") -> None:
    """Seal until killed."""
    with mortal(int(step), after=bool(after), end=lambda: os.kill(os.getpid(), signal.SIGKILL)):
        asyncio.run(make_sealer(url, poll=0.02).run())


if __name__ == "__main__":
    main(*sys.argv[1:])
