"""A bot that prices the lot and the suns of every seat, and bids as if all others did the same sums.

An auction is solved backwards from its last bidder; a turn weighs drawing, calling and gods in the same currency. The
bot uses no score: what is hidden at some tables plays no part at any.

Sources of the figures: PY, the evaluation in github.com/albertszeng/ra; STRAT, boardgamestrategy.blogspot.com, June
2010; measured, what won most in matches of this bot against itself with one figure changed.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol, TypeVar, runtime_checkable

from domain.games.ra.bot.auctions import called, drawn, payoff, settled, stakes
from domain.games.ra.bot.outlook import Outlook, outlook, prospect
from domain.games.ra.bot.tiles import change, civilisations, monuments, taken
from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, UseGods
from domain.games.ra.material import AuctionKind
from domain.games.ra.view import View
from domain.kernel.bots import Bot
from domain.kernel.chance import Chance
from domain.kernel.messages import Command, Seat

M = TypeVar("M", bound=Command)


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


def choose(view: View, seat: Seat, legal: Sequence[Command], _chance: Chance) -> Command:
    """The legal move that promises the seat most, the first of equals."""
    ahead = outlook(view)
    if isinstance(view.phase, Auction):
        return best(answers(ahead, seat, legal, view.phase))
    if isinstance(legal[0], DiscardTiles):
        return best(discards(ahead, seat, legal))
    return best(actions(ahead, seat, legal))


def answers(ahead: Outlook, seat: Seat, legal: Sequence[Command], auction: Auction) -> dict[Command, float]:
    """What a pass and each bid will lead to, as all who come after answer."""
    at = stakes(ahead)
    wins = settled(at, auction.order[1:], auction.kind == "voluntary")
    highest = auction.bids[-1].sun if auction.bids else 0
    return {move: payoff(at, seat, wins[move.sun if isinstance(move, Bid) else highest]) for move in legal}


def discards(ahead: Outlook, seat: Seat, legal: Sequence[Command]) -> dict[Command, float]:
    """What is left of a group after each discard."""
    at = prospect(ahead, seat, len(ahead.view.players[seat].suns_up))
    promised: dict[Command, float] = {}
    for move in legal:
        assert isinstance(move, DiscardTiles)
        left = ahead.held[seat].copy()
        left.subtract((*move.civilisations, *move.monuments))
        promised[move] = civilisations(at, left) if move.civilisations else monuments(at, left)
    return promised


def actions(ahead: Outlook, seat: Seat, legal: Sequence[Command]) -> dict[Command, float]:
    """What the actions of a turn lead to."""
    at = stakes(ahead)
    promised: dict[Command, float] = {}
    for move in legal:
        if isinstance(move, Draw):
            promised[move] = drawn(ahead, at, seat)
        elif isinstance(move, Invoke):
            promised[move] = called(ahead, at, seat, seat, len(ahead.view.track) < ahead.view.track_spaces)
    return promised | gods_spent(ahead, seat, [move for move in legal if isinstance(move, UseGods)])


def gods_spent(ahead: Outlook, seat: Seat, moves: Sequence[UseGods]) -> dict[Command, float]:
    """What the best tile for one god brings, with it the best for a second, and so on: all sets would be too many."""
    held, at = ahead.held[seat], prospect(ahead, seat, len(ahead.view.players[seat].suns_up))

    def promise(move: UseGods) -> float:
        left = held.copy()
        left["god"] -= len(move.slots)
        return change(at, held, taken(left, [ahead.view.track[slot] for slot in move.slots]))

    promised: dict[Command, float] = {}
    slots: set[int] = set()
    while wider := [move for move in moves if len(move.slots) == len(slots) + 1 and slots < set(move.slots)]:
        weighed = {move: promise(move) for move in wider}
        widest = best(weighed)
        promised[widest] = weighed[widest]
        slots = set(widest.slots)
    return promised


def best(promised: Mapping[M, float]) -> M:
    """The move that promises most, the first of equals."""
    return max(promised, key=promised.__getitem__)


GREEDY: Final = Bot(
    name="greedy",
    version=2,
    cost="fast",
    description="Prices lot and suns for every seat, and bids as if all others did the same.",
    choose=choose,
)
