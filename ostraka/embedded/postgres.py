"""An embedded Postgres: made once, then started and stopped."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ostraka.embedded.binaries import PostgresPrograms
from ostraka.embedded.errors import CannotStart, PortTaken, cannot_use, reason
from ostraka.embedded.folder import DataFolder, sync_folder, write_private
from ostraka.embedded.identity import Identity, identity, reachable
from ostraka.embedded.ports import LOOPBACK, check_free, free_port
from ostraka.embedded.process import ENVIRONMENT, Process, begin_log, launch, log_since

DATABASE = "ostraka"
"""The database that is there from the first start on."""

USER = "postgres"

START_LIMIT = 60.0
"""Recovery after a crash takes its time. Unit: seconds."""

_INITDB = (
    f"--username={USER}",
    "--auth=scram-sha-256",
    # Iterations protect passwords that can be guessed; ours cannot, and every connection would pay for them.
    "--set=scram_iterations=1",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    "--no-instructions",
    "--no-sync",
)
_UNFINISHED = "postgres-unfinished-"


@dataclass(frozen=True, kw_only=True)
class PostgresSettings:
    """How much the server may use, and how sure it must be."""

    port: int | None = None
    """None for any that is free."""

    connections: int = 60
    throwaway: bool = False
    """Whether a power cut may destroy everything. A kill may not: what was committed is kept then, too."""

    more: tuple[tuple[str, str], ...] = ()
    """Further settings, which go before ours."""


@dataclass(kw_only=True)
class Postgres:
    """A Postgres in a data folder. It may be started again after it has ended, on the same port."""

    folder: DataFolder
    programs: PostgresPrograms
    settings: PostgresSettings = field(default_factory=PostgresSettings)
    who: Identity = field(default_factory=identity)
    process: Process | None = None
    port: int | None = None

    def url(self, database: str = DATABASE) -> str:
        """Where its clients go."""
        return f"postgresql://{USER}:{self.folder.passwords.postgres}@{LOOPBACK}:{self.port}/{database}"

    def running(self) -> bool:
        """Whether it still runs."""
        return self.process is not None and self.process.running()

    def start(self) -> None:
        """Make the cluster if there is none, start the server and wait until it answers.

        Raises: CannotStart.
        """
        if self.running():
            return
        try:
            programs = reachable(self.programs, self.who, self.folder.path)
            _clear_unfinished(self.folder)
            if not self.folder.postgres.exists():
                _make_cluster(self.folder, programs, self.who, durable=not self.settings.throwaway)
            _check_version(self.folder.postgres, programs)
            _own(self.folder.postgres, self.who)
            if self.process is None:
                # We hold the lock that every process of an earlier run held as well: whoever wrote this has ended,
                # also if its number is now another's. After a crash under our own eyes Postgres itself must look.
                (self.folder.postgres / "postmaster.pid").unlink(missing_ok=True)
        except OSError as error:
            raise cannot_use(self.folder.postgres, error) from error
        self._run(programs)

    def stop(self, limit: float = 5.0) -> None:
        """Disconnect everybody, write everything down and end."""
        if self.process is not None:
            self.process.stop(limit)

    def _run(self, programs: PostgresPrograms) -> None:
        wanted = self.port or self.settings.port
        end = time.monotonic() + START_LIMIT
        while True:
            self.port = wanted or free_port()
            check_free(self.port, "Postgres")
            try:
                self._run_once(programs, self.port)
            except PortTaken:
                # Somebody was quicker on a port that we had picked; one that was asked for stays.
                if wanted or time.monotonic() > end:
                    raise
            except _StillConnected:
                # The last queries of a server that was killed: they end by themselves.
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
            else:
                return

    def _run_once(self, programs: PostgresPrograms, port: int) -> None:
        log, status = self.folder.log("postgres"), self.folder.postgres / "postmaster.pid"
        position, earlier = begin_log(log), _lines(status)[:3]
        command = [programs.program("postgres"), "-D", str(self.folder.postgres), *self._flags(programs, port)]
        self.process = launch(
            [*self.who.prefix, *command],
            end=signal.SIGINT,
            log=log,
            held=self.folder.lock,
            user=self.who.user,
        )
        try:
            _wait_until_ready(self.process, status, earlier)
        except CannotStart as error:
            self.process.kill()
            said = log_since(log, position)
            raise _kind(said)(f"Postgres {error}: {reason(said)} (see {log})") from None

    def _flags(self, programs: PostgresPrograms, port: int) -> Iterator[str]:
        ours = {
            "listen_addresses": LOOPBACK,
            "port": str(port),
            "unix_socket_directories": "",
            "max_connections": str(self.settings.connections),
            "shared_buffers": "32MB",
            "max_wal_size": "256MB",
            "max_parallel_workers_per_gather": "0",
            "max_logical_replication_workers": "0",
            "autovacuum_max_workers": "2",
            "jit": "off",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "log_checkpoints": "off",
            **({"fsync": "off", "full_page_writes": "off"} if self.settings.throwaway else {}),
            # Three processes fewer; what is read here is in the cache of the system anyway.
            **({"io_method": "sync"} if programs.major >= 18 else {}),
            **dict(self.settings.more),
        }
        for name, value in ours.items():
            yield "-c"
            yield f"{name}={value}"


class _StillConnected(CannotStart):
    """Processes of a server that was killed still run."""


def _kind(said: str) -> type[CannotStart]:
    if "Address already in use" in said:
        return PortTaken
    return _StillConnected if "pre-existing shared memory block" in said else CannotStart


def _wait_until_ready(process: Process, status: Path, earlier: Sequence[str]) -> None:
    # The server says in this file who it is, since when, and how far; pg_ctl reads the same, and nothing connects.
    end = time.monotonic() + START_LIMIT
    while time.monotonic() < end:
        lines = _lines(status)
        if len(lines) > 7 and lines[7].strip() == "ready" and lines[:3] != earlier:
            return
        if not process.running():
            raise CannotStart("did not start")
        time.sleep(0.01)
    raise CannotStart(f"did not answer within {START_LIMIT:.0f} s")


def _lines(status: Path) -> Sequence[str]:
    try:
        return status.read_text().splitlines()
    except FileNotFoundError:
        return []


def _clear_unfinished(folder: DataFolder) -> None:
    for leftover in folder.path.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(leftover)


def _make_cluster(folder: DataFolder, programs: PostgresPrograms, who: Identity, *, durable: bool) -> None:
    # Made aside and renamed when it is whole: whoever is killed on the way leaves nothing that looks finished.
    aside = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=folder.path))
    try:
        _fill_cluster(aside, folder, programs, who, durable=durable)
        (aside / "cluster").rename(folder.postgres)
        sync_folder(folder.path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _fill_cluster(aside: Path, folder: DataFolder, programs: PostgresPrograms, who: Identity, *, durable: bool) -> None:
    cluster, password = aside / "cluster", aside / "password"
    write_private(password, folder.passwords.postgres)
    for path in (aside, password):
        os.chown(path, who.owner, -1)
    initdb = programs.program("initdb")
    _tool([initdb, "-D", str(cluster), f"--pwfile={password}", *_INITDB], who, folder)
    create = f"CREATE DATABASE {DATABASE};\n"
    _tool([programs.program("postgres"), "--single", "-F", "-D", str(cluster), "postgres"], who, folder, create)
    if durable:
        # One call for the whole file system, where there is one: syncing 1,300 files one by one takes seconds.
        method = "syncfs" if sys.platform.startswith("linux") else "fsync"
        _tool([initdb, "-D", str(cluster), "--sync-only", f"--sync-method={method}"], who, folder)


def _tool(command: Sequence[str], who: Identity, folder: DataFolder, text: str = "") -> None:
    done = subprocess.run(
        [*who.prefix, *command],
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd="/",
        env=ENVIRONMENT,
        pass_fds=(folder.lock,),
        user=who.user,
        group=who.user,
        extra_groups=None if who.user is None else [],
    )
    if done.returncode or "ERROR:" in done.stdout:
        raise CannotStart(f"The database in {folder.path} cannot be made: {reason(done.stdout)}")


def _check_version(cluster: Path, programs: PostgresPrograms) -> None:
    written = (cluster / "PG_VERSION").read_text().strip()
    if written != str(programs.major):
        raise CannotStart(
            f"{cluster} was written by Postgres {written} and this is Postgres {programs.major}: "
            "start it with the release that wrote it and export the games, or choose another data folder"
        )


def _own(cluster: Path, who: Identity) -> None:
    # Root may have run Postgres under a namespace before and must run it as nobody now, or the other way round.
    if os.geteuid() != 0 or cluster.stat().st_uid == who.owner:
        return
    for path in (cluster, *cluster.rglob("*")):
        os.chown(path, who.owner, -1, follow_symlinks=False)
