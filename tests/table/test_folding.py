"""Which events may follow in which phase of a table; anything else is a broken log."""

import msgspec
import pytest

from domain.kernel.errors import CorruptLog, NewerSoftware
from domain.kernel.messages import Event
from domain.table import commands as cm
from domain.table import events as ev
from domain.table.chairs import BotChair, PlayerChair
from domain.table.evolve import Happened, evolve
from domain.table.state import Table
from tests.table.table import ANN, BOB, GAMES, OPEN, Standing, nothing_yet, opened, opening, people, resign
from tests.table.toy import Stacked

STACKED = Stacked(seat=0, colour="red", drawer="left")


def after(standing: Standing, event: Event) -> Table:
    """The table after one more event, whatever it is."""
    happened = Happened(version=standing.version + 1, first=True, seat=None)
    return evolve(GAMES, standing.table, event, happened)


def first_event(standing: Standing) -> ev.Opened:
    """The event that opened Ann's table."""
    (event,) = standing.when(opening(*people(ANN), OPEN)).decision().events
    assert isinstance(event, ev.Opened)
    return event


LOBBY = opened(*people(ANN), OPEN)
RUNNING = opened(*people(ANN, BOB))
OVER = RUNNING.when(resign(0), seat=0).done()
CLOSED = LOBBY.when(cm.Abandon(player=ANN)).done()


@pytest.mark.parametrize(
    ("standing", "event"),
    [
        (nothing_yet(), ev.Abandoned()),
        (LOBBY, STACKED),
        (LOBBY, ev.SeatResigned(seat=0, cause="player")),
        (RUNNING, ev.SeatLeft(seat=0)),
        (RUNNING, ev.CommandUndone(seat=0, back_to=1)),
        (OVER, STACKED),
        (CLOSED, ev.SeatLeft(seat=0)),
    ],
    ids=lambda one: type(one).__name__,
)
def test_an_event_in_the_wrong_phase_breaks_the_log(standing: Standing, event: Event) -> None:
    with pytest.raises(CorruptLog, match="cannot follow"):
        after(standing, event)


def test_options_that_do_not_fit_the_game_break_the_log() -> None:
    event = msgspec.structs.replace(first_event(nothing_yet()), options={"rounds": "many"})
    with pytest.raises(CorruptLog, match="options"):
        after(nothing_yet(), event)


def test_a_table_of_a_game_not_known_here_is_left_to_newer_software() -> None:
    event = msgspec.structs.replace(first_event(nothing_yet()), game="senet")
    with pytest.raises(NewerSoftware, match="senet"):
        after(nothing_yet(), event)


def test_a_table_of_newer_rules_is_left_to_newer_software() -> None:
    event = msgspec.structs.replace(first_event(nothing_yet()), rules_version=2)
    with pytest.raises(NewerSoftware, match="rules version 2"):
        after(nothing_yet(), event)


def test_a_table_with_a_bot_not_known_here_is_left_to_newer_software() -> None:
    chairs = (PlayerChair(player=ANN), BotChair(bot="oracle"))
    event = msgspec.structs.replace(first_event(nothing_yet()), chairs=chairs)
    with pytest.raises(NewerSoftware, match="oracle"):
        after(nothing_yet(), event)


def test_the_secret_is_revealed_after_the_end_and_changes_nothing() -> None:
    assert after(OVER, ev.SecretRevealed(secret=None)) == OVER.table
    assert after(CLOSED, ev.SecretRevealed(secret=None)) == CLOSED.table
