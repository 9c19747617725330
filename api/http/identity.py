"""Who is asking: a bearer token, known by its hash."""

import hashlib
import time

from starlette.requests import Request

from api.http.asking import backend_of
from api.http.errors import Problem
from domain.application.ports import Account
from domain.application.seeing import Viewer

_REMEMBERED_SECONDS = 30.0
_REMEMBERED = 10_000


class KnownTokens:
    """Accounts by token hash for a short while, so that a move costs no second round trip."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[float, Account]] = {}

    def get(self, token_hash: bytes) -> Account | None:
        """The account, if it was looked up a moment ago."""
        until, account = self._known.get(token_hash, (0.0, None))
        return account if until > time.monotonic() else None

    def keep(self, token_hash: bytes, account: Account) -> None:
        """Remember an account for a while."""
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[token_hash] = (time.monotonic() + _REMEMBERED_SECONDS, account)


def hash_of_token(token: str) -> bytes:
    """What is stored of a token."""
    return hashlib.sha256(token.encode()).digest()


async def account_of(request: Request) -> Account | None:
    """The caller's account, None without a token.

    Raises: Problem `not-authenticated` for a token that nobody has.
    """
    header = request.headers.get("authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Problem("not-authenticated", "Send the token as Authorization: Bearer <token>.")
    known: KnownTokens = request.app.state.tokens
    token_hash = hash_of_token(token.strip())
    account = known.get(token_hash) or await backend_of(request).accounts.by_token(token_hash)
    if account is None:
        raise Problem("not-authenticated", "This token is not known.")
    known.keep(token_hash, account)
    return account


async def required_account(request: Request) -> Account:
    """The caller's account.

    Raises: Problem `not-authenticated`.
    """
    account = await account_of(request)
    if account is None:
        raise Problem("not-authenticated", "Become a player with POST /api/v1/players and send its token.")
    return account


def viewer_of(account: Account | None) -> Viewer:
    """The caller as the domain sees whoever looks."""
    if account is None:
        return Viewer()
    return Viewer(player=account.player_id, unredacted=account.role != "player")
