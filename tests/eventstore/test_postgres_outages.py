"""A Postgres that stops, dies or is cut off: nobody waits for ever, and a repeat finds out what became of a batch."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator

import asyncpg
import pytest

from domain.application.ports import Batch, ConcurrencyConflict, StoreUnavailable
from eventstore.connecting import connection, open_pool
from eventstore.postgres import PlainBox, PostgresEventStore
from ostraka.embedded.postgres import Postgres
from ostraka.migrating import upgrade
from tests.eventstore.contract import BEGINNING, ONE, OTHER, batch, command_id, head_of, unsealed
from tests.eventstore.games import pool_of
from tests.eventstore.relay import Direction, Relay, relay_to

LONGEST = 15.0
"""Unit: seconds within which every call must have ended."""

END_WAITING = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


@pytest.fixture
async def own_url(own_postgres: Postgres) -> str:
    await asyncio.to_thread(upgrade, own_postgres.url())
    return own_postgres.url()


@pytest.fixture
async def relay(migrated_url: str) -> AsyncIterator[tuple[Relay, str]]:
    async with relay_to(migrated_url) as both:
        yield both


async def unavailable(store: PostgresEventStore, one: Batch) -> None:
    """Every method says so, soon."""
    for call in (store.append(one), store.load(ONE), store.command(ONE, command_id(1))):
        began = time.monotonic()
        with pytest.raises(StoreUnavailable):
            await call
        assert time.monotonic() - began < LONGEST


async def insist(store: PostgresEventStore, one: Batch) -> bool:
    """Append until the store answers; whether the first try had been stored, as far as its caller can tell."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            await store.append(one)
        except StoreUnavailable:
            await asyncio.sleep(0.05)
        except ConcurrencyConflict:
            assert unsealed(await store.command(one.game_id, one.command_id)) == list(one.events)
            return True
        else:
            return False
    raise AssertionError("the store did not come back")


async def test_a_server_that_is_killed_is_unavailable_until_it_is_back(own_postgres: Postgres, own_url: str) -> None:
    async with pool_of(own_url) as pool:
        store = PostgresEventStore(pool, PlainBox())
        first = batch(BEGINNING, 1)
        await store.append(first)
        second = batch(head_of(first), 2)
        for end in ("kill", "stop"):
            assert own_postgres.process is not None
            if end == "kill":
                await asyncio.to_thread(own_postgres.process.kill)
            else:
                await asyncio.to_thread(own_postgres.stop)
            await unavailable(store, second)
            await asyncio.to_thread(own_postgres.start)
            assert await insist(store, second) is (end == "stop")
        assert unsealed((await store.load(ONE)).events) == [*first.events, *second.events]


async def test_a_pool_without_a_server_is_unavailable(own_postgres: Postgres) -> None:
    await asyncio.to_thread(own_postgres.stop)
    with pytest.raises(StoreUnavailable, match="did not answer"):
        (await open_pool(own_postgres.url(), name="tests")).terminate()


async def test_a_server_that_stands_still_is_unavailable_soon(own_postgres: Postgres, own_url: str) -> None:
    pool = await open_pool(own_url, name="tests", size=2, statement_seconds=0.5)
    store = PostgresEventStore(pool, PlainBox())
    await store.append(batch(BEGINNING, 1))
    assert own_postgres.process is not None
    group = own_postgres.process.pid
    backends = [group, *(row["pid"] for row in await pool.fetch("SELECT pid FROM pg_stat_activity"))]
    stopped = [pid for pid in backends if stop(pid, signal.SIGSTOP)]
    try:
        await unavailable(store, batch(BEGINNING, 2, game_id=OTHER))
    finally:
        for pid in stopped:
            stop(pid, signal.SIGCONT)
    assert await insist(store, batch(BEGINNING, 2, game_id=OTHER)) in {True, False}
    assert len((await store.load(ONE)).events) == 1
    assert len((await store.load(OTHER)).events) == 1
    pool.terminate()


def stop(pid: int, sign: signal.Signals) -> bool:
    try:
        os.kill(pid, sign)
    except ProcessLookupError:
        return False
    return True


async def test_idle_connections_that_were_ended_are_replaced(migrated_url: str) -> None:
    async with pool_of(migrated_url) as pool:
        store = PostgresEventStore(pool, PlainBox())
        await asyncio.gather(*(store.load(ONE) for _ in range(10)))
        await end_others(migrated_url)
        assert await insist(store, batch(BEGINNING, 1)) is False
        assert len((await store.load(ONE)).events) == 1


async def test_a_connection_ended_while_it_waits_is_unavailable_and_stores_nothing(migrated_url: str) -> None:
    async with pool_of(migrated_url) as pool:
        store = PostgresEventStore(pool, PlainBox())
        first = batch(BEGINNING, 1)
        async with connection(pool) as holder, holder.transaction():
            await holder.execute("LOCK TABLE ostraka.directory IN EXCLUSIVE MODE")
            waiting = asyncio.create_task(store.append(first))
            for _ in range(1000):
                if await holder.fetchval(END_WAITING):
                    break
                await asyncio.sleep(0.01)
            with pytest.raises(StoreUnavailable):
                await waiting
        assert (await store.load(ONE)).events == []
        assert await insist(store, first) is False


async def end_others(url: str) -> None:
    one = await asyncpg.connect(url)
    await one.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await one.close()


@pytest.mark.parametrize("direction", ["to the server", "from the server"])
async def test_wherever_an_append_is_cut_its_repeat_has_one_effect(
    relay: tuple[Relay, str], direction: Direction
) -> None:
    way, url = relay
    async with pool_of(url, 1) as pool:
        store = PostgresEventStore(pool, PlainBox())
        first = batch(BEGINNING, 0)
        await store.append(first)
        one, stored = batch(head_of(first), 1, size=2), set()
        size = await length(way, store, direction)
        for number, more in enumerate(range(0, size, max(size // 15, 1)), start=1):
            one = batch(head_of(one) if number > 1 else head_of(first), number, size=2)
            await store.load(ONE)
            way.cut_after(direction, more)
            with pytest.raises(StoreUnavailable):
                await store.append(one)
            way.mend()
            stored.add(await insist(store, one))
        events = (await store.load(ONE)).events
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert len(events) == 1 + 2 * number
        assert stored == ({False} if direction == "to the server" else {True})


async def length(way: Relay, store: PostgresEventStore, direction: Direction) -> int:
    """How many bytes an append is on a connection that has seen one."""
    warm = batch(BEGINNING, 0, game_id=OTHER)
    await store.append(warm)
    following = batch(head_of(warm), 1, game_id=OTHER, size=2)
    await store.append(following)
    before = way.passed[direction]
    await store.append(batch(head_of(following), 2, game_id=OTHER, size=2))
    return way.passed[direction] - before
