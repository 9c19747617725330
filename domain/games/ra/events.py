"""What has happened in a game of Ra: the storage format. Lists of tiles are in table order, suns ascending."""

from typing import Final, Literal, TypeAlias, get_args

import msgspec

from domain.games.ra.material import AuctionKind, Disaster, Tile
from domain.kernel.messages import Audience, Event, Seat


class SunsDealt(Event, frozen=True, kw_only=True, tag="ra.suns_dealt"):
    """Shape: the suns of each seat, in seat order. Rules: RA-2.2."""

    suns: tuple[tuple[int, ...], ...]


class EpochStarted(Event, frozen=True, kw_only=True, tag="ra.epoch_started"):
    """An epoch opens with the turn of `active`. Rules: RA-2.4, RA-7.5."""

    epoch: int
    active: Seat


class TurnStarted(Event, frozen=True, kw_only=True, tag="ra.turn_started"):
    """The turn has gone to `active`. Rules: RA-3.4, RA-3.5."""

    active: Seat


class TileDrawn(Event, frozen=True, kw_only=True, tag="ra.tile_drawn"):
    """A tile came out of the bag: a Ra tile onto the Ra track, any other onto the auction track. Rules: RA-4.1."""

    seat: Seat
    tile: Tile


class GodsUsed(Event, frozen=True, kw_only=True, tag="ra.gods_used"):
    """One god per slot was spent; `tiles` went to the seat, `disasters` struck it. Rules: RA-4.6 to RA-4.8.

    Shape: `slots` ascending.
    """

    seat: Seat
    slots: tuple[int, ...]
    tiles: tuple[Tile, ...]
    disasters: tuple[Disaster, ...]


class AuctionStarted(Event, frozen=True, kw_only=True, tag="ra.auction_started"):
    """Shape: `order` every bidder, first to answer first, the Ra player last. Rules: RA-4.2, RA-4.4, RA-4.9, RA-5.1."""

    ra_player: Seat
    kind: AuctionKind
    order: tuple[Seat, ...]


class BidPlaced(Event, frozen=True, kw_only=True, tag="ra.bid_placed"):
    """Rules: RA-5.2, RA-5.3."""

    seat: Seat
    sun: int


class Passed(Event, frozen=True, kw_only=True, tag="ra.passed"):
    """`forced`: the seat had no sun above the best bid and was not asked. Rules: RA-5.4, RA-5.5."""

    seat: Seat
    forced: bool


class AuctionWon(Event, frozen=True, kw_only=True, tag="ra.auction_won"):
    """The winner's `sun` went to the centre and `received_sun` from there face down to him.

    The lot went to him as `tiles` and `disasters`. Rules: RA-5.6.
    """

    seat: Seat
    sun: int
    received_sun: int
    tiles: tuple[Tile, ...]
    disasters: tuple[Disaster, ...]


class LotRemoved(Event, frozen=True, kw_only=True, tag="ra.lot_removed"):
    """Nobody bid for a full track, so it is emptied. Rules: RA-5.7."""

    tiles: tuple[Tile, ...]


class TilesLost(Event, frozen=True, kw_only=True, tag="ra.tiles_lost"):
    """A disaster destroyed tiles without a choice. Rules: RA-6.2 to RA-6.6."""

    seat: Seat
    disaster: Disaster
    tiles: tuple[Tile, ...]


class Demand(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many tiles that a disaster strikes have to go and the owner chooses which."""

    disaster: Disaster
    count: int


class DiscardDemanded(Event, frozen=True, kw_only=True, tag="ra.discard_demanded"):
    """The seat has to choose what disasters destroy; the turn then goes on from `after`. Rules: RA-6.6.

    Shape: `due` in the order in which it will be answered.
    """

    seat: Seat
    after: Seat
    due: tuple[Demand, ...]


class TilesDiscarded(Event, frozen=True, kw_only=True, tag="ra.tiles_discarded"):
    """The seat chose what the disaster destroyed. Rules: RA-6.7."""

    seat: Seat
    disaster: Disaster
    tiles: tuple[Tile, ...]


class EpochEnded(Event, frozen=True, kw_only=True, tag="ra.epoch_ended"):
    """The Ra track is full or every sun is face down; `removed` lay on the auction track. Rules: RA-7.1, RA-7.2."""

    epoch: int
    reason: Literal["ra_track", "suns"]
    removed: tuple[Tile, ...]


class ScoreLine(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an epoch brought one seat.

    Unit: victory points; `after` is `before` + `net`, raised to the floor. Rules: RA-8.1 to RA-8.9.
    """

    gods: int
    gold: int
    niles: int
    civilisations: int
    pharaohs: int
    monuments: int
    suns: int
    net: int
    before: int
    after: int


class EpochScored(Event, frozen=True, kw_only=True, tag="ra.epoch_scored"):
    """Shape: one line per seat, in seat order. `private`: each line is for its own seat only. Rules: RA-7.3, RA-1.5."""

    epoch: int
    seats: tuple[ScoreLine, ...]
    private: bool

    def secrets(self) -> dict[str, Audience]:
        """Each seat's line, where scores are hidden."""
        return {f"seats/{seat}": frozenset({seat}) for seat in range(len(self.seats))} if self.private else {}


class EpochCleared(Event, frozen=True, kw_only=True, tag="ra.epoch_cleared"):
    """Held tiles that do not last and the Ra tiles were removed, all suns turned up. Rules: RA-7.4.

    Shape: `tiles` one list per seat, in seat order.
    """

    tiles: tuple[tuple[Tile, ...], ...]
    ra_tiles: int


class GameEnded(Event, frozen=True, kw_only=True, tag="ra.game_ended"):
    """Shape: as in `Outcome`, one seat per rank. Rules: RA-9.1 to RA-9.3."""

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: Literal["points", "highest_sun"]


RaEvent: TypeAlias = (
    SunsDealt
    | EpochStarted
    | TurnStarted
    | TileDrawn
    | GodsUsed
    | AuctionStarted
    | BidPlaced
    | Passed
    | AuctionWon
    | LotRemoved
    | TilesLost
    | DiscardDemanded
    | TilesDiscarded
    | EpochEnded
    | EpochScored
    | EpochCleared
    | GameEnded
)

EVENTS: Final[tuple[type[Event], ...]] = get_args(RaEvent)
