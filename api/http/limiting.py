"""Requests a caller may make: a bucket each that fills steadily. It guards one process from one caller, no more."""

import hashlib
import time

from starlette.types import ASGIApp, Receive, Scope, Send

from api.http.errors import Problem, respond

_CALLERS = 20_000
_BURST_SECONDS = 2.0


class Buckets:
    """How much each caller may still ask for.

    Unit: `rate` requests a second; up to two seconds' worth may come at once.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._full = rate * _BURST_SECONDS
        self._left: dict[bytes, tuple[float, float]] = {}

    def wait(self, caller: bytes, now: float) -> float:
        """Take one request; how many seconds the caller has to wait instead, 0 when it may go on."""
        left, since = self._left.get(caller, (self._full, now))
        left = min(self._full, left + (now - since) * self._rate)
        if left < 1:
            return (1 - left) / self._rate
        if len(self._left) >= _CALLERS:
            # Whoever was forgotten begins with a full bucket: a limit for the many, not a wall against one.
            self._left.clear()
        self._left[caller] = (left - 1, now)
        return 0.0


class Limited:
    """Answers `slow-down` to whoever asks too much; callers are told apart by token, without one by address."""

    def __init__(self, app: ASGIApp, rate: float) -> None:
        self._app = app
        self._buckets = Buckets(rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            wait = self._buckets.wait(_caller(scope), time.monotonic())
            if wait:
                seconds = int(wait) + 1
                detail = f"You ask too much at once; wait {seconds} s."
                answer = respond(Problem("slow-down", detail), scope["path"])
                answer.headers["Retry-After"] = str(seconds)
                await answer(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _caller(scope: Scope) -> bytes:
    token = next((value for name, value in scope["headers"] if name == b"authorization"), None)
    host: str = (scope.get("client") or ("", 0))[0]
    return hashlib.sha256(token).digest() if token else host.encode()
