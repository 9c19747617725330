"""The JSON shapes of requests and answers; the OpenAPI document is made from them."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from domain.application.ports import Status
from domain.application.reading import Note
from domain.application.seeing import SeenEvent
from domain.application.service import SeatWanted
from domain.table.commands import AbsentPolicy, ResignedPolicy, StartMode

Json: TypeAlias = Any
"""A JSON value whose shape a game decides."""

WaitingFor: TypeAlias = Literal["players", "workers", "nobody"]
Entropy: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]


class Request(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of request bodies: an unknown field is an error."""


class NewPlayer(Request, frozen=True, kw_only=True):
    """Who wants to play. Names need not be unique."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class NewTable(Request, frozen=True, kw_only=True):
    """A table to open. Unit: `turn_seconds` seconds."""

    game: str
    seats: Annotated[tuple[SeatWanted, ...], msgspec.Meta(min_length=1, max_length=16)]
    options: dict[str, Json] = {}
    turn_seconds: int | None = None
    start: StartMode = "auto"
    absent: AbsentPolicy = "idle"
    resigned: ResignedPolicy = "bot"


class TakeSeat(Request, frozen=True, kw_only=True):
    """A seat to take, any when none is named, and what the player adds to the game's chance."""

    seat: int | None = None
    entropy: Entropy | None = None


class StartTable(Request, frozen=True, kw_only=True):
    """The start of a table by hand."""

    entropy: Entropy | None = None


class Empty(Request, frozen=True, kw_only=True):
    """Nothing."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """A new player; the token is shown this once."""

    player_id: str
    name: str
    token: str


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """The caller."""

    player_id: str
    name: str
    role: str


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """A game on offer. `options_schema` is the JSON Schema of a table's `options`."""

    game: str
    title: str
    min_seats: int
    max_seats: int
    options_schema: dict[str, Json]
    bots: tuple[str, ...]
    bot_descriptions: Mapping[str, str]
    rules_url: str
    rules_version: int


class SeatBody(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits at a seat."""

    seat: int
    kind: Literal["player", "bot", "open"]
    name: str | None
    bot: str | None
    resigned: bool = False


class OutcomeBody(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    ranking: tuple[tuple[int, ...], ...]


class GameBody(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the caller may see it."""

    game_id: str
    game: str
    rules_version: int
    status: Status
    version: int
    seats: tuple[SeatBody, ...]
    your_seat: int | None
    to_act: tuple[int, ...]
    waiting_for: WaitingFor
    deadline: str | None
    options: Json
    turn_seconds: int | None
    commitment: str
    view: Json
    outcome: OutcomeBody | None
    hash: str


class SummaryBody(msgspec.Struct, frozen=True, kw_only=True):
    """A game in a list."""

    game_id: str
    game: str
    status: Status
    version: int
    seats: tuple[SeatBody, ...]
    to_act: tuple[int, ...]
    opened_at: str
    moved_at: str


class GamesPage(msgspec.Struct, frozen=True, kw_only=True):
    """Games, newest first; `next_cursor` leads to the next page, null at the end."""

    games: tuple[SummaryBody, ...]
    next_cursor: str | None


class MovesBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Every legal command of the caller's seat; each can be posted back as it is."""

    version: int
    seat: int
    moves: tuple[dict[str, Json], ...]
    notes: tuple[Note, ...] | None = None


class MoveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a command caused, as the caller may see it, and a receipt: version and hash of the head."""

    version: int
    hash: str
    events: tuple[SeenEvent, ...]
    status: Status
    to_act: tuple[int, ...]
    waiting_for: WaitingFor


class RehearsalBody(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a move would cause; without events where to try it out would tell something."""

    version: int
    note: Note
    events: tuple[dict[str, Json], ...] | None = None


class EventsPage(msgspec.Struct, frozen=True, kw_only=True):
    """Events after a version; `version` is the game's last."""

    events: tuple[SeenEvent, ...]
    version: int
    more: bool


class ReadingBody(msgspec.Struct, frozen=True, kw_only=True):
    """An auditor's reading of a running game."""

    player_id: str
    version: int
    route: str
    at: str


class AuditBody(msgspec.Struct, frozen=True, kw_only=True):
    """The audit of a game; `secret` and `reads` once it is over. `checkpoint` is null until the log is signed."""

    version: int
    head_hash: str
    chain_ok: bool
    commitment: str
    secret: str | None
    checkpoint: Json
    reads: tuple[ReadingBody, ...] | None
    problems: tuple[str, ...]


class ProblemBody(msgspec.Struct, frozen=True, kw_only=True):
    """A problem document (RFC 9457); some have fields of their own."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
