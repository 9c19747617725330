"""Games whose time has come, claimed from the directory in Postgres."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any

import asyncpg
import pytest

from domain.application.ports import DueGame
from eventstore.connecting import Pool, connection
from eventstore.dues import CLAIM, NEXT_AT, PostgresDues
from tests.eventstore.contract import NOON
from tests.eventstore.games import Table, due, pool_of

SECOND = 1_000_000
LONG = 3600 * SECOND
DISPATCHERS = 8


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as pool:
        yield pool


@pytest.fixture
def dues(pool: Pool) -> PostgresDues:
    return PostgresDues(pool)


def now() -> int:
    return time.time_ns() // 1000


async def waiting_table(pool: Pool, of: str = "fast", *, at: int = NOON, urgent: bool = False) -> Table:
    table = Table(pool)
    await table.append(due=due(of, at=at, urgent=urgent))
    return table


async def fill(pool: Pool, games: int, *, pool_name: str = "fast", at: str = "now() - interval '1 hour'") -> None:
    """Many rows at once, as if their games had been played."""
    async with connection(pool) as one:
        await one.execute(
            f"""INSERT INTO ostraka.directory (game_id, game, status, version, opener, chairs, to_act, due, due_pool,
                    due_seat, due_at, urgent, opened_at, moved_at)
                SELECT gen_random_uuid(), 'toy', 'running', 3, gen_random_uuid(), '[]', '{{}}', 'bot', $2, 0, {at},
                       n % 3 = 0, now(), now() FROM generate_series(1, $1) AS n""",
            games,
            pool_name,
        )
        await one.execute("ANALYZE ostraka.directory")


def ids(games: Sequence[DueGame]) -> list[str]:
    return [game.game_id for game in games]


async def test_a_claim_says_what_is_due(pool: Pool, dues: PostgresDues) -> None:
    table = await waiting_table(pool, urgent=True)
    assert await dues.claim("fast", 10, LONG) == [
        DueGame(game_id=table.game_id, version=1, due=due(urgent=True), tries=0)
    ]
    assert await dues.claim("fast", 10, LONG) == []


async def test_persons_first_then_the_longest_wait_and_no_more_than_asked(pool: Pool, dues: PostgresDues) -> None:
    tables = {
        name: await waiting_table(pool, at=NOON + at, urgent=urgent)
        for name, at, urgent in [("old", 1, False), ("older", 0, False), ("urgent", 3, True), ("first", 2, True)]
    }
    claimed = [*await dues.claim("fast", 3, LONG), *await dues.claim("fast", 3, LONG)]
    assert ids(claimed) == [tables[name].game_id for name in ("first", "urgent", "older", "old")]


async def test_only_the_pool_asked_for_and_what_is_due(pool: Pool, dues: PostgresDues) -> None:
    await waiting_table(pool, "slow")
    await waiting_table(pool, at=now() + LONG)
    await Table(pool).append()
    assert await dues.claim("fast", 10, LONG) == []


async def test_a_lease_that_ran_out_makes_the_game_due_with_one_more_try(pool: Pool, dues: PostgresDues) -> None:
    await waiting_table(pool)
    for tries in range(3):
        (game,) = await dues.claim("fast", 10, 0)
        assert (game.version, game.tries) == (1, tries)


async def test_a_lease_lasts_as_long_as_it_was_asked_for(pool: Pool, dues: PostgresDues) -> None:
    await waiting_table(pool)
    before = now()
    await dues.claim("fast", 1, 60 * SECOND)
    ends = await dues.next_at()
    assert ends is not None
    assert before - SECOND <= ends - 60 * SECOND <= now() + SECOND


async def test_an_append_ends_lease_tries_and_parking(pool: Pool, dues: PostgresDues) -> None:
    table = await waiting_table(pool)
    await dues.claim("fast", 10, 0)
    await dues.claim("fast", 10, LONG)
    await dues.park(table.game_id, 1, "no end")
    await table.append(due=due())
    assert await dues.parked() == []
    (game,) = await dues.claim("fast", 10, LONG)
    assert (game.version, game.tries) == (2, 0)


async def test_eight_dispatchers_never_hand_out_a_game_twice_within_its_lease(pool: Pool, migrated_url: str) -> None:
    await fill(pool, 1000)
    claimed: Counter[str] = Counter()

    async def dispatcher() -> None:
        async with pool_of(migrated_url, size=1) as own:
            mine = PostgresDues(own)
            while games := await mine.claim("fast", 7, LONG):
                claimed.update(ids(games))

    await asyncio.gather(*(dispatcher() for _ in range(DISPATCHERS)))
    # Whoever finds only rows in other hands goes away; what is left is left to the next one.
    claimed.update(ids(await PostgresDues(pool).claim("fast", 1000, LONG)))
    assert len(claimed) == 1000
    assert set(claimed.values()) == {1}


async def test_claims_and_appends_at_once_hand_out_each_version_once(pool: Pool, dues: PostgresDues) -> None:
    tables = [await waiting_table(pool) for _ in range(10)]
    claimed: Counter[tuple[str, int]] = Counter()
    done = asyncio.Event()

    async def dispatcher() -> None:
        while not done.is_set():
            claimed.update((game.game_id, game.version) for game in await dues.claim("fast", 3, LONG))

    async def play(table: Table) -> None:
        for _ in range(10):
            await table.append(due=due())

    async with asyncio.TaskGroup() as group:
        for _ in range(4):
            group.create_task(dispatcher())
        await asyncio.gather(*(play(table) for table in tables))
        done.set()
    claimed.update((game.game_id, game.version) for game in await dues.claim("fast", 100, LONG))
    assert set(claimed.values()) == {1}
    assert {(table.game_id, 11) for table in tables} <= set(claimed)


async def test_a_claim_waits_for_nobody_and_a_killed_claimer_leaves_the_game_due(
    pool: Pool, dues: PostgresDues, migrated_url: str
) -> None:
    held, free = await waiting_table(pool), await waiting_table(pool, at=NOON + 1)
    claimer = await asyncpg.connect(migrated_url)
    await claimer.execute("BEGIN")
    await claimer.execute("UPDATE ostraka.directory SET tries = 9 WHERE game_id = $1", held.game_id)
    async with asyncio.timeout(2):
        assert ids(await dues.claim("fast", 10, LONG)) == [free.game_id]
    async with connection(pool) as one:
        await one.execute("SELECT pg_terminate_backend($1, 5000)", claimer.get_server_pid())
    (game,) = await dues.claim("fast", 10, LONG)
    assert (game.game_id, game.tries) == (held.game_id, 0)
    claimer.terminate()


async def test_a_lease_given_back_is_due_now_and_costs_no_try(pool: Pool, dues: PostgresDues) -> None:
    table = await waiting_table(pool)
    await dues.claim("fast", 10, LONG)
    await dues.release(table.game_id, 2)
    assert await dues.claim("fast", 10, LONG) == []
    await dues.release(table.game_id, 1)
    (game,) = await dues.claim("fast", 10, LONG)
    assert game.tries == 0


async def test_a_game_set_aside_is_nobodys_until_an_operator_wants_it_again(pool: Pool, dues: PostgresDues) -> None:
    table = await waiting_table(pool)
    await dues.claim("fast", 10, 0)
    await dues.park(table.game_id, 7, "a stale verdict")
    assert await dues.parked() == []
    await dues.park(table.game_id, 1, "no end after 3 tries")
    assert await dues.claim("fast", 10, LONG) == []
    assert await dues.next_at() is None
    assert [(one.game_id, one.version, one.reason) for one in await dues.parked()] == [
        (table.game_id, 1, "no end after 3 tries")
    ]
    assert await dues.retry(table.game_id)
    assert not await dues.retry(table.game_id)
    (game,) = await dues.claim("fast", 10, LONG)
    assert (game.game_id, game.tries) == (table.game_id, 0)


async def test_the_next_due_of_all_pools(pool: Pool, dues: PostgresDues) -> None:
    assert await dues.next_at() is None
    await waiting_table(pool, at=NOON + 3)
    await waiting_table(pool, "slow", at=NOON + 2, urgent=True)
    assert await dues.next_at() == NOON + 2
    await waiting_table(pool, "upkeep", at=NOON + 1)
    assert await dues.next_at() == NOON + 1


async def test_what_waits_is_counted_by_pool(pool: Pool, dues: PostgresDues) -> None:
    await waiting_table(pool, at=now() - 60 * SECOND)
    await waiting_table(pool, at=now())
    await waiting_table(pool, at=now() + LONG)
    await waiting_table(pool, "slow")
    fast, slow = await dues.waiting()
    assert (fast.pool, fast.games, slow.pool, slow.games) == ("fast", 2, "slow", 1)
    assert 60 * SECOND <= fast.oldest < 120 * SECOND


@pytest.mark.parametrize(("statement", "arguments"), [(CLAIM, "('fast', 10, '10s')"), (NEXT_AT, "")])
async def test_the_partial_index_leads_to_what_is_due(pool: Pool, statement: str, arguments: str) -> None:
    await fill(pool, 20_000, at="now() + interval '1 day'")
    await fill(pool, 20)
    async with connection(pool) as one:
        await one.execute(f"PREPARE wanted AS {statement}")
        await one.execute("BEGIN")
        plan = await one.fetchval(f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE wanted{arguments}")
        await one.execute("ROLLBACK; DEALLOCATE wanted")
    nodes = list(walk((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]))
    assert not [node for node in nodes if node["Node Type"] == "Seq Scan"]
    scans = [node for node in nodes if node.get("Index Name") == "directory_due"]
    assert scans
    # What is not due yet is not looked at, however much of it there is.
    assert sum(node["Actual Rows"] + node.get("Rows Removed by Filter", 0) for node in scans) < 100


def walk(node: dict[str, Any]) -> Sequence[dict[str, Any]]:
    return [node, *(deeper for child in node.get("Plans", ()) for deeper in walk(child))]
