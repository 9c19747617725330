"""What the view tells of the rest of the game, for the whole table and for a seat."""

from collections import Counter
from collections.abc import Sequence
from math import exp
from typing import Final, TypeAlias

import msgspec

from domain.games.ra.material import EPOCHS, Tile
from domain.games.ra.view import View
from domain.kernel.messages import Seat

UNSOLD: Final = 2.5
"""What lies on the track when the last Ra tile comes. Unit: tiles. Source: authored, half of a mean run without Ra."""

Held: TypeAlias = Counter[Tile]


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What lies before all seats.

    Shape: `held` and `sun_totals` one entry per seat; `usable` the suns face up, `suns` all, each ascending.
    Unit: `useful` tiles in the bag other than Ra, `run` those that come before a Ra tile, `coming` those that will
    still be sold in this epoch; `later` epochs.
    """

    view: View
    held: tuple[Held, ...]
    sun_totals: tuple[int, ...]
    usable: tuple[int, ...]
    suns: tuple[int, ...]
    ra_chance: float
    ra_spaces: int
    useful: int
    run: float
    coming: float
    later: int


class Prospect(msgspec.Struct, frozen=True, kw_only=True):
    """What lies before a seat that has so many usable suns.

    Unit: `now` and `in_all` the chance that a tile of the bag comes to the seat, in this epoch and in the whole game.
    """

    ahead: Outlook
    seat: Seat
    suns: int
    now: float
    in_all: float


def outlook(view: View) -> Outlook:
    """What the view tells of the rest of the game."""
    players, tiles, ra = view.players, sum(view.bag.values()), view.bag["ra"]
    run = (tiles - ra) / (ra + 1)
    ra_spaces = view.ra_spaces - view.ra_count
    owned = [sun for player in players for sun in (*player.suns_up, *player.suns_down)]
    return Outlook(
        view=view,
        held=tuple(Counter(player.tiles) for player in players),
        sun_totals=tuple(sum(player.suns_up) + sum(player.suns_down) for player in players),
        usable=tuple(sorted(sun for player in players for sun in player.suns_up)),
        suns=tuple(sorted((*owned, view.center_sun))),
        ra_chance=ra / tiles,
        ra_spaces=ra_spaces,
        useful=max(1, tiles - ra),
        run=run,
        coming=max(0.0, run * ra_spaces - UNSOLD),
        later=EPOCHS - view.epoch,
    )


def prospect(ahead: Outlook, seat: Seat, suns: int) -> Prospect:
    """What the seat may expect once it has so many suns."""
    players = ahead.view.players
    left = len(ahead.usable) - len(players[seat].suns_up) + suns
    now = min(1.0, ahead.coming / ahead.useful) * suns / max(1, left)
    then = min(1.0, ahead.later * ahead.view.ra_spaces * ahead.run / ahead.useful) / len(players)
    return Prospect(ahead=ahead, seat=seat, suns=suns, now=now, in_all=now + then)


def compared(own: int, others: Sequence[int], most: int, fewest: int, swing: float) -> float:
    """The points of a comparison whose leads will yet swing by so much; ties count half as leads, and half as none."""
    lead, lag = own - max(others), min(others) - own
    return most * ahead_by(lead + 0.5, swing) + fewest * ahead_by(lag + 0.5, swing)


def ahead_by(lead: float, swing: float) -> float:
    """The chance that a lead holds: a logistic curve, steep but never a step."""
    return 1 / (1 + exp(-max(-30.0, lead / (0.25 + swing))))
