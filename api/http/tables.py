"""Tables: opened, listed, sat down at, started, closed."""

import base64
import binascii
import re

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api.backend import Backend
from api.http.answers import answer, etag_of, game_body, names_in, replayed, seat_bodies
from api.http.asking import backend_of, body_as, game_id_of, key_of, whole_number
from api.http.errors import Problem
from api.http.identity import account_of, required_account, viewer_of
from api.http.openapi import documented
from api.http.shapes import GameBody, GamesPage, NewTable, StartTable, SummaryBody, TakeSeat
from domain.application.committing import Committed
from domain.application.instants import to_text
from domain.application.ports import Account, Status, Summary, Wanted
from domain.application.service import TableWanted
from domain.kernel.codec import convert
from domain.kernel.errors import InvalidInput

router = APIRouter()

_PAGE, _LONGEST_PAGE = 50, 200
_FILTERS = ("game", "status", "player", "to_act", "limit", "cursor")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LATEST = 2**53


@router.post("/games", **documented(NewTable, {201: GameBody}, "a table"))
async def open_table(request: Request) -> Response:
    """Open a table; it starts by itself once no seat is open, unless it is to be started by hand."""
    backend = backend_of(request)
    account = await required_account(request)
    body = await body_as(request, NewTable)
    wanted = TableWanted(**{field: getattr(body, field) for field in body.__struct_fields__})
    committed = await backend.service.open(account.player_id, wanted, key_of(request))
    location = f"/api/v1/games/{committed.aggregate.game_id}"
    return await _game(backend, committed, account, 201, {"Location": location})


@router.get(
    "/games",
    **documented(None, {200: GamesPage}, query=_FILTERS, needs_token=False),
)
async def list_games(request: Request) -> Response:
    """Games, newest first."""
    backend = backend_of(request)
    account = await account_of(request)
    wanted = _wanted(request, account)
    found = await backend.directory.list(msgspec.structs.replace(wanted, limit=wanted.limit + 1))
    shown = found[: wanted.limit]
    names = await names_in(backend, [summary.listing.chairs for summary in shown])
    games = tuple(
        SummaryBody(
            game_id=summary.game_id,
            game=summary.listing.game,
            status=summary.listing.status,
            version=summary.version,
            seats=seat_bodies(summary.listing.chairs, names),
            to_act=summary.listing.to_act,
            opened_at=to_text(summary.opened_at),
            moved_at=to_text(summary.moved_at),
        )
        for summary in shown
    )
    return answer(GamesPage(games=games, next_cursor=_cursor(shown[-1]) if len(found) > len(shown) else None))


@router.post("/games/{game_id}/seats", **documented(TakeSeat, {201: GameBody}, {"entropy": "scarab"}))
async def take_seat(request: Request) -> Response:
    """Sit down."""
    backend, account, game_id = await _asked(request)
    await backend.reader.newest(game_id)
    body = await body_as(request, TakeSeat)
    key = key_of(request)
    if await backend.readings.has_read(game_id, account.player_id):
        raise Problem("forbidden", "You have read what is hidden in this game and cannot sit down in it.")
    committed = await backend.service.sit(game_id, account.player_id, body.seat, body.entropy, key)
    return await _game(backend, committed, account, 201)


@router.delete("/games/{game_id}/seats/{seat}", **documented(None, {200: GameBody}))
async def leave_seat(request: Request) -> Response:
    """Get up, while the game is in the lobby."""
    backend, account, game_id = await _asked(request)
    if not re.fullmatch(r"\d{1,3}", request.path_params["seat"]):
        raise Problem("not-found", "There is no such seat.")
    seat = int(request.path_params["seat"])
    committed = await backend.service.leave(game_id, account.player_id, seat, key_of(request))
    return await _game(backend, committed, account, 200)


@router.post("/games/{game_id}/start", **documented(StartTable, {200: GameBody}, {"entropy": "scarab"}))
async def start(request: Request) -> Response:
    """Start a table by hand; only whoever opened it can."""
    backend, account, game_id = await _asked(request)
    await backend.reader.newest(game_id)
    body = await body_as(request, StartTable)
    committed = await backend.service.start(game_id, account.player_id, body.entropy, key_of(request))
    return await _game(backend, committed, account, 200)


@router.delete("/games/{game_id}", **documented(None, {200: GameBody}))
async def abandon(request: Request) -> Response:
    """Close a lobby for good; only whoever opened it can. Its history stays."""
    backend, account, game_id = await _asked(request)
    committed = await backend.service.abandon(game_id, account.player_id, key_of(request))
    return await _game(backend, committed, account, 200)


async def _asked(request: Request) -> tuple[Backend, Account, str]:
    return backend_of(request), await required_account(request), game_id_of(request)


async def _game(
    backend: Backend, committed: Committed, account: Account, status: int, headers: dict[str, str] | None = None
) -> Response:
    seen = backend.reader.as_seen(committed.aggregate, viewer_of(account))
    all_headers = {"ETag": etag_of(committed.aggregate), **replayed(committed), **(headers or {})}
    return answer(await game_body(backend, seen), status, all_headers)


class _Filters(msgspec.Struct, frozen=True, kw_only=True):
    game: str | None = None
    status: Status | None = None


def _wanted(request: Request, account: Account | None) -> Wanted:
    """What the query asks for.

    Raises: Problem `not-authenticated` where `me` needs a token; InvalidInput.
    """
    query = request.query_params
    filters = convert({name: query[name] for name in ("game", "status") if name in query}, _Filters)
    for name in ("player", "to_act"):
        if query.get(name, "me") != "me":
            raise InvalidInput(((f"/{name}", "the only value is me"),))
    mine = "player" in query or "to_act" in query
    if mine and account is None:
        raise Problem("not-authenticated", "To ask for your own games, send your token.")
    limit = whole_number(request, "limit", default=_PAGE, low=1, high=_LONGEST_PAGE)
    return Wanted(
        game=filters.game,
        status=filters.status,
        player=account.player_id if mine and account else None,
        to_act="to_act" in query,
        before=_before(query.get("cursor")),
        limit=limit or _PAGE,
    )


def _cursor(last: Summary) -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode((last.opened_at, last.game_id))).decode()


def _before(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    try:
        before = msgspec.json.decode(base64.urlsafe_b64decode(cursor), type=tuple[int, str])
    except (binascii.Error, msgspec.DecodeError, msgspec.ValidationError, ValueError):
        before = (0, "")
    if not _UUID.fullmatch(before[1]) or not 0 < before[0] < _LATEST:
        raise InvalidInput((("/cursor", "take the cursor from the page before, as it is"),))
    return before
