"""The whole service, started by its own command in a folder of its own, for measurements from outside."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

_PATIENCE_SECONDS = 60.0


@contextlib.contextmanager
def running() -> Iterator[str]:
    """The address of a service that is ready and has nothing to do; it is stopped and removed at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="ostraka-bench-"))
    folder.chmod(0o711)
    command = [sys.executable, "-m", "ostraka", "up", "--port", str(port), "--data-dir", str(folder / "data")]
    with (folder / "log").open("wb") as log:
        program = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "OSTRAKA_LOG_LEVEL": "warning"})
    try:
        base = f"http://127.0.0.1:{port}"
        _until_idle(base, folder / "log")
        yield base
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(20)
        shutil.rmtree(folder, ignore_errors=True)


def _until_idle(base: str, log: Path) -> None:
    """Wait until the table that the service opens for newcomers has been played to its end."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(httpx.HTTPError):
            games = httpx.get(f"{base}/api/v1/games").json()["games"]
            if games and all(game["status"] == "finished" for game in games):
                return
        time.sleep(0.2)
    raise SystemExit(log.read_text())
