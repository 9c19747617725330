"""Moves: what is legal, and what is done."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api.backend import Backend
from api.http.answers import answer, move_answer, replayed
from api.http.asking import (
    backend_of,
    body_as,
    flag,
    game_id_of,
    if_match_of,
    json_body,
    key_of,
    language_of,
)
from api.http.errors import problem_of
from api.http.identity import required_account, viewer_of
from api.http.observing import MOVES, REFUSALS, REPLAYS
from api.http.openapi import documented
from api.http.shapes import Empty, MoveAnswer, MovesBody, RehearsalBody
from domain.application.committing import Committed
from domain.application.ports import Account
from domain.kernel.codec import Codec
from domain.kernel.errors import IllegalCommand
from domain.kernel.game import AnyGame
from domain.table.errors import TableRefusal

router = APIRouter()


@router.get("/games/{game_id}/moves", **documented(None, {200: MovesBody}, query=("notes",)))
async def legal_moves(request: Request) -> Response:
    """Every legal command of the caller's seat, in a fixed order; with `notes=1`, each in words."""
    backend, account, game_id, game = await _seated(request)
    noted = flag(request, "notes")
    language = language_of(request, list(game.text)) if noted else None
    found = await backend.reader.moves(game_id, account.player_id, language)
    notes = found.notes if noted else None
    return answer(MovesBody(version=found.version, seat=found.seat, moves=found.moves, notes=notes))


@router.post(
    "/games/{game_id}/moves", **documented("a move", {201: MoveAnswer, 200: RehearsalBody}, query=("dry_run",))
)
async def move(request: Request) -> Response:
    """Make a move; with `dry_run=1`, only see what it would cause."""
    backend, account, game_id, game = await _seated(request)
    command = Codec(game.player_commands).decode(await json_body(request))
    key, version = key_of(request), if_match_of(request)
    async with _told_version(backend, game_id):
        if flag(request, "dry_run"):
            language = language_of(request, list(game.text))
            found = await backend.reader.rehearse(game_id, account.player_id, command, language)
            return answer(RehearsalBody(version=found.version, note=found.note, events=found.events))
        committed = await backend.service.move(game_id, account.player_id, command, key, version)
    return _done(committed, account, game)


@router.post("/games/{game_id}/undo", **documented(Empty, {201: MoveAnswer}))
async def undo(request: Request) -> Response:
    """Take back the caller's last command; the events stay in the history."""
    backend, account, game_id, game = await _seated(request)
    await _nothing_in(request)
    key, version = key_of(request), if_match_of(request)
    async with _told_version(backend, game_id):
        committed = await backend.service.undo(game_id, account.player_id, key, version)
    return _done(committed, account, game)


@router.post("/games/{game_id}/resign", **documented(Empty, {201: MoveAnswer}))
async def resign(request: Request) -> Response:
    """Give up the caller's seat for good; the game goes on without."""
    backend, account, game_id, game = await _seated(request)
    await _nothing_in(request)
    key, version = key_of(request), if_match_of(request)
    async with _told_version(backend, game_id):
        committed = await backend.service.resign(game_id, account.player_id, key, version)
    return _done(committed, account, game)


async def _seated(request: Request) -> tuple[Backend, Account, str, AnyGame]:
    """Token, game, seat, in this order."""
    backend, account, game_id = backend_of(request), await required_account(request), game_id_of(request)
    game, _ = await backend.service.seat(game_id, account.player_id)
    return backend, account, game_id, game


async def _nothing_in(request: Request) -> None:
    if request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers:
        await body_as(request, Empty)


@asynccontextmanager
async def _told_version(backend: Backend, game_id: str) -> AsyncIterator[None]:
    """A refusal says at which version it was refused."""
    try:
        yield
    except IllegalCommand as refusal:
        REFUSALS.labels(refusal.reason).inc()
        raise problem_of(refusal, (await backend.reader.newest(game_id)).head.version) from refusal
    except TableRefusal as refusal:
        REFUSALS.labels(refusal.reason).inc()
        raise problem_of(refusal, (await backend.reader.newest(game_id)).head.version) from refusal


def _done(committed: Committed, account: Account, game: AnyGame) -> Response:
    (REPLAYS if committed.replayed else MOVES).labels(game.key).inc()
    return answer(move_answer(committed, viewer_of(account)), 201, replayed(committed))
