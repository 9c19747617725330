"""Events as one viewer may see them: what the API answers, streams and exports."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from domain.application.instants import to_text
from domain.application.ports import Recorded
from domain.kernel.codec import to_json
from domain.kernel.messages import Seat, type_of
from domain.kernel.visibility import Opening, reveal, to_everyone, to_seat
from domain.table.chairs import seat_of
from domain.table.events import TABLE_EVENTS
from domain.table.state import Closed, Opened, Over, Running

MaySee: TypeAlias = Callable[[Opening], bool]


class Viewer(msgspec.Struct, frozen=True, kw_only=True):
    """Who looks: an account or nobody; `unredacted` for an auditor."""

    player: str | None = None
    unredacted: bool = False


WATCHER = Viewer()

_STANDING = frozenset(map(type_of, TABLE_EVENTS))


class SeenEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event as shown; see the HTTP contract for each field.

    Shape: `openings` JSON pointer of a shown secret value to its salt in hex; with them, and the hash before, `hash`
    can be recomputed from this object.
    """

    version: int
    position: int | None
    type: str
    schema_version: int
    data: dict[str, Any]  # JSON of the event's own shape, commitments in place of hidden values
    recorded_at: str
    command_id: str
    command_ix: int
    meta: dict[str, Any]
    hash: str
    redacted: bool
    openings: dict[str, str]
    undone_by: int | None


def sees_all(table: Opened, viewer: Viewer) -> bool:
    """Whether nothing is hidden: the game is over, or an auditor looks who does not sit in it."""
    if isinstance(table, Over | Closed):
        return True
    return viewer.unredacted and seat_of(table.chairs, viewer.player) is None


def may_see(table: Opened, viewer: Viewer) -> MaySee:
    """Which secrets a viewer may see: all where nothing is hidden, else those of the seat he holds."""
    return to_everyone if sees_all(table, viewer) else to_seat(seat_of(table.chairs, viewer.player))


def see(recorded: Recorded, allowed: MaySee, undone_by: int | None = None, position: int | None = None) -> SeenEvent:
    """The event with every value the viewer may see."""
    shown = reveal({"data": recorded.data, "meta": recorded.meta}, recorded.openings, allowed)
    return SeenEvent(
        version=recorded.version,
        position=position or recorded.position,
        type=recorded.type,
        schema_version=recorded.schema_version,
        data=shown.document["data"],
        recorded_at=to_text(recorded.recorded_at),
        command_id=recorded.command_id,
        command_ix=recorded.command_ix,
        meta=shown.document["meta"],
        hash=recorded.hash,
        redacted=shown.redacted,
        openings=shown.salts,
        undone_by=undone_by,
    )


def undone_by(table: Opened, recorded: Recorded) -> int | None:
    """The version of the undo that took an event back, if one did; what happens to a table itself stands."""
    undos = table.undos if isinstance(table, Running | Over) and recorded.type not in _STANDING else ()
    return next((undo for undo, back_to in undos if back_to < recorded.version < undo), None)


def view_of(table: Opened, seat: Seat | None) -> dict[str, Any] | None:
    """The game's own view for a seat, or for a watcher, as JSON; None before the game starts."""
    if not isinstance(table, Running | Over):
        return None
    return to_json(table.facts.game.view(table.position, seat))
