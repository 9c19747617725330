"""No row of a history can be changed or removed, and the role of the service may do what the service does."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterator
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from domain.application.ports import Account, Wanted
from eventstore.accounts import PostgresAccounts
from eventstore.append_only import APPEND_ONLY, PARTITIONS, SERVICE_ROLE, partition
from eventstore.connecting import connection
from eventstore.directory import PostgresDirectory
from eventstore.dues import PostgresDues
from eventstore.engine import create_engine
from eventstore.notices import NoticeProjection, PostgresNotices
from eventstore.postgres import PlainBox, PostgresEventStore
from eventstore.projecting import advance
from eventstore.readings import PostgresReadings
from eventstore.rebuilding import Rebuilt, rebuild
from eventstore.sealed_log import PostgresSealedLog
from eventstore.sealer import Sealer, seal_once
from ostraka.migrating import newest
from tests.eventstore.contract import SECRET
from tests.eventstore.games import Table, due, pool_of

PARTED = tuple(partition(number) for number in range(PARTITIONS))
EVERYTHING = (*APPEND_ONLY, *PARTED)
REWRITTEN = {"event": "type = 'forged'", "log": "seq = seq + 1", "secret": "secret = ''", "reading": "version = 0"}
OWN_TABLES = ("directory", "seat", "checkpoint", "notice", "player")


class Refused(Exception):
    """The trigger's own error."""


Attempt = Callable[[str], None]


@contextlib.contextmanager
def acting(url: str, role: str | None) -> Iterator[Attempt]:
    """Tries statements as a role, or as the owner of the tables."""
    with psycopg.connect(url, autocommit=True) as connection:
        if role is not None:
            connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))

        def attempt(statement: str) -> None:
            try:
                connection.execute(statement.encode())
            except psycopg.Error as fault:
                if fault.sqlstate != "OS001":
                    raise
                raise Refused(str(fault)) from fault

        yield attempt


@pytest.fixture(scope="module")
def games() -> list[str]:
    """Ids of games enough to fall into every partition."""
    return [str(uuid4()) for _ in range(PARTITIONS * 12)]


@pytest.fixture
async def url(migrated_url: str, games: list[str]) -> str:
    """A database with a row in every table that stands for good, and in every partition."""
    async with pool_of(migrated_url) as pool:
        for game_id in games:
            await pool.execute(
                "INSERT INTO ostraka.event (game_id, version, type, schema_version, data, meta, command_id, command_ix,"
                " recorded_at, hash) VALUES ($1, 1, 'toy', 1, '{}', '{}', $1, 0, now(), $2)",
                game_id,
                bytes(32),
            )
        await pool.execute("INSERT INTO ostraka.secret VALUES ($1, $2)", games[0], SECRET)
        await pool.execute(
            "INSERT INTO ostraka.reading (game_id, player_id, version, route) VALUES ($1, $1, 1, 'events')", games[0]
        )
        async with pool.acquire() as one:
            assert await seal_once(one) == len(games)
    return migrated_url


def rows(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Everything that stands for good."""
    with psycopg.connect(url) as connection:
        return {
            table: connection.execute(f"SELECT * FROM ostraka.{table} ORDER BY 1, 2".encode()).fetchall()
            for table in EVERYTHING
        }


def test_the_owner_cannot_change_remove_or_empty_anything(url: str) -> None:
    before = rows(url)
    assert all(before.values())
    with acting(url, None) as attempt:
        for table in EVERYTHING:
            change = REWRITTEN.get(table, REWRITTEN["event"])
            name = f"ostraka.{table}"
            for statement in (
                f"UPDATE {name} SET {change}",
                f"DELETE FROM {name}",
                f"TRUNCATE {name}",
                f"TRUNCATE {name} CASCADE",
            ):
                with pytest.raises(Refused, match=rf"^{table} is append-only: |^event_\d\d is append-only: "):
                    attempt(statement)
    assert rows(url) == before


@pytest.mark.parametrize("table", ["event", "event_00"])
def test_an_insert_on_conflict_cannot_rewrite_an_event(url: str, table: str) -> None:
    before = rows(url)
    with acting(url, None) as attempt, pytest.raises(Refused):
        attempt(
            f"INSERT INTO ostraka.{table} SELECT * FROM ostraka.{table} "
            "ON CONFLICT (game_id, version) DO UPDATE SET type = 'forged'"
        )
    with acting(url, None) as attempt, pytest.raises(Refused):
        attempt(
            f"MERGE INTO ostraka.{table} e USING ostraka.{table} o ON e.game_id = o.game_id WHEN MATCHED THEN DELETE"
        )
    assert rows(url) == before


def test_the_service_cannot_even_try(url: str) -> None:
    before = rows(url)
    with acting(url, SERVICE_ROLE) as attempt:
        for table in EVERYTHING:
            change = REWRITTEN.get(table, REWRITTEN["event"])
            for statement in (
                f"UPDATE ostraka.{table} SET {change}",
                f"DELETE FROM ostraka.{table}",
                f"TRUNCATE ostraka.{table}",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    attempt(statement)
    assert rows(url) == before


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE ostraka.event DISABLE TRIGGER append_only",
        "ALTER TABLE ostraka.event_03 DISABLE TRIGGER ALL",
        "DROP TRIGGER append_only ON ostraka.log",
        "DROP TABLE ostraka.event_00",
        "ALTER TABLE ostraka.event DETACH PARTITION ostraka.event_00",
        "DROP SCHEMA ostraka CASCADE",
        "CREATE TABLE ostraka.more (id int)",
        "CREATE OR REPLACE FUNCTION ostraka.refuse_change() RETURNS trigger LANGUAGE sql AS 'SELECT NULL'",
        "SET session_replication_role = replica",
        "SELECT setval('ostraka.event_ticket', 1)",
        "INSERT INTO ostraka.event_00 SELECT * FROM ostraka.event",
        "SELECT * FROM ostraka.event_00",
        "INSERT INTO ostraka.sealer VALUES (0, 0, 0, 0, '0')",
        "DELETE FROM ostraka.sealer",
        "TRUNCATE ostraka.directory",
        "UPDATE public.ostraka_migration SET version_num = '9999'",
    ],
)
def test_the_service_may_not(url: str, statement: str) -> None:
    with acting(url, SERVICE_ROLE) as attempt, pytest.raises(psycopg.errors.InsufficientPrivilege):
        attempt(statement)


def as_service(url: str) -> str:
    """The URL for connections that have no other rights than the service's."""
    return f"{url}?role={SERVICE_ROLE}"


async def test_the_service_may_append_load_and_seal(migrated_url: str) -> None:
    async with pool_of(as_service(migrated_url)) as pool:
        assert await pool.fetchval("SELECT current_user") == SERVICE_ROLE
        assert await pool.fetchval("SELECT version_num FROM ostraka_migration") == newest()
        table = Table(pool)
        me, you = str(uuid4()), str(uuid4())
        await table.append(seated=((me, 0),), status="lobby")
        await table.append(seated=((you, 0), (me, 1)), status="lobby")
        last = await table.append(due=due())
        store = PostgresEventStore(pool, PlainBox())
        await store.load(table.game_id, with_secret=True)
        assert len(await store.command(table.game_id, last.command_id)) == 1
        async with connection(pool) as one:
            assert await seal_once(one) == 3
        log = PostgresSealedLog(pool)
        assert len(await log.after(0, 9)) == len(await log.positions(table.game_id, 1, 3)) == await log.last() == 3
        while await advance(pool, log, NoticeProjection()):
            pass
        for notice in await PostgresNotices(pool).claim(9, 1):
            await PostgresNotices(pool).sent(notice)
        made_anew = Rebuilt(game_id=table.game_id, version=3, listing=last.listing, seated=((you, 0), (me, 1)))
        assert await rebuild(pool, each(made_anew)) == 1


async def each(one: Rebuilt) -> AsyncIterator[Rebuilt]:
    yield one


async def test_the_service_may_hand_out_games_and_know_its_people(migrated_url: str) -> None:
    async with pool_of(as_service(migrated_url)) as pool:
        table = Table(pool)
        await table.append(due=due("fast"))
        dues = PostgresDues(pool)
        assert len(await dues.claim("fast", 1, 0)) == 1
        await dues.release(table.game_id, 1)
        await dues.park(table.game_id, 1, "no end")
        assert len(await dues.parked()) == 1
        assert await dues.retry(table.game_id)
        assert await dues.next_at() is not None
        assert len(await dues.waiting()) == 1
    engine = create_engine(as_service(migrated_url), name="tests")
    try:
        account = Account(player_id=str(uuid4()), name="Ann", role="player")
        assert await PostgresAccounts(engine).create(account, bytes(32)) == account
        await PostgresReadings(engine).add(table.game_id, account.player_id, 1, "events")
        assert len(await PostgresDirectory(engine).list(Wanted())) == 1
    finally:
        await engine.dispose()


async def test_the_service_may_run_a_sealer(migrated_url: str) -> None:
    sealed = asyncio.Event()
    sealer = Sealer(url=as_service(migrated_url), wake=asyncio.Event(), on_sealed=lambda _: sealed.set())
    async with pool_of(migrated_url) as pool:
        await Table(pool).append()
    async with asyncio.timeout(20):
        running = asyncio.create_task(sealer.run())
        await sealed.wait()
    running.cancel()


def test_the_role_has_exactly_these_rights(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as connection:
        granted = connection.execute(
            "SELECT table_name, string_agg(privilege_type, ' ' ORDER BY privilege_type) "
            "FROM information_schema.role_table_grants WHERE grantee = %s GROUP BY table_name",
            [SERVICE_ROLE],
        ).fetchall()
        open_to_all = connection.execute(
            "SELECT count(*) FROM information_schema.role_table_grants WHERE grantee = 'PUBLIC' "
            "AND table_schema = 'ostraka'"
        ).fetchone()
        (role,) = connection.execute(
            "SELECT rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles "
            "WHERE rolname = %s",
            [SERVICE_ROLE],
        ).fetchall()
    assert dict(granted) == {
        **dict.fromkeys(APPEND_ONLY, "INSERT SELECT"),
        **dict.fromkeys(OWN_TABLES, "DELETE INSERT SELECT UPDATE"),
        "sealer": "SELECT UPDATE",
        "ostraka_migration": "SELECT",
    }
    assert open_to_all == (0,)
    assert not any(role)
