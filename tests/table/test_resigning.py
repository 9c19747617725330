"""Giving up, and how a game ends."""

import pytest

from domain.games.ra import GAME as RA
from domain.games.ra.commands import ScoreEpoch
from domain.games.ra.state import AwaitingScore
from domain.kernel.errors import IllegalCommand
from domain.kernel.outcome import Outcome
from domain.table import commands as cm
from domain.table import events as ev
from domain.table.answering import Answerer, answerer, bot_of, substitute
from domain.table.decide import EVENTS_PER_GAME
from domain.table.state import to_act
from tests.games.ra.table import player
from tests.games.ra.table import table as ra_table
from tests.table.table import ANN, BOB, CAL, OPEN, SECRET, Standing, bot, opened, people, resign, sit, standing_at
from tests.table.toy import DEEP, FIRST, TOY, Choose, Ended, Options, State, Tallied, Tally

REVEALED = ev.SecretRevealed(secret=SECRET.hex())


def last_round(*choices: int, scores: tuple[int, ...] | None = None, resigned: tuple[int, ...] = ()) -> Standing:
    """A toy game in which all seats have chosen for the last time, after some have given up."""
    standing = opened(*people(*(f"player {seat}" for seat in range(len(choices)))))
    for seat in resigned:
        standing = standing.when(resign(seat), seat=seat).done()
    points = scores or (0,) * len(choices)
    return standing_at(standing, State(options=Options(rounds=1), chosen=choices, scores=points))


def test_a_player_gives_up_when_it_is_not_his_turn() -> None:
    standing = opened(*people(ANN, BOB, CAL), game=RA)
    (active,) = to_act(standing.table)
    waiting = (active + 1) % 3
    after = standing.when(resign(waiting), seat=waiting).then(ev.SeatResigned(seat=waiting, cause="player"))
    assert to_act(after.table) == (active,)


def test_a_player_gives_up_while_the_service_scores() -> None:
    scoring = ra_table(player(down=(2, 5)), player(down=(3, 6)), player(down=(4, 7)), phase=AwaitingScore())
    standing = standing_at(opened(*people(ANN, BOB, CAL), game=RA), scoring)
    after = standing.when(resign(2), seat=2).then(ev.SeatResigned(seat=2, cause="player"))
    after.when(ScoreEpoch(epoch=1), mover="system").done()


def test_while_the_service_scores_no_player_moves() -> None:
    standing = opened(*people(ANN, BOB)).when(Choose(number=1), seat=0).done().when(Choose(number=2), seat=1).done()
    standing.when(Choose(number=1), seat=0).then_refused("waiting-for-workers")


def test_a_round_that_is_scored_is_not_scored_again() -> None:
    standing = opened(*people(ANN, BOB)).when(Choose(number=1), seat=0).done().when(Choose(number=2), seat=1).done()
    scored = standing.when(Tally(round=1), mover="system").done()
    assert scored.when(Tally(round=1), mover="system").then() == scored


def test_the_clock_gives_up_for_a_player() -> None:
    standing = opened(*people(ANN, BOB, CAL))
    standing.when(resign(1, "clock"), seat=1, mover="system").then(ev.SeatResigned(seat=1, cause="clock"))


def test_nobody_gives_up_twice() -> None:
    standing = opened(*people(ANN, BOB, CAL)).when(resign(1), seat=1).done()
    standing.when(resign(1), seat=1).then_refused("already-resigned")


def test_whoever_gave_up_moves_no_more() -> None:
    standing = opened(*people(ANN, BOB, CAL)).when(resign(1), seat=1).done()
    standing.when(Choose(number=1), seat=1).then_refused("already-resigned")


@pytest.mark.parametrize(("policy", "who"), [("bot", Answerer.BOT), ("idle", Answerer.IDLE)])
def test_a_seat_that_gave_up_is_played_on_as_the_table_says(policy: cm.ResignedPolicy, who: Answerer) -> None:
    standing = opened(*people(ANN, BOB, CAL), resigned=policy).when(resign(1), seat=1).done()
    assert answerer(standing.running, 1) is who
    assert answerer(standing.running, 0) is Answerer.PERSON
    assert to_act(standing.table) == (0, 1, 2)


def test_a_bot_plays_its_own_seat_and_the_last_of_the_fast_ones_stands_in() -> None:
    standing = opened(*people(ANN, BOB), bot("deep"))
    assert answerer(standing.running, 2) is Answerer.BOT
    assert bot_of(standing.running, 2) == DEEP
    assert bot_of(standing.running, 1) == substitute(TOY) == FIRST


def test_the_last_one_standing_wins_unscored_and_the_secret_is_shown() -> None:
    standing = opened(*people(ANN, BOB, CAL)).when(resign(2), seat=2).done()
    over = standing.when(resign(0), seat=0).then(
        ev.SeatResigned(seat=0, cause="player"),
        ev.Finished(scores=(), winners=(1,), ranking=((1,), (0,), (2,)), reason="resignation"),
        REVEALED,
    )
    assert over.over.outcome == Outcome(scores=(), winners=(1,), ranking=((1,), (0,), (2,)), reason="resignation")


def test_a_bot_may_be_the_last_one_standing() -> None:
    *_, finished, _ = opened(*people(ANN), bot()).when(resign(0), seat=0).decision().events
    assert finished == ev.Finished(scores=(), winners=(1,), ranking=((1,), (0,)), reason="resignation")


def test_bots_play_on_when_all_people_have_gone() -> None:
    standing = opened(*people(ANN), bot(), bot()).when(resign(0), seat=0).done()
    assert to_act(standing.table) == (0, 1, 2)


def test_a_game_that_ends_by_its_rules_keeps_its_own_result_and_shows_its_secret() -> None:
    decision = last_round(3, 1).when(Tally(round=1), mover="system").decision()
    tallied, ended, finished, revealed = decision.events
    assert isinstance(tallied, Tallied)
    assert isinstance(ended, Ended)
    won = (0,) if tallied.die else (0, 1)
    assert finished == ev.Finished(scores=tallied.scores, winners=won, ranking=ended.ranking, reason="rounds")
    assert revealed == REVEALED
    assert decision.deadlines == ()


def test_seats_that_gave_up_rank_behind_all_others_the_earliest_last() -> None:
    standing = last_round(0, 0, 0, 0, scores=(90, 80, 10, 20), resigned=(1, 0))
    *_, finished, _ = standing.when(Tally(round=1), mover="system").decision().events
    assert isinstance(finished, ev.Finished)
    assert finished.ranking == ((3,), (2,), (0,), (1,))
    assert finished.winners == (3,)
    assert finished.scores[0] >= 90


def test_a_winner_who_shares_with_one_that_gave_up_wins_alone() -> None:
    standing = last_round(0, 0, 0, scores=(50, 50, 10), resigned=(0,))
    *_, finished, _ = standing.when(Tally(round=1), mover="system").decision().events
    assert isinstance(finished, ev.Finished)
    assert (finished.winners, finished.ranking) == ((1,), ((1,), (2,), (0,)))


def test_the_rules_of_the_game_are_asked_once_the_table_has_no_objection() -> None:
    with pytest.raises(IllegalCommand) as refusal:
        opened(*people(ANN, BOB)).when(Choose(number=9), seat=0).decision()
    assert refusal.value.rule == "TOY-2"


def endless(standing: Standing) -> Standing:
    """The table after far too many events."""
    return standing._replace(version=EVENTS_PER_GAME)


def test_a_game_that_is_too_long_takes_resignations_only() -> None:
    standing = endless(opened(*people(ANN, BOB)))
    for command in (Choose(number=1), cm.Undo(seat=0)):
        assert "20000" in standing.when(command, seat=0).then_refused("game-too-long").detail
    standing.when(resign(0), seat=0).done()


def test_a_game_just_below_the_limit_goes_on() -> None:
    standing = opened(*people(ANN, BOB))._replace(version=EVENTS_PER_GAME - 1)
    standing.when(Choose(number=1), seat=0).done()


def test_a_lobby_that_has_seen_too_many_come_and_go_can_still_be_closed() -> None:
    standing = endless(opened(*people(ANN), OPEN))
    standing.when(sit(BOB)).then_refused("game-too-long")
    standing.when(cm.Abandon(player=ANN)).done()
