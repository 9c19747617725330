"""Runs one server so that it never outlives the program, also where that is killed with -9.

Called as a script of its own, `keeper.py HOW SIGNAL PARENT USER COMMAND...`: this works in programs with threads,
where Python code between fork and exec may hang. HOW is `become` or `watch`; USER is a number, or - to stay who we are.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1


def main(arguments: Sequence[str]) -> int:
    """Become the command, where the kernel can tell it of the parent's death; elsewhere watch the parent for it."""
    how, number, parent, user, *command = arguments
    if user != "-":
        _become_user(int(user))
    if how == "become":
        _become_command(int(number), int(parent), command)
    return _watch(signal.Signals(int(number)), command)


def _become_user(user: int) -> None:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)


def _become_command(number: int, parent: int, command: Sequence[str]) -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        sys.exit(1)  # It died before the kernel knew that we care.
    os.execv(command[0], list(command))  # noqa: S606 - no shell is what we want


def _watch(end: signal.Signals, command: Sequence[str]) -> int:
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, close_fds=False)

    def pass_on(number: int, _frame: object) -> None:
        server.send_signal(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)
    threading.Thread(target=_end_with_parent, args=(server, end), daemon=True).start()
    return server.wait()


def _end_with_parent(server: subprocess.Popen[bytes], end: signal.Signals) -> None:
    # The parent never writes into the pipe that is our input: it can only end.
    with contextlib.suppress(OSError):
        os.read(sys.stdin.fileno(), 1)
    server.send_signal(end)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
