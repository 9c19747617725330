"""The global order as it is read, on Postgres."""

from collections.abc import AsyncIterator
from uuid import uuid4

import msgspec
import pytest

from domain.application.ports import StoreUnavailable
from eventstore.connecting import Pool, connection
from eventstore.sealed_log import PostgresSealedLog
from tests.eventstore.games import Table, pool_of
from tests.eventstore.sealing import seal_all


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as pool:
        yield pool


async def test_nothing_is_in_the_log_until_it_is_sealed(pool: Pool) -> None:
    log, table = PostgresSealedLog(pool), Table(pool)
    await table.append("toy.said", "toy.said")
    assert (await log.after(0, 10), await log.positions(table.game_id, 1, 9), await log.last()) == ([], {}, 0)
    async with connection(pool) as one:
        await seal_all(one)
    assert await log.positions(table.game_id, 1, 9) == {1: 1, 2: 2}
    assert await log.last() == 2


async def test_sealed_events_are_the_stored_ones_with_their_position(pool: Pool) -> None:
    log, table = PostgresSealedLog(pool), Table(pool)
    batches = [await table.append("toy.said", "toy.said") for _ in range(3)]
    async with connection(pool) as one:
        await seal_all(one)
    stored = [event for batch in batches for event in batch.events]
    wanted = [msgspec.structs.replace(event, position=place) for place, event in enumerate(stored, 1)]
    assert await log.after(0, 100) == wanted
    assert await log.after(2, 3) == wanted[2:5]
    assert await log.after(6, 3) == []


async def test_positions_are_those_of_the_game_asked_for(pool: Pool) -> None:
    log, table, other = PostgresSealedLog(pool), Table(pool), Table(pool)
    for one in (table, other, table):
        await one.append("toy.said", "toy.said")
    async with connection(pool) as sealing:
        await seal_all(sealing)
    assert await log.positions(table.game_id, 2, 3) == {2: 2, 3: 5}
    assert await log.positions(other.game_id, 0, 99) == {1: 3, 2: 4}
    assert await log.positions(str(uuid4()), 1, 9) == {}


async def test_a_server_that_is_away_is_named_as_such(pool: Pool) -> None:
    log = PostgresSealedLog(pool)
    await pool.close()
    with pytest.raises(StoreUnavailable):
        await log.after(0, 1)
    with pytest.raises(StoreUnavailable):
        await log.last()
