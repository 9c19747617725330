"""Somebody who watches a game: a bounded queue of what to send."""

import asyncio
from collections import deque

import msgspec

from domain.application.seeing import Viewer

QUEUE_LENGTH = 256
"""Frames that may wait for a slow reader before it is cut; it comes back by the version it has."""


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """Events as they go over the wire. `unredacted` of a running game; `last` when no event can follow."""

    chunk: bytes
    unredacted: bool = False
    last: bool = False


class Watcher:
    """One reader's place. It costs at most its queue, and frames are shared by all who may see the same.

    `ended` is set when the stream is to end at once: the reader was too slow, or the hub closes.
    """

    def __init__(self, viewer: Viewer, *, length: int = QUEUE_LENGTH) -> None:
        self.viewer = viewer
        self.joined = False
        self.ended = asyncio.Event()
        self._length = length
        self._waiting: deque[Frame] = deque()
        self._news = asyncio.Event()

    def put(self, frame: Frame) -> bool:
        """Add a frame; False, and the end of the stream, for a reader who is too slow."""
        if self.ended.is_set():
            return True
        if len(self._waiting) >= self._length:
            self.end()
            return False
        self._waiting.append(frame)
        self._news.set()
        return True

    def end(self) -> None:
        """End the stream at once; what still waits is read again by version."""
        self._waiting.clear()
        self.ended.set()
        self._news.set()

    async def next(self, seconds: float) -> Frame | None:
        """The next frame; None when none came in time or the stream has ended."""
        if not self._waiting and not self.ended.is_set():
            self._news.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._news.wait()
            except TimeoutError:
                return None
        return self._waiting.popleft() if self._waiting else None
