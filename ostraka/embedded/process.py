"""A server as a child process: it starts with a log, ends when told, and ends with the program in any case."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from ostraka.embedded import keeper

ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PATH": os.defpath}
"""What servers know of the outside: nothing of ours, so that no PG* variable or locale changes what they do."""

KERNEL_TELLS = sys.platform.startswith("linux")
"""Whether the kernel sends a signal to a process whose parent dies."""

LOG_LIMIT = 1_000_000
"""A log that has grown beyond this is put aside at the next start. Unit: bytes."""


class Process:
    """A running server."""

    def __init__(self, popen: subprocess.Popen[bytes], end: signal.Signals) -> None:
        self._popen = popen
        self._end = end

    @property
    def pid(self) -> int:
        """The process that the system knows it by."""
        return self._popen.pid

    def running(self) -> bool:
        """Whether it still runs."""
        return self._popen.poll() is None

    def stop(self, limit: float) -> None:
        """Ask it to end, and end it if it has not after so many seconds."""
        if self.running():
            self._popen.send_signal(self._end)
        try:
            self._popen.wait(limit)
        except subprocess.TimeoutExpired:
            self.kill()
        if self._popen.stdin:
            self._popen.stdin.close()

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self.running():
            # The group, as a keeper that watches has the server as its child.
            os.killpg(self.pid, signal.SIGKILL)
        self._popen.wait()


def launch(
    command: Sequence[str],
    *,
    end: signal.Signals,
    log: Path,
    held: int,
    user: int | None = None,
    watched: bool = False,
) -> Process:
    """Start a server that ends with this program.

    It inherits the lock `held`, so that nobody else takes the folder while it lives.
    """
    # To the kernel the parent is the thread that calls this, and only the main thread lasts as long as the program.
    watched = watched or not KERNEL_TELLS or threading.current_thread() is not threading.main_thread()
    how, who = "watch" if watched else "become", "-" if user is None else str(user)
    with open(log, "ab", opener=_private) as output:
        popen = subprocess.Popen(
            [sys.executable, "-I", "-S", keeper.__file__, how, str(int(end)), str(os.getpid()), who, *command],
            stdin=subprocess.PIPE if watched else subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd="/",
            env=ENVIRONMENT,
            pass_fds=(held,),
            process_group=0,
        )
    return Process(popen, end)


def _private(path: str, flags: int) -> int:
    # A statement that failed is logged with what it was about to write.
    return os.open(path, flags, 0o600)


def begin_log(log: Path) -> int:
    """Put a long log aside; where the lines of the next start begin."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".log.old"))
    return log.stat().st_size if log.exists() else 0


def log_since(log: Path, position: int) -> str:
    """What was logged from a position on."""
    with log.open("rb") as lines:
        lines.seek(position)
        said = lines.read().decode(errors="replace")
    # A full disk takes no log either.
    return said or ("No space left on device" if shutil.disk_usage(log.parent).free == 0 else "")
