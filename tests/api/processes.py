"""API processes of the program, and a proxy that cuts what goes through it."""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import httpx

PATIENCE_SECONDS = 30


@contextlib.contextmanager
def serving(database_url: str, redis_url: str) -> Iterator[str]:
    """The address of an API process on these servers, ready; ended with the block."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "OSTRAKA_DATABASE_URL": database_url,
        "OSTRAKA_REDIS_URL": redis_url,
        "OSTRAKA_PORT": str(port),
        "OSTRAKA_LOG_LEVEL": "warning",
    }
    process = subprocess.Popen([sys.executable, "-m", "ostraka.parts", "api"], env=environment)
    try:
        url, end = f"http://127.0.0.1:{port}", time.monotonic() + PATIENCE_SECONDS
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{url}/readyz").is_success:
                    break
            assert process.poll() is None
            assert time.monotonic() < end
            time.sleep(0.05)
        yield url
    finally:
        process.kill()
        process.wait()


@dataclass
class Proxy:
    """A way to Postgres that is cut after so many bytes: `up` to the server, `down` to the client."""

    port: int = 0
    up: int | None = None
    down: int | None = None
    cuts: int = 0
    open: set[asyncio.StreamWriter] = field(default_factory=set)

    def cut_after(self, *, up: int | None = None, down: int | None = None) -> None:
        """Cut once, counted from now."""
        self.up, self.down = up, down

    def heal(self) -> None:
        """Cut no more."""
        self.up = self.down = None

    def take(self, way: str, size: int) -> int:
        """How many of the next bytes may still pass."""
        left: int | None = getattr(self, way)
        if left is None:
            return size
        passed = min(left, size)
        setattr(self, way, left - passed)
        return passed


@contextlib.asynccontextmanager
async def proxied(database_url: str) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before a database, and the URL that leads through it."""
    target = urlsplit(database_url)
    proxy = Proxy()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_connection(target.hostname, target.port)
        proxy.open |= {writer, server_writer}

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, way: str) -> None:
            with contextlib.suppress(OSError):
                while data := await source.read(65536):
                    passed = proxy.take(way, len(data))
                    sink.write(data[:passed])
                    await sink.drain()
                    if passed < len(data):
                        proxy.cuts += 1
                        break
            for end in (writer, server_writer):
                end.transport.abort()

        await asyncio.gather(pump(reader, server_writer, "up"), pump(server_reader, writer, "down"))

    listener = await asyncio.start_server(connected, "127.0.0.1", 0)
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy, database_url.replace(f":{target.port}/", f":{proxy.port}/")
    finally:
        for end in proxy.open:
            end.transport.abort()
        listener.close()
