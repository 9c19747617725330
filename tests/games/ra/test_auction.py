"""RULES.md section 5: auctions."""

import pytest

from domain.games.ra import GAME
from domain.games.ra.commands import Bid, Draw, Invoke, Pass, UseGods
from domain.games.ra.events import (
    AuctionStarted,
    AuctionWon,
    BidPlaced,
    EpochEnded,
    LotRemoved,
    Passed,
    TileDrawn,
    TilesLost,
    TurnStarted,
)
from domain.games.ra.material import AuctionKind
from domain.games.ra.state import State
from tests.games.ra.table import OFFICIAL, auction, draws, lot, player, ra, table, three
from tests.spec import Given

EIGHT = "3*nile 2*gold 2*pharaoh art"


def bidding(
    order: tuple[int, ...],
    *bids: tuple[int, int],
    kind: AuctionKind = "ra_drawn",
    track: str = "gold",
    ra_player: int = 0,
) -> Given[State]:
    """Three seats in an auction."""
    phase = auction(order, *bids, kind=kind, ra_player=ra_player)
    return ra(table(*three(), phase=phase, track=track, ra_count=2))


class TestOrder:
    def test_bids_go_clockwise_and_the_ra_player_bids_last(self) -> None:
        """RA-5.1."""
        calling = ra(table(*three(), phase=auction((1, 2, 0)), track="gold"))
        asked = [GAME.to_act(calling.state)]
        for seat in (1, 2):
            calling = calling.when(seat, Pass()).then(Passed(seat=seat, forced=False))
            asked.append(GAME.to_act(calling.state))
        assert asked == [(1,), (2,), (0,)]

    def test_who_is_out_is_left_out(self) -> None:
        """RA-5.1, RA-3.3."""
        players = (player(13), player(down=(12,)), player(11), player(down=(7, 3)))
        ra(table(*players)).when(0, Invoke()).then(AuctionStarted(ra_player=0, kind="voluntary", order=(2, 0)))

    def test_the_last_player_who_is_in_bids_alone(self) -> None:
        """RA-5.1, RA-5.7: after a Ra tile he may bid or pass."""
        alone = ra(table(player(4), player(down=(3,)), track="gold"))
        start = AuctionStarted(ra_player=0, kind="ra_drawn", order=(0,))
        drawn = draws(alone, 0, "ra").then(TileDrawn(seat=0, tile="ra"), start)
        drawn.when(0, Pass()).then(Passed(seat=0, forced=False), TurnStarted(active=0))
        drawn.when(0, Bid(sun=4)).then_including(
            BidPlaced(seat=0, sun=4), EpochEnded(epoch=1, reason="suns", removed=())
        )


class TestBid:
    def test_everybody_bids_once(self) -> None:
        """RA-5.2: a bid is open and not answered a second time."""
        bid = bidding((1, 2, 0)).when(1, Bid(sun=3)).then(BidPlaced(seat=1, sun=3))
        bid.when(1, Bid(sun=6)).then_illegal("RA-3.1", "not_your_turn")

    @pytest.mark.parametrize("sun", [1, 5, 7, 0, -3, 99])
    def test_only_an_own_sun_can_be_bid(self, sun: int) -> None:
        """RA-5.2: not the centre sun, not another's."""
        refused = bidding((1, 2, 0)).when(1, Bid(sun=sun)).then_illegal("RA-5.2", "sun_not_available")
        assert refused.detail == "Bid one of your face-up suns: 3, 6, 9, 12."

    def test_a_sun_that_lies_face_down_cannot_be_bid(self) -> None:
        """RA-5.2."""
        players = (player(13), player(3, down=(12,)))
        ra(table(*players, phase=auction((1, 0)))).when(1, Bid(sun=12)).then_illegal("RA-5.2", "sun_not_available")

    def test_a_bid_must_be_higher_than_the_best(self) -> None:
        """RA-5.3."""
        bidding((2, 0), (1, 9)).when(2, Bid(sun=7)).then_illegal("RA-5.3", "bid_too_low")

    def test_a_bid_equal_to_the_best_is_too_low(self) -> None:
        """RA-5.3: it cannot happen with real suns, of which each exists once."""
        bidding((2, 0), (1, 10)).when(2, Bid(sun=10)).then_illegal("RA-5.3", "bid_too_low")

    def test_a_higher_sun_can_be_bid(self) -> None:
        """RA-5.3."""
        bidding((2, 0), (1, 9)).when(2, Bid(sun=10)).then(BidPlaced(seat=2, sun=10))

    def test_who_cannot_beat_the_bid_passes_without_being_asked(self) -> None:
        """RA-5.4: also when somebody before him still can."""
        players = (player(13), player(12), player(8), player(4))
        players_in = ra(table(*players, phase=auction((1, 2, 3, 0)), track="gold"))
        state = players_in.when(1, Bid(sun=12)).then(
            BidPlaced(seat=1, sun=12), Passed(seat=2, forced=True), Passed(seat=3, forced=True)
        )
        assert GAME.to_act(state.state) == (0,)

    def test_a_bid_that_nobody_can_beat_ends_the_auction(self) -> None:
        """RA-5.4, RA-5.6, RA-3.5: the turn goes on from the Ra player, not from the winner."""
        players = (player(3, 4), player(5, 6), player(7, 8))
        calling = ra(table(*players, phase=auction((2, 0), kind="voluntary"), track="gold"))
        calling.when(2, Bid(sun=7)).then(
            BidPlaced(seat=2, sun=7),
            Passed(seat=0, forced=True),
            AuctionWon(seat=2, sun=7, received_sun=1, tiles=("gold",), disasters=()),
            TurnStarted(active=1),
        )

    def test_a_caller_whose_suns_are_too_low_need_not_bid(self) -> None:
        """RA-5.4, RA-5.5: somebody bid 5, he holds only 3 and 4."""
        players = (player(3, 4), player(5))
        calling = (
            ra(table(*players, track="gold"))
            .when(0, Invoke())
            .then(AuctionStarted(ra_player=0, kind="voluntary", order=(1, 0)))
        )
        calling.when(1, Bid(sun=5)).then(
            BidPlaced(seat=1, sun=5),
            Passed(seat=0, forced=True),
            AuctionWon(seat=1, sun=5, received_sun=1, tiles=("gold",), disasters=()),
            TurnStarted(active=0),
        )


class TestPass:
    @pytest.mark.parametrize("kind", ["ra_drawn", "full_track"])
    def test_the_drawer_of_a_ra_tile_or_of_the_eighth_tile_may_pass(self, kind: AuctionKind) -> None:
        """RA-5.5."""
        bidding((0,), kind=kind).when(0, Pass()).then_including(Passed(seat=0, forced=False), TurnStarted(active=1))

    def test_who_called_must_bid_when_nobody_else_did(self) -> None:
        """RA-5.5."""
        bidding((0,), kind="voluntary").when(0, Pass()).then_illegal("RA-5.5", "must_bid")

    def test_who_called_chooses_the_sun_he_must_bid(self) -> None:
        """RA-5.5."""
        assert GAME.legal(bidding((0,), kind="voluntary").state, 0) == tuple(Bid(sun=sun) for sun in (2, 5, 8, 13))

    def test_who_called_may_pass_once_somebody_has_bid(self) -> None:
        """RA-5.5."""
        bidding((0,), (1, 3), kind="voluntary").when(0, Pass()).then_including(Passed(seat=0, forced=False))

    def test_the_others_may_always_pass(self) -> None:
        """RA-5.5."""
        bidding((2, 0), kind="voluntary").when(2, Pass()).then(Passed(seat=2, forced=False))

    def test_who_called_for_an_empty_track_must_bid_too(self) -> None:
        """RA-5.5, RA-4.9."""
        bidding((0,), kind="voluntary", track="").when(0, Pass()).then_illegal("RA-5.5", "must_bid")

    def test_who_is_alone_and_calls_must_bid(self) -> None:
        """RA-5.5."""
        alone = ra(table(player(4, 6), player(down=(3,)), track="gold"))
        called = alone.when(0, Invoke()).then(AuctionStarted(ra_player=0, kind="voluntary", order=(0,)))
        called.when(0, Pass()).then_illegal("RA-5.5", "must_bid")
        called.when(0, Bid(sun=4)).then_including(TurnStarted(active=0))

    def test_who_called_on_a_full_track_had_no_choice_and_may_pass(self) -> None:
        """RA-5.5, RA-4.5: by the official rules."""
        called = ra(table(player(4), player(5), track=EIGHT, options=OFFICIAL)).when(0, Invoke())
        passed = called.then(AuctionStarted(ra_player=0, kind="full_track", order=(1, 0)))
        passed.when(1, Pass()).then(Passed(seat=1, forced=False)).when(0, Pass()).then(
            Passed(seat=0, forced=False), LotRemoved(tiles=lot("2*gold 2*pharaoh 3*nile art")), TurnStarted(active=1)
        )


class TestEnd:
    def test_the_highest_sun_takes_the_lot_and_goes_to_the_centre(self) -> None:
        """RA-5.6: the old centre sun comes to the winner face down; losing bids change nothing."""
        won = bidding((0,), (1, 6), (2, 7), track="gold art 2*nile").when(0, Pass())
        state = won.then(
            Passed(seat=0, forced=False),
            AuctionWon(seat=2, sun=7, received_sun=1, tiles=lot("gold 2*nile art"), disasters=()),
            TurnStarted(active=1),
        ).state
        winner, loser = state.players[2], state.players[1]
        assert (winner.suns_up, winner.suns_down, winner.tiles) == ((4, 10, 11), (1,), lot("gold 2*nile art"))
        assert loser.suns_up == (3, 6, 9, 12)
        assert (state.center_sun, state.track) == (7, ())

    def test_golden_auction(self) -> None:
        """RA-5.1 to RA-5.6: A draws the second Ra tile; B bids 6, C bids 7, A passes; C wins and B has the turn."""
        drawn = draws(ra(table(*three(), ra_count=1)), 0, "ra").then_including(TileDrawn(seat=0, tile="ra"))
        closed = (
            drawn.when(1, Bid(sun=6))
            .then(BidPlaced(seat=1, sun=6))
            .when(2, Bid(sun=7))
            .then(BidPlaced(seat=2, sun=7))
            .when(0, Pass())
            .then(
                Passed(seat=0, forced=False),
                AuctionWon(seat=2, sun=7, received_sun=1, tiles=(), disasters=()),
                TurnStarted(active=1),
            )
        )
        assert closed.state.center_sun == 7
        assert closed.state.players[2].suns_up == (4, 10, 11)
        assert closed.state.players[2].suns_down == (1,)

    def test_an_auction_for_nothing_swaps_suns(self) -> None:
        """RA-5.6, RA-4.9."""
        won = bidding((0,), kind="voluntary", track="").when(0, Bid(sun=2))
        state = won.then(
            BidPlaced(seat=0, sun=2),
            AuctionWon(seat=0, sun=2, received_sun=1, tiles=(), disasters=()),
            TurnStarted(active=1),
        ).state
        assert (state.players[0].suns_up, state.players[0].suns_down) == ((5, 8, 13), (1,))

    def test_disasters_in_the_lot_strike_the_winner(self) -> None:
        """RA-5.6, RA-6.1."""
        won = bidding((0,), (2, 7), track="drought gold").when(0, Pass())
        state = won.then(
            Passed(seat=0, forced=False),
            AuctionWon(seat=2, sun=7, received_sun=1, tiles=("gold",), disasters=("dis:drought",)),
            TurnStarted(active=1),
        ).state
        assert GAME.view(state, 0).removed["dis:drought"] == 1

    def test_after_a_ra_tile_that_nobody_bid_for_the_lot_stays(self) -> None:
        """RA-5.7, RA-3.5."""
        passed = bidding((0,), track="gold art").when(0, Pass())
        assert passed.then(Passed(seat=0, forced=False), TurnStarted(active=1)).state.track == ("gold", "civ:art")

    def test_a_full_track_that_nobody_bid_for_is_removed(self) -> None:
        """RA-5.7, RA-4.4."""
        passed = bidding((0,), kind="full_track", track=EIGHT).when(0, Pass())
        state = passed.then(
            Passed(seat=0, forced=False), LotRemoved(tiles=lot("2*gold 2*pharaoh 3*nile art")), TurnStarted(active=1)
        ).state
        assert state.track == ()
        assert sum(state.removed) == 8

    def test_whoever_wins_with_his_last_sun_is_out(self) -> None:
        """RA-5.8, RA-3.3: although he now owns a face-down sun."""
        players = (player(3, 5), player(9, tiles="god"), player(4))
        calling = ra(table(*players, phase=auction((1, 2, 0)), track="gold"))
        won = calling.when(1, Bid(sun=9)).then(
            BidPlaced(seat=1, sun=9),
            Passed(seat=2, forced=True),
            Passed(seat=0, forced=True),
            AuctionWon(seat=1, sun=9, received_sun=1, tiles=("gold",), disasters=()),
            TurnStarted(active=2),
        )
        won.when(1, UseGods(slots=(0,))).then_illegal("RA-3.1", "not_your_turn")
        draws(won, 2, "nile").then(TileDrawn(seat=2, tile="nile"), TurnStarted(active=0))

    def test_the_last_sun_of_all_ends_the_epoch(self) -> None:
        """RA-7.1, RA-5.8: free Ra spaces do not matter, and the losses of the lot come first."""
        players = (player(down=(3,)), player(9, tiles="pharaoh"), player(down=(4,)))
        alone = ra(table(*players, phase=auction((1,), ra_player=1), track="funeral", ra_count=5))
        alone.when(1, Bid(sun=9)).then(
            BidPlaced(seat=1, sun=9),
            AuctionWon(seat=1, sun=9, received_sun=1, tiles=(), disasters=("dis:funeral",)),
            TilesLost(seat=1, disaster="dis:funeral", tiles=("pharaoh",)),
            EpochEnded(epoch=1, reason="suns", removed=()),
        ).when(1, Draw()).then_illegal("RA-3.1", "not_your_turn")
