"""The greedy bot: it plays by what it sees, always legally, and far better than chance."""

from collections.abc import Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from bench.matches import Decision, play, seated
from domain.games.ra import GAME
from domain.games.ra.bot import GREEDY
from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, Pass, UseGods
from domain.games.ra.events import Demand
from domain.games.ra.material import PRESETS, SEATINGS, Options
from domain.games.ra.state import Discard, State, to_act
from domain.kernel.bots import RANDOM
from domain.kernel.chance import NoChance
from domain.kernel.messages import Command
from tests.games.ra.table import OFFICIAL, SEED, auction, player, table, three

TABLES = [(seats, preset) for seats in SEATINGS for preset in PRESETS]

per_table = pytest.mark.parametrize(("seats", "preset"), TABLES)


@cache
def decisions(seats: int, options: Options) -> tuple[Decision, ...]:
    """All that greedy bots decided in a game among themselves, some of them replaced by random ones."""
    bots = [GREEDY, RANDOM, GREEDY, GREEDY, RANDOM][:seats]
    played = play(GAME, bots, f"greedy/{seats}", options)
    return tuple(made for made in played.decisions if bots[made.seat] is GREEDY)


def choice(state: State) -> Command:
    """What the bot does when it is to act."""
    (seat,) = to_act(state)
    return GREEDY.choose(GAME.view(state, seat), seat, GAME.legal(state, seat), NoChance())


@per_table
def test_it_makes_legal_moves_only(seats: int, preset: str) -> None:
    made = decisions(seats, PRESETS[preset])
    assert made
    assert [one for one in made if one.command not in one.legal] == []


@per_table
def test_it_does_the_same_when_it_sees_the_same(seats: int, preset: str) -> None:
    made = decisions(seats, PRESETS[preset])[::3]
    assert [choice(one.before) for one in made] == [one.command for one in made]


def test_it_needs_no_score_hidden_or_not() -> None:
    for made in decisions(3, replace(SEED, hide_scores=True))[::3]:
        view = GAME.view(made.before, made.seat)
        assert {seat for seat, one in enumerate(view.players) if one.score is not None} == {made.seat}
        blind = replace(view, players=tuple(replace(one, score=None) for one in view.players))
        assert GREEDY.choose(blind, made.seat, made.legal, NoChance()) == made.command


def test_it_beats_random_players() -> None:
    def wins() -> Iterator[bool]:
        for deal in range(20):
            for place in range(3):
                played = play(GAME, seated(GREEDY, RANDOM, place, 3), f"floor/{deal}")
                yield place in played.outcome.winners

    assert sum(wins()) >= 36  # 60 %; measured: bench/results/bots.json


def test_it_draws_when_there_is_nothing_to_win() -> None:
    assert choice(table(*three())) == Draw()


def test_it_bids_the_lowest_sun_that_wins() -> None:
    rich = "gold god art religion flood nile nile"
    assert choice(table(*three(), track=rich, phase=auction((0,), (1, 3)))) == Bid(sun=5)
    assert choice(table(*three(), track=rich, phase=auction((0,), (1, 6)))) == Bid(sun=8)


def test_it_lets_a_disaster_pass() -> None:
    rich_in_monuments = three("2*pyramid temple sphinx")
    assert choice(table(*rich_in_monuments, track="earthquake", phase=auction((0,)))) == Pass()


def test_forced_to_bid_it_gives_its_lowest_sun() -> None:
    called = auction((0,), kind="voluntary")
    assert choice(table(*three("2*pyramid temple"), track="earthquake", phase=called)) == Bid(sun=2)


def test_it_gives_up_spare_tiles() -> None:
    unrest = Discard(seat=0, after=0, due=(Demand(disaster="dis:unrest", count=2),))
    assert choice(table(*three("3*art religion astronomy"), phase=unrest)) == DiscardTiles(
        civilisations=("civ:art", "civ:art")
    )
    earthquake = Discard(seat=0, after=0, due=(Demand(disaster="dis:earthquake", count=2),))
    assert choice(table(*three("3*temple 2*pyramid sphinx"), phase=earthquake, epoch=3, ra_count=7)) == DiscardTiles(
        monuments=("mon:pyramid", "mon:sphinx")
    )


def test_it_spends_a_god_where_it_would_be_overbid() -> None:
    poor, rich = player(2, down=(5, 8, 13), tiles="god art religion"), player(12, 9, down=(6, 3), tiles="art religion")
    state = table(poor, rich, player(10, 11, down=(4, 7)), track="pharaoh writing nile", ra_count=7)
    assert choice(state) == UseGods(slots=(1,))


def test_it_keeps_its_gods_when_the_track_has_little() -> None:
    assert not isinstance(choice(table(*three("god"), track="nile")), UseGods)


def test_alone_it_goes_on_drawing_as_long_as_ra_is_far() -> None:
    alone = (player(13, down=(2, 5, 8)), player(down=(3, 6, 9, 12)), player(down=(4, 7, 10, 11)))
    assert choice(table(*alone, track="gold art religion writing", ra_count=2)) == Draw()


def test_alone_it_takes_a_rich_track_before_the_last_ra_tile() -> None:
    alone = (player(13, down=(2, 5, 8)), player(down=(3, 6, 9, 12)), player(down=(4, 7, 10, 11)))
    assert choice(table(*alone, track="2*gold art religion writing 2*pharaoh", ra_count=7)) == Invoke()


def test_it_adds_an_eighth_tile_to_a_poor_track_as_it_then_may_pass() -> None:
    assert choice(table(*three(), track="2*earthquake 2*drought 2*funeral unrest", options=SEED)) == Draw()
    assert choice(table(*three(), track="2*earthquake 2*drought 2*funeral unrest", options=OFFICIAL)) == Draw()


def test_on_a_full_track_it_calls() -> None:
    assert choice(table(*three(), track="2*gold art religion writing 2*pharaoh nile", options=OFFICIAL)) == Invoke()
