"""Sealers as processes: killed between any two statements, stopped, continued, doubled."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator

import pytest

from eventstore.connecting import Pool, connection
from tests.eventstore.games import Table, pool_of
from tests.eventstore.sealing import (
    all_sealed,
    check_log,
    count_of,
    holder,
    make_sealer,
    mortal,
    play,
    program,
    running,
    seal_all,
    until,
)

# 1 the lock, 2 a look, 3 a round, 4 a look, and so on.
STEPS = (1, 2, 3, 4, 5)


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as pool:
        yield pool


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("step", STEPS)
async def test_an_error_at_any_statement_is_survived(migrated_url: str, pool: Pool, step: int, after: bool) -> None:
    def end() -> None:
        raise ConnectionResetError

    await Table(pool).append("toy.said", "toy.said")
    with mortal(step, after=after, end=end):
        sealer = make_sealer(migrated_url, poll=0.01)
        async with running(sealer):
            await until(lambda: all_sealed(pool))
            await Table(pool).append("toy.said")
            await until(lambda: all_sealed(pool))
    await check_log(pool)


@pytest.mark.parametrize(("step", "after"), [(1, "after"), (3, ""), (3, "after"), (4, "after")])
async def test_a_kill_at_a_statement_leaves_a_dense_log(migrated_url: str, pool: Pool, step: int, after: str) -> None:
    await Table(pool).append("toy.said", "toy.said")
    with program(migrated_url, str(step), after) as doomed:
        assert await asyncio.to_thread(doomed.wait, 15) == -signal.SIGKILL
    sealed = await count_of(pool, "log")
    assert sealed == (2 if (step, after) > (3, "") else 0)
    await Table(pool).append("toy.said")
    async with connection(pool) as one:
        assert await seal_all(one) == 3 - sealed
    await check_log(pool)


async def test_a_kill_while_a_statement_runs_leaves_a_dense_log(migrated_url: str, pool: Pool) -> None:
    done = asyncio.Event()
    players = [asyncio.create_task(play(pool, done)) for _ in range(4)]
    for _ in range(2):
        with program(migrated_url) as doomed:
            sealed = await count_of(pool, "log")

            async def goes_on(before: int = sealed) -> bool:
                return await count_of(pool, "log") > before

            await until(goes_on)
            doomed.kill()
    done.set()
    await asyncio.gather(*players)
    async with connection(pool) as one:
        await seal_all(one)
    await check_log(pool)


async def test_a_killed_sealer_is_replaced(migrated_url: str, pool: Pool) -> None:
    with program(migrated_url) as first:
        old = await holds(pool)
        async with running(make_sealer(migrated_url)) as standby:
            await asyncio.sleep(0)
            first.kill()
            await Table(pool).append()
            assert await until(lambda: all_sealed(pool)) < 5
            assert standby.holds
            assert await holder(pool) != old
    await check_log(pool)


async def test_a_stopped_sealer_is_replaced_and_does_no_harm_when_it_goes_on(migrated_url: str, pool: Pool) -> None:
    done = asyncio.Event()
    with program(migrated_url) as first:
        old = await holds(pool)
        players = [asyncio.create_task(play(pool, done)) for _ in range(2)]
        await until(lambda: all_sealed_once(pool))
        async with running(make_sealer(migrated_url)) as standby:
            os.kill(first.pid, signal.SIGSTOP)
            stopped = time.monotonic()

            async def replaced() -> bool:
                return bool(standby.sealed)

            await until(replaced)
            assert time.monotonic() - stopped < 10
            assert standby.lag > 0
            assert await holder(pool) != old
            os.kill(first.pid, signal.SIGCONT)
            await until(lambda: two_sealers(pool))
            rounds = standby.rounds
            done.set()
            await asyncio.gather(*players)
            await until(lambda: all_sealed(pool))
            assert standby.holds
            assert standby.rounds > rounds
    await check_log(pool)


async def holds(pool: Pool) -> int:
    async def held() -> bool:
        return await holder(pool) is not None

    await until(held)
    found = await holder(pool)
    assert found is not None
    return found


async def all_sealed_once(pool: Pool) -> bool:
    return await count_of(pool, "log") > 0


async def two_sealers(pool: Pool) -> bool:
    """Whether one seals and another, connected, stands by."""
    async with connection(pool) as one:
        connected: int = await one.fetchval(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE application_name = 'ostraka sealer' AND datname = current_database()"
        )
    return connected == 2
