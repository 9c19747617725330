"""The directory in Postgres, listed."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from uuid import uuid4

import msgspec
import pytest
from sqlalchemy import text
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.application.ports import Due, Summary, Wanted
from eventstore.connecting import Pool
from eventstore.directory import PostgresDirectory, listed
from eventstore.engine import create_engine, reading
from tests.eventstore.contract import NOON
from tests.eventstore.games import Table, pool_of


@pytest.fixture
async def pool(shared_migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(shared_migrated_url) as pool:
        yield pool


@pytest.fixture
async def engine(shared_migrated_url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(shared_migrated_url, name="tests")
    yield engine
    await engine.dispose()


@pytest.fixture
def directory(engine: AsyncEngine) -> PostgresDirectory:
    return PostgresDirectory(engine)


def ids(rows: Sequence[Summary]) -> list[str]:
    return [row.game_id for row in rows]


def place(row: Summary) -> tuple[int, str]:
    return row.opened_at, row.game_id


async def opened(pool: Pool, count: int, **more: object) -> list[Table]:
    tables = [Table(pool) for _ in range(count)]
    for number, table in enumerate(tables):
        await table.append(at=NOON + number // 2, **{"to_act": (0,), **more})  # type: ignore[arg-type]
    return tables


async def test_a_row_says_what_the_last_batch_said(pool: Pool, directory: PostgresDirectory) -> None:
    table, player = Table(pool), str(uuid4())
    first = await table.append(seated=((player, 1),), game=str(uuid4()), status="lobby", opener=player)
    due = Due(kind="bot", pool="fast", at=NOON + 7, seat=1, urgent=True)
    last = await table.append("toy.said", "toy.said", due=due, to_act=(1,), at=NOON + 5)
    (row,) = await directory.list(Wanted(player=player))
    assert row == Summary(
        game_id=table.game_id,
        version=3,
        listing=msgspec.structs.replace(last.listing, game=first.listing.game, opener=player),
        opened_at=NOON,
        moved_at=NOON + 5,
        parked=None,
    )


async def test_newest_first_and_page_by_page(pool: Pool, directory: PostgresDirectory) -> None:
    game = str(uuid4())
    tables = await opened(pool, 7, game=game)
    whole = await directory.list(Wanted(game=game))
    assert sorted(ids(whole)) == sorted(table.game_id for table in tables)
    assert [place(row) for row in whole] == sorted((place(row) for row in whole), reverse=True)
    pages: list[str] = []
    before: tuple[int, str] | None = None
    while page := await directory.list(Wanted(game=game, limit=2, before=before)):
        pages += ids(page)
        before = place(page[-1])
        # Newer games, and moves in those that are listed, shift no page.
        await opened(pool, 1, game=game, status="running")
        newest = Table(pool)
        await newest.append(game=game, at=NOON + 1_000_000)
        await tables[0].append(at=NOON + 2_000_000)
    assert [one for one in pages if one in set(ids(whole))] == ids(whole)
    assert len(set(pages)) == len(pages)


async def test_filters(pool: Pool, directory: PostgresDirectory) -> None:
    game, other = str(uuid4()), str(uuid4())
    me, you = str(uuid4()), str(uuid4())
    lobby, mine, yours, strange = [Table(pool) for _ in range(4)]
    await lobby.append(game=game, status="lobby", seated=((me, 0),), at=NOON)
    await mine.append(game=game, status="running", seated=((me, 1), (you, 0)), to_act=(1, 2), at=NOON + 1)
    await yours.append(game=game, status="running", seated=((me, 1), (you, 0)), to_act=(0,), at=NOON + 2)
    await strange.append(game=other, status="finished", seated=((you, 0),), at=NOON + 3)

    async def found(**wanted: object) -> list[str]:
        return ids(await directory.list(Wanted(**wanted)))  # type: ignore[arg-type]

    assert await found(game=game) == [yours.game_id, mine.game_id, lobby.game_id]
    assert await found(game=game, status="lobby") == [lobby.game_id]
    assert await found(player=me) == [yours.game_id, mine.game_id, lobby.game_id]
    assert await found(player=me, to_act=True) == [mine.game_id]
    assert await found(player=you, to_act=True) == [yours.game_id]
    assert await found(player=you, status="finished", game=other) == [strange.game_id]
    assert await found(player=str(uuid4())) == []


async def test_versions_of_known_games(pool: Pool, directory: PostgresDirectory) -> None:
    one, other = await opened(pool, 2)
    await one.append("toy.said", "toy.said")
    assert await directory.versions([one.game_id, other.game_id, str(uuid4())]) == {one.game_id: 3, other.game_id: 1}
    assert await directory.versions([]) == {}


async def test_lists_walk_an_index_and_sort_nothing(engine: AsyncEngine) -> None:
    wanted = {
        "directory_newest": Wanted(before=(NOON, str(uuid4()))),
        "directory_lobby": Wanted(status="lobby", before=(NOON, str(uuid4()))),
    }
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    for index, one in wanted.items():
        query = listed(one).compile(dialect=dialect, compile_kwargs={"literal_binds": True})
        async with reading(engine) as connection:
            # A few rows are sorted sooner than an index is walked; with many it is the other way round.
            await connection.execute(text("SET enable_seqscan = off"))
            await connection.execute(text("SET enable_bitmapscan = off"))
            await connection.execute(text("SET enable_sort = off"))
            lines = (await connection.execute(text(f"EXPLAIN {query}"))).scalars().all()
        plan = "\n".join(lines)
        assert f"using {index}" in plan
        assert "Sort" not in plan


async def test_more_readers_than_connections_queue(shared_migrated_url: str) -> None:
    engine = create_engine(shared_migrated_url, name="tests", size=2)
    directory = PostgresDirectory(engine)
    answers = await asyncio.gather(*(directory.versions([str(uuid4())]) for _ in range(40)))
    assert answers == [{}] * 40
    await engine.dispose()
