"""Both servers together: what they keep, whom they let in, and where they listen."""

import socket
import stat
from pathlib import Path

import asyncpg
import psutil
import psycopg
import pytest
import redis

from ostraka.embedded.errors import CannotStart
from ostraka.embedded.folder import DataFolder
from ostraka.embedded.ports import LOOPBACK, check_free, free_port
from ostraka.embedded.postgres import Postgres, PostgresSettings
from ostraka.embedded.servers import embedded_servers
from ostraka.embedded.valkey import Valkey


def main_process(server: Postgres | Valkey) -> psutil.Process:
    assert server.process is not None
    return psutil.Process(server.process.pid)


def listening(server: Postgres | Valkey) -> list[tuple[str, int]]:
    connections = main_process(server).net_connections(kind="all")
    return [(at.laddr.ip, at.laddr.port) for at in connections if at.status == psutil.CONN_LISTEN]


def test_the_second_start_finds_what_the_first_wrote(own_place: Path) -> None:
    folder = own_place / 'with a "name" of its own'
    with embedded_servers(folder) as servers:
        with psycopg.connect(servers.database_url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        with redis.Redis.from_url(servers.redis_url) as client:
            client.set("kept", "42")
    with embedded_servers(folder) as servers:
        with psycopg.connect(servers.database_url) as connection:
            assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
        with redis.Redis.from_url(servers.redis_url) as client:
            assert client.get("kept") == b"42"
        assert listening(servers.postgres) == [(LOOPBACK, servers.postgres.port)]
        assert listening(servers.valkey) == [(LOOPBACK, servers.valkey.port)]
        for server in (servers.postgres, servers.valkey):
            arguments = main_process(server).cmdline()
            assert not {server.folder.passwords.postgres, server.folder.passwords.valkey} & set(arguments)
        check_private(folder)
    assert not servers.postgres.running()
    assert not servers.valkey.running()


def check_private(folder: Path) -> None:
    for path in folder.iterdir():
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def settings_of(url: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        rows: list[tuple[str, str]] = connection.execute("SELECT name, setting FROM pg_settings").fetchall()
    return dict(rows)


def test_what_is_committed_is_durable_unless_the_data_is_thrown_away(own_postgres: Postgres) -> None:
    settings = settings_of(own_postgres.url())
    assert (settings["fsync"], settings["synchronous_commit"]) == ("off", "on")
    own_postgres.stop()
    own_postgres.settings = PostgresSettings(more=(("work_mem", "5MB"),))
    own_postgres.start()
    settings = settings_of(own_postgres.url())
    assert (settings["fsync"], settings["full_page_writes"], settings["synchronous_commit"]) == ("on", "on", "on")
    assert (settings["jit"], settings["autovacuum"], settings["max_connections"]) == ("off", "on", "60")
    assert settings["work_mem"] == "5120"


async def test_asyncpg_connects_with_the_password(postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url)
    assert await connection.fetchval("SELECT 1") == 1
    await connection.close()


def test_postgres_lets_nobody_in_without_the_password(postgres_url: str) -> None:
    address = postgres_url.partition("@")[2]
    with pytest.raises(psycopg.OperationalError, match="no password supplied"):
        psycopg.connect(f"postgresql://postgres@{address}")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://postgres:guess@{address}")


def test_valkey_lets_nobody_in_without_the_password(own_valkey: Valkey) -> None:
    with (
        redis.Redis.from_url(f"redis://{LOOPBACK}:{own_valkey.port}/0") as client,
        pytest.raises(redis.AuthenticationError),
    ):
        client.ping()


def test_valkey_refuses_to_forget(own_valkey: Valkey) -> None:
    with redis.Redis.from_url(own_valkey.url()) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        assert client.config_get("appendonly") == {"appendonly": "yes"}


def test_a_port_that_is_asked_for_is_used(own_folder: DataFolder, own_valkey: Valkey) -> None:
    own_valkey.stop()
    port = free_port()
    server = Valkey(folder=own_folder, program=own_valkey.program, wanted_port=port)
    server.start()
    assert server.url().endswith(f"@{LOOPBACK}:{port}/0")
    server.stop()


def test_a_port_in_use_is_said_in_one_sentence(own_folder: DataFolder) -> None:
    with socket.create_server((LOOPBACK, 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(
            CannotStart, match=rf"^Postgres cannot listen on {LOOPBACK}:{port}: another program uses it$"
        ):
            check_free(port, "Postgres")
        with pytest.raises(CannotStart, match=rf"^Valkey cannot listen on {LOOPBACK}:{port}: another program uses it$"):
            Valkey(folder=own_folder, program=Path("/unused"), wanted_port=port).start()


def test_starting_twice_and_stopping_twice_do_nothing_more(own_valkey: Valkey) -> None:
    before = own_valkey.process
    own_valkey.start()
    assert own_valkey.process is before
    own_valkey.stop()
    own_valkey.stop()
    assert not own_valkey.running()
