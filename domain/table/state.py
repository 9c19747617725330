"""The phases of a table, and what holds in each."""

from typing import Any, TypeAlias

import msgspec

from domain.kernel.game import AnyGame
from domain.kernel.messages import Seat
from domain.kernel.outcome import Outcome
from domain.table.chairs import Chairs
from domain.table.commands import AbsentPolicy, ResignedPolicy, StartMode, TurnSeconds

Deadlines: TypeAlias = tuple[tuple[Seat, int], ...]
"""(seat, when its clock runs out), by seat. Unit: microseconds since 1970 UTC."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What is fixed when a table is opened. `options` and the game are the game's own types, erased here."""

    game: AnyGame
    rules_version: int
    options: Any
    turn_seconds: TurnSeconds
    start: StartMode
    absent: AbsentPolicy
    resigned: ResignedPolicy
    opener: str
    commitment: str


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """How things stood right after `version`, before a command that `seat` may still take back."""

    version: int
    seat: Seat
    position: Any
    deadlines: Deadlines


class Unopened(msgspec.Struct, frozen=True, kw_only=True):
    """Before the first event."""


class Lobby(msgspec.Struct, frozen=True, kw_only=True):
    """Waiting for people or for the start.

    Shape: `entropy` one digest or None per seat. `draws`: numbers of chance the opening command has used.
    """

    facts: Facts
    chairs: Chairs
    entropy: tuple[str | None, ...]
    draws: int = 0


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """A game in play.

    Shape: `entropy` one digest or None per seat, then that of whoever started the table.
    `position` is the game's own state; `draws` how many numbers of chance are used up; `resigned` the seats that gave
    up, earliest first; `kept` what can be taken back, latest last; `takebacks` how many were since the last barrier;
    `undos` (version of the undo, version it went back to) in order.
    """

    facts: Facts
    chairs: Chairs
    entropy: tuple[str | None, ...]
    position: Any
    draws: int = 0
    resigned: tuple[Seat, ...] = ()
    deadlines: Deadlines = ()
    kept: tuple[Kept, ...] = ()
    takebacks: int = 0
    undos: tuple[tuple[int, int], ...] = ()


class Over(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game; everything may be shown."""

    facts: Facts
    chairs: Chairs
    entropy: tuple[str | None, ...]
    position: Any
    outcome: Outcome
    resigned: tuple[Seat, ...]
    undos: tuple[tuple[int, int], ...]


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """A lobby that was abandoned."""

    facts: Facts
    chairs: Chairs
    entropy: tuple[str | None, ...]


Table: TypeAlias = Unopened | Lobby | Running | Over | Closed
Opened: TypeAlias = Lobby | Running | Over | Closed

UNOPENED = Unopened()


def to_act(table: Table) -> tuple[Seat, ...]:
    """Who must answer now, ascending; empty outside a running game and while the service must act."""
    return table.facts.game.to_act(table.position) if isinstance(table, Running) else ()
