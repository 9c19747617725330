"""An auction: one bid or pass for every seat, then the lot goes to the highest sun."""

from domain.games.ra.commands import Bid
from domain.games.ra.decide.disasters import parted, strike
from domain.games.ra.decide.epoch import next_turn
from domain.games.ra.events import AuctionStarted, AuctionWon, BidPlaced, LotRemoved, Passed, RaEvent
from domain.games.ra.evolve import evolve, fold
from domain.games.ra.material import AuctionKind
from domain.games.ra.state import Auction, State, Turn, best_sun, is_in, must_bid, ordered
from domain.kernel.errors import IllegalCommand
from domain.kernel.seats import clockwise


def start(state: State, turn: Turn, kind: AuctionKind) -> AuctionStarted:
    """The auction in which the active seat is the Ra player. Rules: RA-5.1."""
    order = tuple(seat for seat in clockwise(turn.active, len(state.players)) if is_in(state, seat))
    return AuctionStarted(ra_player=turn.active, kind=kind, order=order)


def bid(state: State, auction: Auction, command: Bid) -> tuple[RaEvent, ...]:
    """A bid, and the passes of all who cannot beat it any more.

    Rules: RA-5.2 to RA-5.4. Raises: RA-5.2 `sun_not_available`, RA-5.3 `bid_too_low`.
    """
    seat, *others = auction.order
    suns, best = state.players[seat].suns_up, best_sun(auction)
    if command.sun not in suns:
        detail = f"Bid one of your face-up suns: {', '.join(map(str, suns))}."
        raise IllegalCommand("RA-5.2", "sun_not_available", detail)
    if command.sun <= best:
        raise IllegalCommand("RA-5.3", "bid_too_low", f"Bid a sun above {best}, or pass.")
    beaten = [other for other in others if state.players[other].suns_up[-1] < command.sun]
    passes = (Passed(seat=other, forced=True) for other in beaten)
    return _answered(state, BidPlaced(seat=seat, sun=command.sun), *passes)


def pass_bid(state: State, auction: Auction) -> tuple[RaEvent, ...]:
    """A pass.

    Rules: RA-5.5. Raises: RA-5.5 `must_bid`.
    """
    if must_bid(auction):
        detail = "You called Ra yourself and nobody has bid: bid one of your suns."
        raise IllegalCommand("RA-5.5", "must_bid", detail)
    return _answered(state, Passed(seat=auction.order[0], forced=False))


def _answered(state: State, *answers: RaEvent) -> tuple[RaEvent, ...]:
    after = fold(state, answers)
    auction = after.phase
    assert isinstance(auction, Auction)
    return answers if auction.order else (*answers, *_close(after, auction))


def _close(state: State, auction: Auction) -> tuple[RaEvent, ...]:
    if auction.bids:
        best = auction.bids[-1]
        tiles, struck = parted(state.track)
        won = AuctionWon(seat=best.seat, sun=best.sun, received_sun=state.center_sun, tiles=tiles, disasters=struck)
        return won, *strike(evolve(state, won), best.seat, struck, after=auction.ra_player)
    following = next_turn(state, auction.ra_player)
    if auction.kind == "full_track":
        return LotRemoved(tiles=ordered(state.track)), following
    return (following,)
