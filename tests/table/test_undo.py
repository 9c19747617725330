"""Taking moves back: step by step, up to the last that showed something or passed the turn."""

import pytest

from domain.games.ra import GAME as RA
from domain.games.ra.commands import Bid, Draw, Invoke
from domain.table import commands as cm
from domain.table import events as ev
from domain.table.decide import TAKEBACKS_PER_TURN
from tests.games.ra.table import player
from tests.games.ra.table import table as ra_table
from tests.table.table import ANN, BOB, CAL, Standing, opened, people, resign, standing_at
from tests.table.toy import Choose, Hush, Pile, Roll, Stack, Stacked

UNDO = cm.Undo(seat=1)


def bob_is_alone(turn_seconds: int | None = None) -> Standing:
    """Ann has chosen, so Bob is alone to act."""
    return opened(*people(ANN, BOB), turn_seconds=turn_seconds).when(Choose(number=1), seat=0).done()


def ann_is_the_last_one_in() -> Standing:
    """A game of Ra in which only Ann has suns left, so that calls and bids leave the turn with her."""
    position = ra_table(player(2, 5, 8), player(down=(3, 6, 9)), track="pharaoh")
    return standing_at(opened(*people(ANN, BOB), game=RA), position)


def test_a_call_for_an_auction_and_the_bid_in_it_are_taken_back_one_after_the_other() -> None:
    start = ann_is_the_last_one_in()
    called = start.when(Invoke(), seat=0).done()
    bid = called.when(Bid(sun=5), seat=0).done()
    once = bid.when(cm.Undo(seat=0), seat=0).then(ev.CommandUndone(seat=0, back_to=called.version))
    assert once.running.position == called.running.position
    twice = once.when(cm.Undo(seat=0), seat=0).then(ev.CommandUndone(seat=0, back_to=start.version))
    assert twice.running.position == start.running.position
    twice.when(cm.Undo(seat=0), seat=0).then_refused("nothing-to-undo")


def test_a_move_of_two_events_is_taken_back_whole() -> None:
    start = bob_is_alone()
    piled = start.when(Pile(), seat=1).done()
    assert (piled.version, piled.running.position.pebbles) == (start.version + 2, 2)
    undone = piled.when(UNDO, seat=1).then(ev.CommandUndone(seat=1, back_to=start.version))
    assert undone.running.position == start.running.position


def test_a_tile_that_was_drawn_stays_drawn() -> None:
    start = ann_is_the_last_one_in()
    start.when(Draw(), seat=0).done().when(cm.Undo(seat=0), seat=0).then_refused("nothing-to-undo")


def test_what_came_before_a_barrier_cannot_be_taken_back_either() -> None:
    rolled = bob_is_alone().when(Stack(), seat=1).done().when(Roll(), seat=1).done()
    assert rolled.running.kept == ()
    rolled.when(UNDO, seat=1).then_refused("nothing-to-undo")


def test_nothing_is_taken_back_before_the_first_move() -> None:
    opened(*people(ANN, BOB)).when(UNDO, seat=1).then_refused("nothing-to-undo")


def test_a_seat_takes_back_its_own_moves_only() -> None:
    bob_is_alone().when(Stack(), seat=1).done().when(cm.Undo(seat=0), seat=0).then_refused("nothing-to-undo")


def test_a_move_can_be_taken_back_and_made_again() -> None:
    standing = bob_is_alone()
    again = standing.when(Stack(), seat=1).done().when(UNDO, seat=1).done().when(Stack(), seat=1)
    assert again.then(Stacked(seat=1, colour="red", drawer="left")).running.position.pebbles == 1


def test_the_idle_move_of_an_absent_player_cannot_be_taken_back() -> None:
    idle = bob_is_alone().when(Stack(), seat=1, mover="system")
    assert not idle.decision().undoable
    idle.done().when(UNDO, seat=1).then_refused("nothing-to-undo")


def test_after_an_idle_move_earlier_moves_stand_too() -> None:
    moved = bob_is_alone().when(Stack(), seat=1).done().when(Stack(), seat=1, mover="system").done()
    moved.when(UNDO, seat=1).then_refused("nothing-to-undo")


def test_what_a_bot_has_played_cannot_be_taken_back() -> None:
    played = bob_is_alone().when(Stack(), seat=1, mover="bot").done()
    played.when(UNDO, seat=1).then_refused("nothing-to-undo")


def test_an_undo_gains_no_time() -> None:
    standing = bob_is_alone(turn_seconds=60)
    deadline = standing.running.deadlines
    stacked = standing.later(50).when(Stack(), seat=1).done()
    assert stacked.running.deadlines == tuple((seat, at + 50_000_000) for seat, at in deadline)
    assert stacked.later(5).when(UNDO, seat=1).done().running.deadlines == deadline


def test_a_hundred_moves_are_taken_back_and_no_more() -> None:
    standing = bob_is_alone()
    for _ in range(TAKEBACKS_PER_TURN):
        standing = standing.when(Stack(), seat=1).done().when(UNDO, seat=1).done()
    standing.when(Stack(), seat=1).done().when(UNDO, seat=1).then_refused("undo-limit")


def test_a_new_turn_gives_new_take_backs() -> None:
    standing = bob_is_alone()
    standing = standing.when(Stack(), seat=1).done().when(UNDO, seat=1).done()
    assert standing.running.takebacks == 1
    assert standing.when(Choose(number=2), seat=1).done().running.takebacks == 0


def test_a_table_knows_which_versions_were_taken_back() -> None:
    standing = bob_is_alone()
    undone = standing.when(Stack(), seat=1).done().when(UNDO, seat=1).done()
    assert undone.running.undos == ((undone.version, standing.version),)


def test_a_resignation_elsewhere_leaves_the_move_to_be_taken_back_and_stands_itself() -> None:
    standing = opened(*people(ANN, BOB, CAL)).when(Choose(number=1), seat=0).done().when(Hush(), seat=1).done()
    undone = standing.when(resign(2), seat=2).done().when(UNDO, seat=1).done()
    assert undone.running.position.alone is None
    assert undone.running.resigned == (2,)


def test_an_undo_gives_no_clock_to_a_seat_that_has_resigned_meanwhile() -> None:
    standing = opened(*people(ANN, BOB, CAL), turn_seconds=60).when(Hush(), seat=1).done()
    undone = standing.when(resign(2), seat=2).done().when(UNDO, seat=1).done()
    assert [seat for seat, _ in undone.running.deadlines] == [0, 1]


def test_whoever_resigns_gives_up_his_take_backs() -> None:
    standing = opened(*people(ANN, BOB, CAL)).when(Hush(), seat=1).done()
    standing.when(resign(1), seat=1).done().when(UNDO, seat=1).then_refused("nothing-to-undo")


def test_a_lobby_has_nothing_to_take_back() -> None:
    lobby = opened(*people(ANN, BOB), start="manual")
    assert lobby.when(UNDO, seat=1).then_refused("game-not-running").detail == "This game has not started yet."


@pytest.mark.parametrize("command", [UNDO, resign(1), Choose(number=1)])
def test_a_finished_game_takes_nothing(command: cm.Undo | cm.Resign | Choose) -> None:
    over = opened(*people(ANN, BOB)).when(resign(0), seat=0).done()
    assert over.when(command, seat=1).then_refused("game-not-running").detail == "This game is over."
