"""RULES.md section 1: what is on the table."""

from collections import Counter

import pytest

from domain.games.ra import GAME
from domain.games.ra.material import CIVILISATIONS, COPIES, DISASTERS, MONUMENTS, SEATINGS, TRACK_SPACES
from domain.kernel.chance import SeededChance
from tests.games.ra.table import SEED


def test_the_bag_holds_180_tiles() -> None:
    """RA-1.1."""
    assert sum(COPIES.values()) == 180
    assert [COPIES[tile] for tile in ("ra", "god", "gold", "pharaoh", "nile", "flood")] == [30, 8, 5, 25, 25, 12]
    assert [COPIES[tile] for tile in CIVILISATIONS] == [5] * 5
    assert [COPIES[tile] for tile in MONUMENTS] == [5] * 8
    assert [COPIES[tile] for tile in DISASTERS] == [2, 2, 4, 2]


@pytest.mark.parametrize(
    ("seats", "highest", "each", "ra_spaces"), [(2, 9, 4, 6), (3, 13, 4, 8), (4, 13, 3, 9), (5, 16, 3, 10)]
)
def test_suns_and_ra_spaces_depend_on_the_number_of_players(
    seats: int, highest: int, each: int, ra_spaces: int
) -> None:
    """RA-1.2: every sun from 2 to the highest is in exactly one set; sun 1 lies in the centre."""
    seating = SEATINGS[seats]
    assert sorted(sun for own in seating.sun_sets for sun in own) == list(range(2, highest + 1))
    assert [len(own) for own in seating.sun_sets] == [each] * seats
    assert seating.ra_spaces == ra_spaces


def test_two_to_five_play() -> None:
    """RA-1.2."""
    assert GAME.seats == (2, 3, 4, 5)


def test_the_auction_track_has_eight_spaces() -> None:
    """RA-1.3."""
    assert TRACK_SPACES == 8


@pytest.mark.parametrize("seats", GAME.seats)
def test_no_tile_and_no_sun_is_ever_lost(seats: int) -> None:
    """RA-1.1, RA-1.2: also before setup and between the events of one command."""
    chance = SeededChance(bytes([seats]))
    state = GAME.initial(seats, SEED, 1)
    whole = Counter(COPIES) + Counter({f"sun:{sun}": 1 for sun in range(1, {2: 9, 3: 13, 4: 13, 5: 16}[seats] + 1)})
    events = GAME.setup(state, chance)
    while True:
        assert GAME.components(state) == whole
        for event in events:
            state = GAME.evolve(state, event)
            assert GAME.components(state) == whole
        if GAME.outcome(state):
            break
        system = GAME.upkeep(state)
        seat = None if system else GAME.to_act(state)[0]
        moves = (system,) if system else GAME.legal(state, GAME.to_act(state)[0])
        events = GAME.decide(state, seat, moves[chance.below(len(moves))], chance)
