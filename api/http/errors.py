"""Problem documents (RFC 9457): the only place that knows status numbers."""

from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from domain.application.errors import KeyReused, NoSuchVersion, NotAllowed, VersionMismatch
from domain.application.ports import ConcurrencyConflict, StoreUnavailable, StreamNotFound
from domain.kernel.errors import CorruptLog, DomainError, IllegalCommand, InvalidInput, NewerSoftware
from domain.table.errors import TableRefusal

BASE = "https://ostraka.dev/problems/"
_log = structlog.get_logger()

TITLES: Mapping[str, tuple[int, str]] = {
    "malformed-json": (400, "The body is not JSON"),
    "not-authenticated": (401, "A token is needed"),
    "not-your-seat": (403, "You hold no seat here"),
    "forbidden": (403, "Not allowed"),
    "no-such-game": (404, "There is no such game"),
    "no-such-version": (404, "The game has no such version"),
    "not-found": (404, "There is nothing here"),
    "method-not-allowed": (405, "Not done this way"),
    "illegal-move": (409, "The rules refuse this move"),
    "game-not-running": (409, "The game is not running"),
    "waiting-for-workers": (409, "The service is at work on this game"),
    "seat-taken": (409, "The seat is taken"),
    "nothing-to-undo": (409, "Nothing can be taken back"),
    "undo-limit": (409, "Too much was taken back"),
    "already-resigned": (409, "The seat has resigned"),
    "already-started": (409, "The game has started"),
    "seats-open": (409, "Seats are still open"),
    "game-too-long": (409, "The game takes no more events"),
    "secret-lost": (409, "Nothing can be drawn any more"),
    "busy": (409, "Too many moves at once"),
    "version-mismatch": (412, "The game is at another version"),
    "too-large": (413, "The body is too large"),
    "invalid-body": (422, "The request has the wrong shape"),
    "idempotency-key-reused": (422, "The key stands for another request"),
    "slow-down": (429, "Too many requests"),
    "internal-error": (500, "Something went wrong"),
    "corrupt-log": (500, "This game cannot be read"),
    "newer-software": (503, "This game was written by a newer release"),
    "unavailable": (503, "The database does not answer"),
}
"""Every problem by its slug: status and title."""

_RETRY_SECONDS = {"waiting-for-workers": 1, "busy": 1, "newer-software": 5, "unavailable": 1}


class Problem(Exception):
    """An answer that is a problem. `detail` is a sentence that a person can act on and that tells no secret."""

    def __init__(self, slug: str, detail: str, **extra: Any) -> None:
        super().__init__(detail)
        self.slug = slug
        self.detail = detail
        self.extra = extra


def problem_of(fault: DomainError, version: int | None = None) -> Problem:
    """The problem behind a refusal or failure of the domain; `version` is where the game is, if that is known."""
    at = {} if version is None else {"version": version}
    match fault:
        case IllegalCommand():
            return Problem("illegal-move", fault.detail, rule=fault.rule, reason=fault.reason, **at)
        case TableRefusal():
            return Problem(fault.reason, fault.detail, **at)
        case VersionMismatch():
            return Problem("version-mismatch", f"The game is at version {fault.version}.", version=fault.version)
        case InvalidInput():
            errors = [{"pointer": pointer, "detail": sentence} for pointer, sentence in fault.faults]
            return Problem("invalid-body", f"{errors[0]['pointer']}: {errors[0]['detail']}", errors=errors)
        case _:
            return _plain(fault)


def _plain(fault: DomainError) -> Problem:
    """Problems without fields of their own."""
    match fault:
        case StreamNotFound():
            return Problem("no-such-game", "There is no game with this id.")
        case NoSuchVersion():
            return Problem("no-such-version", f"The game has the versions 1 to {fault.version}.")
        case NotAllowed():
            return Problem("forbidden", str(fault))
        case KeyReused():
            return Problem("idempotency-key-reused", "This key was used for another request; take a new one.")
        case ConcurrencyConflict():
            return Problem("busy", "Too many moves came at once; send this one again.")
        case StoreUnavailable():
            detail = "The database does not answer. It is not known whether this was recorded: repeat it with its key."
            return Problem("unavailable", detail)
        case NewerSoftware():
            return Problem("newer-software", "A newer release has written this game; try again in a moment.")
        case CorruptLog():
            _log.error("corrupt_log", reason=str(fault))
            return Problem("corrupt-log", "The history of this game cannot be read. The operator has been told.")
        case _:
            _log.error("unknown_fault", reason=type(fault).__name__)
            return Problem("internal-error", "Something went wrong. The operator has been told.")


def respond(problem: Problem, path: str) -> Response:
    """The problem as an answer."""
    status, title = TITLES[problem.slug]
    document = {
        "type": BASE + problem.slug,
        "title": title,
        "status": status,
        "detail": problem.detail,
        "instance": path,
        **problem.extra,
    }
    headers = {"Cache-Control": "no-store", "Vary": "Authorization, Accept-Language"}
    if problem.slug in _RETRY_SECONDS:
        headers["Retry-After"] = str(_RETRY_SECONDS[problem.slug])
    if problem.slug == "not-authenticated":
        headers["WWW-Authenticate"] = "Bearer"
    return Response(msgspec.json.encode(document), status, headers, media_type="application/problem+json")


async def on_problem(request: Request, fault: Exception) -> Response:
    """Answer a problem."""
    assert isinstance(fault, Problem)
    return respond(fault, request.url.path)


async def on_domain_error(request: Request, fault: Exception) -> Response:
    """Answer a refusal or failure of the domain."""
    assert isinstance(fault, DomainError)
    return respond(problem_of(fault), request.url.path)


async def on_http_exception(request: Request, fault: Exception) -> Response:
    """Answer what the framework refuses: an unknown path, a method that is not allowed."""
    assert isinstance(fault, HTTPException)
    slug, detail = "not-found", "There is nothing at this path."
    if fault.status_code == TITLES["method-not-allowed"][0]:
        slug, detail = "method-not-allowed", f"{request.method} does nothing at this path."
    answer = respond(Problem(slug, detail), request.url.path)
    answer.headers.update(fault.headers or {})
    return answer


async def on_anything_else(request: Request, fault: Exception) -> Response:
    """Answer a fault of ours, which is logged and not shown."""
    _log.error("unexpected_fault", exc_info=fault, path=request.url.path)
    detail = "Something went wrong. The operator has been told."
    return respond(Problem("internal-error", detail), request.url.path)
