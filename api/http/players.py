"""Players and their tokens."""

import base64
import hmac
import unicodedata

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from api.backend import Backend
from api.http.answers import answer
from api.http.asking import backend_of, body_as, key_of
from api.http.errors import Problem
from api.http.identity import hash_of_token, required_account
from api.http.openapi import documented
from api.http.shapes import Me, NewPlayer, Player
from domain.application.ports import Account
from domain.application.recording import as_uuid
from domain.kernel.canonical import digest
from domain.kernel.errors import InvalidInput

router = APIRouter()

_BIDIRECTIONAL = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
_SHORTEST_KEY = 16


@router.post("/players", **documented(NewPlayer, {201: Player}, {"name": "Nefertari"}, needs_token=False))
async def become_player(request: Request) -> Response:
    """Become a player: the token is shown once and stored only as a hash."""
    backend = backend_of(request)
    name = _checked((await body_as(request, NewPlayer)).name)
    key = key_of(request)
    player_id, token = _identity(backend, key)
    wanted = Account(player_id=player_id, name=name, role="player")
    account = await backend.accounts.create(wanted, hash_of_token(token))
    if account != wanted:
        raise Problem("idempotency-key-reused", "This key was used for another player; take a new one.")
    return answer(Player(player_id=player_id, name=name, token=token), 201)


@router.get("/me", **documented(None, {200: Me}))
async def me(request: Request) -> Response:
    """The caller."""
    account = await required_account(request)
    return answer(Me(player_id=account.player_id, name=account.name, role=account.role))


def _identity(backend: Backend, key: str | None) -> tuple[str, str]:
    """Id and token of a new player; with a key the same again, for an answer that was lost."""
    if key is None:
        return as_uuid(backend.entropy.bytes(32).hex()), _text(backend.entropy.bytes(32))
    if len(key) < _SHORTEST_KEY:
        # Whoever knows the key gets the account, so it must not be one that somebody else would think of.
        raise InvalidInput((("/Idempotency-Key", f"here a key needs at least {_SHORTEST_KEY} characters"),))
    token = hmac.digest(backend.token_key, f"player/{key}".encode(), "sha256")
    return as_uuid(digest(["ostraka/player/1", _text(token)])), _text(token)


def _text(token: bytes) -> str:
    return base64.urlsafe_b64encode(token).decode().rstrip("=")


def _checked(name: str) -> str:
    for character in name:
        if unicodedata.category(character) in {"Cc", "Cs"} or unicodedata.bidirectional(character) in _BIDIRECTIONAL:
            raise InvalidInput((("/name", "a name has no control characters"),))
    if not name.strip():
        raise InvalidInput((("/name", "a name has a character that can be seen"),))
    return name
