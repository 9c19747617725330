"""RULES.md sections 7 and 9: the end of an epoch, its scoring and the end of the game."""

import pytest
from msgspec.structs import replace

from domain.games.ra import GAME
from domain.games.ra.commands import Draw, ScoreEpoch
from domain.games.ra.events import EpochCleared, EpochScored, EpochStarted, GameEnded, ScoreLine
from domain.games.ra.material import COPIES, PLACE
from domain.games.ra.scoring import result
from domain.games.ra.state import AwaitingScore, Over, Player, State
from domain.kernel.codec import Codec
from domain.kernel.errors import InvalidInput
from domain.kernel.outcome import Outcome
from tests.games.ra.table import SEED, lot, player, ra, table, three
from tests.spec import Given, Loaded

NOTHING = ScoreLine(
    gods=0, gold=0, niles=0, civilisations=-5, pharaohs=0, monuments=0, suns=0, net=-5, before=5, after=0
)


def ended(*players: Player, epoch: int = 1, ra_count: int = 0) -> Given[State]:
    """A game that waits for scoring."""
    return ra(table(*players, epoch=epoch, ra_count=ra_count, phase=AwaitingScore()))


class TestScoring:
    def test_the_service_scores_what_has_ended(self) -> None:
        """RA-7.3."""
        waiting = ended(*three(), epoch=2)
        assert GAME.upkeep(waiting.state) == ScoreEpoch(epoch=2)
        assert (GAME.to_act(waiting.state), GAME.legal(waiting.state, 0)) == ((), ())

    def test_the_service_has_nothing_to_do_while_the_epoch_lasts(self) -> None:
        """RA-7.3."""
        assert GAME.upkeep(table(*three())) is None

    def test_points_then_cleaning_then_the_next_epoch(self) -> None:
        """RA-7.3, RA-7.4, RA-7.5."""
        players = (
            player(5, down=(1, 2), tiles="2*god gold 2*pharaoh nile flood art temple"),
            player(3, down=(4, 13), tiles="writing pharaoh"),
        )
        state = (
            ended(*players, ra_count=6)
            .when(None, ScoreEpoch(epoch=1))
            .then(
                EpochScored(
                    epoch=1,
                    private=False,
                    seats=(
                        replace(NOTHING, gods=4, gold=3, niles=2, civilisations=0, pharaohs=5, net=14, after=19),
                        replace(NOTHING, civilisations=0, pharaohs=-2, net=-2, after=3),
                    ),
                ),
                EpochCleared(tiles=(lot("2*god gold flood art"), ("civ:writing",)), ra_tiles=6),
                EpochStarted(epoch=2, active=1),
            )
            .state
        )
        assert [one.tiles for one in state.players] == [lot("2*pharaoh nile temple"), ("pharaoh",)]
        assert [one.suns_up for one in state.players] == [(1, 2, 5), (3, 4, 13)]
        assert [one.suns_down for one in state.players] == [(), ()]
        assert [one.score for one in state.players] == [19, 3]
        assert (state.epoch, state.ra_count, state.removed[PLACE["ra"]], sum(state.removed)) == (2, 0, 6, 12)
        assert GAME.to_act(state) == (1,)

    def test_the_sun_in_the_centre_stays_and_opens_no_epoch(self) -> None:
        """RA-7.4, RA-7.5: highest sun of a player."""
        waiting = ra(table(player(down=(3,)), player(7), center_sun=13, phase=AwaitingScore()))
        after = waiting.when(None, ScoreEpoch(epoch=1)).then_including(EpochStarted(epoch=2, active=1))
        assert after.state.center_sun == 13

    @pytest.mark.parametrize("epoch", [1, 2])
    def test_scoring_sent_again_does_nothing(self, epoch: int) -> None:
        """RA-7.3: nor for an earlier epoch."""
        scored = ended(*three(), epoch=2).when(None, ScoreEpoch(epoch=2)).then_including()
        scored.when(None, ScoreEpoch(epoch=epoch)).then()

    def test_scoring_sent_again_after_the_end_does_nothing(self) -> None:
        """RA-7.3."""
        over = ended(*three(), epoch=3).when(None, ScoreEpoch(epoch=3)).then_including()
        over.when(None, ScoreEpoch(epoch=3)).then()

    def test_an_epoch_that_has_not_ended_is_not_scored(self) -> None:
        """RA-7.3."""
        ra(table(*three())).when(None, ScoreEpoch(epoch=1)).then_illegal("RA-7.3", "wrong_phase")
        ra(GAME.initial(2, SEED, 1)).when(None, ScoreEpoch(epoch=1)).then_illegal("RA-7.3", "wrong_phase")
        ended(*three()).when(None, ScoreEpoch(epoch=2)).then_illegal("RA-7.3", "wrong_phase")

    def test_no_player_scores(self) -> None:
        """RA-7.3, RA-3.1."""
        ended(*three()).when(0, ScoreEpoch(epoch=1)).then_illegal("RA-3.1", "not_your_turn")

    @pytest.mark.parametrize("epoch", [0, 4, "1"])
    def test_there_are_three_epochs(self, epoch: object) -> None:
        """RA-1.3."""
        with pytest.raises(InvalidInput):
            Codec(GAME.system_commands).decode({"type": "score_epoch", "epoch": epoch})


class TestEnd:
    def test_the_third_scoring_ends_the_game_and_leaves_the_table_as_it_was_scored(self) -> None:
        """RA-9.1, RA-8.7, RA-8.8."""
        players = (player(2, down=(9,), tiles="god flood 3*temple", score=20), player(3, 4, score=4))
        over = (
            ended(*players, epoch=3, ra_count=6)
            .when(None, ScoreEpoch(epoch=3))
            .then(
                EpochScored(
                    epoch=3,
                    private=False,
                    seats=(
                        replace(NOTHING, gods=2, niles=1, monuments=6, suns=5, net=9, before=20, after=29),
                        replace(NOTHING, suns=-5, net=-10, before=4),
                    ),
                ),
                GameEnded(scores=(29, 0), winners=(0,), ranking=((0,), (1,)), reason="points"),
            )
        )
        expected = Outcome(scores=(29, 0), winners=(0,), ranking=((0,), (1,)), reason="points")
        assert GAME.outcome(over.state) == expected
        assert over.state.phase == Over(outcome=expected)
        assert [one.tiles for one in over.state.players] == [one.tiles for one in players]
        assert [one.suns_down for one in over.state.players] == [(9,), ()]
        assert over.state.ra_count == 6

    def test_after_the_end_nothing_can_be_done(self) -> None:
        """RA-9.1."""
        over = ended(*three(), epoch=3).when(None, ScoreEpoch(epoch=3)).then_including()
        over.when(0, Draw()).then_illegal("RA-9.1", "game_over")
        assert (GAME.to_act(over.state), GAME.legal(over.state, 0), GAME.upkeep(over.state)) == ((), (), None)

    def test_there_is_no_result_before_the_end(self) -> None:
        """RA-9.1."""
        assert GAME.outcome(ended(*three(), epoch=3).state) is None

    @pytest.mark.parametrize(
        ("players", "ranking", "reason"),
        [
            (three(scores=(10, 30, 20)), (1, 2, 0), "points"),
            ((player(10, 11, 12, score=20), player(2, down=(3, 13), score=20)), (1, 0), "highest_sun"),
            ((player(13, score=20), player(12, score=0), player(11, score=20)), (0, 2, 1), "highest_sun"),
            ((player(2, score=10), player(3, score=10), player(4, score=30)), (2, 1, 0), "points"),
        ],
    )
    def test_most_points_win_and_the_highest_single_sun_breaks_ties(
        self, players: tuple[Player, ...], ranking: tuple[int, ...], reason: str
    ) -> None:
        """RA-9.2, RA-9.3: whichever side of the sun is up; 13 beats 12, 11 and 10 together."""
        ended = result(table(*players, epoch=3))
        assert (ended.winners, ended.ranking) == (ranking[:1], tuple((seat,) for seat in ranking))
        assert ended.scores == tuple(player.score for player in players)
        assert ended.reason == reason


class TestBag:
    def test_the_thirtieth_ra_tile_is_the_last_that_matters(self) -> None:
        """RA-1.1, RA-1.2: five players who draw nothing but Ra tiles."""
        state = self.absent_table(0)
        assert (state.bag[0], state.ra_count, sum(state.bag)) == (0, 10, 150)

    def test_the_bag_is_never_empty_before_the_end(self) -> None:
        """RA-1.1, RA-5.7: five players who draw the Ra tiles last and bid for nothing."""
        state = self.absent_table(-1)
        assert sum(state.bag) == 0
        assert sum(state.removed) + state.ra_count == sum(COPIES.values())

    @staticmethod
    def absent_table(tile: int) -> State:
        """A whole game of idle moves, in which each draw takes that tile of those left in table order."""
        state = GAME.initial(5, replace(SEED, assign_suns="seat"), 1)
        events = GAME.setup(state, Loaded())
        while True:
            for event in events:
                state = GAME.evolve(state, event)
            if GAME.outcome(state):
                return state
            system = GAME.upkeep(state)
            seat = None if system else GAME.to_act(state)[0]
            move = system or GAME.legal(state, GAME.to_act(state)[0])[0]
            dice = Loaded(tile % sum(state.bag)) if move == Draw() else Loaded()
            events = GAME.decide(state, seat, move, dice)
