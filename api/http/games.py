"""A game as the caller may see it: its state, its events, its audit."""

from collections.abc import AsyncIterator
from typing import Literal

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from api.backend import Backend
from api.http.answers import PRIVATE, answer, etag_of, game_body
from api.http.asking import backend_of, game_id_of, whole_number
from api.http.identity import account_of, viewer_of
from api.http.openapi import documented
from api.http.shapes import AuditBody, EventsPage, GameBody, ReadingBody
from domain.application.instants import to_text
from domain.application.ports import Account
from domain.application.seeing import sees_all
from domain.kernel.errors import InvalidInput
from domain.table.state import Running

router = APIRouter()

_LAST_VERSION = 2**31 - 2
_PAGE, _LONGEST_PAGE = 500, 1000
_LINES = 200


@router.get("/games/{game_id}", **documented(None, {200: GameBody}, query=("version", "as"), needs_token=False))
async def game(request: Request) -> Response:
    """The game, by default as it is now; `version` asks for how it was right after an event."""
    backend, account, game_id = backend_of(request), await account_of(request), game_id_of(request)
    viewer = viewer_of(account)
    version = whole_number(request, "version", default=None, low=0, high=_LAST_VERSION)
    whom = _as_whom(request)
    if whom is not None:
        await note_reading(backend, account, game_id, "game")
    seen = await backend.reader.game(game_id, viewer, version, whom)
    etag = etag_of(seen.aggregate)
    if request.headers.get("if-none-match") in {etag, f"W/{etag}"} and whom is None:
        return Response(status_code=304, headers={**PRIVATE, "ETag": etag})
    return answer(await game_body(backend, seen), headers={"ETag": etag})


@router.get(
    "/games/{game_id}/events", **documented(None, {200: EventsPage}, query=("after", "limit"), needs_token=False)
)
async def events(request: Request) -> Response:
    """The history after a version: a page, or with `Accept: application/x-ndjson` all the rest, a line an event."""
    backend, account, game_id = backend_of(request), await account_of(request), game_id_of(request)
    viewer = viewer_of(account)
    after = whole_number(request, "after", default=0, low=0, high=_LAST_VERSION) or 0
    limit = whole_number(request, "limit", default=_PAGE, low=1, high=_LONGEST_PAGE) or _PAGE
    await note_reading(backend, account, game_id, "events")
    if "application/x-ndjson" not in request.headers.get("accept", ""):
        page = await backend.reader.history(game_id, viewer, after, limit)
        return answer(EventsPage(events=page.events, version=page.version, more=page.more))
    await backend.reader.newest(game_id)

    async def lines() -> AsyncIterator[bytes]:
        # Page by page, and no connection is held while a slow reader takes one.
        version, more = after, True
        while more:
            page = await backend.reader.history(game_id, viewer, version, _LINES)
            yield b"".join(msgspec.json.encode(event) + b"\n" for event in page.events)
            version, more = version + len(page.events), page.more and bool(page.events)

    return StreamingResponse(lines(), headers=PRIVATE, media_type="application/x-ndjson")


@router.get("/games/{game_id}/audit", **documented(None, {200: AuditBody}, needs_token=False))
async def audit(request: Request) -> Response:
    """The game's chain, recomputed now, and what it was committed to."""
    backend, _, game_id = backend_of(request), await account_of(request), game_id_of(request)
    found = await backend.reader.audit(game_id)
    over = not isinstance((await backend.reader.newest(game_id)).opened, Running)
    reads = await backend.readings.of_game(game_id) if over else ()
    return answer(
        AuditBody(
            version=found.version,
            head_hash=found.head_hash,
            chain_ok=found.chain_ok,
            commitment=found.commitment,
            secret=found.secret,
            checkpoint=None,
            reads=tuple(
                ReadingBody(player_id=one.player_id, version=one.version, route=one.route, at=to_text(one.at))
                for one in reads
            )
            if over
            else None,
            problems=found.problems,
        )
    )


async def note_reading(backend: Backend, account: Account | None, game_id: str, route: str) -> None:
    """Before an auditor is shown what is hidden in a running game, it is written down that he was."""
    viewer = viewer_of(account)
    if account is None or not viewer.unredacted:
        return
    newest = await backend.reader.newest(game_id)
    if isinstance(newest.opened, Running) and sees_all(newest.opened, viewer):
        await backend.readings.add(game_id, account.player_id, newest.head.version, route)


def _as_whom(request: Request) -> int | Literal["watcher", "all"] | None:
    asked = request.query_params.get("as")
    if asked == "watcher":
        return "watcher"
    if asked == "all":
        return "all"
    if asked is not None and not asked.isdecimal():
        raise InvalidInput((("/as", "expected a seat, watcher or all"),))
    return whole_number(request, "as", default=None, low=0, high=100)
