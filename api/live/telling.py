"""Events in the words of the stream: redacted and encoded once for everybody who may see the same."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from api.live.watcher import Frame
from domain.application.folding import Aggregate, fold
from domain.application.ports import Recorded
from domain.application.seeing import MaySee, SeenEvent, Viewer, see, sees_all, undone_by, view_of
from domain.kernel.canonical import digest
from domain.kernel.game import AnyGame
from domain.kernel.messages import Seat
from domain.kernel.visibility import to_everyone, to_seat
from domain.table.chairs import seat_of
from domain.table.state import Closed, Opened, Over, Running


class Audience(NamedTuple):
    """Viewers who are shown the same: their seat, and whether nothing is hidden from them."""

    seat: Seat | None
    everything: bool


class LiveEvent(SeenEvent, frozen=True, kw_only=True, omit_defaults=True):
    """An event of the stream; the last of each command tells the hash of the viewer's view after it."""

    view_hash: str | msgspec.UnsetType = msgspec.UNSET


def audience_of(table: Opened, viewer: Viewer) -> Audience:
    """To whom a viewer belongs at a table as it is now."""
    return Audience(seat_of(table.chairs, viewer.player), sees_all(table, viewer))


def is_over(table: Opened) -> bool:
    """Whether no event will follow."""
    return isinstance(table, Over | Closed)


class Step(NamedTuple):
    """An event, and the table after it."""

    event: Recorded
    table: Opened


def walked(
    games: Mapping[str, AnyGame], before: Aggregate, events: Sequence[Recorded]
) -> tuple[Aggregate, Sequence[Step]]:
    """The aggregate after the events, and the way there.

    Raises: CorruptLog, NewerSoftware.
    """
    aggregate, steps = before, list[Step]()
    for event in events:
        aggregate = fold(games, aggregate, (event,))
        steps.append(Step(event, aggregate.opened))
    return aggregate, steps


def told(steps: Sequence[Step], audience: Audience, now: Opened) -> bytes:
    """The events for an audience. What may be seen, and what was taken back, is judged by the table as it is now."""
    allowed = to_everyone if audience.everything else to_seat(audience.seat)
    chunks = [_chunk(step, audience.seat, allowed, now) for step in steps]
    return b"".join(chunks)


def frame(chunk: bytes, audience: Audience, now: Opened, *, newest: bool = True) -> Frame:
    """A chunk for an audience; `newest` when it goes up to the table as it is now."""
    unredacted = audience.everything and isinstance(now, Running)
    return Frame(chunk=chunk, unredacted=unredacted, last=newest and is_over(now))


def is_last_of_command(event: Recorded) -> bool:
    """Whether an event is the last of its batch: that one tells who is to act."""
    return "to_act" in event.meta


def _chunk(step: Step, seat: Seat | None, allowed: MaySee, now: Opened) -> bytes:
    event = step.event
    seen = see(event, allowed, undone_by(now, event))
    fields = {name: getattr(seen, name) for name in SeenEvent.__struct_fields__}
    view_hash = digest(view_of(step.table, seat)) if is_last_of_command(event) else msgspec.UNSET
    # Live events do not wait for a position, so none ever has one.
    live = LiveEvent(**{**fields, "position": None}, view_hash=view_hash)
    return b"id: %d\ndata: %s\n\n" % (event.version, msgspec.json.encode(live))
