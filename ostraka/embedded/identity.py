"""Whom Postgres runs as: it refuses to be root, or a user without a name."""

import functools
import os
import pwd
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ostraka.embedded.binaries import PostgresPrograms
from ostraka.embedded.errors import CannotStart

NOBODY = 4294967294 if sys.platform == "darwin" else 65534
FOLDER_OF_ROOT = Path("/var/lib/ostraka")
"""Where root keeps its data if Postgres must run as nobody, who may not enter the home of root."""

_COPIES = "programs-"
_NAMESPACE = (f"--map-user={NOBODY}", f"--map-group={NOBODY}", "--user", "--")


@dataclass(frozen=True, kw_only=True)
class Identity:
    """How the commands of Postgres are run."""

    prefix: tuple[str, ...] = ()
    """What stands before each command."""

    user: int | None = None
    """The user and group to become, None to stay."""

    @property
    def owner(self) -> int:
        """Whose the files of Postgres must be."""
        return os.geteuid() if self.user is None else self.user


@functools.cache
def identity() -> Identity:
    """As we are, if that is an ordinary user; else under a namespace in which we are nobody, or as nobody itself.

    Raises: CannotStart.
    """
    user = os.geteuid()
    if user != 0 and _has_name(user):
        return Identity()
    if not _has_name(NOBODY):
        raise CannotStart(f"Postgres does not run as user {user} here: start the program as a user of /etc/passwd")
    if inside := _in_namespace():
        return inside
    if user == 0:
        return Identity(user=NOBODY)
    raise CannotStart(f"Postgres does not run as user {user}, who has no name: add one to /etc/passwd")


def _has_name(user: int) -> bool:
    try:
        pwd.getpwuid(user)
    except KeyError:
        return False
    return True


def _in_namespace() -> Identity | None:
    # Everything stays readable and every file our own, wherever the program and its data are.
    if unshare := shutil.which("unshare"):
        prefix = (unshare, *_NAMESPACE)
        asked = subprocess.run([*prefix, "true"], capture_output=True, check=False, timeout=20)
        if asked.returncode == 0:
            return Identity(prefix=prefix)
    return None


def reachable(programs: PostgresPrograms, who: Identity, folder: Path) -> PostgresPrograms:
    """The programs where that user can run them: copied into the data folder if they are hidden from it.

    Raises: CannotStart.
    """
    if who.user is None:
        return programs
    if not all(path.stat().st_mode & stat.S_IXOTH for path in (folder, *folder.parents)):
        raise CannotStart(
            f"Postgres does not run as root, and the user nobody may not enter {folder}: "
            f"choose a data folder that everybody may enter, such as {FOLDER_OF_ROOT}"
        )
    if _can_run(programs.program("postgres"), who.user):
        return programs
    # From the wheel: <package>/pginstall/bin, with libraries in <package>.libs beside the package.
    package = programs.folder.parent.parent
    copy = folder / f"{_COPIES}{programs.version}"
    if not copy.exists():
        _copy((package, package.with_name(f"{package.name}.libs")), copy)
    return replace(programs, folder=copy / programs.folder.relative_to(package.parent))


def _copy(parts: Iterable[Path], copy: Path) -> None:
    # What other versions or a killed program left is of no use to anybody.
    for leftover in copy.parent.glob(f"{_COPIES}*"):
        shutil.rmtree(leftover)
    unfinished = copy.with_name(f"{copy.name}.unfinished")
    for part in parts:
        if part.is_dir():
            shutil.copytree(part, unfinished / part.name, ignore=shutil.ignore_patterns("__pycache__"))
    # Everybody may pass, whatever the umask of whoever installed the wheel.
    for path in (unfinished, *unfinished.rglob("*")):
        path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))
    unfinished.rename(copy)


def _can_run(program: str, user: int) -> bool:
    try:
        asked = subprocess.run(
            [program, "--version"], user=user, group=user, extra_groups=[], capture_output=True, check=False, cwd="/"
        )
    except OSError:
        return False
    return asked.returncode == 0
