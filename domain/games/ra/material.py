"""Components, tables and options of Ra: data only, to be compared with RULES.md sections 1, 2 and 8."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias, get_args

import msgspec

Civilisation: TypeAlias = Literal["civ:art", "civ:agriculture", "civ:religion", "civ:astronomy", "civ:writing"]
Monument: TypeAlias = Literal[
    "mon:fortress",
    "mon:obelisk",
    "mon:palace",
    "mon:pyramid",
    "mon:sphinx",
    "mon:statues",
    "mon:step_pyramid",
    "mon:temple",
]
Disaster: TypeAlias = Literal["dis:funeral", "dis:drought", "dis:unrest", "dis:earthquake"]
Tile: TypeAlias = Literal["ra", "god", "gold", "pharaoh", "nile", "flood", Civilisation, Monument, Disaster]

CIVILISATIONS: Final[tuple[Civilisation, ...]] = get_args(Civilisation)
MONUMENTS: Final[tuple[Monument, ...]] = get_args(Monument)
DISASTERS: Final[tuple[Disaster, ...]] = get_args(Disaster)

COPIES: Final[Mapping[Tile, int]] = {
    "ra": 30,
    "god": 8,
    "gold": 5,
    "pharaoh": 25,
    "nile": 25,
    "flood": 12,
    "civ:art": 5,
    "civ:agriculture": 5,
    "civ:religion": 5,
    "civ:astronomy": 5,
    "civ:writing": 5,
    "mon:fortress": 5,
    "mon:obelisk": 5,
    "mon:palace": 5,
    "mon:pyramid": 5,
    "mon:sphinx": 5,
    "mon:statues": 5,
    "mon:step_pyramid": 5,
    "mon:temple": 5,
    "dis:funeral": 2,
    "dis:drought": 2,
    "dis:unrest": 4,
    "dis:earthquake": 2,
}
"""Tiles in the bag. The order of this table is the order of every walk along the bag and of every sorted list of tiles.

Rules: RA-1.1.
"""

TILES: Final[tuple[Tile, ...]] = tuple(COPIES)
PLACE: Final[Mapping[Tile, int]] = {tile: place for place, tile in enumerate(TILES)}

KEPT: Final[frozenset[Tile]] = frozenset({"pharaoh", "nile", *MONUMENTS})
"""What stays with its owner after an epoch. Rules: RA-7.4."""


class Seating(msgspec.Struct, frozen=True, kw_only=True):
    """What depends on the number of seats.

    Shape: `sun_sets` one set per seat, highest sun first.
    """

    sun_sets: tuple[tuple[int, ...], ...]
    ra_spaces: int


SEATINGS: Final[Mapping[int, Seating]] = {
    2: Seating(ra_spaces=6, sun_sets=((9, 6, 5, 2), (8, 7, 4, 3))),
    3: Seating(ra_spaces=8, sun_sets=((13, 8, 5, 2), (12, 9, 6, 3), (11, 10, 7, 4))),
    4: Seating(ra_spaces=9, sun_sets=((13, 6, 2), (12, 7, 3), (11, 8, 4), (10, 9, 5))),
    5: Seating(ra_spaces=10, sun_sets=((16, 7, 2), (15, 8, 3), (14, 9, 4), (13, 10, 5), (12, 11, 6))),
}
"""Rules: RA-1.2."""

FIRST_CENTER_SUN: Final = 1
TRACK_SPACES: Final = 8
EPOCHS: Final = 3

GOD_POINTS: Final = 2
GOLD_POINTS: Final = 3
MOST_PHARAOHS: Final = 5
FEWEST_PHARAOHS: Final = -2
CIVILISATION_POINTS: Final = (-5, 0, 0, 5, 10, 15)
"""By the number of different civilisation tiles. Rules: RA-8.4."""

DIFFERENT_MONUMENTS: Final = (0, 1, 2, 3, 4, 5, 6, 10, 15)
IDENTICAL_MONUMENTS: Final = (0, 0, 0, 5, 10, 15)
"""By the number of copies of one monument, for each monument apart. Rules: RA-8.7."""

HIGHEST_SUNS: Final = 5
LOWEST_SUNS: Final = -5

LOST_PER_DISASTER: Final = 2
STRIKES: Final[Mapping[Disaster, tuple[Tile, ...]]] = {
    "dis:funeral": ("pharaoh",),
    "dis:drought": ("flood", "nile"),
    "dis:unrest": CIVILISATIONS,
    "dis:earthquake": MONUMENTS,
}
"""What each disaster destroys. Rules: RA-6.2 to RA-6.5."""

CHOICE: Final[frozenset[Disaster]] = frozenset({"dis:unrest", "dis:earthquake"})
"""Where the owner chooses; the others take what stands first in `STRIKES`. Rules: RA-6.6."""

AuctionKind: TypeAlias = Literal["voluntary", "ra_drawn", "full_track"]
"""How an auction came about: by a call, by a Ra tile, or because the auction track is full. Rules: RA-5.5, RA-5.7."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The points on which editions and readings of the rules differ.

    Rules: RA-2.3 (`starting_points`), RA-4.4 and RA-4.5 (`full_track`), RA-8.6 (`all_equal`), RA-8.9 (`score_floor`),
    RA-1.5 (`hide_scores`), RA-2.2 (`assign_suns`).
    """

    starting_points: Annotated[int, msgspec.Meta(ge=0, le=100)]
    full_track: Literal["auto", "on_turn"]
    all_equal: Literal["none", "both"]
    score_floor: Literal[0] | None
    hide_scores: bool
    assign_suns: Literal["random", "seat"]


PRESETS: Final[Mapping[str, Options]] = {
    "seed": Options(
        starting_points=5,
        full_track="auto",
        all_equal="none",
        score_floor=0,
        hide_scores=False,
        assign_suns="random",
    ),
    "official": Options(
        starting_points=10,
        full_track="on_turn",
        all_equal="none",
        score_floor=0,
        hide_scores=False,
        assign_suns="random",
    ),
}
"""The first is the default."""
