"""What may be asked of a table. Texts typed by a client have become digests before they get here."""

from typing import Any, Literal, TypeAlias

from domain.kernel.messages import Command, Seat
from domain.table.chairs import Chairs

TurnSeconds: TypeAlias = int | None
StartMode: TypeAlias = Literal["auto", "manual"]
AbsentPolicy: TypeAlias = Literal["idle", "bot", "resign"]
ResignedPolicy: TypeAlias = Literal["bot", "idle"]


class Open(Command, frozen=True, kw_only=True, tag="table.open"):
    """Open a table: the first command of every stream.

    Unit: `turn_seconds` seconds a seat may take, None for no clock. `absent` says what the clock does to a seat that
    runs out, `resigned` who plays a seat that gave up.
    """

    game: str
    chairs: Chairs
    options: dict[str, Any]  # as resolved by the game; each game has its own
    turn_seconds: TurnSeconds
    start: StartMode
    absent: AbsentPolicy
    resigned: ResignedPolicy
    opener: str


class Sit(Command, frozen=True, kw_only=True, tag="table.sit"):
    """Take an open seat, any when `seat` is None."""

    player: str
    seat: Seat | None
    entropy: str | None


class Leave(Command, frozen=True, kw_only=True, tag="table.leave"):
    """Give a seat back before the game starts."""

    player: str
    seat: Seat


class Start(Command, frozen=True, kw_only=True, tag="table.start"):
    """Begin a table that starts by hand."""

    player: str
    entropy: str | None


class Abandon(Command, frozen=True, kw_only=True, tag="table.abandon"):
    """Close a lobby for good."""

    player: str


class Undo(Command, frozen=True, kw_only=True, tag="table.undo"):
    """Take back the seat's last command."""

    seat: Seat


class Resign(Command, frozen=True, kw_only=True, tag="table.resign"):
    """Give up a seat, asked for by its player or by the clock."""

    seat: Seat
    cause: Literal["player", "clock"]


TableCommand: TypeAlias = Open | Sit | Leave | Start | Abandon | Undo | Resign
TABLE_COMMANDS: tuple[type[Command], ...] = (Open, Sit, Leave, Start, Abandon, Undo, Resign)
