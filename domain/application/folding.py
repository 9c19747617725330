"""From stored events to a table: upcast, decode, evolve."""

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from domain.application.ports import Head, Recorded
from domain.kernel.chain import GENESIS
from domain.kernel.codec import EventCodec
from domain.kernel.errors import CorruptLog, DomainError
from domain.kernel.game import AnyGame
from domain.kernel.messages import Event
from domain.kernel.upcasting import upcast
from domain.kernel.visibility import reveal, to_everyone
from domain.table.events import TABLE_EVENTS
from domain.table.evolve import Games, Happened, evolve
from domain.table.state import UNOPENED, Opened, Table, Unopened


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """A table with the place in its stream that it stands for.

    `last_command` and `correlation_id` name the cause of what follows. Unit: `recorded_at` microseconds since 1970.
    """

    game_id: str
    table: Table
    head: Head
    recorded_at: int
    last_command: str | None
    correlation_id: str | None

    @property
    def opened(self) -> Opened:
        """The table, known to have been opened."""
        assert not isinstance(self.table, Unopened)
        return self.table


def blank(game_id: str) -> Aggregate:
    """A stream before its first event."""
    head = Head(version=0, hash=GENESIS)
    return Aggregate(game_id=game_id, table=UNOPENED, head=head, recorded_at=0, last_command=None, correlation_id=None)


def fold(games: Games, aggregate: Aggregate, events: Iterable[Recorded]) -> Aggregate:
    """The aggregate after the given events.

    Raises: CorruptLog for a gap or an event that does not fit; NewerSoftware for what this release does not know.
    """
    table, version, last = aggregate.table, aggregate.head.version, None
    for last in events:
        version += 1
        if last.version != version:
            msg = f"{last.game_id}: version {last.version} stands where {version} should"
            raise CorruptLog(msg)
        table = _evolved(games, table, last)
    return aggregate if last is None else advanced(aggregate, table, last)


def _evolved(games: Games, table: Table, recorded: Recorded) -> Table:
    try:
        return evolve(games, table, restore(table, recorded), happened(recorded))
    except DomainError:
        raise
    except Exception as fault:
        # The folds check nothing, so an event that does not fit can break them in any way. The fault's own words stay
        # out: they may hold a secret value.
        msg = f"{recorded.game_id}: version {recorded.version} cannot be folded: {type(fault).__name__}"
        raise CorruptLog(msg) from fault


def advanced(aggregate: Aggregate, table: Table, last: Recorded) -> Aggregate:
    """The aggregate once `table` is what its stream folds to and `last` its last event."""
    return Aggregate(
        game_id=aggregate.game_id,
        table=table,
        head=Head(version=last.version, hash=last.hash),
        recorded_at=last.recorded_at,
        last_command=last.command_id,
        correlation_id=last.meta["correlation_id"],
    )


def restore(table: Table, recorded: Recorded) -> Event:
    """The event of a stored row, in its present shape, with every secret value in place."""
    game = None if isinstance(table, Unopened) else table.facts.game
    data = whole(recorded)["data"]
    version = recorded.schema_version
    if game is not None:
        version, data = upcast(game.upcasters, recorded.type, version, data)
    return _codec(game).restore(recorded.type, version, data)


def whole(recorded: Recorded) -> dict[str, Any]:
    """The event's document with every secret value opened; for the service and for games that are over."""
    document = {"data": recorded.data, "meta": recorded.meta}
    return reveal(document, recorded.openings, to_everyone).document


def happened(recorded: Recorded) -> Happened:
    """What the fold needs of the record around an event."""
    meta = recorded.meta
    deadlines = meta.get("deadlines")
    return Happened(
        version=recorded.version,
        first=recorded.command_ix == 0,
        seat=meta["actor"]["seat"],
        draws=meta["draws"][1] if "draws" in meta else 0,
        undoable=meta.get("undo", False),
        deadlines=None if deadlines is None else tuple((seat, at) for seat, at in deadlines),
    )


def _codec(game: AnyGame | None) -> EventCodec:
    return _game_codec(game.key, game.events) if game else _table_codec()


@cache
def _table_codec() -> EventCodec:
    return EventCodec(TABLE_EVENTS)


@cache
def _game_codec(_key: str, events: tuple[type[Event], ...]) -> EventCodec:
    return EventCodec((*TABLE_EVENTS, *events))
