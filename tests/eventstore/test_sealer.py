"""Rounds of the sealer, on Postgres: nothing lost, nothing twice, dense, in order, whoever else is at work."""

import asyncio
from collections.abc import AsyncIterator, Callable

import asyncpg
import pytest

from domain.application.ports import Recorded
from eventstore.connecting import Connection, Pool, connection
from eventstore.sealed_log import PostgresSealedLog
from eventstore.sealer import Sealer, lag_of, seal_once, seal_round
from tests.eventstore.games import Table, pool_of
from tests.eventstore.sealing import all_sealed, check_log, insert, make_sealer, play, running, seal_all, until

WRITERS = 16
ROUNDS = 12


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url, WRITERS + 4) as pool:
        yield pool


@pytest.fixture
async def connect(migrated_url: str) -> AsyncIterator[Callable[[], asyncio.Future[Connection]]]:
    opened: list[asyncpg.Connection[asyncpg.Record]] = []

    async def one() -> Connection:
        opened.append(await asyncpg.connect(migrated_url))
        return opened[-1]

    yield lambda: asyncio.ensure_future(one())
    for each in opened:
        each.terminate()


async def state(one: Connection) -> dict[str, int]:
    row = await one.fetchrow("SELECT last_seq, low, high FROM ostraka.sealer")
    assert row is not None
    return dict(row)


async def test_many_writers_and_a_reader_who_follows(migrated_url: str, pool: Pool) -> None:
    done, read, log = asyncio.Event(), list[Recorded](), PostgresSealedLog(pool)

    async def follow() -> None:
        while not done.is_set() or not await all_sealed(pool) or len(read) < await log.last():
            read.extend(await log.after(len(read), 50))

    async with running(make_sealer(migrated_url, poll=0.01)), asyncio.TaskGroup() as group:
        group.create_task(follow())
        await asyncio.gather(*(play(pool, done, ROUNDS) for _ in range(WRITERS)))
        done.set()
    assert read == await check_log(pool)
    assert len(read) == WRITERS * ROUNDS * 2


async def test_a_late_commit_is_sealed_later_and_delays_nobody(
    pool: Pool, connect: Callable[[], asyncio.Future[Connection]]
) -> None:
    held, sealing, table = await connect(), await connect(), Table(pool)
    await held.execute("BEGIN")
    late = await insert(held)
    for _ in range(5):
        await table.append()
        assert await seal_all(sealing) == 1
    await held.execute("COMMIT")
    assert await seal_all(sealing) == 1
    assert (await check_log(pool))[-1].game_id == late


async def test_the_window_closes_once_everybody_has_ended(
    pool: Pool, connect: Callable[[], asyncio.Future[Connection]]
) -> None:
    held, sealing, table = await connect(), await connect(), Table(pool)
    await held.execute("BEGIN")
    await insert(held)
    for _ in range(3):
        await table.append()
        await seal_all(sealing)
    assert (await state(sealing))["low"] == 0
    await held.execute("ROLLBACK")

    async def closed() -> bool:
        return (await seal_round(sealing)).width == 0

    await until(closed)
    assert (await state(sealing))["low"] == 4


async def test_a_full_round_leaves_the_rest_to_the_next(
    pool: Pool, connect: Callable[[], asyncio.Future[Connection]]
) -> None:
    sealing, table = await connect(), Table(pool)
    for _ in range(7):
        await table.append("toy.said", "toy.said", "toy.said")
    sizes = [(await seal_round(sealing, 4)).sealed for _ in range(7)]
    assert sizes == [4, 4, 4, 4, 4, 1, 0]
    await check_log(pool)


async def test_a_full_round_moves_past_nothing_that_may_still_come(
    pool: Pool, connect: Callable[[], asyncio.Future[Connection]]
) -> None:
    sealing, held, table = await connect(), await connect(), Table(pool)
    await table.append("toy.said", "toy.said")
    await held.execute("BEGIN")
    await insert(held)
    await table.append(*["toy.said"] * 6)
    for _ in range(6):
        await seal_round(sealing, 2)
    await held.execute("COMMIT")
    await seal_all(sealing)
    await check_log(pool)


async def test_rivals_at_once_make_no_gap_and_no_double(
    pool: Pool, connect: Callable[[], asyncio.Future[Connection]]
) -> None:
    done = asyncio.Event()

    async def rival() -> None:
        sealing = await connect()
        while not done.is_set() or not await all_sealed(pool):
            try:
                await seal_once(sealing)
            except asyncpg.UniqueViolationError:
                continue

    async with asyncio.TaskGroup() as group:
        for _ in range(3):
            group.create_task(rival())
        await asyncio.gather(*(play(pool, done, ROUNDS) for _ in range(8)))
        done.set()
    await check_log(pool)


async def test_a_round_within_a_transaction_is_refused(pool: Pool) -> None:
    async with connection(pool) as one, one.transaction():
        with pytest.raises(RuntimeError, match="transaction of its own"):
            await seal_once(one)


async def test_a_hint_ends_the_pause_and_what_is_sealed_is_told(migrated_url: str, pool: Pool) -> None:
    told: list[tuple[int, int, int, bool]] = []
    sealer: Sealer = make_sealer(
        migrated_url,
        poll=30.0,
        on_sealed=lambda count: told.append((count, sealer.sealed, sealer.last, sealer.lag > 0)),
    )

    async def idle() -> bool:
        return sealer.rounds > 0 and sealer.width == 0

    async def heard() -> bool:
        return len(told) == 1

    async with running(sealer):
        await until(idle)
        await Table(pool).append("toy.said", "toy.said")
        sealer.wake.set()
        assert await until(heard) < 5
    assert told == [(2, 2, 2, True)]


async def test_the_lag_is_that_of_the_first_unsealed(pool: Pool) -> None:
    async with connection(pool) as one:
        assert await lag_of(one) == 0
        await insert(one)
        await one.execute("SELECT pg_sleep(0.05)")
        assert 0.05 <= await lag_of(one) < 10
        assert (await seal_round(one)).lag >= 0.05
        assert await lag_of(one) == 0


async def test_a_walk_along_the_tickets_is_the_plan_from_the_first_event_on(migrated_url: str, pool: Pool) -> None:
    async with running(make_sealer(migrated_url, poll=0.01)) as sealer, connection(pool) as one:
        await Table(pool).append()
        await until(lambda: all_sealed(pool))
        assert sealer.holds
        scans = await one.fetchval(
            "SELECT sum(seq_scan) FROM pg_stat_user_tables WHERE relname ~ '^(event_|log$)' AND n_live_tup > 0"
        )
    assert not scans
