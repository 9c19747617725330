"""Starts servers and parts, opens a table to watch, keeps everything running, stops everything."""

import contextlib
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.text import Text

from ostraka.embedded.errors import CannotStart, PortTaken, reason
from ostraka.embedded.folder import default_folder, write_private
from ostraka.embedded.servers import EmbeddedServers, embedded_servers
from ostraka.settings import Settings
from ostraka.stack.part import Part, Say
from ostraka.stack.welcome import welcome

_STOP_SECONDS = 4.0
"""For the parts together; the servers need up to 5 more in the worst case, and all has to end within 10."""

_TEND_SECONDS = 0.2


def run_stack(settings: Settings, console: Console) -> None:
    """Run the whole service until SIGINT or SIGTERM.

    Raises: CannotStart with one sentence.
    """
    stop = threading.Event()
    with _signals(stop), _servers(settings) as (servers, urls):
        _require_free(settings.host, settings.port)
        _migrate(urls)
        say = _voice(console)
        parts = _parts(settings, urls, say)
        for part in parts:
            part.start()
        greeter = threading.Thread(target=welcome, args=(settings, console, stop), daemon=True)
        greeter.start()
        try:
            while not stop.wait(_TEND_SECONDS):
                _tend(servers, parts, say)
        finally:
            say("up", "stopping")
            _stop(parts)


def _migrate(urls: Mapping[str, str]) -> None:
    """Migrate in a process of its own, so that what it needs does not stay in memory."""
    command = [sys.executable, "-m", "ostraka", "migrate"]
    done = subprocess.run(command, env={**os.environ, **urls}, capture_output=True, text=True, check=False)
    if done.returncode:
        msg = f"The database could not be migrated: {reason(done.stderr)}."
        raise CannotStart(msg)


def _parts(settings: Settings, urls: Mapping[str, str], say: Say) -> list[Part]:
    """In the order in which they start; they stop the other way round."""
    bots, work = str(settings.workers), "worker"
    listed = {
        "api": ["api"],
        "relay": ["relay"],
        "bots": [work, "--pool", "fast", "--pool", "search", "--processes", bots],
        # Scoring never waits behind a bot that thinks.
        "upkeep": [work, "--pool", "upkeep", "--pool", "notices", "--processes", "1"],
        "beat": ["beat"],
    }
    # Celery ends its own processes when it is told to quit; killed, it would leave them behind.
    return [
        Part(name, arguments, urls, say, signal.SIGQUIT if arguments[0] == work else signal.SIGKILL)
        for name, arguments in listed.items()
    ]


def _tend(servers: EmbeddedServers | None, parts: list[Part], say: Say) -> None:
    if servers:
        for name, server in (("postgres", servers.postgres), ("valkey", servers.valkey)):
            if not server.running():
                say("up", f"{name} has ended; starting it again")
                server.start()
    for part in parts:
        part.tend()


def _stop(parts: list[Part]) -> None:
    deadline = time.monotonic() + _STOP_SECONDS
    for part in reversed(parts):
        part.ask_to_stop()
    for part in reversed(parts):
        part.end(deadline)


@contextlib.contextmanager
def _servers(settings: Settings) -> Iterator[tuple[EmbeddedServers | None, dict[str, str]]]:
    """Embedded servers, unless the settings name others; and the environment that leads the parts to them."""
    ours = {"OSTRAKA_HOST": settings.host, "OSTRAKA_PORT": str(settings.port)}
    if settings.database_url and settings.redis_url:
        database, redis = settings.database_url.get_secret_value(), settings.redis_url.get_secret_value()
        yield None, {**ours, "OSTRAKA_DATABASE_URL": database, "OSTRAKA_REDIS_URL": redis}
        return
    if settings.database_url or settings.redis_url:
        msg = "Set both OSTRAKA_DATABASE_URL and OSTRAKA_REDIS_URL, or neither for embedded servers."
        raise CannotStart(msg)
    folder = settings.data_dir or default_folder()
    with embedded_servers(folder) as servers:
        token_key = _kept_key(servers.postgres.folder.path / "token.key")
        yield (
            servers,
            {
                **ours,
                "OSTRAKA_DATABASE_URL": servers.database_url,
                "OSTRAKA_REDIS_URL": servers.redis_url,
                "OSTRAKA_TOKEN_KEY": token_key,
            },
        )


def _kept_key(file: Path) -> str:
    if not file.exists():
        write_private(file, secrets.token_hex(32))
    return file.read_text().strip()


def _require_free(host: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            msg = f"Port {port} is in use by another program; choose another with --port."
            raise PortTaken(msg) from fault


def _voice(console: Console) -> Say:
    lock = threading.Lock()
    colours = {"api": "cyan", "relay": "magenta", "bots": "green", "upkeep": "yellow", "beat": "blue", "up": "bold"}

    def say(part: str, line: str) -> None:
        with lock:
            console.print(Text.assemble((f"{part:>7} | ", colours.get(part, "white")), line), soft_wrap=True)

    return say


@contextlib.contextmanager
def _signals(stop: threading.Event) -> Iterator[None]:
    def told(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, told) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
