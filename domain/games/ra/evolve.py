"""The fold: one arm per event, no rule and no check."""

from functools import reduce
from itertools import chain
from typing import assert_never

from msgspec.structs import replace

from domain.games.ra.events import (
    AuctionStarted,
    AuctionWon,
    BidPlaced,
    DiscardDemanded,
    EpochCleared,
    EpochEnded,
    EpochScored,
    EpochStarted,
    GameEnded,
    GodsUsed,
    LotRemoved,
    Passed,
    RaEvent,
    SunsDealt,
    TileDrawn,
    TilesDiscarded,
    TilesLost,
    TurnStarted,
)
from domain.games.ra.material import Tile
from domain.games.ra.state import (
    Auction,
    AwaitingScore,
    Discard,
    Over,
    PlacedBid,
    Player,
    Setup,
    State,
    Tiles,
    Turn,
    counted,
    ordered,
    without,
)
from domain.kernel.messages import Seat
from domain.kernel.outcome import Outcome


def evolve(state: State, event: RaEvent) -> State:
    """The state after the event."""
    match event:
        case SunsDealt(suns=suns):
            dealt = zip(state.players, suns, strict=True)
            players = tuple(replace(player, suns_up=own) for player, own in dealt)
            return replace(state, players=players, phase=Setup(sun_sets=()))
        case EpochStarted(epoch=epoch, active=active):
            return replace(state, epoch=epoch, phase=Turn(active=active))
        case TurnStarted(active=active):
            return replace(state, phase=Turn(active=active))
        case TileDrawn(tile=tile):
            return _drawn(state, tile)
        case GodsUsed():
            return _gods_used(state, event)
        case AuctionStarted(ra_player=ra_player, kind=kind, order=order):
            return replace(state, phase=Auction(ra_player=ra_player, kind=kind, order=order, bids=()))
        case BidPlaced() | Passed():
            return _answered(state, event)
        case AuctionWon():
            return _won(state, event)
        case LotRemoved(tiles=tiles):
            return replace(state, track=(), removed=counted(state.removed, tiles))
        case TilesLost(seat=seat, tiles=tiles):
            return _lost(state, seat, tiles)
        case DiscardDemanded(seat=seat, after=after, due=due):
            return replace(state, phase=Discard(seat=seat, after=after, due=due))
        case TilesDiscarded():
            return _discarded(state, event)
        case EpochEnded(removed=tiles):
            return replace(state, track=(), removed=counted(state.removed, tiles), phase=AwaitingScore())
        case EpochScored(seats=lines):
            scored = zip(state.players, lines, strict=True)
            return replace(state, players=tuple(replace(player, score=line.after) for player, line in scored))
        case EpochCleared():
            return _cleared(state, event)
        case GameEnded():
            return replace(state, phase=Over(outcome=_outcome(event)))
        case _:
            assert_never(event)


def fold(state: State, events: tuple[RaEvent, ...]) -> State:
    """The state after all the events."""
    return reduce(evolve, events, state)


def _seated(state: State, seat: Seat, player: Player) -> tuple[Player, ...]:
    return (*state.players[:seat], player, *state.players[seat + 1 :])


def _drawn(state: State, tile: Tile) -> State:
    bag = counted(state.bag, (tile,), -1)
    if tile == "ra":
        return replace(state, bag=bag, ra_count=state.ra_count + 1)
    return replace(state, bag=bag, track=(*state.track, tile))


def _gods_used(state: State, event: GodsUsed) -> State:
    user = state.players[event.seat]
    spent: Tiles = tuple("god" for _ in event.slots)
    changed = replace(user, tiles=ordered((*without(user.tiles, spent), *event.tiles)))
    return replace(
        state,
        players=_seated(state, event.seat, changed),
        track=tuple(tile for slot, tile in enumerate(state.track) if slot not in event.slots),
        removed=counted(state.removed, (*spent, *event.disasters)),
    )


def _answered(state: State, event: BidPlaced | Passed) -> State:
    auction = state.phase
    assert isinstance(auction, Auction)
    order = tuple(seat for seat in auction.order if seat != event.seat)
    bids = auction.bids
    if isinstance(event, BidPlaced):
        bids = (*bids, PlacedBid(seat=event.seat, sun=event.sun))
    return replace(state, phase=replace(auction, order=order, bids=bids))


def _won(state: State, event: AuctionWon) -> State:
    winner = state.players[event.seat]
    richer = replace(
        winner,
        suns_up=tuple(sun for sun in winner.suns_up if sun != event.sun),
        suns_down=tuple(sorted((*winner.suns_down, event.received_sun))),
        tiles=ordered((*winner.tiles, *event.tiles)),
    )
    return replace(
        state,
        players=_seated(state, event.seat, richer),
        center_sun=event.sun,
        track=(),
        removed=counted(state.removed, event.disasters),
    )


def _lost(state: State, seat: Seat, tiles: tuple[Tile, ...]) -> State:
    loser = state.players[seat]
    poorer = replace(loser, tiles=without(loser.tiles, tiles))
    return replace(state, players=_seated(state, seat, poorer), removed=counted(state.removed, tiles))


def _discarded(state: State, event: TilesDiscarded) -> State:
    phase = state.phase
    assert isinstance(phase, Discard)
    return replace(_lost(state, event.seat, event.tiles), phase=replace(phase, due=phase.due[1:]))


def _cleared(state: State, event: EpochCleared) -> State:
    ra_tiles: Tiles = tuple("ra" for _ in range(event.ra_tiles))
    removed = counted(state.removed, chain(ra_tiles, *event.tiles))
    players = tuple(
        replace(
            player,
            suns_up=tuple(sorted((*player.suns_up, *player.suns_down))),
            suns_down=(),
            tiles=without(player.tiles, tiles),
        )
        for player, tiles in zip(state.players, event.tiles, strict=True)
    )
    return replace(state, players=players, ra_count=0, removed=removed)


def _outcome(event: GameEnded) -> Outcome:
    return Outcome(scores=event.scores, winners=event.winners, ranking=event.ranking, reason=event.reason)
