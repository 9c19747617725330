"""RULES.md section 10: the list of legal moves and what can be taken back."""

import pytest

from domain.games.ra import GAME
from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, Pass, PlayerCommand, UseGods
from domain.games.ra.events import Demand
from domain.games.ra.material import Civilisation, Disaster, Options
from domain.games.ra.state import AwaitingScore, Discard, Phase, State, Turn
from domain.kernel.chance import SeededChance
from domain.kernel.errors import IllegalCommand
from tests.games.ra.candidates import candidates
from tests.games.ra.table import OFFICIAL, SEED, auction, player, table, three

ALL_CIVILISATIONS = "5*art 5*agriculture 5*religion 5*astronomy 5*writing"
ALL_MONUMENTS = "5*fortress 5*obelisk 5*palace 5*pyramid 5*sphinx 5*statues 5*step_pyramid 5*temple"


def to_discard(held: str, disaster: Disaster, count: int) -> State:
    """Seat 0 has to choose."""
    return table(*three(held), phase=Discard(seat=0, after=0, due=(Demand(disaster=disaster, count=count),)))


def accepted(state: State, seat: int) -> list[PlayerCommand]:
    """What `decide` does not refuse."""

    def passes(command: PlayerCommand) -> bool:
        try:
            return bool(GAME.decide(state, seat, command, SeededChance(b"any")))
        except IllegalCommand:
            return False

    return [command for command in candidates(state, seat) if passes(command)]


class TestOrder:
    def test_a_turn_lists_draw_then_call_then_gods(self) -> None:
        """RA-10.1: fewer gods first, then by slots; no slot with a god."""
        state = table(*three("2*god"), track="gold god nile flood")
        gods = [(0,), (2,), (3,), (0, 2), (0, 3), (2, 3)]
        assert GAME.legal(state, 0) == (Draw(), Invoke(), *(UseGods(slots=slots) for slots in gods))

    def test_more_gods_than_tiles_take_what_there_is(self) -> None:
        """RA-10.1."""
        assert GAME.legal(table(*three("3*god"), track="gold"), 0) == (Draw(), Invoke(), UseGods(slots=(0,)))

    def test_on_a_full_track_the_call_comes_first(self) -> None:
        """RA-10.1, RA-4.5."""
        state = table(*three("8*god"), track="8*nile", options=OFFICIAL)
        moves = GAME.legal(state, 0)
        assert moves[0] == Invoke()
        assert len(moves) == 256

    def test_a_bidder_may_pass_or_bid_higher_lowest_first(self) -> None:
        """RA-10.1."""
        state = table(*three(), phase=auction((2, 0), (1, 9)))
        assert GAME.legal(state, 2) == (Pass(), Bid(sun=10), Bid(sun=11))

    def test_who_must_bid_has_no_pass(self) -> None:
        """RA-10.1, RA-5.5: the idle move is his lowest sun."""
        state = table(*three(), phase=auction((0,), kind="voluntary"))
        assert GAME.legal(state, 0) == (Bid(sun=2), Bid(sun=5), Bid(sun=8), Bid(sun=13))

    def test_discards_that_lose_no_id_completely_come_first(self) -> None:
        """RA-10.1: then in the order of the tile table."""
        expected: list[tuple[Civilisation, ...]] = [
            ("civ:religion", "civ:religion"),
            ("civ:art", "civ:religion"),
            ("civ:religion", "civ:writing"),
            ("civ:art", "civ:writing"),
        ]
        state = to_discard("art 3*religion writing", "dis:unrest", 2)
        assert GAME.legal(state, 0) == tuple(DiscardTiles(civilisations=ids) for ids in expected)

    @pytest.mark.parametrize(
        ("held", "disaster", "copies", "choices"),
        [
            (ALL_CIVILISATIONS, "dis:unrest", 1, 15),
            (ALL_CIVILISATIONS, "dis:unrest", 2, 70),
            (ALL_CIVILISATIONS, "dis:unrest", 3, 205),
            (ALL_CIVILISATIONS, "dis:unrest", 4, 420),
            (ALL_MONUMENTS, "dis:earthquake", 1, 36),
            (ALL_MONUMENTS, "dis:earthquake", 2, 330),
        ],
    )
    def test_equal_tiles_are_listed_once(self, held: str, disaster: Disaster, copies: int, choices: int) -> None:
        """RA-10.1."""
        moves = GAME.legal(to_discard(held, disaster, 2 * copies), 0)
        assert len(moves) == len(set(moves)) == choices

    @pytest.mark.parametrize("phase", [Turn(active=0), auction((0, 1)), AwaitingScore()])
    def test_who_is_not_to_act_has_no_moves(self, phase: Phase) -> None:
        """RA-10.1, RA-3.1."""
        state = table(*three(), phase=phase)
        assert GAME.legal(state, 2) == ()


class TestComplete:
    @pytest.mark.parametrize(
        "state",
        [
            table(*three("2*god"), track="gold god nile funeral"),
            table(*three("3*god"), track="god 7*nile", options=OFFICIAL),
            table(*three(), phase=auction((1, 2, 0))),
            table(*three(), phase=auction((2, 0), (1, 9))),
            table(*three(), phase=auction((0,), kind="voluntary")),
            to_discard("3*art religion writing temple", "dis:unrest", 4),
            to_discard("3*temple fortress obelisk art", "dis:earthquake", 2),
            table(*three(), phase=AwaitingScore()),
        ],
    )
    def test_the_list_holds_exactly_what_is_accepted(self, state: State) -> None:
        """RA-10.1: legal equals brute force."""
        for seat in range(3):
            moves = GAME.legal(state, seat)
            assert set(moves) == set(accepted(state, seat))
            assert len(set(moves)) == len(moves)


class TestUndo:
    @pytest.mark.parametrize("options", [SEED, OFFICIAL])
    def test_a_draw_reveals_a_tile(self, options: Options) -> None:
        """RA-10.2: also for the last player who is in."""
        assert GAME.barrier(table(player(3), player(down=(2,)), options=options), 0, Draw()) == "reveals_tile"

    def test_using_gods_passes_the_turn(self) -> None:
        """RA-10.2."""
        assert GAME.barrier(table(*three("god"), track="gold"), 0, UseGods(slots=(0,))) == "passes_turn"

    def test_using_gods_is_free_while_the_own_discard_follows(self) -> None:
        """RA-10.2."""
        state = table(*three("god art religion writing"), track="unrest")
        assert GAME.barrier(state, 0, UseGods(slots=(0,))) is None

    def test_who_is_alone_can_take_back_gods_and_a_call(self) -> None:
        """RA-10.2."""
        alone = table(player(3, tiles="god"), player(down=(2,)), track="gold")
        assert GAME.barrier(alone, 0, UseGods(slots=(0,))) is None
        assert GAME.barrier(alone, 0, Invoke()) is None

    def test_a_call_passes_the_turn_to_the_bidders(self) -> None:
        """RA-10.2."""
        assert GAME.barrier(table(*three()), 0, Invoke()) == "passes_turn"

    def test_an_answer_passes_the_turn_to_the_next_bidder(self) -> None:
        """RA-10.2."""
        state = table(*three(), phase=auction((1, 2, 0)))
        assert GAME.barrier(state, 1, Pass()) == "passes_turn"
        assert GAME.barrier(state, 1, Bid(sun=3)) == "passes_turn"

    def test_an_answer_that_leads_to_the_own_turn_is_free(self) -> None:
        """RA-10.2: he closes the auction and is the next after the Ra player."""
        state = table(player(3, 4), player(5, 6), phase=auction((1,), (0, 4), kind="full_track", ra_player=0))
        assert GAME.barrier(state, 1, Pass()) is None
        assert GAME.barrier(state, 1, Bid(sun=5)) is None

    def test_a_bid_that_nobody_can_beat_may_be_free(self) -> None:
        """RA-10.2, RA-5.4: the others pass by themselves, then it is his turn."""
        state = table(*three(), phase=auction((1, 2, 0)), track="gold")
        assert GAME.barrier(state, 1, Bid(sun=12)) == "passes_turn"
        assert GAME.barrier(table(player(4), player(8, 9), phase=auction((1, 0))), 1, Bid(sun=8)) is None

    def test_a_bid_is_free_while_the_own_discard_follows(self) -> None:
        """RA-10.2."""
        state = table(*three("art religion writing"), phase=auction((0,)), track="unrest")
        assert GAME.barrier(state, 0, Bid(sun=13)) is None

    def test_the_last_sun_ends_the_epoch(self) -> None:
        """RA-10.2."""
        assert GAME.barrier(table(player(9), player(down=(4,)), phase=auction((0,))), 0, Bid(sun=9)) == "ends_epoch"

    def test_a_discard_that_another_follows_is_free(self) -> None:
        """RA-10.2."""
        due = (Demand(disaster="dis:unrest", count=2), Demand(disaster="dis:earthquake", count=2))
        held = "art religion writing temple obelisk palace"
        state = table(*three(held), phase=Discard(seat=0, after=0, due=due))
        assert GAME.barrier(state, 0, GAME.legal(state, 0)[0]) is None

    def test_the_last_discard_passes_the_turn_or_ends_the_epoch(self) -> None:
        """RA-10.2: unless he has the next turn himself."""
        due = (Demand(disaster="dis:unrest", count=2),)
        state = to_discard("art religion writing", "dis:unrest", 2)
        move = GAME.legal(state, 0)[0]
        assert GAME.barrier(state, 0, move) == "passes_turn"
        own = table(*three("art religion writing"), phase=Discard(seat=0, after=2, due=due))
        assert GAME.barrier(own, 0, move) is None
        out = player(down=(9,), tiles="art religion writing")
        last = table(out, player(down=(4,)), phase=Discard(seat=0, after=0, due=due))
        assert GAME.barrier(last, 0, move) == "ends_epoch"
