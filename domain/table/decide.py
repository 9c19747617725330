"""What a table answers to a command: events, or a refusal. Rules of the game itself are asked of the game."""

from typing import Literal, TypeAlias

import msgspec

from domain.kernel.chance import Chance, ChanceRefused, CountedChance, NoChance, commitment_to_secret
from domain.kernel.errors import InvalidInput
from domain.kernel.messages import Command, Event, Seat
from domain.kernel.outcome import Outcome
from domain.table import commands as cm
from domain.table import events as ev
from domain.table.chairs import OpenChair, is_full, seat_of
from domain.table.clock import deadlines_after
from domain.table.errors import TableRefusal
from domain.table.evolve import Games, Happened, evolve
from domain.table.state import Closed, Deadlines, Lobby, Over, Running, Table, Unopened

TAKEBACKS_PER_TURN = 100
EVENTS_PER_GAME = 20_000

Mover: TypeAlias = Literal["player", "bot", "system"]


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A command and who gives it: `seat` is None for upkeep and for commands of accounts without a seat."""

    command: Command
    seat: Seat | None
    mover: Mover


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision may use from outside: nothing here is read from a clock or a random source by the domain.

    `secret` is None when it is lost; then nothing can be drawn. Unit: `now` microseconds since 1970 UTC.
    """

    games: Games
    game_id: str
    secret: bytes | None
    version: int
    now: int
    rehearsal: bool = False


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The events of a command and what is recorded around them; `after` is the table they lead to."""

    events: tuple[Event, ...]
    draws: tuple[int, int] | None
    undoable: bool
    deadlines: Deadlines
    after: Table


def decide(table: Table, asked: Asked, setting: Setting) -> Decision:
    """The events of one command.

    No events: a system command that has had its effect already.

    Raises: TableRefusal, IllegalCommand, InvalidInput; ChanceRefused where a rehearsal would draw.
    """
    if setting.version >= EVENTS_PER_GAME and not isinstance(asked.command, cm.Resign | cm.Abandon):
        detail = f"This game has {setting.version} events and takes no more; it can only be given up."
        raise TableRefusal("game-too-long", detail)
    chance = _chance(table, setting)
    try:
        return _concluded(table, asked, setting, _events(table, asked, setting, chance), chance)
    except ChanceRefused as refused:
        if setting.rehearsal or setting.secret is not None:
            raise
        detail = "The secret behind this game's draws is lost, so nothing can be drawn any more."
        raise TableRefusal("secret-lost", detail) from refused


def _events(table: Table, asked: Asked, setting: Setting, chance: Chance) -> tuple[Event, ...]:
    match asked.command:
        case cm.Open() as command:
            return _open(table, command, setting)
        case cm.Sit() as command:
            return _sit(_lobby(table), command)
        case cm.Leave() as command:
            return _leave(_lobby(table), command)
        case cm.Start() as command:
            return _start(_lobby(table), command)
        case cm.Abandon() as command:
            return _abandon(_lobby(table), command, setting)
        case cm.Undo() as command:
            return _undo(_running(table), command)
        case cm.Resign() as command:
            return _resign(_running(table), command, setting)
        case _:
            return _move(_running(table), asked, chance, setting)


def _chance(table: Table, setting: Setting) -> Chance:
    if setting.secret is None or setting.rehearsal or not isinstance(table, Running):
        return NoChance()
    return CountedChance(setting.secret, setting.game_id, table.entropy, table.draws)


def _concluded(table: Table, asked: Asked, setting: Setting, events: tuple[Event, ...], chance: Chance) -> Decision:
    """The decision around the events, with the game's opening added where they start it."""
    if events and isinstance(events[-1], ev.Started):
        begun = _folded(table, events, asked, setting)
        chance = _chance(begun, setting)
        assert isinstance(begun, Running)
        events = (*events, *begun.facts.game.setup(begun.position, chance))
    drawn = (chance.first, chance.drawn) if isinstance(chance, CountedChance) and chance.drawn else None
    undoable = _can_be_taken_back(table, asked)
    after = _folded(table, events, asked, setting, drawn[1] if drawn else 0, undoable)
    deadlines = _deadlines(table, after, asked, setting)
    if isinstance(after, Running):
        after = msgspec.structs.replace(after, deadlines=deadlines)
    return Decision(events=events, draws=drawn, undoable=undoable, deadlines=deadlines, after=after)


def _folded(
    table: Table, events: tuple[Event, ...], asked: Asked, setting: Setting, draws: int = 0, undoable: bool = False
) -> Table:
    for place, event in enumerate(events):
        happened = Happened(
            version=setting.version + 1 + place,
            first=place == 0,
            seat=asked.seat,
            draws=draws if place == 0 else 0,
            undoable=undoable,
        )
        table = evolve(setting.games, table, event, happened)
    return table


def _can_be_taken_back(table: Table, asked: Asked) -> bool:
    if not isinstance(table, Running) or asked.seat is None or asked.mover != "player":
        return False
    if isinstance(asked.command, cm.Undo | cm.Resign):
        return False
    return table.facts.game.barrier(table.position, asked.seat, asked.command) is None


def _deadlines(table: Table, after: Table, asked: Asked, setting: Setting) -> Deadlines:
    if not isinstance(after, Running):
        return ()
    if isinstance(table, Running) and isinstance(asked.command, cm.Undo):
        return tuple(one for one in table.kept[-1].deadlines if one[0] not in table.resigned)
    before = table if isinstance(table, Running) else msgspec.structs.replace(after, deadlines=())
    return deadlines_after(before, after, asked.seat, setting.now)


def _open(table: Table, command: cm.Open, setting: Setting) -> tuple[Event, ...]:
    if not isinstance(table, Unopened):
        raise TableRefusal("already-started", "This game has been opened already.")
    game = setting.games[command.game]
    if len(command.chairs) not in game.seats:
        allowed = ", ".join(map(str, game.seats))
        raise InvalidInput((("/seats", f"{game.title} takes {allowed} seats, not {len(command.chairs)}"),))
    secret = setting.secret or b""
    opened = ev.Opened(
        game=command.game,
        rules_version=game.rules_version,
        chairs=command.chairs,
        options=command.options,
        turn_seconds=command.turn_seconds,
        start=command.start,
        absent=command.absent,
        resigned=command.resigned,
        opener=command.opener,
        commitment=commitment_to_secret(secret, setting.game_id),
    )
    if command.start == "auto" and is_full(command.chairs):
        return (opened, ev.Started(entropy=(None,) * (len(command.chairs) + 1)))
    return (opened,)


def _sit(table: Lobby, command: cm.Sit) -> tuple[Event, ...]:
    held = seat_of(table.chairs, command.player)
    if held is not None:
        raise TableRefusal("seat-taken", f"You already hold seat {held} at this table.")
    open_seats = [seat for seat, chair in enumerate(table.chairs) if isinstance(chair, OpenChair)]
    if command.seat is not None and not 0 <= command.seat < len(table.chairs):
        raise InvalidInput((("/seat", f"this table has the seats 0 to {len(table.chairs) - 1}"),))
    if not open_seats or (command.seat is not None and command.seat not in open_seats):
        detail = "No seat is open at this table." if not open_seats else f"Seat {command.seat} is taken."
        raise TableRefusal("seat-taken", detail)
    seat = open_seats[0] if command.seat is None else command.seat
    taken = ev.SeatTaken(seat=seat, player=command.player, entropy=command.entropy)
    if table.facts.start == "auto" and len(open_seats) == 1:
        entropy = (*table.entropy[:seat], command.entropy, *table.entropy[seat + 1 :])
        return (taken, ev.Started(entropy=(*entropy, None)))
    return (taken,)


def _leave(table: Lobby, command: cm.Leave) -> tuple[Event, ...]:
    if seat_of(table.chairs, command.player) != command.seat:
        raise TableRefusal("not-your-seat", f"Seat {command.seat} is not yours to give back.")
    return (ev.SeatLeft(seat=command.seat),)


def _start(table: Lobby, command: cm.Start) -> tuple[Event, ...]:
    if command.player != table.facts.opener:
        raise TableRefusal("forbidden", "Only whoever opened the table can start it.")
    if not is_full(table.chairs):
        raise TableRefusal("seats-open", "The game can start once no seat is open.")
    return (ev.Started(entropy=(*table.entropy, command.entropy)),)


def _abandon(table: Lobby, command: cm.Abandon, setting: Setting) -> tuple[Event, ...]:
    if command.player != table.facts.opener:
        raise TableRefusal("forbidden", "Only whoever opened the table can close it.")
    return (ev.Abandoned(), _reveal(setting))


def _undo(table: Running, command: cm.Undo) -> tuple[Event, ...]:
    if not table.kept or table.kept[-1].seat != command.seat:
        raise TableRefusal("nothing-to-undo", "None of your moves can be taken back now.")
    if table.takebacks >= TAKEBACKS_PER_TURN:
        raise TableRefusal("undo-limit", f"At most {TAKEBACKS_PER_TURN} moves can be taken back in one turn.")
    return (ev.CommandUndone(seat=command.seat, back_to=table.kept[-1].version),)


def _resign(table: Running, command: cm.Resign, setting: Setting) -> tuple[Event, ...]:
    if command.seat in table.resigned:
        raise TableRefusal("already-resigned", f"Seat {command.seat} has resigned already.")
    gone = (*table.resigned, command.seat)
    resigned = ev.SeatResigned(seat=command.seat, cause=command.cause)
    left = [seat for seat in range(len(table.chairs)) if seat not in gone]
    if len(left) > 1:
        return (resigned,)
    ranking = ((left[0],), *((seat,) for seat in reversed(gone)))
    finished = ev.Finished(scores=(), winners=(left[0],), ranking=ranking, reason="resignation")
    return (resigned, finished, _reveal(setting))


def _move(table: Running, asked: Asked, chance: Chance, setting: Setting) -> tuple[Event, ...]:
    game = table.facts.game
    if asked.mover == "player" and asked.seat in table.resigned:
        raise TableRefusal("already-resigned", "You have resigned; your seat is played for you.")
    if asked.seat is not None and game.upkeep(table.position) is not None:
        raise TableRefusal("waiting-for-workers", "The service is scoring or dealing; try again in a moment.")
    events = game.decide(table.position, asked.seat, asked.command, chance)
    position = table.position
    for event in events:
        position = game.evolve(position, event)
    outcome = game.outcome(position)
    if outcome is None:
        return events
    return (*events, _finished(outcome, table.resigned), _reveal(setting))


def _finished(outcome: Outcome, resigned: tuple[Seat, ...]) -> ev.Finished:
    """The game's own result, with seats that gave up ranked behind all others, the earliest last."""
    standing = tuple(tuple(seat for seat in group if seat not in resigned) for group in outcome.ranking)
    ahead = tuple(group for group in standing if group)
    winners = tuple(seat for seat in outcome.winners if seat not in resigned) or ahead[0]
    ranking = (*ahead, *((seat,) for seat in reversed(resigned)))
    return ev.Finished(scores=outcome.scores, winners=winners, ranking=ranking, reason=outcome.reason)


def _reveal(setting: Setting) -> ev.SecretRevealed:
    return ev.SecretRevealed(secret=setting.secret.hex() if setting.secret else None)


def _lobby(table: Table) -> Lobby:
    if isinstance(table, Lobby):
        return table
    if isinstance(table, Closed | Over):
        raise TableRefusal("game-not-running", "This game is over.")
    raise TableRefusal("already-started", "This game has started already.")


def _running(table: Table) -> Running:
    if isinstance(table, Running):
        return table
    detail = "This game has not started yet." if isinstance(table, Lobby) else "This game is over."
    raise TableRefusal("game-not-running", detail)
