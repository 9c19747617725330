"""What hangs on transaction ids and on the WAL, on a server that nobody else uses."""

import asyncio
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from eventstore.connecting import Connection, Pool
from eventstore.sealer import SEAL, seal_once
from ostraka.embedded.binaries import find_postgres
from ostraka.embedded.folder import claimed
from ostraka.embedded.postgres import Postgres, PostgresSettings
from ostraka.migrating import upgrade
from tests.eventstore.games import Table, pool_of
from tests.eventstore.sealing import check_log, insert, make_sealer, running, seal_all, until

# Nobody but the sealer writes then: no autovacuum, no checkpoint by time, no notes for a standby.
QUIET = PostgresSettings(
    throwaway=True,
    more=(("autovacuum", "off"), ("checkpoint_timeout", "1h"), ("wal_level", "minimal"), ("max_wal_senders", "0")),
)
TABLES = ("event", "log", "sealer", "directory", "seat", "secret")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Postgres]:
    with tempfile.TemporaryDirectory(prefix="ostraka-test-") as name:
        place = Path(name)
        place.chmod(0o711)
        with claimed(place / "data") as folder:
            server = Postgres(folder=folder, programs=find_postgres(), settings=QUIET)
            server.start()
            upgrade(server.url())
            yield server
            server.stop()


@pytest.fixture
async def pool(cluster: Postgres) -> AsyncIterator[Pool]:
    async with pool_of(cluster.url()) as pool:
        yield pool


async def lost_by(pool: Pool, url: str, statement: str) -> int:
    """How many events a sealing statement loses: A, B and C take ids in the order B, C, A, and tickets A, B."""
    a, b, c, sealing = [await asyncpg.connect(url) for _ in range(4)]
    try:
        for one in (b, c, a):
            await one.execute("BEGIN")
            await one.fetchval("SELECT pg_current_xact_id()")
        await insert(a)
        await insert(b)
        await b.execute("COMMIT")
        await sealing.fetchrow(statement, 5_000)
        await c.execute("COMMIT")
        await sealing.fetchrow(statement, 5_000)
        await a.execute("COMMIT")
        await sealing.fetchrow(statement, 5_000)
        lost: int = await sealing.fetchval(
            "SELECT (SELECT count(*) FROM ostraka.event) - (SELECT count(*) FROM ostraka.log)"
        )
        return lost
    finally:
        for one in (a, b, c, sealing):
            one.terminate()


async def test_the_fence_is_an_id_of_its_own(cluster: Postgres, pool: Pool) -> None:
    async with pool.acquire() as one:
        await seal_all(one)
    assert await lost_by(pool, cluster.url(), SEAL) == 0
    await check_log(pool)


async def test_a_fence_from_the_snapshot_would_lose_an_event(cluster: Postgres) -> None:
    wrong = SEAL.replace("THEN pg_current_xact_id()", "THEN pg_snapshot_xmax(pg_current_snapshot())")
    assert wrong != SEAL
    await create(cluster, "wrong")
    await asyncio.to_thread(upgrade, cluster.url("wrong"))
    async with pool_of(cluster.url("wrong")) as pool:
        assert await lost_by(pool, cluster.url("wrong"), wrong) == 1


async def test_idle_rounds_write_nothing(cluster: Postgres, pool: Pool) -> None:
    sealer = make_sealer(cluster.url(), poll=0.002)
    await Table(pool).append("toy.said", "toy.said")

    async with running(sealer), pool.acquire() as one:

        async def idle() -> bool:
            return sealer.rounds > 20 and sealer.width == 0 and sealer.lag == 0

        await until(idle)
        await one.execute("CHECKPOINT")
        before, rounds = await written(one), sealer.rounds

        async def many_rounds() -> bool:
            return sealer.rounds >= rounds + 300

        await until(many_rounds)
        assert await written(one) == before


async def written(one: Connection) -> tuple[str, str]:
    """How far the WAL and the transaction ids of the whole server have come."""
    row = await one.fetchrow(
        "SELECT pg_current_wal_insert_lsn()::text AS wal, pg_snapshot_xmax(pg_current_snapshot())::text AS xid"
    )
    assert row is not None
    return row["wal"], row["xid"]


async def test_sealing_goes_on_after_a_restore_into_a_younger_server(cluster: Postgres, migrated_url: str) -> None:
    async with pool_of(migrated_url) as source:
        table = Table(source)
        await table.append("toy.said", "toy.said")
        async with source.acquire() as one:
            await seal_all(one)
            await one.execute(
                "UPDATE ostraka.sealer SET fence = (pg_current_xact_id()::text::bigint + 1000000000)::text::xid8"
            )
        await table.append()
    await create(cluster, "restored")
    await asyncio.to_thread(copy, migrated_url, cluster.url("restored"))
    async with pool_of(cluster.url("restored")) as pool, pool.acquire() as sealing:
        await Table(pool).append("toy.said", "toy.said")
        for _ in range(4):
            await seal_once(sealing)
        await check_log(pool)
        state = await sealing.fetchrow("SELECT low = high AND high = last_seq AS closed FROM ostraka.sealer")
        assert state is not None
        assert state["closed"]


async def create(cluster: Postgres, name: str) -> None:
    one = await asyncpg.connect(cluster.url("postgres"))
    await one.execute(f"CREATE DATABASE {name} TEMPLATE template0")
    await one.close()


def copy(source: str, target: str) -> None:
    programs = find_postgres()
    dump = subprocess.run([programs.program("pg_dump"), source], check=True, capture_output=True)
    subprocess.run(
        [programs.program("psql"), "-qX", "-v", "ON_ERROR_STOP=1", target],
        input=dump.stdout,
        check=True,
        capture_output=True,
    )
