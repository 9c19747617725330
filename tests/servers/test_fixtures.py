"""The servers that other tests stand on."""

import psycopg
import redis

from ostraka.migrating import current, newest
from tests.servers.shared import SharedServers


def tables(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace NOT IN "
            "(SELECT oid FROM pg_namespace WHERE nspname LIKE 'pg_%' OR nspname = 'information_schema')"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_an_empty_database_has_no_tables(empty_database_url: str, postgres_url: str) -> None:
    assert tables(empty_database_url) == 0
    assert tables(postgres_url) == 0
    assert empty_database_url != postgres_url


def test_a_migrated_database_is_at_the_newest_revision(migrated_url: str, shared_migrated_url: str) -> None:
    assert current(migrated_url) == current(shared_migrated_url) == newest()
    assert migrated_url != shared_migrated_url


def test_a_dropped_database_throws_its_users_out(servers: SharedServers) -> None:
    url = servers.create_database()
    with psycopg.connect(url):
        servers.drop_database(url)


def test_valkey_is_empty_at_first(valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")


def test_valkey_is_empty_again(valkey_url: str) -> None:
    with redis.Redis.from_url(valkey_url) as client:
        assert client.dbsize() == 0
