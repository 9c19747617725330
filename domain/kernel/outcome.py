"""How a game ended."""

import msgspec

from domain.kernel.messages import Seat


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a finished game.

    Shape: `scores` one int per seat in seat order, or empty when the game ended unscored; `ranking` groups of equal
    rank, best first, every seat once.
    Unit: victory points.
    """

    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]
    reason: str
