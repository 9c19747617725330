"""Server-Sent Events as an answer that can be ended although its reader does not read."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

RETRY = b"retry: 1000\n\n"
HEARTBEAT = b": still here\n\n"
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Authorization"}

_GRACE_SECONDS = 0.25


class EventStream(Response):
    """Sends chunks until there are no more, the reader has gone, or `ended` is set.

    Then whoever reads still gets a proper end; a reader who does not is cut off.
    """

    media_type = "text/event-stream"

    def __init__(self, chunks: AsyncGenerator[bytes, None], ended: asyncio.Event) -> None:
        super().__init__(headers=HEADERS)
        del self.headers["content-length"]
        self._chunks = chunks
        self._ended = ended

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the stream."""
        sending = asyncio.create_task(self._send(send))
        gone, ended = asyncio.create_task(_gone(receive)), asyncio.create_task(self._ended.wait())
        tasks: set[asyncio.Task[object]] = {sending, gone, ended}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not gone.done():
                await asyncio.wait({sending}, timeout=_GRACE_SECONDS)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        if not sending.cancelled():
            sending.result()

    async def _send(self, send: Send) -> None:
        async with contextlib.aclosing(self._chunks) as chunks:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for chunk in chunks:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _gone(receive: Receive) -> None:
    """Wait until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
