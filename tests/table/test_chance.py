"""Where a game's draws come from, and that nothing moves them."""

from typing import Any

import msgspec
import pytest

from domain.kernel.chance import ChanceRefused, CountedChance, NoChance
from domain.table import commands as cm
from domain.table import events as ev
from domain.table.decide import Decision
from tests.table.table import ANN, BOB, GAME_ID, OPEN, SECRET, Standing, bot, nothing_yet, opened, opening, people, sit
from tests.table.toy import TOY, Choose, Chosen, Dealt, Roll, Rolled, Stack, Tally


def die(number: int, *entropy: str | None) -> int:
    """Draw `number` of a table with that entropy, as a die."""
    return CountedChance(SECRET, GAME_ID, entropy, number).below(6)


def alone(**facts: Any) -> Standing:
    """Ann has chosen, Bob is alone to act."""
    return opened(*people(ANN, BOB), **facts).when(Choose(number=1), seat=0).done()


def dealt(decision: Decision) -> int:
    """The die with which the game began."""
    (last,) = (event for event in decision.events if isinstance(event, Dealt))
    return last.die


def test_draws_are_counted_by_the_game_from_nought() -> None:
    standing = alone()
    assert standing.running.draws == 1
    rolled = standing.when(Roll(), seat=1)
    assert rolled.decision().draws == (1, 1)
    after = rolled.then(Rolled(seat=1, die=die(1, None, None, None)), Chosen(seat=1, number=0))
    tally = after.when(Tally(round=1), mover="system")
    assert tally.decision().draws == (2, 1)
    assert tally.done().running.draws == 3


def test_a_command_that_draws_nothing_records_no_draws() -> None:
    assert alone().when(Stack(), seat=1).decision().draws is None


def test_moves_and_their_undo_do_not_move_the_draws() -> None:
    standing = alone()
    detour = standing.when(Stack(), seat=1).done().when(cm.Undo(seat=1)).done().when(Stack(), seat=1).done()
    assert detour.running.draws == standing.running.draws
    assert detour.when(Roll(), seat=1).decision().events == standing.when(Roll(), seat=1).decision().events


def test_a_resignation_does_not_move_the_draws() -> None:
    standing = opened(*people(ANN, BOB, "cal"))
    gone = standing.when(cm.Resign(seat=0, cause="player"), seat=0).done()
    assert gone.when(Roll(), seat=1).decision().events == standing.when(Roll(), seat=1).decision().events


def test_what_players_added_when_they_sat_down_enters_every_draw() -> None:
    decision = opened(OPEN, OPEN).when(sit(BOB, 1, "bb")).done().when(sit(ANN, 0, "aa")).decision()
    assert dealt(decision) == die(0, "aa", "bb", None)


def test_what_the_opener_added_at_the_start_enters_every_draw() -> None:
    standing = opened(*people(ANN), OPEN, start="manual").when(sit(BOB, 1, "bb")).done()
    decision = standing.when(cm.Start(player=ANN, entropy="ss")).decision()
    assert dealt(decision) == die(0, None, "bb", "ss")


def test_draws_of_the_start_are_counted_however_the_game_starts() -> None:
    by_hand = opened(*people(ANN, BOB), start="manual").when(cm.Start(player=ANN, entropy=None)).done()
    by_the_last_seat = opened(*people(ANN), OPEN).when(sit(BOB)).done()
    at_once = opened(*people(ANN, BOB))
    assert [standing.running.draws for standing in (by_hand, by_the_last_seat, at_once)] == [1, 1, 1]


def test_another_digest_gives_other_draws() -> None:
    lobby = opened(*people(ANN), OPEN)
    dice = {dealt(lobby.when(sit(BOB, 1, f"{number}")).decision()) for number in range(20)}
    assert len(dice) > 1


def test_a_table_of_bots_draws_from_the_secret_alone() -> None:
    assert dealt(nothing_yet().when(opening(bot(), bot())).decision()) == die(0, None, None, None)


def test_a_rehearsal_draws_nothing() -> None:
    with pytest.raises(ChanceRefused):
        alone().when(Roll(), seat=1).decision(rehearsal=True)
    assert alone().when(Stack(), seat=1).decision(rehearsal=True).draws is None


def test_a_lost_secret_stops_new_draws_only() -> None:
    standing = alone()._replace(secret=None)
    standing.when(Stack(), seat=1).done()
    standing.when(Choose(number=1), seat=1).done()
    refusal = standing.when(Roll(), seat=1).then_refused("secret-lost")
    assert "draw" in refusal.detail


def test_a_game_does_not_begin_without_its_secret() -> None:
    lobby = opened(*people(ANN), OPEN)._replace(secret=None)
    lobby.when(sit(BOB)).then_refused("secret-lost")


def test_a_game_that_draws_where_it_must_not_is_not_mistaken_for_one_whose_secret_is_lost() -> None:
    def draws(_state: object, _seat: int, _command: object) -> str:
        return str(NoChance().below(6))

    standing = alone()
    facts = msgspec.structs.replace(standing.running.facts, game=msgspec.structs.replace(TOY, barrier=draws))
    faulty = standing._replace(table=msgspec.structs.replace(standing.running, facts=facts))
    with pytest.raises(ChanceRefused):
        faulty.when(Stack(), seat=1).decision()


def test_a_lost_secret_is_revealed_as_lost() -> None:
    standing = opened(*people(ANN, BOB))._replace(secret=None)
    *_, last = standing.when(cm.Resign(seat=0, cause="player"), seat=0).decision().events
    assert last == ev.SecretRevealed(secret=None)
