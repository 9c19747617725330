"""Who sits, or may sit, at each seat."""

from typing import Any, TypeAlias

import msgspec

from domain.kernel.codec import to_json
from domain.kernel.messages import Seat


class OpenChair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="open"):
    """A seat that waits for a person."""


class PlayerChair(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="player"
):
    """A seat held by an account; `player` is the account's id, never a name."""

    player: str


class BotChair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="bot"):
    """A seat played by a bot of the game, named by level."""

    bot: str


Chair: TypeAlias = OpenChair | PlayerChair | BotChair
Chairs: TypeAlias = tuple[Chair, ...]
"""One chair per seat, in seat order."""


def seat_of(chairs: Chairs, player: str | None) -> Seat | None:
    """The seat an account holds, or None."""
    held = (seat for seat, chair in enumerate(chairs) if isinstance(chair, PlayerChair) and chair.player == player)
    return next(held, None)


def is_full(chairs: Chairs) -> bool:
    """Whether no seat is open."""
    return not any(isinstance(chair, OpenChair) for chair in chairs)


def chairs_json(chairs: Chairs) -> list[dict[str, Any]]:
    """The chairs as JSON values."""
    return [to_json(chair) for chair in chairs]
