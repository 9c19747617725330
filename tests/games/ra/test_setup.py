"""RULES.md section 2: how the game begins."""

from msgspec.structs import replace

from domain.games.ra import GAME
from domain.games.ra.events import EpochStarted, SunsDealt
from domain.games.ra.material import COPIES, SEATINGS
from domain.games.ra.state import Turn
from domain.kernel.chance import NoChance
from tests.games.ra.table import OFFICIAL, SEED
from tests.spec import Loaded, given

BY_SEAT = replace(SEED, assign_suns="seat")


def test_all_tiles_begin_in_the_bag_and_sun_1_in_the_centre() -> None:
    """RA-2.1, RA-2.3."""
    state = GAME.initial(3, SEED, 1)
    assert state.bag == tuple(COPIES.values())
    assert not any(state.removed)
    assert (state.track, state.ra_count, state.center_sun) == ((), 0, 1)


def test_everybody_starts_with_5_points_by_the_seed_and_10_by_the_official_rules() -> None:
    """RA-2.3."""
    assert [player.score for player in GAME.initial(3, SEED, 1).players] == [5, 5, 5]
    assert [player.score for player in GAME.initial(2, OFFICIAL, 1).players] == [10, 10]
    assert [player.score for player in GAME.initial(2, replace(SEED, starting_points=0), 1).players] == [0, 0]


def test_sun_sets_are_dealt_by_chance() -> None:
    """RA-2.2: seat 0 gets the third set of the table, seat 1 the first of the two left."""
    events = GAME.setup(GAME.initial(3, SEED, 1), Loaded(2, 0))
    dealt = ((4, 7, 10, 11), (2, 5, 8, 13), (3, 6, 9, 12))
    assert events == (SunsDealt(suns=dealt), EpochStarted(epoch=1, active=1))


def test_sun_sets_can_go_to_the_seats_in_the_order_of_the_table() -> None:
    """RA-2.2."""
    for seats in GAME.seats:
        dealt, _ = GAME.setup(GAME.initial(seats, BY_SEAT, 1), NoChance())
        assert isinstance(dealt, SunsDealt)
        assert dealt.suns == tuple(tuple(reversed(own)) for own in SEATINGS[seats].sun_sets)


def test_the_holder_of_the_highest_sun_begins() -> None:
    """RA-2.4."""
    before = GAME.initial(5, SEED, 1)
    state = given(GAME, before, *GAME.setup(before, Loaded(4, 3, 2, 1))).state
    assert [max(player.suns_up) for player in state.players] == [12, 13, 14, 15, 16]
    assert all(player.suns_down == () for player in state.players)
    assert (state.epoch, state.phase) == (1, Turn(active=4))
    assert GAME.to_act(state) == (4,)


def test_nobody_acts_before_the_suns_are_dealt() -> None:
    """RA-3.1."""
    state = GAME.initial(2, SEED, 1)
    assert GAME.to_act(state) == ()
    assert GAME.legal(state, 0) == ()
    assert GAME.upkeep(state) is None
