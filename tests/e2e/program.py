"""The whole service as a newcomer starts it: one command, one process tree."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import psutil

T = TypeVar("T")

PATIENCE_SECONDS = 60
STOP_SECONDS = 10


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `ostraka` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "ostraka", *arguments],
        env={**_clean(), **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


@dataclass(frozen=True, kw_only=True)
class Program:
    """A running `ostraka up`."""

    process: psutil.Process
    popen: subprocess.Popen[bytes]
    base: str
    log: Path

    def said(self) -> str:
        """Everything it has printed."""
        return self.log.read_text(errors="replace")

    def get(self, path: str, **headers: str) -> Any:
        """Ask the API."""
        return httpx.get(f"{self.base}/api/v1{path}", headers=headers, timeout=10).raise_for_status().json()

    def children(self) -> list[psutil.Process]:
        """Every process it has started, and theirs."""
        return self.process.children(recursive=True)

    def part(self, *words: str) -> psutil.Process:
        """The first process whose command has all these words."""
        return next(one for one in self.children() if all(word in " ".join(one.cmdline()) for word in words))

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """Tell it to stop; how long it took until nothing was left. Unit: seconds."""
        started, family = time.monotonic(), self.children()
        self.popen.send_signal(number)
        self.popen.wait(STOP_SECONDS + 5)
        _, left = psutil.wait_procs(family, timeout=1)
        assert not left, left
        return time.monotonic() - started


@contextlib.contextmanager
def up(data: Path, *arguments: str, port: int | None = None, **environment: str) -> Iterator[Program]:
    """The service over a data folder, ready; stopped at the end if it still runs."""
    chosen = port or free_port()
    log = data.parent / f"{data.name}-{chosen}.log"
    with log.open("ab") as output:
        popen = subprocess.Popen(
            [sys.executable, "-m", "ostraka", "up", "--port", str(chosen), "--data-dir", str(data), *arguments],
            env={**_clean(), **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    program = Program(process=psutil.Process(popen.pid), popen=popen, base=f"http://127.0.0.1:{chosen}", log=log)
    try:
        eventually(lambda: "Ostraka is up" in program.said() or popen.poll() is not None, bool)
        assert popen.poll() is None, program.said()
        yield program
    finally:
        if popen.poll() is None:
            program.stop()


def eventually(ask: Callable[[], T], fits: Callable[[T], bool], seconds: float = PATIENCE_SECONDS) -> T:
    """The first answer that fits, asked for again and again for a while."""
    end = time.monotonic() + seconds
    while True:
        answer: T | None
        try:
            answer = ask()
        except (httpx.HTTPError, StopIteration, psutil.Error):
            answer = None
        if answer is not None and fits(answer):
            return answer
        assert time.monotonic() < end, f"still {answer}"
        time.sleep(0.05)


def _clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("OSTRAKA_")}
