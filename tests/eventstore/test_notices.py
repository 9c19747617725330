"""Notices: written by a projection, claimed and marked, on Postgres."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from domain.application.ports import Notice
from domain.kernel.messages import type_of
from domain.table.events import Finished, SeatResigned, Started
from eventstore.connecting import Pool, connection
from eventstore.notices import RESIGNED, TO_ALL, NoticeProjection, PostgresNotices
from eventstore.projecting import advance
from tests.eventstore.games import GrowingLog, Table, pool_of

SECOND = 1_000_000
LONG = 3600 * SECOND
ME, YOU = str(uuid4()), str(uuid4())


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as pool:
        yield pool


@pytest.fixture
def notices(pool: Pool) -> PostgresNotices:
    return PostgresNotices(pool)


@pytest.fixture
def log() -> GrowingLog:
    return GrowingLog()


async def project(pool: Pool, log: GrowingLog) -> None:
    while await advance(pool, log, NoticeProjection()):
        pass


async def told(pool: Pool) -> list[tuple[int, str, str, int]]:
    async with connection(pool) as one:
        rows = await one.fetch("SELECT version, kind, player_id, seat FROM ostraka.notice ORDER BY version, kind, seat")
    return [(row["version"], row["kind"], str(row["player_id"]), row["seat"]) for row in rows]


async def played(pool: Pool, log: GrowingLog) -> Table:
    """Two persons and a bot at seat 2."""
    table = Table(pool)
    log.add(await table.append("table.opened", status="lobby", seated=((ME, 1),)))
    log.add(await table.append("table.seat_taken", "table.started", to_act=(0, 2), seated=((ME, 1), (YOU, 0))))
    return table


def test_types_are_those_of_the_table() -> None:
    assert set(TO_ALL) == {type_of(Started), type_of(Finished)}
    assert type_of(SeatResigned) == RESIGNED


async def test_start_turns_and_end_are_told_to_persons(pool: Pool, log: GrowingLog) -> None:
    table = await played(pool, log)
    log.add(await table.append("toy.said", "toy.said", to_act=(1, 2)))
    log.add(await table.append("toy.said", "table.finished", "table.secret_revealed", status="finished"))
    await project(pool, log)
    assert await told(pool) == [
        (3, "game_started", YOU, 0),
        (3, "game_started", ME, 1),
        (3, "your_turn", YOU, 0),
        (5, "your_turn", ME, 1),
        (7, "game_finished", YOU, 0),
        (7, "game_finished", ME, 1),
    ]


async def test_who_resigned_has_no_turns_any_more(pool: Pool, log: GrowingLog) -> None:
    table = await played(pool, log)
    log.add(await table.append(to_act=(0, 1)))
    log.add(await table.append("table.seat_resigned", to_act=(0, 1), data={"seat": 1, "cause": "player"}))
    log.add(await table.append("table.finished"))
    await project(pool, log)
    turns = [(version, player) for version, kind, player, _ in await told(pool) if kind == "your_turn"]
    assert turns == [(3, YOU), (4, YOU), (4, ME), (5, YOU)]
    assert (6, "game_finished", ME, 1) in await told(pool)


async def test_events_read_again_write_nothing_again(pool: Pool, log: GrowingLog) -> None:
    await played(pool, log)
    await project(pool, log)
    before = await told(pool)
    async with connection(pool) as one:
        await one.execute("UPDATE ostraka.checkpoint SET seq = 0")
    await project(pool, log)
    assert await told(pool) == before


async def test_a_notice_comes_until_it_is_sent(pool: Pool, log: GrowingLog, notices: PostgresNotices) -> None:
    table = await played(pool, log)
    await project(pool, log)
    first = await notices.claim(10, 0)
    assert len(first) == 3
    assert Notice(game_id=table.game_id, version=3, kind="your_turn", player_id=YOU, seat=0, tries=0) in first
    again = await notices.claim(10, LONG)
    assert [notice.tries for notice in again] == [1, 1, 1]
    assert await notices.claim(10, LONG) == []
    for notice in again:
        await notices.sent(notice)
    async with connection(pool) as one:
        sent = await one.fetch("SELECT sent_at FROM ostraka.notice ORDER BY kind, seat")
        await one.execute("UPDATE ostraka.notice SET due_at = now() - interval '1 day'")
    assert await notices.claim(10, LONG) == []
    await notices.sent(again[0])
    async with connection(pool) as one:
        assert await one.fetch("SELECT sent_at FROM ostraka.notice ORDER BY kind, seat") == sent


async def test_each_try_waits_twice_as_long(pool: Pool, log: GrowingLog, notices: PostgresNotices) -> None:
    await played(pool, log)
    await project(pool, log)
    waits: list[float] = []
    async with connection(pool) as one:
        for _ in range(12):
            await notices.claim(10, 10 * SECOND)
            waits.append(
                float(await one.fetchval("SELECT extract(epoch FROM max(due_at) - now()) FROM ostraka.notice"))
            )
            await one.execute("UPDATE ostraka.notice SET due_at = now()")
    assert [round(wait / 10) for wait in waits[:6]] == [1, 2, 4, 8, 16, 32]
    assert round(waits[11] / 10) == 1024


async def test_claims_at_once_hand_out_each_notice_once(pool: Pool, log: GrowingLog, notices: PostgresNotices) -> None:
    for _ in range(20):
        await played(pool, log)
    await project(pool, log)
    claimed: Counter[Notice] = Counter()

    async def worker() -> None:
        while found := await notices.claim(3, LONG):
            claimed.update(found)

    await asyncio.gather(*(worker() for _ in range(8)))
    claimed.update(await notices.claim(100, LONG))
    assert len(claimed) == 60
    assert set(claimed.values()) == {1}
