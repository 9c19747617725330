"""The event loop of a worker process: one for its life, so that connections and folded games stay warm."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from workers.parts import OpenParts, WorkerParts

T = TypeVar("T")


class Runtime:
    """Runs coroutines on a loop in a thread of its own, with the parts that were opened there."""

    def __init__(self, open_parts: OpenParts) -> None:
        self._open_parts = open_parts
        self._loop: asyncio.AbstractEventLoop | None = None
        self._parts: WorkerParts | None = None

    def start(self) -> None:
        """Begin, in the process that will run the tasks: neither loop nor connection survives a fork."""
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="tasks", daemon=True).start()

    def run(self, task: Callable[[WorkerParts], Awaitable[T]]) -> T:
        """Run a task to its end and give what it gives."""
        result: T = self._submit(self._with_parts(task)).result()
        return result

    def stop(self) -> None:
        """Close the parts; called when the process is about to end."""
        if self._parts is not None:
            self._submit(self._parts.close()).result(timeout=5)

    async def _with_parts(self, task: Callable[[WorkerParts], Awaitable[T]]) -> T:
        if self._parts is None:
            self._parts = await self._open_parts()
        return await task(self._parts)

    def _submit(self, work: Any) -> Future[Any]:  # Any: a coroutine of whatever the task gives
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work, self._loop)
