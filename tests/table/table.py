"""Tables as they stand, and what they answer: given a table, when somebody asks, then events or a refusal."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec
import pytest

from domain.games.ra import GAME as RA
from domain.kernel.codec import to_json
from domain.kernel.game import AnyGame
from domain.kernel.messages import Command, Event, Seat
from domain.table import commands as cm
from domain.table.chairs import BotChair, Chair, OpenChair, PlayerChair
from domain.table.decide import Asked, Decision, Mover, Setting, decide
from domain.table.errors import Reason, TableRefusal
from domain.table.evolve import Happened, evolve
from domain.table.state import UNOPENED, Lobby, Over, Running, Table
from tests.table.toy import TOY

GAMES: Mapping[str, AnyGame] = {"ra": RA, "toy": TOY}
GAME_ID = "018f0000-0000-7000-8000-000000000001"
SECRET = bytes(range(32))
NOON = 1_770_000_000_000_000
SECOND = 1_000_000

ANN, BOB, CAL = "ann", "bob", "cal"
OPEN = OpenChair()


class Standing(NamedTuple):
    """A table at a version and a time; what is asked of it is asked then."""

    table: Table
    version: int = 0
    now: int = NOON
    secret: bytes | None = SECRET

    def later(self, seconds: int) -> "Standing":
        """The same table some time later."""
        return self._replace(now=self.now + seconds * SECOND)

    def when(self, command: Command, seat: Seat | None = None, mover: Mover = "player") -> "When":
        """Somebody asks for something: a seat, or an account without one, or the service."""
        return When(self, Asked(command=command, seat=seat, mover=mover))

    @property
    def running(self) -> Running:
        """The table, which is in play."""
        assert isinstance(self.table, Running)
        return self.table

    @property
    def over(self) -> Over:
        """The table, whose game is finished."""
        assert isinstance(self.table, Over)
        return self.table

    @property
    def lobby(self) -> Lobby:
        """The table, which waits for people."""
        assert isinstance(self.table, Lobby)
        return self.table


class When(NamedTuple):
    """Something asked of a table."""

    standing: Standing
    asked: Asked

    def decision(self, *, rehearsal: bool = False) -> Decision:
        """What the table decides."""
        standing = self.standing
        setting = Setting(
            games=GAMES,
            game_id=GAME_ID,
            secret=standing.secret,
            version=standing.version,
            now=standing.now,
            rehearsal=rehearsal,
        )
        return decide(standing.table, self.asked, setting)

    def then(self, *events: Event) -> Standing:
        """Exactly these events follow; gives the table after them."""
        assert self.decision().events == events
        return self.done()

    def done(self) -> Standing:
        """The table after whatever follows; folding the events from their records gives the same table."""
        decision, standing = self.decision(), self.standing
        table = standing.table
        last = len(decision.events) - 1
        for place, event in enumerate(decision.events):
            first = place == 0
            happened = Happened(
                version=standing.version + 1 + place,
                first=first,
                seat=self.asked.seat,
                draws=decision.draws[1] if first and decision.draws else 0,
                undoable=first and decision.undoable,
                deadlines=decision.deadlines if place == last else None,
            )
            table = evolve(GAMES, table, event, happened)
        assert table == decision.after
        return standing._replace(table=table, version=standing.version + len(decision.events))

    def then_refused(self, reason: Reason) -> TableRefusal:
        """The table refuses, in a sentence for a person."""
        with pytest.raises(TableRefusal) as refusal:
            self.decision()
        assert refusal.value.reason == reason
        assert refusal.value.detail[0].isupper()
        assert refusal.value.detail[-1] == "."
        return refusal.value


def opening(
    *chairs: Chair,
    game: AnyGame = TOY,
    turn_seconds: int | None = None,
    start: cm.StartMode = "auto",
    absent: cm.AbsentPolicy = "idle",
    resigned: cm.ResignedPolicy = "bot",
    options: msgspec.Struct | None = None,
) -> cm.Open:
    """Ann's wish for a table."""
    return cm.Open(
        game=game.key,
        chairs=chairs,
        options=to_json(options or next(iter(game.presets.values()))),
        turn_seconds=turn_seconds,
        start=start,
        absent=absent,
        resigned=resigned,
        opener=ANN,
    )


def people(*names: str) -> tuple[Chair, ...]:
    """One chair for each person."""
    return tuple(PlayerChair(player=name) for name in names)


def bot(name: str = "first") -> Chair:
    """A bot's chair."""
    return BotChair(bot=name)


def nothing_yet(secret: bytes | None = SECRET) -> Standing:
    """A stream before its first event."""
    return Standing(UNOPENED, secret=secret)


def opened(*chairs: Chair, **facts: Any) -> Standing:
    """Ann's table, just opened; without an open chair the game has begun."""
    return nothing_yet().when(opening(*chairs, **facts)).done()


def sit(player: str, seat: Seat | None = None, entropy: str | None = None) -> cm.Sit:
    """A wish for a seat."""
    return cm.Sit(player=player, seat=seat, entropy=entropy)


def resign(seat: Seat, cause: Literal["player", "clock"] = "player") -> cm.Resign:
    """A seat gives up."""
    return cm.Resign(seat=seat, cause=cause)


def standing_at(standing: Standing, position: Any) -> Standing:
    """The same table with its game in another position."""
    return standing._replace(table=msgspec.structs.replace(standing.running, position=position))
