"""What follows from a command: one arm per command, each in the module of its phase."""

from collections.abc import Mapping
from typing import Final, TypeVar, assert_never

from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, Pass, RaCommand, ScoreEpoch, UseGods
from domain.games.ra.decide import auction, disasters, epoch, turn
from domain.games.ra.events import RaEvent
from domain.games.ra.state import Auction, Discard, Over, Phase, State, Turn, to_act
from domain.kernel.chance import Chance
from domain.kernel.errors import IllegalCommand
from domain.kernel.messages import Seat

P = TypeVar("P", Turn, Auction, Discard)

ASKED: Final[Mapping[type[Phase], str]] = {
    Turn: "draw a tile, use god tiles or call Ra",
    Auction: "bid a sun or pass",
    Discard: "choose what the disaster destroys",
}


def decide(state: State, seat: Seat | None, command: RaCommand, chance: Chance) -> tuple[RaEvent, ...]:
    """The events of the command; `seat` is None for the service.

    Raises: IllegalCommand with RA-9.1, else RA-3.1, else RA-3.2, else what the command's own arm refuses.
    """
    if isinstance(command, ScoreEpoch):
        return epoch.score(state, seat, command)
    if isinstance(state.phase, Over):
        raise IllegalCommand("RA-9.1", "game_over", "The game is over: no more moves can be made.")
    if seat is None or seat not in to_act(state):
        raise IllegalCommand("RA-3.1", "not_your_turn", "You are not asked to act now: wait for your turn.")
    match command:
        case Draw():
            return turn.draw(state, _in(Turn, state), chance)
        case Invoke():
            return turn.invoke(state, _in(Turn, state))
        case UseGods():
            return turn.use_gods(state, _in(Turn, state), command)
        case Pass():
            return auction.pass_bid(state, _in(Auction, state))
        case Bid():
            return auction.bid(state, _in(Auction, state), command)
        case DiscardTiles():
            return disasters.discard(state, _in(Discard, state), command)
        case _:
            assert_never(command)


def _in(wanted: type[P], state: State) -> P:
    if not isinstance(state.phase, wanted):
        raise IllegalCommand("RA-3.2", "wrong_phase", f"Now you have to {ASKED[type(state.phase)]}.")
    return state.phase
