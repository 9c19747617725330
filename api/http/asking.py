"""What a request brings: body, keys, conditions, numbers. Each is read with a clear problem when it is wrong."""

import re
import uuid
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request

from api.backend import Backend
from api.http.errors import Problem
from domain.kernel.codec import convert
from domain.kernel.errors import InvalidInput

T = TypeVar("T")

BODY_BYTES = 64 * 1024
KEY_CHARACTERS = 128


def backend_of(request: Request) -> Backend:
    """What the application stands on."""
    backend: Backend = request.app.state.backend
    return backend


async def json_body(request: Request) -> Any:
    """The body as a JSON value.

    Raises: Problem `too-large`, `malformed-json`.
    """
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > BODY_BYTES:
            raise Problem("too-large", f"A body may have {BODY_BYTES} bytes.")
    try:
        return msgspec.json.decode(bytes(body))
    except (msgspec.DecodeError, RecursionError) as fault:
        raise Problem("malformed-json", f"The body is not JSON: {fault}.") from fault


async def body_as(request: Request, shape: type[T]) -> T:
    """The body in the given shape; an empty body is an empty object.

    Raises: Problem; InvalidInput.
    """
    if request.headers.get("content-length") == "0":
        return convert({}, shape)
    return convert(await json_body(request), shape)


def game_id_of(request: Request) -> str:
    """The game that the path names.

    Raises: Problem `no-such-game` also for what is no UUID.
    """
    try:
        return str(uuid.UUID(request.path_params["game_id"]))
    except ValueError as fault:
        raise Problem("no-such-game", "There is no game with this id.") from fault


def key_of(request: Request) -> str | None:
    """The client's name for its request.

    Raises: InvalidInput.
    """
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= KEY_CHARACTERS:
        raise InvalidInput((("/Idempotency-Key", f"a key has 1 to {KEY_CHARACTERS} characters"),))
    return key


def if_match_of(request: Request) -> int | None:
    """The version the client wants to act on, None when it does not care.

    Raises: InvalidInput.
    """
    condition = request.headers.get("if-match")
    if condition is None or condition.strip() == "*":
        return None
    found = re.fullmatch(r'\s*(?:W/)?"?(\d{1,9})"?\s*', condition)
    if not found:
        raise InvalidInput((("/If-Match", 'expected a version in quotes, such as "41"'),))
    return int(found[1])


def whole_number(request: Request, name: str, *, default: int | None, low: int, high: int) -> int | None:
    """A number from the query.

    Raises: InvalidInput.
    """
    text = request.query_params.get(name)
    if text is None:
        return default
    if not re.fullmatch(r"\d{1,15}", text) or not low <= int(text) <= high:
        raise InvalidInput(((f"/{name}", f"expected a whole number from {low} to {high}"),))
    return int(text)


def flag(request: Request, name: str) -> bool:
    """Whether the query sets a switch."""
    return request.query_params.get(name, "0") not in {"0", "", "false"}


def language_of(request: Request, spoken: list[str]) -> str:
    """The first language the caller accepts that is spoken, English otherwise."""
    wanted = []
    for part in request.headers.get("accept-language", "").split(","):
        tag, _, quality = part.partition(";q=")
        try:
            wanted.append((-float(quality or 1), tag.strip().lower()))
        except ValueError:
            continue
    for _, tag in sorted(wanted, key=lambda one: one[0]):
        for candidate in (_CHINESE.get(tag, tag), tag.split("-")[0]):
            for language in spoken:
                if candidate and language.lower() == candidate.lower():
                    return language
    return "en"


_CHINESE = {
    "zh": "zh-Hans",
    "zh-cn": "zh-Hans",
    "zh-sg": "zh-Hans",
    "zh-tw": "zh-Hant",
    "zh-hk": "zh-Hant",
    "zh-mo": "zh-Hant",
}
