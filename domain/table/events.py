"""What has happened at a table. Tags and fields are the storage format."""

from typing import Any, Literal, TypeAlias

from domain.kernel.messages import Event, Seat
from domain.table.chairs import Chairs
from domain.table.commands import AbsentPolicy, ResignedPolicy, StartMode, TurnSeconds


class Opened(Event, frozen=True, kw_only=True, tag="table.opened"):
    """A table was opened; everything that is fixed for good stands here.

    `commitment` is SHA-256(secret, game id): the secret of all draws existed before anybody sat down.
    """

    game: str
    rules_version: int
    chairs: Chairs
    options: dict[str, Any]  # the game's resolved options as JSON
    turn_seconds: TurnSeconds
    start: StartMode
    absent: AbsentPolicy
    resigned: ResignedPolicy
    opener: str
    commitment: str


class SeatTaken(Event, frozen=True, kw_only=True, tag="table.seat_taken"):
    """A person sat down; `entropy` is the SHA-256 of what they added to the game's chance."""

    seat: Seat
    player: str
    entropy: str | None


class SeatLeft(Event, frozen=True, kw_only=True, tag="table.seat_left"):
    """A person got up before the start; their entropy no longer counts."""

    seat: Seat


class Started(Event, frozen=True, kw_only=True, tag="table.started"):
    """The game begins.

    Shape: `entropy` one digest or null per seat in seat order, then the one given by whoever started the table.
    """

    entropy: tuple[str | None, ...]


class CommandUndone(Event, frozen=True, kw_only=True, tag="table.command_undone"):
    """The game stands again as it did right after version `back_to`."""

    seat: Seat
    back_to: int


class SeatResigned(Event, frozen=True, kw_only=True, tag="table.seat_resigned"):
    """A person gave up, or the clock gave up for them."""

    seat: Seat
    cause: Literal["player", "clock"]


class Abandoned(Event, frozen=True, kw_only=True, tag="table.abandoned"):
    """A lobby was closed without a game."""


class Finished(Event, frozen=True, kw_only=True, tag="table.finished"):
    """The result that counts: the game's own, with seats that resigned ranked behind all others.

    Shape: `scores` one int per seat, or empty when the game ended unscored.
    """

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str


class SecretRevealed(Event, frozen=True, kw_only=True, tag="table.secret_revealed"):
    """The secret behind commitment, draws and salts, in hex; null if it was lost."""

    secret: str | None


TableEvent: TypeAlias = (
    Opened | SeatTaken | SeatLeft | Started | CommandUndone | SeatResigned | Abandoned | Finished | SecretRevealed
)
TABLE_EVENTS: tuple[type[Event], ...] = (
    Opened,
    SeatTaken,
    SeatLeft,
    Started,
    CommandUndone,
    SeatResigned,
    Abandoned,
    Finished,
    SecretRevealed,
)
