"""The end of an epoch, its scoring by the service, and whose turn comes next."""

from typing import Literal

from domain.games.ra.commands import ScoreEpoch
from domain.games.ra.events import EpochCleared, EpochEnded, EpochScored, EpochStarted, RaEvent, TurnStarted
from domain.games.ra.evolve import evolve
from domain.games.ra.material import EPOCHS, KEPT
from domain.games.ra.scoring import lines, result
from domain.games.ra.setup import holder_of_highest_sun
from domain.games.ra.state import AwaitingScore, Over, State, is_in, ordered
from domain.kernel.errors import IllegalCommand
from domain.kernel.messages import Seat
from domain.kernel.seats import next_seat


def next_turn(state: State, after: Seat) -> TurnStarted | EpochEnded:
    """The turn of the next seat that is in, or the end of the epoch when none is. Rules: RA-3.4, RA-3.5, RA-7.1."""
    seat = next_seat(after, len(state.players), lambda one: is_in(state, one))
    return end(state, "suns") if seat is None else TurnStarted(active=seat)


def end(state: State, reason: Literal["ra_track", "suns"]) -> EpochEnded:
    """The end of the epoch; what lies on the auction track is removed. Rules: RA-7.1, RA-7.2."""
    return EpochEnded(epoch=state.epoch, reason=reason, removed=ordered(state.track))


def upkeep(state: State) -> ScoreEpoch | None:
    """What the service has to send now. Rules: RA-7.3."""
    return ScoreEpoch(epoch=state.epoch) if isinstance(state.phase, AwaitingScore) else None


def score(state: State, seat: Seat | None, command: ScoreEpoch) -> tuple[RaEvent, ...]:
    """The points of the epoch and what follows: the next epoch or the end of the game; nothing if already scored.

    Rules: RA-7.3. Raises: RA-3.1 `not_your_turn` for a seat, RA-7.3 `wrong_phase` for an epoch that has not ended.
    """
    if seat is not None:
        raise IllegalCommand("RA-3.1", "not_your_turn", "Scoring is done by the service: there is nothing to do.")
    scored = state.epoch if isinstance(state.phase, Over) else state.epoch - 1
    if command.epoch <= scored:
        return ()
    if command.epoch != state.epoch or not isinstance(state.phase, AwaitingScore):
        raise IllegalCommand("RA-7.3", "wrong_phase", f"Epoch {command.epoch} has not ended: wait until it has.")
    points = EpochScored(epoch=state.epoch, seats=lines(state), private=state.options.hide_scores)
    after = evolve(state, points)
    if state.epoch == EPOCHS:
        return points, result(after)
    gone = tuple(tuple(tile for tile in player.tiles if tile not in KEPT) for player in state.players)
    cleared = EpochCleared(tiles=gone, ra_tiles=state.ra_count)
    return points, cleared, EpochStarted(epoch=state.epoch + 1, active=holder_of_highest_sun(state.players))
