"""Projections of the sealed log, on Postgres."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from uuid import uuid4

import asyncpg
import pytest

from domain.application.ports import Recorded, StoreUnavailable
from eventstore.connecting import Connection, Pool, connection
from eventstore.projecting import ProjectionStopped, Projector, advance
from tests.eventstore.contract import BEGINNING, batch
from tests.eventstore.games import GrowingLog, pool_of


class Noted:
    """Writes one row per event, which may be refused or cut; a row that is there already would show."""

    def __init__(self, revision: int = 1) -> None:
        self.name = f"noted-{uuid4()}"
        self.revision = revision
        self.poison: int | None = None
        self.killed_at: int | None = None
        self.calls = 0

    async def apply(self, one: Connection, events: Sequence[Recorded]) -> None:
        self.calls += 1
        await one.executemany(
            "INSERT INTO noted (name, revision, position) VALUES ($1, $2, $3)",
            [(self.name, self.revision, event.position) for event in events],
        )
        if self.poison in {event.position for event in events}:
            msg = "nobody knows this event"
            raise ValueError(msg)
        if self.killed_at in {event.position for event in events}:
            self.killed_at = None
            await one.execute("SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as pool:
        async with connection(pool) as one:
            await one.execute("CREATE TABLE noted (n serial, name text, revision int, position bigint)")
        yield pool


def log_of(count: int) -> GrowingLog:
    log = GrowingLog()
    log.add(batch(BEGINNING, 1, size=count))
    return log


async def noted(pool: Pool, projection: Noted) -> list[int]:
    async with connection(pool) as one:
        rows = await one.fetch(
            "SELECT position FROM noted WHERE name = $1 AND revision = $2 ORDER BY n",
            projection.name,
            projection.revision,
        )
    return [row["position"] for row in rows]


async def checkpoint(pool: Pool, projection: Noted) -> int:
    async with connection(pool) as one:
        found: int = await one.fetchval(
            "SELECT seq FROM ostraka.checkpoint WHERE projection = $1 AND revision = $2",
            projection.name,
            projection.revision,
        )
    return found


async def caught_up(pool: Pool, log: GrowingLog, projection: Noted, page: int = 100) -> None:
    while await advance(pool, log, projection, page):
        pass


async def test_every_event_once_and_in_order(pool: Pool) -> None:
    log, projection = log_of(250), Noted()
    await caught_up(pool, log, projection)
    assert await noted(pool, projection) == list(range(1, 251))
    assert await checkpoint(pool, projection) == 250
    assert projection.calls == 3


async def test_a_new_revision_begins_again(pool: Pool) -> None:
    log, projection = log_of(5), Noted()
    await caught_up(pool, log, projection)
    projection.revision = 2
    await caught_up(pool, log, projection)
    assert await noted(pool, projection) == [1, 2, 3, 4, 5]


async def test_runners_at_once_take_in_each_event_once(pool: Pool) -> None:
    log, projection = log_of(600), Noted()
    await asyncio.gather(*(caught_up(pool, log, projection, 7) for _ in range(4)))
    assert await noted(pool, projection) == list(range(1, 601))


async def test_a_kill_between_page_and_checkpoint_repeats_nothing(pool: Pool) -> None:
    log, projection = log_of(60), Noted()
    projection.killed_at = 35
    with pytest.raises(StoreUnavailable):
        await caught_up(pool, log, projection, 10)
    assert await checkpoint(pool, projection) == 30
    await caught_up(pool, log, projection, 10)
    assert await noted(pool, projection) == list(range(1, 61))


async def test_a_cancelled_runner_leaves_no_transaction_behind(migrated_url: str, pool: Pool) -> None:
    log, projection = log_of(10), Noted()
    blocker = await asyncpg.connect(migrated_url)
    await blocker.execute("BEGIN; LOCK TABLE noted IN ACCESS EXCLUSIVE MODE")
    async with pool_of(migrated_url, size=1) as own:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(advance(own, log, projection), 0.3)
        await blocker.close()
        await caught_up(own, log, projection)
    assert await noted(pool, projection) == list(range(1, 11))


async def test_a_poisoned_event_stops_right_before_it(pool: Pool) -> None:
    log, projection = log_of(40), Noted()
    projection.poison = 23
    with pytest.raises(ProjectionStopped) as stopped:
        await caught_up(pool, log, projection)
    assert stopped.value.event.position == 23
    assert await noted(pool, projection) == list(range(1, 23))
    projection.poison = None
    await caught_up(pool, log, projection)
    assert await noted(pool, projection) == list(range(1, 41))


async def test_a_poisoned_event_stops_only_its_projection(pool: Pool, capsys: pytest.CaptureFixture[str]) -> None:
    log, ill, well = log_of(10), Noted(), Noted()
    ill.poison = 4
    projector = Projector(pool, log, [ill, well])
    running = asyncio.create_task(projector.run())
    for _ in range(200):
        if await noted(pool, well) == list(range(1, 11)) and "projection_stopped" in (said := capsys.readouterr().out):
            assert "nobody knows this event" in said
            break
        await asyncio.sleep(0.02)
    else:
        pytest.fail("the other projection did not get to the end, or the reason was not told")
    log.add(batch(BEGINNING, 2, size=2))
    projector.wake()
    for _ in range(100):
        if len(await noted(pool, well)) == 12:
            break
        await asyncio.sleep(0.02)
    assert await noted(pool, well) == list(range(1, 13))
    assert await noted(pool, ill) == [1, 2, 3]
    running.cancel()
    await asyncio.wait([running])


async def test_thousands_of_events_a_second(pool: Pool) -> None:
    class Counting(Noted):
        async def apply(self, one: Connection, events: Sequence[Recorded]) -> None:
            self.calls += len(events)

    log, projection = log_of(20_000), Counting()
    began = time.perf_counter()
    await caught_up(pool, log, projection, 1000)
    assert projection.calls == 20_000
    assert time.perf_counter() - began < 10
