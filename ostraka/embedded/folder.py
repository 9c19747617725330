"""The folder that keeps everything embedded servers know, and the lock that one program at a time holds on it."""

import contextlib
import fcntl
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ostraka.embedded.errors import CannotStart, cannot_use
from ostraka.embedded.identity import FOLDER_OF_ROOT, identity

FORMAT = 1
"""How this release lays out a data folder."""

LOCK = "lock"
MARKER = "ostraka.json"
PASSWORDS = "passwords.json"

# A program that was killed before it wrote the marker leaves two files; systems leave theirs in every new volume.
_HARMLESS = frozenset((LOCK, f"{MARKER}.new", "lost+found", ".DS_Store"))

LEFTOVERS_LIMIT = 20.0
"""How long the servers of a killed program may take to end. Unit: seconds."""


@dataclass(frozen=True, kw_only=True)
class Passwords:
    """What the servers ask of their clients."""

    postgres: str = field(repr=False)
    valkey: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class DataFolder:
    """A folder that is ours alone, for as long as the lock is held."""

    path: Path
    lock: int
    """The open lock file. The servers inherit it, so that the lock lasts until the last of them has ended."""

    passwords: Passwords

    @property
    def postgres(self) -> Path:
        """The database cluster."""
        return self.path / "postgres"

    @property
    def valkey(self) -> Path:
        """The append-only file and the configuration of Valkey."""
        return self.path / "valkey"

    def log(self, server: str) -> Path:
        """Where a server writes what it has to say."""
        return self.path / f"{server}.log"


def default_folder() -> Path:
    """Where the data of this user goes if nothing else is said."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "ostraka"
    if identity().user is not None:
        return FOLDER_OF_ROOT
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ostraka"


@contextlib.contextmanager
def claimed(path: Path) -> Iterator[DataFolder]:
    """The folder at the path, made if need be and locked.

    Raises: CannotStart.
    """
    path = path.expanduser().resolve()
    try:
        # Everybody may pass through, as Postgres may run as another user; each file inside has a mode of its own.
        path.mkdir(mode=0o711, parents=True, exist_ok=True)
        _refuse_foreign(path)
        lock = os.open(path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise cannot_use(path, error) from error
    try:
        _take(lock, path)
        try:
            _mark(path)
            folder = DataFolder(path=path, lock=lock, passwords=_passwords(path))
        except OSError as error:
            raise cannot_use(path, error) from error
        yield folder
    finally:
        os.close(lock)


def write_private(file: Path, text: str) -> None:
    """Write a file that only we may read, as a whole or not at all."""
    unfinished = file.with_name(f"{file.name}.new")
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as output:
        output.write(text)
        output.flush()
        os.fsync(output.fileno())
    unfinished.replace(file)
    sync_folder(file.parent)


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_foreign(path: Path) -> None:
    if (path / MARKER).exists():
        return
    if foreign := sorted(entry.name for entry in path.iterdir() if entry.name not in _HARMLESS):
        raise CannotStart(f"{path} holds other things ({foreign[0]}, for one): choose an empty or a new data folder")


def _take(lock: int, path: Path) -> None:
    end = time.monotonic() + LEFTOVERS_LIMIT
    while not _locked(lock):
        holder = _holder(lock)
        if holder is not None and _alive(holder):
            raise CannotStart(f"{path} is in use by process {holder}: stop that, or choose another data folder")
        if time.monotonic() > end:
            raise CannotStart(f"{path} is still in use by servers whose program was killed: end them, then try again")
        time.sleep(0.05)
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(lock: int) -> int | None:
    text = os.pread(lock, 20, 0)
    return int(text) if text.isdigit() else None


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _mark(path: Path) -> None:
    marker = path / MARKER
    if not marker.exists():
        write_private(marker, json.dumps({"format": FORMAT}))
        return
    written = _read(marker).get("format")
    if written != FORMAT:
        raise CannotStart(f"{path} was written by another release (format {written}, this one keeps format {FORMAT})")


def _passwords(path: Path) -> Passwords:
    file = path / PASSWORDS
    if not file.exists():
        if (path / "postgres").exists():
            raise CannotStart(f"{file} is missing, and the database beside it opens to nobody without it")
        write_private(file, json.dumps({"postgres": secrets.token_urlsafe(32), "valkey": secrets.token_urlsafe(32)}))
    kept = _read(file)
    try:
        return Passwords(postgres=kept["postgres"], valkey=kept["valkey"])
    except KeyError as error:
        raise CannotStart(f"{file} is damaged: {error} is missing") from error


def _read(file: Path) -> dict[str, Any]:
    try:
        content = json.loads(file.read_text())
    except ValueError as error:
        raise CannotStart(f"{file} is damaged: {error}") from error
    if not isinstance(content, dict):
        raise CannotStart(f"{file} is damaged: it holds no object")
    return content
