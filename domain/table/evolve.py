"""The fold of a table: one arm per event; it decides nothing."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from domain.kernel.errors import CorruptLog, NewerSoftware
from domain.kernel.game import AnyGame
from domain.kernel.messages import Event, Seat, type_of
from domain.kernel.outcome import Outcome
from domain.table import events as ev
from domain.table.chairs import BotChair, OpenChair, PlayerChair
from domain.table.state import Closed, Deadlines, Facts, Kept, Lobby, Over, Running, Table, Unopened

Games = Mapping[str, AnyGame]
T = TypeVar("T")


class Happened(msgspec.Struct, frozen=True, kw_only=True):
    """What is recorded around an event and the fold needs.

    `first` marks the first event of a command, which carries `draws` (how many numbers of chance it used) and
    `undoable` (whether `seat` may take it back); the last carries `deadlines`, None on the others.
    """

    version: int
    first: bool
    seat: Seat | None
    draws: int = 0
    undoable: bool = False
    deadlines: Deadlines | None = None


def evolve(games: Games, table: Table, event: Event, happened: Happened) -> Table:
    """The table after one more event.

    Raises: CorruptLog for an event that cannot follow; NewerSoftware for a game, rules version or bot not known here.
    """
    if isinstance(table, Unopened):
        return _drawn(_opened(games, table, event), happened)
    if isinstance(table, Lobby):
        return _drawn(_in_lobby(table, event), happened)
    if isinstance(table, Running):
        return _timed(_in_game(table, event, happened), happened)
    if isinstance(event, ev.SecretRevealed):
        return table
    raise _astray(table, event)


def _opened(games: Games, table: Unopened, event: Event) -> Lobby:
    if not isinstance(event, ev.Opened):
        raise _astray(table, event)
    game = games.get(event.game)
    if game is None or event.rules_version > game.rules_version:
        msg = f"{event.game}, rules version {event.rules_version}, is not known to this release"
        raise NewerSoftware(msg)
    strangers = {chair.bot for chair in event.chairs if isinstance(chair, BotChair)} - set(game.bots)
    if strangers:
        msg = f"{event.game}: the bots {', '.join(sorted(strangers))} are not known to this release"
        raise NewerSoftware(msg)
    facts = Facts(
        game=game,
        rules_version=event.rules_version,
        options=_options(game, event),
        turn_seconds=event.turn_seconds,
        start=event.start,
        absent=event.absent,
        resigned=event.resigned,
        opener=event.opener,
        commitment=event.commitment,
    )
    return Lobby(facts=facts, chairs=event.chairs, entropy=(None,) * len(event.chairs))


def _options(game: AnyGame, event: ev.Opened) -> Any:
    try:
        return msgspec.convert(event.options, game.options)
    except msgspec.ValidationError as fault:
        msg = f"{event.game}: options that do not fit: {fault}"
        raise CorruptLog(msg) from fault


def _in_lobby(table: Lobby, event: Event) -> Table:
    match event:
        case ev.SeatTaken(seat=seat, player=player, entropy=entropy):
            return msgspec.structs.replace(
                table,
                chairs=_with(table.chairs, seat, PlayerChair(player=player)),
                entropy=_with(table.entropy, seat, entropy),
            )
        case ev.SeatLeft(seat=seat):
            return msgspec.structs.replace(
                table, chairs=_with(table.chairs, seat, OpenChair()), entropy=_with(table.entropy, seat, None)
            )
        case ev.Started(entropy=entropy):
            game = table.facts.game
            position = game.initial(len(table.chairs), table.facts.options, table.facts.rules_version)
            return Running(
                facts=table.facts, chairs=table.chairs, entropy=entropy, position=position, draws=table.draws
            )
        case ev.Abandoned():
            return Closed(facts=table.facts, chairs=table.chairs, entropy=table.entropy)
        case _:
            raise _astray(table, event)


def _in_game(table: Running, event: Event, happened: Happened) -> Running | Over:
    match event:
        case ev.CommandUndone(back_to=back_to):
            kept = next((one for one in table.kept if one.version == back_to), None)
            if kept is None:
                raise _astray(table, event)
            return msgspec.structs.replace(
                table,
                position=kept.position,
                kept=table.kept[: table.kept.index(kept)],
                takebacks=table.takebacks + 1,
                undos=(*table.undos, (happened.version, back_to)),
            )
        case ev.SeatResigned(seat=seat):
            kept_by_others = tuple(one for one in table.kept if one.seat != seat)
            return msgspec.structs.replace(table, resigned=(*table.resigned, seat), kept=kept_by_others)
        case ev.Finished():
            outcome = Outcome(scores=event.scores, winners=event.winners, ranking=event.ranking, reason=event.reason)
            return Over(
                facts=table.facts,
                chairs=table.chairs,
                entropy=table.entropy,
                position=table.position,
                outcome=outcome,
                resigned=table.resigned,
                undos=table.undos,
            )
        case _ if isinstance(event, ev.TABLE_EVENTS):
            raise _astray(table, event)
        case _:
            moved = _remembered(table, happened) if happened.first else table
            return msgspec.structs.replace(moved, position=table.facts.game.evolve(table.position, event))


def _remembered(table: Running, happened: Happened) -> Running:
    """The table at the first event of a game command: what may be taken back, and the draws used up."""
    draws = table.draws + happened.draws
    if not happened.undoable or happened.seat is None:
        return msgspec.structs.replace(table, draws=draws, kept=(), takebacks=0)
    kept = Kept(version=happened.version - 1, seat=happened.seat, position=table.position, deadlines=table.deadlines)
    return msgspec.structs.replace(table, draws=draws, kept=(*table.kept, kept))


def _drawn(table: Table, happened: Happened) -> Table:
    """Draws of a command that opens or fills a table count from its first event on, the start comes later in it."""
    if isinstance(table, Lobby) and happened.draws:
        return msgspec.structs.replace(table, draws=table.draws + happened.draws)
    if isinstance(table, Running):
        return _timed(msgspec.structs.replace(table, draws=table.draws + happened.draws), happened)
    return table


def _timed(table: Running | Over, happened: Happened) -> Running | Over:
    if isinstance(table, Running) and happened.deadlines is not None:
        return msgspec.structs.replace(table, deadlines=happened.deadlines)
    return table


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    return (*values[:place], value, *values[place + 1 :])


def _astray(table: Table, event: Event) -> CorruptLog:
    return CorruptLog(f"{type_of(type(event))} cannot follow in phase {type(table).__name__.lower()}")
