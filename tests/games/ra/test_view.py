"""RULES.md RA-1.4 and RA-1.5: what is seen by whom."""

import pytest
from msgspec.structs import replace

from domain.games.ra import GAME
from domain.games.ra.commands import Draw, ScoreEpoch
from domain.games.ra.events import EpochScored
from domain.games.ra.state import Auction, AwaitingScore, State
from domain.kernel.chance import NoChance, SeededChance
from domain.kernel.codec import event_data
from domain.kernel.visibility import audiences_of, conceal, reveal, to_everyone, to_seat
from tests.games.ra.table import SEED, auction, ra, table, three

HIDDEN = replace(SEED, hide_scores=True)


def waiting(epoch: int = 1) -> State:
    """A game with hidden scores that waits for scoring."""
    return table(*three("god", scores=(1, 2, 3)), epoch=epoch, phase=AwaitingScore(), options=HIDDEN)


def scores(state: State, seat: int | None) -> list[int | None]:
    """The scores as the seat sees them."""
    return [player.score for player in GAME.view(state, seat).players]


def test_everything_on_the_table_is_public() -> None:
    """RA-1.4: only the next tile is unknown, and nobody knows it."""
    bidding = auction((2, 0), (1, 6))
    state = table(*three("god"), phase=bidding, track="gold funeral", ra_count=3, center_sun=7)
    view = GAME.view(state, None)
    assert view == GAME.view(state, 0) == GAME.view(state, 2)
    assert (view.track, view.track_spaces, view.ra_count, view.ra_spaces) == (("gold", "dis:funeral"), 8, 3, 8)
    assert (view.center_sun, view.epoch, view.options) == (7, 1, SEED)
    assert view.players[0].suns_up == (2, 5, 8, 13)
    assert view.players[0].tiles == ("god",)
    assert view.phase == bidding
    assert isinstance(view.phase, Auction)
    assert (view.bag["ra"], view.bag["god"], view.bag["dis:funeral"], view.removed["ra"]) == (27, 7, 1, 0)


def test_scores_are_public_unless_the_table_hides_them() -> None:
    """RA-1.5."""
    state = table(*three(scores=(1, 2, 3)))
    assert scores(state, None) == scores(state, 1) == [1, 2, 3]


def test_hidden_scores_are_seen_by_their_owner_only() -> None:
    """RA-1.5."""
    state = waiting()
    assert scores(state, 1) == [None, 2, None]
    assert scores(state, None) == [None, None, None]


def test_hidden_scores_are_shown_when_the_game_is_over() -> None:
    """RA-1.5."""
    over = ra(waiting(epoch=3)).when(None, ScoreEpoch(epoch=3)).then_including().state
    assert scores(over, None) == scores(over, 2) == [0, 0, 3]


def test_each_seat_reads_its_own_line_of_a_hidden_scoring() -> None:
    """RA-1.5."""
    event = GAME.decide(waiting(), None, ScoreEpoch(epoch=1), NoChance())[0]
    assert isinstance(event, EpochScored)
    document = {"data": event_data(event), "meta": {}}
    public, openings = conceal(document, audiences_of(event), lambda _: "00" * 16)
    seats = reveal(public, openings, to_seat(1)).document["data"]["seats"]
    assert [set(line) == {"commitment"} for line in seats] == [True, False, True]
    assert seats[1]["after"] == event.seats[1].after
    assert reveal(public, openings, to_everyone).document == document


def test_an_open_scoring_has_no_secret() -> None:
    """RA-1.5."""
    state = table(*three(), phase=AwaitingScore())
    assert GAME.decide(state, None, ScoreEpoch(epoch=1), NoChance())[0].secrets() == {}


@pytest.mark.parametrize("state", [waiting(), table(*three()), GAME.initial(4, HIDDEN, 1)])
def test_the_view_is_all_that_is_needed_to_imagine_the_game(state: State) -> None:
    """RA-1.4, RA-1.5: hidden scores are taken to equal the own, or the start."""
    for seat in (None, 0, 2):
        seen = GAME.view(state, seat)
        imagined = GAME.resample(seen, seat, SeededChance(b"imagine"))
        assert GAME.view(imagined, seat) == seen
        assert replace(imagined, players=state.players) == state


def test_what_is_hidden_is_not_imagined_from_the_truth() -> None:
    """RA-1.5."""
    imagined = GAME.resample(GAME.view(waiting(), 1), 1, NoChance())
    assert [player.score for player in imagined.players] == [2, 2, 2]
    watched = GAME.resample(GAME.view(waiting(), None), None, NoChance())
    assert [player.score for player in watched.players] == [5, 5, 5]


def test_states_are_values() -> None:
    """RA-1.4: equal games are equal and can be looked up."""
    first, second = table(*three("god"), track="gold"), table(*three("god"), track="gold")
    assert first == second
    assert len({first, second, table(*three())}) == 2
    assert GAME.legal(first, 0)[0] == Draw()
