"""The live routes: Server-Sent Events."""

import re

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from api.http.asking import backend_of, game_id_of, whole_number
from api.http.games import note_reading
from api.http.identity import account_of, required_account, viewer_of
from api.http.observing import WATCHERS
from api.http.openapi import documented
from api.live.own_games import own_games
from domain.kernel.errors import InvalidInput

router = APIRouter()

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Authorization"}
_LAST_VERSION = 2**31 - 2


@router.get("/games/{game_id}/events/live", **documented(None, {}, query=("after",), needs_token=False))
async def game_live(request: Request) -> Response:
    """The game's events as they happen; `Last-Event-ID` or `after` goes on after a version, without loss or repeat."""
    backend, account, game_id = backend_of(request), await account_of(request), game_id_of(request)
    after = _last_event_id(request)
    if after is None:
        newest = await backend.reader.newest(game_id)
        after = whole_number(request, "after", default=newest.head.version, low=0, high=_LAST_VERSION)
    await note_reading(backend, account, game_id, "live")
    stream = await backend.hub.watch(game_id, viewer_of(account), after or 0)
    WATCHERS.labels("game").inc()
    return StreamingResponse(stream, headers=_HEADERS, media_type="text/event-stream")


@router.get("/me/events/live", **documented(None, {}))
async def own_live(request: Request) -> Response:
    """What happens in all the caller's games; begins with every game that waits for the caller."""
    backend, account = backend_of(request), await required_account(request)
    WATCHERS.labels("me").inc()
    stream = own_games(backend.hub, backend.directory, account.player_id)
    return StreamingResponse(stream, headers=_HEADERS, media_type="text/event-stream")


def _last_event_id(request: Request) -> int | None:
    text = request.headers.get("last-event-id")
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,9}", text):
        raise InvalidInput((("/Last-Event-ID", "expected a version"),))
    return int(text)
