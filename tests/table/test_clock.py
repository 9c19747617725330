"""The turn clock: whose time runs, from when on, and when it is up."""

from domain.table import commands as cm
from domain.table.clock import run_out
from domain.table.state import to_act
from tests.table.table import ANN, BOB, CAL, NOON, OPEN, SECOND, Standing, bot, opened, people, resign, sit
from tests.table.toy import Choose, Stack, Tally


def minutes(after: int) -> int:
    """An instant."""
    return NOON + after * 60 * SECOND


def at_once(*names: str) -> Standing:
    """A toy game of one minute a turn, begun at noon; everybody is to choose."""
    return opened(*people(*names), turn_seconds=60)


def test_a_game_without_a_clock_gives_everybody_all_the_time() -> None:
    assert opened(*people(ANN, BOB)).running.deadlines == ()


def test_the_clock_starts_for_everybody_who_is_to_act_when_the_game_starts() -> None:
    assert at_once(ANN, BOB).running.deadlines == ((0, minutes(1)), (1, minutes(1)))


def test_the_clock_does_not_run_in_the_lobby() -> None:
    lobby = opened(*people(ANN), OPEN, turn_seconds=60)
    assert lobby.when(sit(BOB)).decision().deadlines == ((0, minutes(1)), (1, minutes(1)))
    assert lobby.later(3600).when(sit(BOB)).decision().deadlines == ((0, minutes(61)), (1, minutes(61)))


def test_a_seat_that_has_answered_has_no_clock_and_the_others_keep_theirs() -> None:
    chosen = at_once(ANN, BOB, CAL).later(30).when(Choose(number=1), seat=1).done()
    assert chosen.running.deadlines == ((0, minutes(1)), (2, minutes(1)))


def test_a_seat_that_goes_on_gets_its_time_afresh_and_the_others_do_not() -> None:
    stacked = at_once(ANN, BOB).later(30).when(Stack(), seat=1).done()
    assert stacked.running.deadlines == ((0, minutes(1)), (1, minutes(1) + 30 * SECOND))


def test_the_clock_stands_still_while_the_service_scores_and_starts_afresh_after_it() -> None:
    scoring = at_once(ANN, BOB).when(Choose(number=1), seat=0).done().when(Choose(number=1), seat=1).done()
    assert scoring.running.deadlines == ()
    scored = scoring.later(600).when(Tally(round=1), mover="system").done()
    assert scored.running.deadlines == ((0, minutes(11)), (1, minutes(11)))


def test_no_clock_runs_for_bots() -> None:
    assert opened(*people(ANN), bot(), turn_seconds=60).running.deadlines == ((0, minutes(1)),)


def test_no_clock_runs_for_a_seat_that_gave_up_and_the_others_keep_theirs() -> None:
    gone = at_once(ANN, BOB, CAL).later(30).when(resign(1), seat=1).done()
    assert to_act(gone.table) == (0, 1, 2)
    assert gone.running.deadlines == ((0, minutes(1)), (2, minutes(1)))


def test_an_idle_move_starts_the_clock_afresh_for_its_seat() -> None:
    standing = at_once(ANN, BOB).when(Choose(number=1), seat=0).done()
    idle = standing.later(60).when(Stack(), seat=1, mover="system").done()
    assert idle.running.deadlines == ((1, minutes(2)),)


def test_time_is_up_at_the_deadline_itself() -> None:
    table = at_once(ANN, BOB).running
    assert run_out(table, minutes(1) - 1) == ()
    assert run_out(table, minutes(1)) == (0, 1)


def test_a_finished_game_has_no_clock() -> None:
    assert at_once(ANN, BOB).when(resign(0), seat=0).decision().deadlines == ()


def test_a_start_by_hand_starts_the_clock() -> None:
    standing = opened(*people(ANN, BOB), start="manual", turn_seconds=60).later(120)
    begun = standing.when(cm.Start(player=ANN, entropy=None)).done()
    assert begun.running.deadlines == ((0, minutes(3)), (1, minutes(3)))
