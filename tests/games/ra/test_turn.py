"""RULES.md sections 3 and 4: whose turn it is and what can be done with it."""

import pytest

from domain.games.ra import GAME
from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, Pass, UseGods
from domain.games.ra.events import (
    AuctionStarted,
    Demand,
    DiscardDemanded,
    EpochEnded,
    GodsUsed,
    LotRemoved,
    Passed,
    TileDrawn,
    TilesLost,
    TurnStarted,
)
from domain.games.ra.state import AwaitingScore, Discard, Turn
from domain.kernel.codec import Codec
from domain.kernel.errors import InvalidInput
from tests.games.ra.table import OFFICIAL, auction, draws, lot, player, ra, table, three

SEVEN = "3*nile 2*gold pharaoh art"
EIGHT = "3*nile 2*gold 2*pharaoh art"


class TestWhoseTurn:
    def test_only_the_seat_whose_turn_it_is_may_act(self) -> None:
        """RA-3.1."""
        ra(table(*three())).when(1, Draw()).then_illegal("RA-3.1", "not_your_turn")

    def test_the_service_makes_no_player_s_move(self) -> None:
        """RA-3.1."""
        ra(table(*three())).when(None, Draw()).then_illegal("RA-3.1", "not_your_turn")

    def test_a_bidder_waits_until_he_is_asked(self) -> None:
        """RA-3.1."""
        bidding = ra(table(*three(), phase=auction((1, 2, 0))))
        bidding.when(2, Bid(sun=11)).then_illegal("RA-3.1", "not_your_turn")
        bidding.when(0, Draw()).then_illegal("RA-3.1", "not_your_turn")

    def test_nobody_plays_while_the_epoch_waits_for_its_scoring(self) -> None:
        """RA-3.1."""
        waiting = ra(table(*three(), phase=AwaitingScore()))
        for command in (Draw(), Invoke(), Pass()):
            waiting.when(0, command).then_illegal("RA-3.1", "not_your_turn")

    @pytest.mark.parametrize("command", [Pass(), Bid(sun=5), DiscardTiles()])
    def test_a_turn_is_no_time_to_bid_or_discard(self, command: Pass | Bid | DiscardTiles) -> None:
        """RA-3.2: and no turn can be passed."""
        ra(table(*three())).when(0, command).then_illegal("RA-3.2", "wrong_phase")

    @pytest.mark.parametrize("command", [Draw(), Invoke(), UseGods(slots=(0,)), DiscardTiles()])
    def test_a_bidder_can_only_bid_or_pass(self, command: Draw | Invoke | UseGods | DiscardTiles) -> None:
        """RA-3.2."""
        ra(table(*three(), phase=auction((0,)))).when(0, command).then_illegal("RA-3.2", "wrong_phase")

    @pytest.mark.parametrize("command", [Draw(), Invoke(), UseGods(slots=(0,)), Pass(), Bid(sun=5)])
    def test_who_has_to_discard_can_do_nothing_else(self, command: Draw | Invoke | UseGods | Pass | Bid) -> None:
        """RA-3.2."""
        phase = Discard(seat=0, after=0, due=(Demand(disaster="dis:unrest", count=2),))
        ra(table(*three("art religion writing"), phase=phase)).when(0, command).then_illegal("RA-3.2", "wrong_phase")

    def test_the_turn_goes_clockwise_past_those_who_are_out(self) -> None:
        """RA-3.3, RA-3.4."""
        players = (player(13), player(down=(3, 7, 12)), player(4, 8), player(5))
        draws(ra(table(*players)), 0, "nile").then(TileDrawn(seat=0, tile="nile"), TurnStarted(active=2))

    def test_the_last_player_who_is_in_takes_turn_after_turn(self) -> None:
        """RA-3.3, RA-3.4."""
        alone = ra(table(player(4, down=(2,)), player(down=(3, 5))))
        once = draws(alone, 0, "nile").then(TileDrawn(seat=0, tile="nile"), TurnStarted(active=0))
        draws(once, 0, "gold").then(TileDrawn(seat=0, tile="gold"), TurnStarted(active=0))


class TestDraw:
    def test_a_tile_is_laid_on_the_auction_track_and_the_turn_passes(self) -> None:
        """RA-4.1."""
        drawn = draws(ra(table(*three(), track="gold")), 0, "temple")
        state = drawn.then(TileDrawn(seat=0, tile="mon:temple"), TurnStarted(active=1)).state
        assert state.track == ("gold", "mon:temple")
        assert sum(state.bag) == 178

    def test_a_disaster_waits_on_the_track_like_any_tile(self) -> None:
        """RA-4.1."""
        drawn = draws(ra(table(*three("3*pharaoh"))), 0, "funeral")
        assert drawn.then(TileDrawn(seat=0, tile="dis:funeral"), TurnStarted(active=1)).state.track == ("dis:funeral",)

    def test_a_ra_tile_starts_an_auction(self) -> None:
        """RA-4.2."""
        state = (
            draws(ra(table(*three(), track="gold", ra_count=1)), 0, "ra")
            .then(TileDrawn(seat=0, tile="ra"), AuctionStarted(ra_player=0, kind="ra_drawn", order=(1, 2, 0)))
            .state
        )
        assert (state.ra_count, state.track) == (2, ("gold",))

    def test_a_ra_tile_starts_an_auction_even_for_nothing(self) -> None:
        """RA-4.2."""
        draws(ra(table(*three())), 0, "ra").then(
            TileDrawn(seat=0, tile="ra"), AuctionStarted(ra_player=0, kind="ra_drawn", order=(1, 2, 0))
        )

    @pytest.mark.parametrize(("players", "spaces"), [(2, 6), (3, 8), (4, 9), (5, 10)])
    def test_the_last_ra_tile_ends_the_epoch_without_an_auction(self, players: int, spaces: int) -> None:
        """RA-4.3, RA-1.2, RA-7.2: the tiles on the track are removed."""
        seats = [player(seat + 2) for seat in range(players)]
        ending = draws(ra(table(*seats, track="nile god art 2*gold", ra_count=spaces - 1)), 0, "ra").then(
            TileDrawn(seat=0, tile="ra"),
            EpochEnded(epoch=1, reason="ra_track", removed=lot("god 2*gold nile art")),
        )
        assert ending.state.track == ()
        assert GAME.to_act(ending.state) == ()

    def test_the_ra_tile_before_the_last_still_starts_an_auction(self) -> None:
        """RA-4.3."""
        draws(ra(table(*three(), ra_count=6)), 0, "ra").then(
            TileDrawn(seat=0, tile="ra"), AuctionStarted(ra_player=0, kind="ra_drawn", order=(1, 2, 0))
        )

    def test_the_eighth_tile_starts_an_auction_at_once(self) -> None:
        """RA-4.4: by the seed rules."""
        draws(ra(table(*three(), track=SEVEN)), 0, "flood").then(
            TileDrawn(seat=0, tile="flood"), AuctionStarted(ra_player=0, kind="full_track", order=(1, 2, 0))
        )

    def test_the_seventh_tile_starts_none(self) -> None:
        """RA-4.4."""
        draws(ra(table(*three(), track="3*nile 2*gold pharaoh")), 0, "flood").then(
            TileDrawn(seat=0, tile="flood"), TurnStarted(active=1)
        )

    def test_by_the_official_rules_the_next_player_faces_a_full_track(self) -> None:
        """RA-4.5, RA-4.1: he cannot draw; his call is not voluntary, so he may pass, and then the lot is gone."""
        players, full = three(), lot("2*gold pharaoh 3*nile flood art")
        drawn = draws(ra(table(*players, track=SEVEN, options=OFFICIAL)), 0, "flood")
        faced = drawn.then(TileDrawn(seat=0, tile="flood"), TurnStarted(active=1))
        faced.when(1, Draw()).then_illegal("RA-4.1", "track_full")
        (
            faced.when(1, Invoke())
            .then(AuctionStarted(ra_player=1, kind="full_track", order=(2, 0, 1)))
            .when(2, Pass())
            .then(Passed(seat=2, forced=False))
            .when(0, Pass())
            .then(Passed(seat=0, forced=False))
            .when(1, Pass())
            .then(Passed(seat=1, forced=False), LotRemoved(tiles=full), TurnStarted(active=2))
        )

    def test_gods_can_be_used_on_a_full_track(self) -> None:
        """RA-4.5, RA-4.6."""
        state = table(*three("god"), track=EIGHT, options=OFFICIAL)
        used = GodsUsed(seat=0, slots=(7,), tiles=("civ:art",), disasters=())
        assert len(ra(state).when(0, UseGods(slots=(7,))).then(used, TurnStarted(active=1)).state.track) == 7


class TestUseGods:
    def test_each_god_takes_one_tile_and_the_rest_close_up(self) -> None:
        """RA-4.6: slots may be named in any order; the gods are spent."""
        using = ra(table(*three("3*god nile"), track="gold pharaoh god writing art"))
        state = (
            using.when(0, UseGods(slots=(3, 1)))
            .then(
                GodsUsed(seat=0, slots=(1, 3), tiles=("pharaoh", "civ:writing"), disasters=()),
                TurnStarted(active=1),
            )
            .state
        )
        assert state.track == ("gold", "god", "civ:art")
        assert state.players[0].tiles == lot("god pharaoh nile writing")
        assert GAME.view(state, 0).removed["god"] == 2

    def test_equal_tiles_in_different_slots_are_different_choices(self) -> None:
        """RA-4.7."""
        using = ra(table(*three("god"), track="gold nile gold"))
        first = using.when(0, UseGods(slots=(0,)))
        assert first.then_including(TurnStarted(active=1)).state.track == ("nile", "gold")
        last = using.when(0, UseGods(slots=(2,)))
        assert last.then_including(TurnStarted(active=1)).state.track == ("gold", "nile")

    @pytest.mark.parametrize("slots", [(2,), (0, 2), (-1,), (-1, 0)])
    def test_a_slot_must_hold_a_tile(self, slots: tuple[int, ...]) -> None:
        """RA-4.7."""
        using = ra(table(*three("2*god"), track="gold nile"))
        using.when(0, UseGods(slots=slots)).then_illegal("RA-4.7", "no_such_slot")

    def test_a_slot_is_named_once(self) -> None:
        """RA-4.7."""
        using = ra(table(*three("2*god"), track="gold nile"))
        using.when(0, UseGods(slots=(1, 1))).then_illegal("RA-4.7", "duplicate_slot")

    def test_a_god_takes_no_god(self) -> None:
        """RA-4.8."""
        using = ra(table(*three("2*god"), track="gold god"))
        using.when(0, UseGods(slots=(0, 1))).then_illegal("RA-4.8", "god_not_takeable")

    @pytest.mark.parametrize("held", ["", "2*god"])
    def test_no_more_tiles_than_gods(self, held: str) -> None:
        """RA-4.6."""
        using = ra(table(*three(held), track="gold nile flood"))
        using.when(0, UseGods(slots=(0, 1, 2))).then_illegal("RA-4.6", "not_enough_gods")

    def test_refusals_come_in_a_fixed_order(self) -> None:
        """RA-4.7, RA-4.8, RA-4.6: slot, double, god, number."""
        using = ra(table(*three(), track="god nile"))
        using.when(0, UseGods(slots=(0, 0, 5))).then_illegal("RA-4.7", "no_such_slot")
        using.when(0, UseGods(slots=(0, 0))).then_illegal("RA-4.7", "duplicate_slot")
        using.when(0, UseGods(slots=(0, 1))).then_illegal("RA-4.8", "god_not_takeable")

    def test_a_disaster_taken_by_a_god_strikes_at_once(self) -> None:
        """RA-4.6, RA-6.1, RA-6.2."""
        using = ra(table(*three("2*god pharaoh"), track="pharaoh funeral"))
        state = (
            using.when(0, UseGods(slots=(0, 1)))
            .then(
                GodsUsed(seat=0, slots=(0, 1), tiles=("pharaoh",), disasters=("dis:funeral",)),
                TilesLost(seat=0, disaster="dis:funeral", tiles=("pharaoh", "pharaoh")),
                TurnStarted(active=1),
            )
            .state
        )
        assert state.players[0].tiles == ()

    def test_a_disaster_taken_by_a_god_may_leave_a_choice_before_the_turn_passes(self) -> None:
        """RA-4.6, RA-6.6."""
        using = ra(table(*three("god art religion writing"), track="unrest"))
        due = (Demand(disaster="dis:unrest", count=2),)
        using.when(0, UseGods(slots=(0,))).then(
            GodsUsed(seat=0, slots=(0,), tiles=(), disasters=("dis:unrest",)),
            DiscardDemanded(seat=0, after=0, due=due),
        )

    def test_who_is_out_can_use_no_gods(self) -> None:
        """RA-3.3: they still score."""
        players = (player(down=(13,), tiles="god"), player(12), player(11))
        draws(ra(table(*players, track="gold", phase=Turn(active=2))), 2, "nile").then(
            TileDrawn(seat=2, tile="nile"), TurnStarted(active=1)
        )


class TestInvoke:
    def test_calling_ra_starts_an_auction(self) -> None:
        """RA-4.9."""
        ra(table(*three(), track="gold")).when(0, Invoke()).then(
            AuctionStarted(ra_player=0, kind="voluntary", order=(1, 2, 0))
        )

    def test_ra_may_be_called_for_an_empty_track(self) -> None:
        """RA-4.9: to swap suns."""
        ra(table(*three())).when(0, Invoke()).then(AuctionStarted(ra_player=0, kind="voluntary", order=(1, 2, 0)))


class TestShape:
    codec = Codec(GAME.player_commands)

    @pytest.mark.parametrize(
        "body",
        [
            {"type": "use_gods", "slots": []},
            {"type": "use_gods", "slots": list(range(9))},
            {"type": "use_gods", "slots": ["0"]},
            {"type": "use_gods"},
            {"type": "bid"},
            {"type": "bid", "sun": "9"},
            {"type": "draw", "tile": "gold"},
            {"type": "discard", "civilisations": ["gold"]},
            {"type": "discard", "monuments": ["civ:art"]},
            {"type": "score_epoch", "epoch": 1},
        ],
    )
    def test_a_command_of_the_wrong_shape_is_no_command(self, body: dict[str, object]) -> None:
        """RA-3.2."""
        with pytest.raises(InvalidInput):
            self.codec.decode(body)

    def test_the_empty_list_of_a_discard_may_be_left_out(self) -> None:
        """RA-6.7."""
        short = self.codec.decode({"type": "discard", "civilisations": ["civ:art", "civ:art"]})
        assert short == DiscardTiles(civilisations=("civ:art", "civ:art"), monuments=())
