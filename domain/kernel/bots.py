"""Bots: they see a view and their legal moves, never a state."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from domain.kernel.chance import Chance
from domain.kernel.messages import Command, Seat

Choose: TypeAlias = Callable[[Any, Seat, Sequence[Command], Chance], Command]
"""(view, seat, legal moves, chance) to one of the moves. `Any`: each game has its own view, erased in the registry."""


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A named policy.

    `version` changes whenever it may choose differently; `cost` is the queue class its turns run in.
    """

    name: str
    version: int
    cost: Literal["fast", "search"]
    description: str
    choose: Choose


def _any_move(_view: Any, _seat: Seat, legal: Sequence[Command], chance: Chance) -> Command:
    return legal[chance.below(len(legal))]


RANDOM = Bot(
    name="random", version=1, cost="fast", description="Any legal move, each equally likely.", choose=_any_move
)
