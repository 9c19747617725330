"""A way to a server that a test may cut after so many bytes in either direction."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

Direction = Literal["to the server", "from the server"]


class Relay:
    """Passes bytes on until it has passed enough of them; then every connection through it is gone."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._writers: set[asyncio.StreamWriter] = set()
        self.passed: dict[Direction, int] = {"to the server": 0, "from the server": 0}
        self.limits: dict[Direction, int | None] = {"to the server": None, "from the server": None}

    def cut_after(self, direction: Direction, more: int) -> None:
        """Let so many more bytes through in one direction, and nothing after them."""
        self.limits[direction] = self.passed[direction] + more

    def mend(self) -> None:
        """Let everything through again."""
        self.limits = dict.fromkeys(self.limits)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection from its beginning to its end."""
        there, out = await asyncio.open_connection(self._host, self._port)
        ends = {writer, out}
        self._writers |= ends
        try:
            ways = (self._pass_on(reader, out, "to the server"), self._pass_on(there, writer, "from the server"))
            await asyncio.wait([asyncio.create_task(way) for way in ways], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.transport.abort()
            self._writers -= ends

    def cut(self) -> None:
        """End every connection at once."""
        for writer in self._writers:
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, direction: Direction) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                limit = self.limits[direction]
                allowed = data if limit is None else data[: max(limit - self.passed[direction], 0)]
                self.passed[direction] += len(allowed)
                writer.write(allowed)
                await writer.drain()
                if len(allowed) < len(data):
                    return


@contextlib.asynccontextmanager
async def relay_to(url: str) -> AsyncIterator[tuple[Relay, str]]:
    """A relay to a server, and the URL that leads through it."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    relay = Relay(parts.hostname, parts.port)
    server = await asyncio.start_server(relay.serve, parts.hostname, 0)
    port = server.sockets[0].getsockname()[1]
    login = parts.netloc.rpartition("@")[0]
    try:
        yield relay, urlunsplit(parts._replace(netloc=f"{login}@{parts.hostname}:{port}"))
    finally:
        server.close()
        relay.cut()
        await server.wait_closed()
