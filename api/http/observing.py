"""What operators see of requests: a log line each, counters, durations."""

import time
import uuid

import structlog
from prometheus_client import Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

REQUESTS = Counter("ostraka_http_requests", "Requests by route and status.", ["method", "route", "status"])
DURATIONS = Histogram(
    "ostraka_http_seconds",
    "Time to the first byte of an answer, by route.",
    ["method", "route"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
MOVES = Counter("ostraka_moves", "Commands of players that were stored, by game.", ["game"])
REPLAYS = Counter("ostraka_replays", "Commands that were stored before and answered again, by game.", ["game"])
REFUSALS = Counter("ostraka_refusals", "Commands refused by rules or table, by reason.", ["reason"])
WATCHERS = Counter("ostraka_streams", "Live streams opened.", ["kind"])

_log = structlog.get_logger()


class Observed:
    """Gives every request an id, logs it and counts it. Tokens, bodies and query values are never logged."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        request_id = uuid.uuid4().hex[:16]
        status = 500

        async def observed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", []), (b"x-request-id", request_id.encode())]
                route = getattr(scope.get("route"), "path", "none")
                DURATIONS.labels(scope["method"], route).observe(time.perf_counter() - started)
                REQUESTS.labels(scope["method"], route, str(status)).inc()
            await send(message)

        with structlog.contextvars.bound_contextvars(request_id=request_id):
            try:
                await self._app(scope, receive, observed)
            finally:
                milliseconds = round((time.perf_counter() - started) * 1000, 1)
                game = scope.get("path_params", {}).get("game_id")
                _log.debug(
                    "request", method=scope["method"], path=scope["path"], status=status, ms=milliseconds, game_id=game
                )
