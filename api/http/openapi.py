"""The OpenAPI document: made from the shapes and from every game's own commands."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_origin

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from api.http.shapes import (
    AuditBody,
    Empty,
    EventsPage,
    GameBody,
    GamesPage,
    Me,
    MoveAnswer,
    MovesBody,
    NewPlayer,
    NewTable,
    Offer,
    Player,
    ProblemBody,
    RehearsalBody,
    StartTable,
    TakeSeat,
)
from domain.kernel.codec import to_json
from domain.kernel.game import AnyGame
from domain.kernel.messages import type_of

_REF = "#/components/schemas/{name}"
_SHAPES: tuple[Any, ...] = (
    *(AuditBody, Empty, EventsPage, GameBody, GamesPage, Me, MoveAnswer, MovesBody, NewPlayer, NewTable),
    *(Offer, Player, ProblemBody, RehearsalBody, StartTable, TakeSeat),
)
_PROBLEMS = {
    "400": "malformed-json",
    "401": "not-authenticated",
    "403": "forbidden, not-your-seat",
    "404": "no-such-game, no-such-version, not-found",
    "409": "illegal-move, waiting-for-workers and other states of the game",
    "412": "version-mismatch",
    "413": "too-large",
    "422": "invalid-body, idempotency-key-reused",
    "429": "slow-down",
    "500": "corrupt-log, internal-error",
    "503": "unavailable, newer-software",
}
_QUERY: Mapping[str, dict[str, Any]] = {
    "version": {"schema": {"type": "integer", "minimum": 0}, "description": "The state right after this event."},
    "as": {"schema": {"type": "string"}, "description": "What a seat, `watcher` or `all` saw; when the game is over."},
    "after": {"schema": {"type": "integer", "minimum": 0, "default": 0}, "description": "Events after this version."},
    "limit": {"schema": {"type": "integer", "minimum": 1}, "description": "How many at the most."},
    "cursor": {"schema": {"type": "string"}, "description": "`next_cursor` of the page before."},
    "game": {"schema": {"type": "string"}, "description": "A game's key."},
    "status": {"schema": {"enum": ["lobby", "running", "finished", "abandoned"]}, "description": "A game's status."},
    "player": {"schema": {"enum": ["me"]}, "description": "Only games in which you sit."},
    "to_act": {"schema": {"enum": ["me"]}, "description": "Only games that wait for you."},
    "notes": {"schema": {"enum": ["0", "1"]}, "description": "With each move in words, and whether it can be undone."},
    "dry_run": {"schema": {"enum": ["0", "1"]}, "description": "Only see what it would cause."},
}
_HEADERS = (
    {
        "name": "Idempotency-Key",
        "in": "header",
        "schema": {"type": "string", "minLength": 1, "maxLength": 128},
        "description": "Your name for this request: sent again with it, it has one effect and the first answer.",
    },
)
_IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "schema": {"type": "string", "pattern": '^"[0-9]{1,9}"$'},
    "description": "Act only if the game is still at this version.",
}


def documented(
    body: Any, answers: Mapping[int, Any], example: Any = None, *, query: Sequence[str] = (), needs_token: bool = True
) -> dict[str, Any]:
    """How a route describes itself.

    `body` and `answers` are shapes; the words "a move" and "a table" stand for what depends on the games.
    """
    extra: dict[str, Any] = {
        "parameters": [{"name": name, "in": "query", **_QUERY[name]} for name in query],
        "security": [{"token": []}] if needs_token else [{"token": []}, {}],
        "responses": {str(status): _answer(shape) for status, shape in answers.items()},
    }
    if body is not None:
        extra["x-body"] = body if isinstance(body, str) else body.__name__
        extra["x-example"] = example
    status = next(iter(answers), 200)
    return {"openapi_extra": extra, "response_model": None, "status_code": status}


def openapi_of(app: FastAPI, games: Mapping[str, AnyGame], version: str) -> dict[str, Any]:
    """The whole document."""
    document = get_openapi(
        title="Ostraka",
        version=version,
        description="Board games of the ancient world on an event store: play, watch, audit.",
        routes=app.routes,
    )
    _, shapes = msgspec.json.schema_components(_SHAPES, ref_template=_REF)
    schemas = {**shapes, **_commands(games)}
    document["components"] = {
        "schemas": schemas,
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
    }
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            _complete(path, method, operation, games)
    return document


def _commands(games: Mapping[str, AnyGame]) -> dict[str, Any]:
    """One schema per command, and per game one that tells them apart by `type`."""
    schemas: dict[str, Any] = {}
    for game in games.values():
        mapping: dict[str, str] = {}
        for command in game.player_commands:
            name = f"{game.key}_{type_of(command)}"
            _, parts = msgspec.json.schema_components((command,), ref_template=_REF)
            schemas[name] = parts[command.__name__]
            mapping[type_of(command)] = _REF.format(name=name)
        schemas[f"{game.key}_move"] = {
            "oneOf": [{"$ref": ref} for ref in mapping.values()],
            "discriminator": {"propertyName": "type", "mapping": mapping},
        }
    return schemas


def _complete(path: str, method: str, operation: dict[str, Any], games: Mapping[str, AnyGame]) -> None:
    """Add path parameters, headers, the body, and the problems that may be answered."""
    named: list[dict[str, Any]] = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
    ]
    headers: list[dict[str, Any]] = list(_HEADERS) if method != "get" else []
    body = operation.pop("x-body", None)
    if path.rsplit("/", 1)[-1] in {"moves", "undo", "resign"} and method == "post":
        headers.append(_IF_MATCH)
    operation["parameters"] = [*named, *operation.get("parameters", []), *headers]
    example = operation.pop("x-example", None)
    if body is not None:
        operation["requestBody"] = _body(body, example, games)
    problem = {"application/problem+json": {"schema": {"$ref": _REF.format(name="ProblemBody")}}}
    for status, slugs in _PROBLEMS.items():
        operation["responses"][status] = {"description": slugs, "content": problem}


def _body(body: str, example: Any, games: Mapping[str, AnyGame]) -> dict[str, Any]:
    if body == "a move":
        schema: dict[str, Any] = {"anyOf": [{"$ref": _REF.format(name=f"{key}_move")} for key in games]}
        examples = {key: {"value": _first_move(game)} for key, game in games.items()}
        return {"required": True, "content": {"application/json": {"schema": schema, "examples": examples}}}
    schema = {"$ref": _REF.format(name=body)}
    content: dict[str, Any] = {"schema": schema}
    if example == "a table":
        content["examples"] = {key: {"value": _table(game)} for key, game in games.items()}
    elif example is not None:
        content["example"] = example
    return {"required": body != "Empty", "content": {"application/json": content}}


def _first_move(game: AnyGame) -> dict[str, Any]:
    """A command that needs nothing but its type, where the game has one."""
    for command in game.player_commands:
        try:
            return to_json(command())
        except TypeError:
            continue
    return {"type": type_of(game.player_commands[0])}


def _table(game: AnyGame) -> dict[str, Any]:
    bots = [{"kind": "bot", "bot": [*game.bots][-1]}] * (game.seats[0] - 1)
    return {"game": game.key, "seats": [{"kind": "me"}, *bots]}


def _answer(shape: Any) -> dict[str, Any]:
    if get_origin(shape) is list:
        schema: dict[str, Any] = {"type": "array", "items": {"$ref": _REF.format(name=get_args(shape)[0].__name__)}}
    else:
        schema = {"$ref": _REF.format(name=shape.__name__)}
    return {"description": (shape.__doc__ or "").split("\n")[0], "content": {"application/json": {"schema": schema}}}
