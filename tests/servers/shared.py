"""One Postgres and one Valkey for a whole test run, however many processes it has.

They run in a process of their own (this file, run as a module), started by whoever needs them first. Each user holds
a shared lock; when the last one is gone, killed or not, the servers end and their folder is removed.
"""

import contextlib
import fcntl
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import psycopg

from ostraka.embedded.postgres import PostgresSettings
from ostraka.embedded.servers import embedded_servers
from ostraka.embedded.valkey import DATABASES
from ostraka.migrating import upgrade

CONNECTIONS = 200
TEMPLATE = "migrated_template"
START_LIMIT = 60.0


class SharedServers:
    """The servers of this test run, as one of its processes sees them."""

    def __init__(self, place: Path, worker: str, urls: dict[str, str]) -> None:
        self._place = place
        self._worker = worker
        self._postgres = urls["postgres"]
        self._valkey = urls["valkey"]
        self._made = 0

    def create_database(self, template: str = "template0") -> str:
        """The URL of a new database; give it back with `drop_database`."""
        self._made += 1
        name = f"{self._worker}_{self._made}"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._url(name)

    def create_migrated_database(self) -> str:
        """The URL of a new database at the newest revision."""
        with exclusive(self._place / "template.lock"):
            self._migrate_template()
        return self.create_database(TEMPLATE)

    def drop_database(self, url: str) -> None:
        """Throw everybody out and the database away."""
        self._execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def valkey_url(self) -> str:
        """The database of Valkey that belongs to this process of the test run."""
        number = int(re.sub(r"\D", "", self._worker) or 0) % DATABASES
        return f"{self._valkey}/{number}"

    def _migrate_template(self) -> None:
        done = self._place / "template-migrated"
        if not done.exists():
            self._execute(f"DROP DATABASE IF EXISTS {TEMPLATE}")
            self._execute(f"CREATE DATABASE {TEMPLATE} TEMPLATE template0")
            upgrade(self._url(TEMPLATE))
            done.touch()

    def _url(self, database: str) -> str:
        return f"{self._postgres}/{database}"

    def _execute(self, statement: str) -> None:
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(statement.encode())


@contextlib.contextmanager
def shared_servers(place: Path, worker: str) -> Iterator[SharedServers]:
    """The servers of the test run whose processes meet at the place; they stay as long as anybody is in here."""
    with (place / "users.lock").open("w") as users:
        with exclusive(place / "start.lock"):
            fcntl.flock(users, fcntl.LOCK_SH)
            urls = _urls_of(place) or _start_host(place)
        yield SharedServers(place, worker, urls)


@contextlib.contextmanager
def exclusive(file: Path) -> Iterator[None]:
    """Nobody else is in here."""
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _urls_of(place: Path) -> dict[str, str] | None:
    try:
        urls: dict[str, str] = json.loads((place / "urls.json").read_text())
    except FileNotFoundError:
        return None
    return urls


def _start_host(place: Path) -> dict[str, str]:
    with (place / "host.log").open("wb") as log:
        command = [sys.executable, "-m", "tests.servers.shared", str(place)]
        root = Path(__file__).parents[2]
        host = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=root, process_group=0)
    end = time.monotonic() + START_LIMIT
    while (urls := _urls_of(place)) is None:
        if host.poll() is not None or time.monotonic() > end:
            host.kill()
            raise AssertionError(f"the servers of the tests did not start:\n{(place / 'host.log').read_text()}")
        time.sleep(0.01)
    # It outlives us on purpose, as another process may still need it: Python must not warn that nobody waited for it.
    host.returncode = 0
    return urls


def host(place: Path) -> None:
    """Run the servers until the last user has gone."""
    # Not in the place itself: as root, Postgres may have to run as a user who may not enter the folders of pytest.
    data = Path(tempfile.mkdtemp(prefix="ostraka-tests-"))
    data.chmod(0o711)
    with contextlib.ExitStack() as at_the_end:
        at_the_end.callback(shutil.rmtree, data)
        with embedded_servers(data, postgres=PostgresSettings(connections=CONNECTIONS, throwaway=True)) as servers:
            urls = {"postgres": servers.postgres.url("")[:-1], "valkey": servers.valkey.url().rpartition("/")[0]}
            (place / "urls.json.new").write_text(json.dumps(urls))
            (place / "urls.json.new").rename(place / "urls.json")
            # Whoever comes from here on waits until these servers are gone, and then starts others.
            at_the_end.enter_context(_last_one_gone(place))
            for written in ("urls.json", "template-migrated"):
                (place / written).unlink(missing_ok=True)


@contextlib.contextmanager
def _last_one_gone(place: Path) -> Iterator[None]:
    with (place / "users.lock").open("w") as users:
        while True:
            fcntl.flock(users, fcntl.LOCK_EX)
            fcntl.flock(users, fcntl.LOCK_UN)
            with exclusive(place / "start.lock"):
                # Somebody may have come in between.
                if not _in_use(users):
                    yield
                    return


def _in_use(users: IO[str]) -> bool:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


if __name__ == "__main__":
    host(Path(sys.argv[1]))
