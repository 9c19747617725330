"""The live routes: Server-Sent Events."""

import re
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api.http.asking import backend_of, game_id_of, whole_number
from api.http.games import note_reading
from api.http.identity import account_of, required_account, viewer_of
from api.http.observing import WATCHERS
from api.http.openapi import documented
from api.live.own_games import OwnGames
from api.live.sse import HEADERS, EventStream
from api.live.telling import is_over
from domain.application.reactions import status_of
from domain.kernel.errors import InvalidInput

router = APIRouter()

_LAST_VERSION = 2**31 - 2
_ROUTE = "live"
_LAST_EVENT_ID = {
    "name": "Last-Event-ID",
    "in": "header",
    "schema": {"type": "integer", "minimum": 0},
    "description": "The last version that was received; goes before `after`.",
}


def _streaming(description: str, *, query: Sequence[str] = (), needs_token: bool = True) -> dict[str, Any]:
    """How a live route describes itself."""
    told = documented(None, {}, query=query, needs_token=needs_token)
    content = {"text/event-stream": {"schema": {"type": "string"}}}
    told["openapi_extra"]["responses"]["200"] = {"description": description, "content": content}
    return {**told, "response_class": EventStream}


_game_live = _streaming("One message per event; its id is the version.", query=("after",), needs_token=False)
_game_live["openapi_extra"]["parameters"].append(_LAST_EVENT_ID)


@router.get("/games/{game_id}/events/live", **_game_live)
async def game_live(request: Request) -> Response:
    """The game's events as they happen; `Last-Event-ID` or `after` goes on after a version, without loss or repeat."""
    backend, account, game_id = backend_of(request), await account_of(request), game_id_of(request)
    newest = await backend.reader.newest(game_id)
    after = last_event_id = _last_event_id(request)
    if after is None:
        after = whole_number(request, "after", default=0, low=0, high=_LAST_VERSION) or 0
    if last_event_id == newest.head.version and is_over(newest.opened):
        # The one answer after which a browser does not connect again.
        return Response(status_code=204, headers=HEADERS, media_type=EventStream.media_type)
    await note_reading(backend, account, game_id, _ROUTE)

    async def before_secrets() -> None:
        # A stream that was opened in the lobby; one that was opened in a running game is noted above.
        await note_reading(backend, account, game_id, _ROUTE)

    noted = account is not None and status_of(newest.opened) == "running"
    viewer = viewer_of(account)
    chunks, ended = await backend.hub.watch(game_id, viewer, after, None if noted else before_secrets)
    WATCHERS.labels("game").inc()
    return EventStream(chunks, ended)


@router.get("/me/events/live", **_streaming("One message per notice; its event is what happened."))
async def own_live(request: Request) -> Response:
    """What happens in all the caller's games; begins with every game that waits for the caller."""
    backend, account = backend_of(request), await required_account(request)
    own = OwnGames(backend.directory, backend.reader.newest, account.player_id)
    first = await own.look()
    WATCHERS.labels("me").inc()
    return EventStream(own.chunks(backend.hub, first), own.ended)


def _last_event_id(request: Request) -> int | None:
    text = request.headers.get("last-event-id")
    if not text:
        return None
    if not re.fullmatch(r"\d{1,9}", text):
        raise InvalidInput((("/Last-Event-ID", "expected a version"),))
    return int(text)
