"""What auctions lead to, solved backwards from the last bidder, and what it means to a seat to bring one about."""

from collections.abc import Mapping, Sequence

import msgspec

from domain.games.ra.bot.outlook import Outlook, prospect
from domain.games.ra.bot.suns import TILE, price, use
from domain.games.ra.bot.tiles import change, taken
from domain.kernel.messages import Seat
from domain.kernel.seats import clockwise


class Stakes(msgspec.Struct, frozen=True, kw_only=True):
    """What an auction is about: by sun, who can bid it and what the lot would gain him above the sun's price."""

    owner: Mapping[int, Seat]
    net: Mapping[int, float]
    envy: float


def stakes(ahead: Outlook) -> Stakes:
    """What the lot on the track is worth to everyone. The others' gains count against a seat, by their number."""
    owner: dict[int, Seat] = {}
    net: dict[int, float] = {}
    for seat, player in enumerate(ahead.view.players):
        if player.suns_up:
            held, at = ahead.held[seat], prospect(ahead, seat, len(player.suns_up) - 1)
            gain = change(at, held, taken(held, ahead.view.track))
            owner.update(dict.fromkeys(player.suns_up, seat))
            net.update({sun: gain - price(ahead, seat, sun) for sun in player.suns_up})
    return Stakes(owner=owner, net=net, envy=1 / (len(ahead.held) - 1))


def payoff(at: Stakes, seat: Seat, sun: int, extra: float = 0.0) -> float:
    """What it means to the seat that the sun wins, 0 for none, a lot that is worth so much more."""
    if not sun:
        return 0.0
    net = at.net[sun] + extra
    return net if at.owner[sun] == seat else -at.envy * net


def settled(at: Stakes, order: Sequence[Seat], must: bool, extra: float = 0.0) -> dict[int, int]:
    """Which sun wins if each seat answers as suits it best, by the best sun before the first of them; 0 for none.

    `must`: the last one has to bid if nobody has.
    """
    suns = (0, *at.net)
    wins = {best: best for best in suns}
    for place, seat in enumerate(reversed(order)):
        own = [sun for sun, owner in at.owner.items() if owner == seat]
        pays = {sun: payoff(at, seat, sun, extra) for sun in wins.values()}
        after, wins = wins, {}
        for best in suns:
            answers = [after[sun] for sun in own if sun > best]
            if best or place or not must:
                answers.insert(0, after[best])
            wins[best] = max(answers, key=pays.__getitem__)
    return wins


def called(ahead: Outlook, at: Stakes, seat: Seat, caller: Seat, must: bool, extra: float = 0.0) -> float:
    """What it means to the seat that the caller starts an auction."""
    players = ahead.view.players
    order = [one for one in clockwise(caller, len(players)) if players[one].suns_up]
    return payoff(at, seat, settled(at, order, must, extra)[0], extra)


def ended(ahead: Outlook, at: Stakes, seat: Seat) -> float:
    """What it means to the seat that the epoch ends now: all usable suns come to nothing."""
    return sum(use(ahead, sun) * (-1 if owner == seat else at.envy) for sun, owner in at.owner.items())


def drawn(ahead: Outlook, at: Stakes, seat: Seat) -> float:
    """What a draw means to the seat: a Ra tile starts an auction or ends the epoch; else the next seat calls.

    Source: STRAT for calling early by default; to look further round the table was measured to win no more.
    """
    view, players = ahead.view, ahead.view.players
    ra = called(ahead, at, seat, seat, must=False) if ahead.ra_spaces > 1 else ended(ahead, at, seat)
    fills = len(view.track) + 1 == view.track_spaces
    caller = next(one for one in clockwise(seat, len(players)) if players[one].suns_up)
    if fills and view.options.full_track == "auto":
        caller = seat
    other = called(ahead, at, seat, caller, not fills, TILE)
    return ahead.ra_chance * ra + (1 - ahead.ra_chance) * other
