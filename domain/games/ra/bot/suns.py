"""What suns are worth to a seat: ranks, not money, since what matters is who can still overbid (STRAT).

Unit: points, unless said otherwise.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from domain.games.ra.bot.outlook import Outlook, compared
from domain.games.ra.material import HIGHEST_SUNS, LOWEST_SUNS
from domain.kernel.messages import Seat

TILE: Final = 2.1
"""An unknown tile, disasters among them. Source: measured; PY's 6 for a sun and a lot give 1.9."""

LARGEST_LOT: Final = 5.0
"""What a sun can hope for, however long the epoch. Unit: tiles. Source: measured."""

TOP_SUN: Final = 0.17
"""What the highest usable sun has above a mean one, the lowest below it. Unit: share. Source: measured; PY has 1/3."""

KEPT_SUN: Final = 0.5
"""The same for a sun to keep, for each epoch to come. Source: measured."""

SUN_SWING: Final = 3.0
"""How far a lead in suns may swing, by the root of the bids still to come. Unit: sun numbers. Source: measured."""


def price(ahead: Outlook, seat: Seat, sun: int) -> float:
    """What the seat gives away with the sun: its use in this epoch, and the better sun of the two to keep."""
    center = ahead.view.center_sun
    later = KEPT_SUN * ahead.later * (level(sun, ahead.suns) - level(center, ahead.suns))
    return use(ahead, sun) + later + sun_points(ahead, seat, 0) - sun_points(ahead, seat, center - sun)


def use(ahead: Outlook, sun: int) -> float:
    """What can be won with the sun later in this epoch: a fair lot."""
    fair = TILE * min(LARGEST_LOT, ahead.coming / len(ahead.usable))
    return fair * (1 + TOP_SUN * level(sun, ahead.usable))


def level(sun: int, among: Sequence[int]) -> float:
    """Where a sun stands. Shape: from -1, the lowest, to 1, the highest."""
    return 2 * among.index(sun) / max(1, len(among) - 1) - 1


def sun_points(ahead: Outlook, seat: Seat, gained: int) -> float:
    """What the comparison of suns will bring at the end of the game."""
    others = [total for other, total in enumerate(ahead.sun_totals) if other != seat]
    swing = SUN_SWING * sqrt(len(ahead.usable) + ahead.later * len(ahead.suns))
    return compared(ahead.sun_totals[seat] + gained, others, HIGHEST_SUNS, LOWEST_SUNS, swing)
