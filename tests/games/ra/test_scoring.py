"""RULES.md section 8: points, with the golden examples of the rules page."""

import pytest
from msgspec.structs import replace

from domain.games.ra.events import ScoreLine
from domain.games.ra.material import Options
from domain.games.ra.scoring import civilisations, compared, lines, monuments, niles
from domain.games.ra.state import Player
from tests.games.ra.table import OFFICIAL, SEED, lot, player, table, three

BOTH = replace(SEED, all_equal="both")
NO_FLOOR = replace(SEED, score_floor=None)
EVERYTHING = (
    "5*fortress 5*obelisk 5*palace 5*pyramid 5*sphinx 5*statues 5*step_pyramid 5*temple",
    135,
)


def scored(*players: Player, epoch: int = 1, options: Options = SEED) -> tuple[ScoreLine, ...]:
    """The lines of an epoch."""
    return lines(table(*players, epoch=epoch, options=options))


def nets(*players: Player, epoch: int = 1, options: Options = SEED) -> list[int]:
    """The net totals of an epoch."""
    return [line.net for line in scored(*players, epoch=epoch, options=options)]


class TestTiles:
    def test_a_god_gives_2_and_a_gold_gives_3(self) -> None:
        """RA-8.1, RA-8.2."""
        line = scored(*three("3*god 2*gold"))[0]
        assert (line.gods, line.gold) == (6, 6)

    def test_who_is_out_still_scores_gods(self) -> None:
        """RA-8.1."""
        assert scored(player(down=(3,), tiles="2*god"), player(2))[0].gods == 4

    @pytest.mark.parametrize(
        ("held", "points"), [("4*nile", 0), ("3*flood", 3), ("4*nile flood", 5), ("2*nile 2*flood", 4), ("", 0)]
    )
    def test_the_nile_needs_a_flood(self, held: str, points: int) -> None:
        """RA-8.3."""
        assert niles(lot(held)) == points

    @pytest.mark.parametrize(
        ("held", "points"),
        [
            ("", -5),
            ("art", 0),
            ("5*art", 0),
            ("art religion", 0),
            ("2*art religion writing", 5),
            ("art religion writing astronomy", 10),
            ("art religion writing astronomy agriculture", 15),
        ],
    )
    def test_different_civilisation_tiles_count(self, held: str, points: int) -> None:
        """RA-8.4: none at all costs 5, also when the last was lost just before the end."""
        assert civilisations(lot(held)) == points

    @pytest.mark.parametrize(
        ("held", "points"),
        [
            ("", 0),
            ("temple", 1),
            ("2*temple", 1),
            ("3*temple", 6),
            ("4*temple", 11),
            ("5*obelisk", 16),
            ("4*pyramid 3*temple 2*fortress sphinx", 19),
            ("3*fortress obelisk pyramid", 8),
            ("fortress obelisk palace pyramid sphinx statues step_pyramid temple", 15),
            ("fortress obelisk palace pyramid sphinx statues 4*temple", 20),
            EVERYTHING,
        ],
    )
    def test_monuments_score_for_variety_and_for_repetition(self, held: str, points: int) -> None:
        """RA-8.7: golden examples G2, G3 and G10."""
        assert monuments(lot(held)) == points

    def test_monuments_score_after_the_third_epoch_only(self) -> None:
        """RA-8.7."""
        players = three("3*temple")
        assert [scored(*players, epoch=epoch)[0].monuments for epoch in (1, 2, 3)] == [0, 0, 6]


class TestComparisons:
    @pytest.mark.parametrize(
        ("pharaohs", "points"),
        [
            ((3, 3, 1), (5, 5, -2)),
            ((2, 2, 2), (0, 0, 0)),
            ((0, 0, 0), (0, 0, 0)),
            ((4, 0, 0), (5, -2, -2)),
            ((4, 2, 1), (5, 0, -2)),
            ((1, 0), (5, -2)),
        ],
    )
    def test_most_pharaohs_gain_and_fewest_lose(self, pharaohs: tuple[int, ...], points: tuple[int, ...]) -> None:
        """RA-8.5, RA-8.6: none at all is an amount like any other."""
        held = [f"{count}*pharaoh" if count else "" for count in pharaohs]
        players = [player(seat + 2, tiles=tiles) for seat, tiles in enumerate(held)]
        assert tuple(line.pharaohs for line in scored(*players)) == points

    def test_by_the_letter_of_the_seed_all_equal_take_both(self) -> None:
        """RA-8.6: pharaohs +5 and -2, suns +5 and -5."""
        lines_of = scored(player(2, 5), player(3, 4), epoch=3, options=BOTH)
        assert [(line.pharaohs, line.suns) for line in lines_of] == [(3, 0), (3, 0)]
        assert [line.pharaohs for line in scored(*three("pharaoh"), options=BOTH)] == [5, -2, -2]

    def test_suns_are_compared_after_the_third_epoch_only(self) -> None:
        """RA-8.8: face up or down, without the sun in the centre."""
        players = (player(13, 11, down=(12,)), player(2, 3, down=(4, 5, 6, 7)), player(8, 9, 10))
        assert [line.suns for line in scored(*players, epoch=2)] == [0, 0, 0]
        assert [line.suns for line in scored(*players, epoch=3)] == [5, -5, -5]

    def test_all_sun_totals_equal_score_nothing(self) -> None:
        """RA-8.6, RA-8.8."""
        assert [line.suns for line in scored(player(2, 5), player(3, 4), epoch=3)] == [0, 0]

    def test_who_lies_between_scores_nothing(self) -> None:
        """RA-8.5, RA-8.8."""
        assert compared((7, 3, 5, 3), 5, -2, both=False) == (5, -2, 0, -2)


class TestTotals:
    def test_golden_example_1(self) -> None:
        """RA-8.1 to RA-8.8: in an early epoch, and the same position at the end."""
        rich = player(1, 5, 6, 9, tiles="god gold pharaoh nile flood astronomy fortress")
        poor = player(3, 4, 7, 8)
        assert nets(rich, poor, epoch=1) == [12, -7]
        assert nets(rich, poor, epoch=3) == [8, -2]

    @pytest.mark.parametrize(("options", "after"), [(SEED, [18, 9, 17]), (OFFICIAL, [23, 14, 22])])
    def test_golden_example_4(self, options: Options, after: list[int]) -> None:
        """RA-8.1 to RA-8.5."""
        held = ("3*pharaoh 4*nile flood 2*art writing gold", "3*pharaoh 2*nile 2*god", "pharaoh 2*flood art religion")
        start = options.starting_points
        players = three(held[0], held[1], held[2] + " astronomy writing god", scores=(start, start, start))
        result = scored(*players, options=options)
        assert [line.net for line in result] == [13, 4, 12]
        assert result[0] == ScoreLine(
            gods=0,
            gold=3,
            niles=5,
            civilisations=0,
            pharaohs=5,
            monuments=0,
            suns=0,
            net=13,
            before=start,
            after=after[0],
        )
        assert [line.after for line in result] == after

    def test_no_score_falls_below_zero(self) -> None:
        """RA-8.9: golden example G5; the whole net of an epoch counts, then the floor."""
        for start, first, second in ((5, 0, 6), (10, 3, 9)):
            line = scored(player(9, tiles="pharaoh"), player(2, score=start))[1]
            assert (line.net, line.before, line.after) == (-7, start, first)
            better = scored(player(9), player(2, tiles="art 3*god", score=first))[1]
            assert (better.net, better.after) == (6, second)

    def test_without_a_floor_scores_may_be_negative(self) -> None:
        """RA-8.9."""
        assert scored(player(9, tiles="pharaoh"), player(2, score=2), options=NO_FLOOR)[1].after == -5

    def test_the_floor_comes_after_the_whole_epoch(self) -> None:
        """RA-8.9: -7 for tiles and +5 for suns are -2 together."""
        line = scored(player(2, tiles="pharaoh"), player(9, score=1), epoch=3)[1]
        assert (line.net, line.after) == (-2, 0)
