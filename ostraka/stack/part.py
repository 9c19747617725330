"""One supervised process: started, its lines passed on, started again when it ends, stopped with everything else."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from ostraka.embedded import keeper
from ostraka.embedded.process import KERNEL_TELLS

_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 15.0
_STEADY_SECONDS = 30.0

Say = Callable[[str, str], None]
"""(part, line): puts a line into the merged log."""


class Part:
    """A part of the stack and the process that runs it now.

    A part that ends is started again after a pause that doubles each time, up to a limit, and begins anew once the
    part has run for a while. `orphaned` is what it is sent when this process is killed: it ends at once then, and what
    it was at is found again by its lease.
    """

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        say: Say,
        orphaned: signal.Signals = signal.SIGKILL,
    ) -> None:
        self.name = name
        self._orphaned = str(int(orphaned))
        self._command = (sys.executable, "-m", "ostraka.parts", *arguments)
        self._environment = {**os.environ, **environment}
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._pause = _FIRST_PAUSE
        self._due = 0.0

    @property
    def pid(self) -> int | None:
        """The process that runs the part, None while there is none."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self) -> None:
        """Start the process; it ends with this one in any case. Called from the main thread only."""
        how = "become" if KERNEL_TELLS else "watch"
        # To the kernel the parent is the thread that starts the child, and only the main one lasts.
        wrapper = (sys.executable, "-I", "-S", keeper.__file__, how, self._orphaned, str(os.getpid()), "-")
        self._process = subprocess.Popen(
            [*wrapper, *self._command],
            stdin=subprocess.DEVNULL if KERNEL_TELLS else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environment,
            process_group=0,
        )
        self._started = time.monotonic()
        threading.Thread(target=self._pass_on, args=(self._process,), daemon=True).start()

    def tend(self) -> None:
        """Start the process again if it has ended and the pause is over."""
        if self._process is None or self._process.poll() is None:
            return
        now = time.monotonic()
        if not self._due:
            self._pause = _FIRST_PAUSE if now - self._started > _STEADY_SECONDS else self._pause
            self._due = now + self._pause
            self._say("up", f"{self.name} {_ending(self._process.returncode)}; starting it again in {self._pause:g} s")
            self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        elif now >= self._due:
            self._due = 0.0
            self.start()

    def ask_to_stop(self) -> None:
        """Tell the process to end."""
        if self._process and self._process.poll() is None:
            self._process.terminate()

    def end(self, deadline: float) -> None:
        """Wait for the end until a time of the monotonic clock, then kill the process and all it has started."""
        if self._process is None:
            return
        try:
            self._process.wait(max(deadline - time.monotonic(), 0.05))
        except subprocess.TimeoutExpired:
            self._say("up", f"{self.name} did not stop in time and was killed")
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def _pass_on(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout
        for line in process.stdout:
            self._say(self.name, line.decode(errors="replace").rstrip())


def _ending(code: int) -> str:
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
