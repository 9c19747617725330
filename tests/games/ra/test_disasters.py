"""RULES.md section 6: disasters."""

import pytest

from domain.games.ra import GAME
from domain.games.ra.commands import Bid, DiscardTiles, UseGods
from domain.games.ra.events import (
    AuctionWon,
    BidPlaced,
    Demand,
    DiscardDemanded,
    EpochEnded,
    TilesDiscarded,
    TilesLost,
    TurnStarted,
)
from domain.games.ra.material import Disaster
from domain.games.ra.state import Discard, State, ordered
from tests.games.ra.table import auction, lot, player, ra, table, three
from tests.spec import Given

UNREST: Disaster = "dis:unrest"
EARTHQUAKE: Disaster = "dis:earthquake"


def struck(held: str, track: str) -> Given[State]:
    """Seat 0 has won the lot with its highest sun."""
    before = ra(table(*three(held), phase=auction((0,)), track=track))
    return before.when(0, Bid(sun=13)).then_including()


def discarding(held: str, *due: tuple[Disaster, int]) -> Given[State]:
    """Seat 0 has to choose."""
    demands = tuple(Demand(disaster=disaster, count=count) for disaster, count in due)
    return ra(table(*three(held), phase=Discard(seat=0, after=0, due=demands)))


class TestWithoutChoice:
    @pytest.mark.parametrize(
        ("held", "track", "left"),
        [
            ("3*pharaoh nile", "funeral", "pharaoh nile"),
            ("pharaoh", "funeral pharaoh", ""),
            ("pharaoh gold", "funeral", "gold"),
            ("gold", "funeral", "gold"),
            ("5*pharaoh", "2*funeral", "pharaoh"),
            ("flood 3*nile", "drought", "2*nile"),
            ("3*flood 2*nile", "drought", "flood 2*nile"),
            ("flood 2*nile", "2*drought", ""),
            ("gold", "drought", "gold"),
            ("2*art gold", "unrest", "gold"),
            ("art religion", "unrest", ""),
            ("art", "unrest", ""),
            ("gold", "unrest", "gold"),
            ("art religion writing 3*god", "2*unrest", "3*god"),
            ("fortress temple", "earthquake", ""),
            ("temple", "earthquake", ""),
            ("gold", "earthquake", "gold"),
            ("temple 2*fortress obelisk", "2*earthquake", ""),
        ],
    )
    def test_two_tiles_are_lost_for_each_disaster_or_what_there_is(self, held: str, track: str, left: str) -> None:
        """RA-6.1 to RA-6.6: tiles of the same lot count; of a drought floods go first."""
        after = struck(held, track)
        assert after.state.players[0].tiles == ordered(lot(left))
        assert GAME.to_act(after.state) == (1,)

    @pytest.mark.parametrize(
        ("held", "track", "left"),
        [
            ("3*fortress", "earthquake", "fortress"),
            ("4*art gold", "unrest", "gold 2*art"),
            ("5*art", "2*unrest", "art"),
        ],
    )
    def test_equal_tiles_are_no_choice(self, held: str, track: str, left: str) -> None:
        """RA-6.6."""
        after = struck(held, track)
        assert after.state.players[0].tiles == ordered(lot(left))
        assert GAME.to_act(after.state) == (1,)

    def test_the_disaster_itself_is_never_kept(self) -> None:
        """RA-6.1."""
        after = struck("gold", "funeral drought unrest earthquake")
        assert after.state.players[0].tiles == ("gold",)
        removed = GAME.view(after.state, 0).removed
        assert [removed[tile] for tile in lot("funeral drought unrest earthquake")] == [1, 1, 1, 1]

    def test_a_drought_that_finds_nothing_is_not_told(self) -> None:
        """RA-6.3."""
        before = ra(table(*three("gold"), phase=auction((0,)), track="drought"))
        before.when(0, Bid(sun=13)).then(
            BidPlaced(seat=0, sun=13),
            AuctionWon(seat=0, sun=13, received_sun=1, tiles=(), disasters=("dis:drought",)),
            TurnStarted(active=1),
        )

    def test_lost_tiles_are_removed_from_the_game(self) -> None:
        """RA-6.1."""
        removed = GAME.view(struck("flood 2*nile", "2*drought").state, 0).removed
        assert (removed["flood"], removed["nile"], removed["dis:drought"]) == (1, 2, 2)


class TestChoice:
    def test_the_owner_of_more_chooses_what_goes(self) -> None:
        """RA-6.4, RA-6.6."""
        before = ra(table(*three("art religion writing"), phase=auction((0,)), track="unrest"))
        due = (Demand(disaster=UNREST, count=2),)
        after = before.when(0, Bid(sun=13)).then_including(DiscardDemanded(seat=0, after=0, due=due))
        assert GAME.to_act(after.state) == (0,)
        chosen = DiscardTiles(civilisations=("civ:writing", "civ:art"))
        state = (
            after.when(0, chosen)
            .then(
                TilesDiscarded(seat=0, disaster=UNREST, tiles=("civ:art", "civ:writing")),
                TurnStarted(active=1),
            )
            .state
        )
        assert state.players[0].tiles == ("civ:religion",)

    def test_two_disasters_of_a_kind_strike_together(self) -> None:
        """RA-6.5: four monuments at once."""
        after = struck("3*temple 2*obelisk", "2*earthquake")
        assert after.state.phase == Discard(seat=0, after=0, due=(Demand(disaster=EARTHQUAKE, count=4),))

    def test_losses_without_choice_come_before_choices(self) -> None:
        """RA-6.6: then civilisation tiles before monuments, one answer for each."""
        held = "pharaoh art religion writing flood temple obelisk palace"
        using = ra(table(*three(f"{held} 4*god"), track="earthquake unrest drought funeral"))
        due = (Demand(disaster=UNREST, count=2), Demand(disaster=EARTHQUAKE, count=2))
        after = using.when(0, UseGods(slots=(0, 1, 2, 3))).then_including(
            TilesLost(seat=0, disaster="dis:funeral", tiles=("pharaoh",)),
            TilesLost(seat=0, disaster="dis:drought", tiles=("flood",)),
            DiscardDemanded(seat=0, after=0, due=due),
        )
        first = after.when(0, DiscardTiles(civilisations=("civ:art", "civ:religion"))).then(
            TilesDiscarded(seat=0, disaster=UNREST, tiles=("civ:art", "civ:religion"))
        )
        assert GAME.to_act(first.state) == (0,)
        first.when(0, DiscardTiles(monuments=("mon:temple", "mon:palace"))).then(
            TilesDiscarded(seat=0, disaster=EARTHQUAKE, tiles=("mon:palace", "mon:temple")), TurnStarted(active=1)
        )

    def test_an_unrest_without_choice_comes_before_an_earthquake_with_one(self) -> None:
        """RA-6.6."""
        after = struck("2*art temple obelisk palace", "earthquake unrest")
        assert after.state.players[0].tiles == lot("obelisk palace temple")
        assert after.state.phase == Discard(seat=0, after=0, due=(Demand(disaster=EARTHQUAKE, count=2),))

    @pytest.mark.parametrize(
        "command",
        [
            DiscardTiles(),
            DiscardTiles(civilisations=("civ:art",)),
            DiscardTiles(civilisations=("civ:art", "civ:religion", "civ:writing")),
            DiscardTiles(civilisations=("civ:art", "civ:religion"), monuments=("mon:temple",)),
            DiscardTiles(monuments=("mon:temple", "mon:obelisk")),
        ],
    )
    def test_exactly_the_tiles_that_are_due_are_given_up(self, command: DiscardTiles) -> None:
        """RA-6.7: and none of the other group, even when it is due next."""
        due = discarding("art religion writing temple obelisk palace", (UNREST, 2), (EARTHQUAKE, 2))
        due.when(0, command).then_illegal("RA-6.7", "wrong_discard_count")

    def test_monuments_are_given_up_to_an_earthquake(self) -> None:
        """RA-6.7."""
        due = discarding("art religion writing temple obelisk palace", (EARTHQUAKE, 2))
        command = DiscardTiles(civilisations=("civ:art", "civ:religion"))
        refused = due.when(0, command).then_illegal("RA-6.7", "wrong_discard_count")
        assert refused.detail == "Give up exactly 0 civilisation tiles and 2 monuments."

    @pytest.mark.parametrize(
        "command",
        [DiscardTiles(civilisations=("civ:art", "civ:art")), DiscardTiles(civilisations=("civ:astronomy", "civ:art"))],
    )
    def test_only_owned_tiles_can_be_given_up(self, command: DiscardTiles) -> None:
        """RA-6.7: each as often as it is owned."""
        due = discarding("art religion writing", (UNREST, 2))
        due.when(0, command).then_illegal("RA-6.7", "not_owned")

    def test_others_wait_for_the_choice(self) -> None:
        """RA-3.1."""
        due = discarding("art religion writing", (UNREST, 2))
        due.when(1, DiscardTiles(civilisations=("civ:art", "civ:religion"))).then_illegal("RA-3.1", "not_your_turn")

    def test_after_the_last_sun_the_epoch_ends_when_the_choice_is_made(self) -> None:
        """RA-6.8, RA-7.1."""
        players = (player(9, tiles="art religion writing"), player(down=(4,)))
        alone = ra(table(*players, phase=auction((0,)), track="unrest"))
        due = (Demand(disaster=UNREST, count=2),)
        chosen = alone.when(0, Bid(sun=9)).then_including(DiscardDemanded(seat=0, after=0, due=due))
        chosen.when(0, DiscardTiles(civilisations=("civ:art", "civ:religion"))).then(
            TilesDiscarded(seat=0, disaster=UNREST, tiles=("civ:art", "civ:religion")),
            EpochEnded(epoch=1, reason="suns", removed=()),
        )

    def test_after_the_choice_the_turn_goes_on_from_the_ra_player(self) -> None:
        """RA-6.8, RA-3.5: not from the winner."""
        phase = auction((0,), ra_player=2)
        after = ra(table(*three("art religion writing"), phase=phase, track="unrest")).when(0, Bid(sun=13))
        demand = DiscardDemanded(seat=0, after=2, due=(Demand(disaster=UNREST, count=2),))
        chosen = DiscardTiles(civilisations=("civ:art", "civ:religion"))
        after.then_including(demand).when(0, chosen).then_including(TurnStarted(active=0))
