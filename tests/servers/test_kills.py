"""Kills at every moment: nothing outlives the program, and the next start finds everything in order."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import redis

from ostraka.embedded.folder import DataFolder, claimed
from ostraka.embedded.identity import NOBODY
from ostraka.embedded.postgres import Postgres, PostgresSettings
from ostraka.embedded.process import Process, launch
from ostraka.embedded.servers import embedded_servers
from ostraka.embedded.valkey import Valkey

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
THROWAWAY = PostgresSettings(throwaway=True)


def until(condition: Callable[[], bool], limit: float = 20.0) -> None:
    end = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def begin(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.servers.program", str(folder)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def servers_of(program: subprocess.Popen[str]) -> Any:
    assert program.stdout is not None
    return json.loads(program.stdout.readline())


def kill(program: subprocess.Popen[str]) -> None:
    program.kill()
    program.communicate()


def test_a_killed_program_leaves_no_process_and_loses_nothing(own_place: Path) -> None:
    program = begin(own_place / "data")
    said = servers_of(program)
    with psycopg.connect(said["database"]) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    family = [member.pid for pid in said["pids"] for member in (psutil.Process(pid), *psutil.Process(pid).children())]
    assert len(family) > 4
    kill(program)
    until(lambda: not any(running(pid) for pid in family))
    with (
        embedded_servers(own_place / "data", postgres=THROWAWAY) as servers,
        psycopg.connect(servers.database_url) as connection,
    ):
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)


def test_a_start_right_after_a_kill_waits_for_what_is_left(own_place: Path) -> None:
    program = begin(own_place / "data")
    pids = servers_of(program)["pids"]
    kill(program)
    with embedded_servers(own_place / "data", postgres=THROWAWAY) as servers:
        assert not any(running(pid) for pid in pids)
        assert servers.postgres.running()


def test_a_database_half_made_is_made_anew(own_place: Path) -> None:
    data = own_place / "data"
    program = begin(data)
    until(lambda: any(data.glob("postgres-unfinished-*/cluster/global/pg_control")))
    kill(program)
    assert not (data / "postgres").exists()
    with embedded_servers(data, postgres=THROWAWAY) as servers, psycopg.connect(servers.database_url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not any(data.glob("postgres-unfinished-*"))


def test_a_process_file_that_names_somebody_else_is_no_obstacle(own_place: Path) -> None:
    with embedded_servers(own_place / "data", postgres=THROWAWAY) as servers:
        cluster = servers.postgres.folder.postgres
        left = (cluster / "postmaster.pid").read_text().splitlines()
    # As after a power cut: the numbers of processes begin anew, and this one is somebody else's now.
    (cluster / "postmaster.pid").write_text("\n".join([str(os.getppid()), *left[1:], ""]))
    with embedded_servers(own_place / "data", postgres=THROWAWAY) as servers:
        assert servers.postgres.running()


def test_a_killed_postgres_starts_again_on_its_port_with_what_was_committed(own_postgres: Postgres) -> None:
    url = own_postgres.url()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    busy = psycopg.connect(url)
    assert own_postgres.process is not None
    own_postgres.process.kill()
    assert not own_postgres.running()
    own_postgres.start()
    assert own_postgres.url() == url
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    busy.close()


def test_a_killed_valkey_starts_again_on_its_port_with_what_was_written(own_valkey: Valkey) -> None:
    url = own_valkey.url()
    with redis.Redis.from_url(url) as client:
        client.set("kept", "42")
    assert own_valkey.process is not None
    own_valkey.process.kill()
    own_valkey.start()
    assert own_valkey.url() == url
    with redis.Redis.from_url(url) as client:
        assert client.get("kept") == b"42"


def test_a_server_that_does_not_end_is_killed(own_folder: DataFolder) -> None:
    deaf = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); signal.pause()"
    log = own_folder.log("deaf")
    server = launch([sys.executable, "-c", deaf], end=signal.SIGTERM, log=log, held=own_folder.lock)
    until(lambda: log.read_text() == "deaf\n")
    server.stop(0.1)
    assert not server.running()


LAUNCHER = """
import signal, sys
from pathlib import Path
from ostraka.embedded.folder import claimed
from ostraka.embedded.process import launch

place, watched, user = sys.argv[1:]
server = ["/bin/sh", "-c", "echo $$; exec sleep 1000"]
with claimed(Path(place)) as folder:
    launch(
        server,
        end=signal.SIGTERM,
        log=folder.log("it"),
        held=folder.lock,
        user=int(user) if user else None,
        watched=bool(watched),
    )
    sys.stdin.read()
"""


@pytest.mark.parametrize("watched", ["watched", ""])
@pytest.mark.parametrize("user", ["", pytest.param(str(NOBODY), marks=as_root)])
def test_a_server_ends_with_its_program(own_place: Path, watched: str, user: str) -> None:
    command = [sys.executable, "-c", LAUNCHER, str(own_place), watched, user]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
    log = own_place / "it.log"
    until(lambda: log.exists() and log.read_text().endswith("\n"))
    server = int(log.read_text())
    assert running(server)
    assert not user or psutil.Process(server).uids().effective == NOBODY
    kill(program)
    until(lambda: not running(server))
    with claimed(own_place):
        pass


def test_a_thread_that_ends_takes_no_server_with_it(own_valkey: Valkey) -> None:
    own_valkey.stop()
    thread = threading.Thread(target=own_valkey.start)
    thread.start()
    thread.join()
    with redis.Redis.from_url(own_valkey.url()) as client:
        assert client.ping()


def watched_server(folder: DataFolder) -> tuple[Process, int]:
    log = folder.log("it")
    code = "import os, signal; print(os.getpid(), flush=True); signal.pause()"
    keeper = launch([sys.executable, "-c", code], end=signal.SIGTERM, log=log, held=folder.lock, watched=True)
    until(lambda: log.read_text().endswith("\n"))
    return keeper, int(log.read_text())


def test_a_watched_server_stops_when_told(own_folder: DataFolder) -> None:
    keeper, server = watched_server(own_folder)
    assert server != keeper.pid
    keeper.stop(10)
    assert not running(server)


def test_a_watched_server_is_killed_with_its_keeper(own_folder: DataFolder) -> None:
    keeper, server = watched_server(own_folder)
    keeper.kill()
    until(lambda: not running(server))
    keeper.stop(1)
