"""Where a game of Ra stands: seats, tracks and bag, and one phase at a time."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, assert_never

import msgspec

from domain.games.ra.events import Demand
from domain.games.ra.material import PLACE, SEATINGS, TILES, AuctionKind, Options, Tile
from domain.kernel.messages import Seat
from domain.kernel.outcome import Outcome

Counts: TypeAlias = tuple[int, ...]
"""How many of each tile, in the order of `material.COPIES`: for the large multisets."""

Tiles: TypeAlias = tuple[Tile, ...]
"""Tiles one by one; in the order of `material.COPIES` unless they lie on the auction track."""


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat owns. Shape: suns ascending, tiles in table order, never a Ra tile or a disaster."""

    suns_up: tuple[int, ...]
    suns_down: tuple[int, ...]
    tiles: Tiles
    score: int


class Setup(msgspec.Struct, frozen=True, kw_only=True, tag_field="phase", tag="setup"):
    """Before the first epoch. Shape: `sun_sets` not dealt yet."""

    sun_sets: tuple[tuple[int, ...], ...]


class Turn(msgspec.Struct, frozen=True, kw_only=True, tag_field="phase", tag="turn"):
    """The active seat draws, uses gods or calls Ra."""

    active: Seat


class PlacedBid(msgspec.Struct, frozen=True, kw_only=True):
    """A sun that is bid and stays before its owner until the auction is over."""

    seat: Seat
    sun: int


class Auction(msgspec.Struct, frozen=True, kw_only=True, tag_field="phase", tag="auction"):
    """Every seat bids or passes once.

    Shape: `order` who has still to answer, next first; `bids` in the order they were made, so the best is the last.
    """

    ra_player: Seat
    kind: AuctionKind
    order: tuple[Seat, ...]
    bids: tuple[PlacedBid, ...]


class Discard(msgspec.Struct, frozen=True, kw_only=True, tag_field="phase", tag="discard"):
    """`seat` chooses what disasters destroy, first demand first; then the turn goes on from `after`."""

    seat: Seat
    after: Seat
    due: tuple[Demand, ...]


class AwaitingScore(msgspec.Struct, frozen=True, kw_only=True, tag_field="phase", tag="awaiting_score"):
    """The epoch has ended and a worker has to score it."""


class Over(msgspec.Struct, frozen=True, kw_only=True, tag_field="phase", tag="over"):
    """The third epoch is scored."""

    outcome: Outcome


Phase: TypeAlias = Setup | Turn | Auction | Discard | AwaitingScore | Over


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game.

    Shape: `players` in seat order; `track` in the order the tiles were drawn; `epoch` 0 before setup.
    """

    rules: int
    options: Options
    epoch: int
    players: tuple[Player, ...]
    center_sun: int
    track: Tiles
    ra_count: int
    bag: Counts
    removed: Counts
    phase: Phase


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat that must answer. Shape: one seat or none. Rules: RA-3.1."""
    match state.phase:
        case Turn(active=seat):
            return (seat,)
        case Auction(order=order):
            return order[:1]
        case Discard(seat=seat, due=due):
            return (seat,) if due else ()
        case Setup() | AwaitingScore() | Over():
            return ()
        case phase:
            assert_never(phase)


def outcome(state: State) -> Outcome | None:
    """The result, once the third epoch is scored. Rules: RA-9.1."""
    return state.phase.outcome if isinstance(state.phase, Over) else None


def is_in(state: State, seat: Seat) -> bool:
    """Whether the seat still plays in this epoch. Rules: RA-3.3."""
    return bool(state.players[seat].suns_up)


def ra_spaces(state: State) -> int:
    """Length of the Ra track. Rules: RA-1.2."""
    return SEATINGS[len(state.players)].ra_spaces


def best_sun(auction: Auction) -> int:
    """The sun to beat; 0, below every sun, while nobody has bid. Rules: RA-5.3."""
    return auction.bids[-1].sun if auction.bids else 0


def must_bid(auction: Auction) -> bool:
    """Whether the seat to answer called Ra itself and nobody has bid. Rules: RA-5.5."""
    return auction.kind == "voluntary" and not auction.bids and auction.order == (auction.ra_player,)


def ordered(tiles: Iterable[Tile]) -> Tiles:
    """The tiles in table order."""
    return tuple(sorted(tiles, key=PLACE.__getitem__))


def without(tiles: Tiles, gone: Iterable[Tile]) -> Tiles:
    """The tiles that remain, order kept."""
    rest = list(tiles)
    for tile in gone:
        rest.remove(tile)
    return tuple(rest)


def counted(counts: Counts, tiles: Iterable[Tile], sign: Literal[1, -1] = 1) -> Counts:
    """The counts after the tiles have come in, or gone out with `sign` -1."""
    changed = list(counts)
    for tile in tiles:
        changed[PLACE[tile]] += sign
    return tuple(changed)


NO_TILES: Counts = (0,) * len(TILES)


def components(state: State) -> Mapping[str, int]:
    """Every tile and sun, wherever it is. Rules: RA-1.1, RA-1.2."""
    found: Counter[str] = Counter({"ra": state.ra_count})
    for counts in (state.bag, state.removed):
        found.update(dict(zip(TILES, counts, strict=True)))
    found.update(state.track)
    suns = [state.center_sun]
    for player in state.players:
        found.update(player.tiles)
        suns += [*player.suns_up, *player.suns_down]
    if isinstance(state.phase, Setup):
        suns += [sun for own in state.phase.sun_sets for sun in own]
    found.update(f"sun:{sun}" for sun in suns)
    return found
