"""The directory and the seats made anew, on Postgres."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from domain.application.ports import Batch
from eventstore.connecting import Pool, connection
from eventstore.dues import PostgresDues
from eventstore.rebuilding import Rebuilt, behind, rebuild
from tests.eventstore.games import Table, due, pool_of

ME, YOU = str(uuid4()), str(uuid4())


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as pool:
        yield pool


async def each(games: Iterable[Rebuilt]) -> AsyncIterator[Rebuilt]:
    for game in games:
        yield game


def rebuilt(batch: Batch, seated: tuple[tuple[str, int], ...] = ((ME, 0), (YOU, 1))) -> Rebuilt:
    return Rebuilt(game_id=batch.game_id, version=batch.events[-1].version, listing=batch.listing, seated=seated)


async def rows(pool: Pool) -> list[dict[str, Any]]:
    async with connection(pool) as one:
        found = await one.fetch(
            """SELECT d.*, (SELECT array_agg((s.player_id::text, s.seat)::text ORDER BY s.seat)
                            FROM ostraka.seat s WHERE s.game_id = d.game_id) AS seated
               FROM ostraka.directory d ORDER BY d.game_id"""
        )
    return [dict(row) for row in found]


async def lose(pool: Pool) -> None:
    async with connection(pool) as one:
        await one.execute("DELETE FROM ostraka.directory")
        await one.execute("DELETE FROM ostraka.seat")


async def opened(pool: Pool) -> tuple[Table, Batch]:
    table = Table(pool)
    return table, await table.append("toy.said", "toy.said", due=due(urgent=True), seated=((ME, 0), (YOU, 1)))


async def test_lost_rows_come_back_as_they_were(pool: Pool) -> None:
    batches = [(await opened(pool))[1] for _ in range(3)]
    before = await rows(pool)
    await lose(pool)
    assert await behind(pool) == sorted(one.game_id for one in batches)
    assert await rebuild(pool, each(rebuilt(one) for one in batches)) == 3
    assert await rows(pool) == before
    assert await behind(pool) == []


async def test_a_newer_row_stands(pool: Pool) -> None:
    table, first = await opened(pool)
    await table.append(due=due(), seated=((YOU, 0),))
    before = await rows(pool)
    assert await rebuild(pool, each([rebuilt(first)])) == 0
    assert await rows(pool) == before


async def test_a_wrong_row_is_put_right_and_keeps_its_tries(pool: Pool) -> None:
    table, first = await opened(pool)
    await PostgresDues(pool).claim("fast", 1, 0)
    await PostgresDues(pool).park(table.game_id, 2, "no end")
    async with connection(pool) as one:
        await one.execute("UPDATE ostraka.directory SET status = 'lobby', to_act = '{3}', due_pool = 'slow'")
        await one.execute("DELETE FROM ostraka.seat WHERE player_id = $1", ME)
        await one.execute("INSERT INTO ostraka.seat VALUES ($1, $2, 4)", str(uuid4()), table.game_id)
    assert await rebuild(pool, each([rebuilt(first)])) == 1
    (row,) = await rows(pool)
    assert (row["status"], row["due_pool"], row["tries"], row["parked"]) == ("running", "fast", 1, "no end")
    assert row["seated"] == [f"({ME},0)", f"({YOU},1)"]


async def test_an_older_row_catches_up_and_is_free_again(pool: Pool) -> None:
    table, _ = await opened(pool)
    second = await table.append(due=due())
    async with connection(pool) as one:
        await one.execute("UPDATE ostraka.directory SET version = 2, tries = 4, parked = 'no end'")
    assert await behind(pool) == [table.game_id]
    assert await rebuild(pool, each([rebuilt(second)])) == 1
    (row,) = await rows(pool)
    assert (row["version"], row["tries"], row["parked"]) == (3, 0, None)


async def test_a_version_that_is_not_stored_writes_nothing(pool: Pool) -> None:
    _, first = await opened(pool)
    before = await rows(pool)
    future = msgspec.structs.replace(rebuilt(first), version=9)
    unknown = msgspec.structs.replace(rebuilt(first), game_id=str(uuid4()))
    assert await rebuild(pool, each([future, unknown])) == 0
    assert await rows(pool) == before


async def test_games_go_on_while_rows_are_made_anew(pool: Pool) -> None:
    tables = [await opened(pool) for _ in range(5)]
    history: dict[str, list[Batch]] = {table.game_id: [first] for table, first in tables}
    done = asyncio.Event()

    async def play(table: Table) -> None:
        for _ in range(20):
            history[table.game_id].append(await table.append(due=due()))

    async def remake() -> None:
        while not done.is_set():
            await rebuild(pool, each([rebuilt(batch) for batches in history.values() for batch in batches[-2:]]))

    async with asyncio.TaskGroup() as group:
        group.create_task(remake())
        group.create_task(remake())
        await asyncio.gather(*(play(table) for table, _ in tables))
        done.set()
    assert await behind(pool) == []
    assert {row["version"] for row in await rows(pool)} == {22}
