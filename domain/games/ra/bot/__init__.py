"""A bot that prices the lot and the suns of every seat, and bids as if all others did the same sums.

An auction is solved backwards from its last bidder; a turn weighs drawing, calling and gods in the same currency. The
bot uses no score: what is hidden at some tables plays no part at any.

Sources of the figures: PY, the evaluation in github.com/albertszeng/ra; STRAT, boardgamestrategy.blogspot.com, June
2010; measured, what won most in matches of this bot against itself with one figure changed.
"""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias, runtime_checkable

from domain.games.ra.bot.auctions import called, drawn, payoff, settled, stakes
from domain.games.ra.bot.outlook import Outlook, outlook, prospect
from domain.games.ra.bot.tiles import change, taken
from domain.games.ra.commands import Bid, DiscardTiles, Draw, UseGods
from domain.games.ra.material import AuctionKind, Tile
from domain.games.ra.view import View
from domain.kernel.bots import Bot
from domain.kernel.chance import Chance
from domain.kernel.messages import Command, Seat


class Placed(Protocol):
    """What the view shows of a bid."""

    @property
    def sun(self) -> int:
        """Its number."""
        ...


@runtime_checkable
class Auction(Protocol):
    """What the view shows of an auction: its class belongs to the state, which a bot may not import."""

    @property
    def kind(self) -> AuctionKind:
        """How it came about."""
        ...

    @property
    def order(self) -> tuple[Seat, ...]:
        """Who has still to answer, next first."""
        ...

    @property
    def bids(self) -> Sequence[Placed]:
        """So far, the best last."""
        ...


Promise: TypeAlias = Callable[[Command], float]
"""What a move promises the seat, in points."""


def choose(view: View, seat: Seat, legal: Sequence[Command], _chance: Chance) -> Command:
    """The legal move that promises most, the first of equals."""
    ahead = outlook(view)
    if isinstance(view.phase, Auction):
        return max(legal, key=answering(ahead, seat, view.phase))
    if isinstance(legal[0], DiscardTiles):
        return max(legal, key=losing(ahead, seat))
    return max(legal, key=acting(ahead, seat))


def answering(ahead: Outlook, seat: Seat, auction: Auction) -> Promise:
    """How a pass or a bid will end, as all who come after answer."""
    at = stakes(ahead)
    wins = settled(at, auction.order[1:], auction.kind == "voluntary")
    best = auction.bids[-1].sun if auction.bids else 0
    return lambda move: payoff(at, seat, wins[move.sun if isinstance(move, Bid) else best])


def losing(ahead: Outlook, seat: Seat) -> Promise:
    """What is left after a discard."""
    held, at = ahead.held[seat], prospect(ahead, seat, len(ahead.view.players[seat].suns_up))

    def promise(move: Command) -> float:
        assert isinstance(move, DiscardTiles)
        left = held.copy()
        left.subtract((*move.civilisations, *move.monuments))
        return change(at, held, left)

    return promise


def acting(ahead: Outlook, seat: Seat) -> Promise:
    """What a turn's action leads to. Equal tiles in different slots are weighed once."""
    view, held, stake = ahead.view, ahead.held[seat], stakes(ahead)
    at = prospect(ahead, seat, len(view.players[seat].suns_up))
    weighed: dict[tuple[Tile, ...], float] = {}

    def promise(move: Command) -> float:
        match move:
            case Draw():
                return drawn(ahead, stake, seat)
            case UseGods(slots=slots):
                lot = tuple(sorted(view.track[slot] for slot in slots))
                if lot not in weighed:
                    spent = held.copy()
                    spent["god"] -= len(lot)
                    weighed[lot] = change(at, held, taken(spent, lot))
                return weighed[lot]
            case _:
                return called(ahead, stake, seat, seat, must=len(view.track) < view.track_spaces)

    return promise


GREEDY: Final = Bot(
    name="greedy",
    version=1,
    cost="fast",
    description="Prices lot and suns for every seat, and bids as if all others did the same.",
    choose=choose,
)
