"""What may be asked without changing anything: states at any version, legal moves, rehearsals, history, audit."""

import asyncio
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from domain.application.auditing import Audit, audit
from domain.application.errors import NoSuchVersion, NotAllowed
from domain.application.folding import Aggregate
from domain.application.loading import Streams
from domain.application.ports import Clock, EventStore, SealedLog
from domain.application.seeing import SeenEvent, Viewer, may_see, see, sees_all, undone_by, view_of
from domain.kernel.chance import ChanceRefused
from domain.kernel.codec import event_data, to_json
from domain.kernel.errors import InvalidInput
from domain.kernel.messages import Command, Event, Seat, type_of
from domain.kernel.visibility import audiences_of, replaced
from domain.table.chairs import seat_of
from domain.table.decide import Asked, Setting, decide
from domain.table.errors import TableRefusal
from domain.table.evolve import Games
from domain.table.state import Running

_SEAL_CHECKS, _SEAL_CHECK_SECONDS = 40, 0.025


class GameSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A game at one version as one viewer may see it. `view` is None before the start; `seat` the viewer's own."""

    aggregate: Aggregate
    seat: Seat | None
    view: Any  # JSON of the game's own view, or of every view where all were asked for


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """What a client can tell about a move before it is made. `why` says, in words, why it could not be taken back."""

    undo: Literal["free", "barrier"]
    why: str | None
    text: str


class Moves(msgspec.Struct, frozen=True, kw_only=True):
    """The legal commands of a seat as JSON, complete and in fixed order, with a note each."""

    version: int
    seat: Seat
    moves: tuple[dict[str, Any], ...]
    notes: tuple[Note, ...]


class Rehearsal(msgspec.Struct, frozen=True, kw_only=True):
    """What a move would cause: type and data of each event.

    `events` is None where to try the move out would tell something; the note says what.
    """

    version: int
    note: Note
    events: tuple[dict[str, Any], ...] | None


class History(msgspec.Struct, frozen=True, kw_only=True):
    """A page of events; `version` is the game's last, `more` whether there are events after this page."""

    events: tuple[SeenEvent, ...]
    version: int
    more: bool


class GameReader:
    """Reads games. Nothing it answers is older than a move that was answered before."""

    def __init__(self, games: Games, store: EventStore, log: SealedLog, streams: Streams, clock: Clock) -> None:
        self._games = games
        self._store = store
        self._log = log
        self._streams = streams
        self._clock = clock

    async def newest(self, game_id: str) -> Aggregate:
        """The game as it is.

        Raises: StreamNotFound.
        """
        return (await self._streams.fresh(game_id)).aggregate

    async def game(
        self,
        game_id: str,
        viewer: Viewer,
        version: int | None = None,
        as_whom: Seat | Literal["watcher", "all"] | None = None,
    ) -> GameSeen:
        """The game at a version, by default the newest, as the viewer was allowed to see it.

        Raises: StreamNotFound, NoSuchVersion; where `as_whom` is asked for, NotAllowed to whom something is hidden, and
        InvalidInput for a seat the table does not have.
        """
        newest = await self.newest(game_id)
        then = newest if version is None else await self._at(newest, version)
        seat = seat_of(newest.opened.chairs, viewer.player)
        if as_whom is None:
            return GameSeen(aggregate=then, seat=seat, view=view_of(then.opened, seat))
        if not sees_all(newest.opened, viewer):
            msg = "What others saw is shown when the game is over."
            raise NotAllowed(msg)
        return GameSeen(aggregate=then, seat=seat, view=_as(then, as_whom))

    def as_seen(self, aggregate: Aggregate, viewer: Viewer) -> GameSeen:
        """An aggregate that a command has just led to, as the viewer may see it."""
        seat = seat_of(aggregate.opened.chairs, viewer.player)
        return GameSeen(aggregate=aggregate, seat=seat, view=view_of(aggregate.opened, seat))

    async def moves(self, game_id: str, player: str, language: str | None = "en") -> Moves:
        """Every legal command of the account's seat, with a note each unless `language` is None.

        Raises: StreamNotFound; TableRefusal `not-your-seat`.
        """
        aggregate = await self.newest(game_id)
        seat = _own_seat(aggregate, player)
        table = aggregate.opened
        legal: tuple[Command, ...] = ()
        if isinstance(table, Running) and seat not in table.resigned:
            legal = table.facts.game.legal(table.position, seat)
        notes: tuple[Note, ...] = ()
        if isinstance(table, Running) and language is not None:
            notes = tuple(_note(table, seat, command, language) for command in legal)
        return Moves(version=aggregate.head.version, seat=seat, moves=tuple(map(to_json, legal)), notes=notes)

    async def rehearse(self, game_id: str, player: str, command: Command, language: str = "en") -> Rehearsal:
        """The events a move would cause, where it could be taken back for free; else why not.

        Raises: IllegalCommand, TableRefusal, StreamNotFound.
        """
        loaded = await self._streams.fresh(game_id)
        aggregate, table = loaded.aggregate, loaded.aggregate.opened
        seat = _own_seat(aggregate, player)
        setting = Setting(
            games=self._games,
            game_id=game_id,
            secret=loaded.secret,
            version=aggregate.head.version,
            now=self._clock.now(),
            rehearsal=True,
        )
        try:
            events = decide(table, Asked(command=command, seat=seat, mover="player"), setting).events
        except ChanceRefused:
            events = ()
        assert isinstance(table, Running)
        note = _note(table, seat, command, language)
        shown = None if note.undo == "barrier" else tuple(_as_seen(event, seat) for event in events)
        return Rehearsal(version=aggregate.head.version, note=note, events=shown)

    async def history(self, game_id: str, viewer: Viewer, after: int = 0, limit: int | None = None) -> History:
        """The events after a version, redacted for the viewer; waits up to a second until they have positions.

        Raises: StreamNotFound.
        """
        newest = await self.newest(game_id)
        end = newest.head.version if limit is None else min(newest.head.version, after + limit)
        tail = await self._store.load(game_id, start=after + 1, end=end)
        allowed = may_see(newest.opened, viewer)
        positions = await self._positions(game_id, after + 1, end)
        shown = tuple(
            see(one, allowed, undone_by(newest.opened, one), positions.get(one.version)) for one in tail.events
        )
        return History(events=shown, version=newest.head.version, more=end < newest.head.version)

    async def audit(self, game_id: str) -> Audit:
        """The game's chain, followed from the first event.

        Raises: StreamNotFound.
        """
        return await audit(self._store, self._streams, game_id)

    async def _positions(self, game_id: str, start: int, end: int) -> Mapping[int, int]:
        positions = await self._log.positions(game_id, start, end)
        for _ in range(_SEAL_CHECKS):
            if start > end or end in positions:
                break
            await asyncio.sleep(_SEAL_CHECK_SECONDS)
            positions = await self._log.positions(game_id, start, end)
        return positions

    async def _at(self, newest: Aggregate, version: int) -> Aggregate:
        if not 1 <= version <= newest.head.version:
            raise NoSuchVersion(newest.head.version)
        return await self._streams.at(newest.game_id, version)


def _as(then: Aggregate, whom: Seat | Literal["watcher", "all"]) -> Any:
    table = then.opened
    if whom == "watcher":
        return view_of(table, None)
    if whom == "all":
        return {"watcher": view_of(table, None), "seats": [view_of(table, seat) for seat in range(len(table.chairs))]}
    if not 0 <= whom < len(table.chairs):
        raise InvalidInput((("/as", f"this table has the seats 0 to {len(table.chairs) - 1}"),))
    return view_of(table, whom)


def _own_seat(aggregate: Aggregate, player: str) -> Seat:
    seat = seat_of(aggregate.opened.chairs, player)
    if seat is None:
        raise TableRefusal("not-your-seat", "You hold no seat in this game.")
    return seat


def _note(table: Running, seat: Seat, command: Command, language: str) -> Note:
    game = table.facts.game
    words = game.text.get(language, game.text["en"])
    barrier = game.barrier(table.position, seat, command)
    why = None if barrier is None else words.barriers[barrier]
    return Note(undo="free" if barrier is None else "barrier", why=why, text=words.move(command))


def _as_seen(event: Event, seat: Seat) -> dict[str, Any]:
    document: dict[str, Any] = {"data": event_data(event)}
    for pointer, audience in audiences_of(event).items():
        if seat not in audience:
            document = replaced(document, pointer, {"commitment": None})
    return {"type": type_of(type(event)), **document}
