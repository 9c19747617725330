"""The servers that other tests stand on."""

import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
import redis

from ostraka.migrating import current, newest
from tests.servers.shared import SharedServers, exclusive

USER = """
import sys
from pathlib import Path
from tests.servers.shared import shared_servers

with shared_servers(Path(sys.argv[1]), sys.argv[2]) as servers:
    print(servers.create_database(), flush=True)
    sys.stdin.read()
"""


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


def test_servers_end_with_the_last_process_that_used_them(tmp_path: Path) -> None:
    command = [sys.executable, "-c", USER, str(tmp_path)]
    users = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for name in ("gw0", "gw1")
    ]
    urls = [user.stdout.readline().strip() for user in users if user.stdout]
    assert {url.rpartition("/")[0] for url in urls} == {urls[0].rpartition("/")[0]}
    users[0].kill()
    users[0].communicate()
    with psycopg.connect(urls[0]) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    users[1].kill()
    users[1].communicate()
    end = time.monotonic() + 20
    while (tmp_path / "urls.json").exists():
        assert time.monotonic() < end, "the servers still run"
        time.sleep(0.01)
    with exclusive(tmp_path / "start.lock"), pytest.raises(psycopg.OperationalError, match="refused"):
        psycopg.connect(urls[1])
