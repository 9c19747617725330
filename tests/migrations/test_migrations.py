"""Up, down, twice and at once: where migrations lead, and what they say when they cannot go on."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence

import psycopg
import pytest

from ostraka.migrating import CannotMigrate, current, downgrade, newest, revisions, upgrade
from tests.eventstore.games import Table, pool_of
from tests.migrations.databases import declare, dumped, schemas
from tests.servers.shared import SharedServers


def test_migrations_lead_to_the_declared_schema(migrated_url: str, empty_database_url: str) -> None:
    declare(empty_database_url)
    assert len(dumped(migrated_url)) > 500
    assert dumped(migrated_url) == dumped(empty_database_url)


def test_an_empty_database_is_at_no_revision(empty_database_url: str) -> None:
    assert current(empty_database_url) is None
    assert schemas(empty_database_url) == {"public"}


def test_revisions_stand_in_one_row_and_the_last_is_the_newest() -> None:
    assert revisions()[-1] == newest()
    assert revisions() == [f"{number:04d}" for number in range(1, len(revisions()) + 1)]


def test_every_revision_goes_up_down_and_up_again(empty_database_url: str) -> None:
    url = empty_database_url
    made: list[list[str]] = []
    for revision in revisions():
        made.append(dumped(url))
        upgrade(url, revision)
        assert current(url) == revision
    whole = dumped(url)
    for revision, before in zip(reversed(["base", *revisions()[:-1]]), reversed(made), strict=True):
        downgrade(url, revision)
        assert dumped(url) == before
    assert current(url) is None
    upgrade(url)
    assert dumped(url) == whole
    assert current(url) == newest()


async def test_histories_are_as_they_were_after_a_second_upgrade(migrated_url: str) -> None:
    async with pool_of(migrated_url) as pool:
        table = Table(pool)
        for _ in range(3):
            await table.append()
    before = dumped(migrated_url)
    await asyncio.to_thread(upgrade, migrated_url)
    assert dumped(migrated_url) == before
    assert current(migrated_url) == newest()


def at_once(urls: Sequence[str]) -> None:
    """Upgrade databases in processes of their own, all at the same time."""
    program = "import sys; from ostraka.migrating import upgrade; upgrade(sys.argv[1])"
    commands = [[sys.executable, "-c", program, url] for url in urls]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for command in commands]
    said = [process.communicate(timeout=60)[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(urls), said


def test_upgrades_at_once_make_one_schema(empty_database_url: str, migrated_url: str) -> None:
    at_once([empty_database_url] * 3)
    assert dumped(empty_database_url) == dumped(migrated_url)


def test_databases_of_one_server_may_be_migrated_at_once(servers: SharedServers, migrated_url: str) -> None:
    urls = [servers.create_database() for _ in range(3)]
    at_once(urls)
    for url in urls:
        assert dumped(url) == dumped(migrated_url)
        servers.drop_database(url)


def test_a_migration_gives_up_soon_rather_than_queue_every_move_behind_it(migrated_url: str) -> None:
    before = dumped(migrated_url)
    with psycopg.connect(migrated_url) as connection:
        connection.execute("SELECT count(*) FROM ostraka.event")
        began = time.monotonic()
        with pytest.raises(CannotMigrate, match=r"holds a lock on its tables .* pg_stat_activity"):
            downgrade(migrated_url, "base")
        assert 4 < time.monotonic() - began < 20
    assert current(migrated_url) == newest()
    assert dumped(migrated_url) == before


def test_a_database_of_a_newer_release_is_left_alone(migrated_url: str) -> None:
    with psycopg.connect(migrated_url) as connection:
        connection.execute("UPDATE ostraka_migration SET version_num = '9999'")
    with pytest.raises(CannotMigrate, match=r"9999.*newer release"):
        upgrade(migrated_url)
    assert current(migrated_url) == "9999"


def test_a_database_that_is_not_there_is_one_sentence(servers: SharedServers) -> None:
    url = servers.create_database()
    servers.drop_database(url)
    for ask in (upgrade, current):
        with pytest.raises(CannotMigrate, match=r"^The database cannot be migrated: .*does not exist\.$"):
            ask(url)


def test_only_the_owner_may_migrate(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("DO $$ BEGIN CREATE ROLE ostraka_stranger; EXCEPTION WHEN duplicate_object THEN END $$")
    with pytest.raises(CannotMigrate, match="only its owner may migrate it"):
        upgrade(f"{empty_database_url}?options=-c%20role%3Dostraka_stranger")
    assert schemas(empty_database_url) == {"public"}


def test_a_migration_that_fails_leaves_nothing_behind(empty_database_url: str) -> None:
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("CREATE SCHEMA ostraka")
        connection.execute("CREATE TABLE ostraka.seat (theirs int)")
    before = dumped(empty_database_url)
    with pytest.raises(CannotMigrate, match=r"a migration failed .*already exists"):
        upgrade(empty_database_url)
    assert dumped(empty_database_url) == before
    assert current(empty_database_url) is None
