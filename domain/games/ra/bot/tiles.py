"""What tiles are worth to a seat: the points they would bring if what is in the bag fell by the share of usable suns.

Unit: points, unless said otherwise.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import exp, sqrt
from typing import Final

from domain.games.ra.bot.outlook import Held, Prospect, compared
from domain.games.ra.material import (
    CIVILISATION_POINTS,
    CIVILISATIONS,
    DIFFERENT_MONUMENTS,
    DISASTERS,
    FEWEST_PHARAOHS,
    GOD_POINTS,
    GOLD_POINTS,
    IDENTICAL_MONUMENTS,
    LOST_PER_DISASTER,
    MONUMENTS,
    MOST_PHARAOHS,
    STRIKES,
    Disaster,
    Tile,
)

FIRST_GOD: Final = 3.0
"""A god that can still be used. Source: PY."""

NEXT_GOD: Final = 2.5
"""Each further one. Source: measured; PY has 2."""

NILE_LATER: Final = 0.5
"""A Nile tile, for each epoch to come: a flood is found in about half of them. Source: PY."""

PHARAOH_SWING: Final = 0.5
"""How far a lead may swing, by the root of what is still to come. Unit: pharaohs. Source: measured."""


def gods(at: Prospect, held: Held) -> float:
    """More than they score, as long as the seat has turns in which to use them."""
    count = held["god"]
    return FIRST_GOD + NEXT_GOD * (count - 1) if count and at.suns else float(GOD_POINTS * count)


def gold(_at: Prospect, held: Held) -> float:
    """What it scores."""
    return float(GOLD_POINTS * held["gold"])


def niles(at: Prospect, held: Held) -> float:
    """With a flood what they score, and half of the Nile to come; else by the chance of a flood."""
    bag, floods, tiles = at.ahead.view.bag, held["flood"], held["nile"]
    now = floods + tiles + at.now * bag["nile"] / 2 if floods else tiles * found(at.now * bag["flood"])
    return now + NILE_LATER * at.ahead.later * tiles


def civilisations(at: Prospect, held: Held) -> float:
    """What the types held and found will score."""
    return variety(CIVILISATION_POINTS, CIVILISATIONS, held, at.ahead.view.bag, at.now)


def monuments(at: Prospect, held: Held) -> float:
    """What the types and the copies held and found will score after the last epoch."""
    bag, share = at.ahead.view.bag, at.in_all
    different = variety(DIFFERENT_MONUMENTS, MONUMENTS, held, bag, share)
    return different + sum([identical(held[tile], share * bag[tile]) for tile in MONUMENTS])


def pharaohs(at: Prospect, held: Held) -> float:
    """What the comparison will bring in this epoch and in each that follows, with more and more still to come."""
    ahead, own = at.ahead, held["pharaoh"]
    others = [other["pharaoh"] for seat, other in enumerate(ahead.held) if seat != at.seat]
    density = ahead.view.bag["pharaoh"] / ahead.useful / len(ahead.held)
    points = 0.0
    for epoch in range(ahead.later + 1):
        to_come = density * (ahead.coming + epoch * ahead.view.ra_spaces * ahead.run)
        points += compared(own, others, MOST_PHARAOHS, FEWEST_PHARAOHS, PHARAOH_SWING * sqrt(to_come))
    return points


GROUPS: Final[tuple[tuple[tuple[Tile, ...], Callable[[Prospect, Held], float]], ...]] = (
    (("god",), gods),
    (("gold",), gold),
    (("nile", "flood"), niles),
    (CIVILISATIONS, civilisations),
    (("pharaoh",), pharaohs),
    (MONUMENTS, monuments),
)


def change(at: Prospect, before: Held, after: Held) -> float:
    """What the seat gains by owning other tiles."""
    touched = (value for group, value in GROUPS if any(before[tile] != after[tile] for tile in group))
    return sum(value(at, after) - value(at, before) for value in touched)


def taken(held: Held, lot: Iterable[Tile]) -> Held:
    """The tiles of a seat that takes the lot, after the disasters in it."""
    after = held.copy()
    after.update(lot)
    for disaster in DISASTERS:
        for _ in range(LOST_PER_DISASTER * after.pop(disaster, 0)):
            lose_one(after, disaster)
    return after


def lose_one(held: Held, disaster: Disaster) -> None:
    """Take away what the disaster destroys next; the owner gives up spare tiles and the second of a pair first."""
    exposed = [tile for tile in STRIKES[disaster] if held[tile]]
    if disaster == "dis:unrest":
        exposed.sort(key=lambda tile: -held[tile])
    elif disaster == "dis:earthquake":
        exposed.sort(key=lambda tile: (held[tile] != 2, held[tile]))
    held.subtract(exposed[:1])


def variety(points: Sequence[int], group: Sequence[Tile], held: Held, bag: Mapping[Tile, int], share: float) -> float:
    """The points for different tiles of the group, where a tile of the bag is found with the chance `share`."""
    chances = [found(share * bag[tile]) for tile in group if not held[tile]]
    odds = [1.0]
    for chance in chances:
        odds = [less * (1 - chance) + more * chance for less, more in zip((*odds, 0), (0, *odds), strict=True)]
    return sum([odd * one for odd, one in zip(odds, points[len(group) - len(chances) :], strict=True)])


@lru_cache(maxsize=1024)
def identical(count: int, more: float) -> float:
    """The points for copies of a monument, where so many more are found as a Poisson variable of that mean says.

    Remembered, as the weighing of one decision asks the same over and over.
    """
    mean, rest, odd = 0.0, 1.0, exp(-more)
    for step, one in enumerate(IDENTICAL_MONUMENTS[count:-1], start=1):
        mean += odd * one
        rest -= odd
        odd *= more / step
    return mean + rest * IDENTICAL_MONUMENTS[-1]


def found(mean: float) -> float:
    """The chance of one or more, where the mean is that."""
    return 1 - exp(-mean)
