"""What a seat may ask for, and what the service sends."""

from typing import Annotated, Final, TypeAlias, get_args

import msgspec

from domain.games.ra.material import EPOCHS, TRACK_SPACES, Civilisation, Monument
from domain.kernel.messages import Command


class Draw(Command, frozen=True, kw_only=True, tag="draw"):
    """Draw a tile from the bag. Rules: RA-4.1."""


class Invoke(Command, frozen=True, kw_only=True, tag="invoke"):
    """Call Ra: start an auction. Rules: RA-4.9."""


class UseGods(Command, frozen=True, kw_only=True, tag="use_gods"):
    """Spend one god per slot and take the tiles that lie there.

    Shape: `slots` places on the auction track from 0, in any order. Rules: RA-4.6 to RA-4.8.
    """

    slots: Annotated[tuple[int, ...], msgspec.Meta(min_length=1, max_length=TRACK_SPACES)]


class Pass(Command, frozen=True, kw_only=True, tag="pass"):
    """Bid nothing in this auction. Rules: RA-5.5."""


class Bid(Command, frozen=True, kw_only=True, tag="bid"):
    """Bid one of the own face-up suns. Rules: RA-5.2, RA-5.3."""

    sun: int


class DiscardTiles(Command, frozen=True, kw_only=True, tag="discard"):
    """Choose what a disaster destroys, one group at a time. Shape: ids in any order. Rules: RA-6.6, RA-6.7."""

    civilisations: tuple[Civilisation, ...] = ()
    monuments: tuple[Monument, ...] = ()


class ScoreEpoch(Command, frozen=True, kw_only=True, tag="score_epoch"):
    """The service's command: score the epoch that has ended, and open the next one or end the game. Rules: RA-7.3."""

    epoch: Annotated[int, msgspec.Meta(ge=1, le=EPOCHS)]


PlayerCommand: TypeAlias = Draw | Invoke | UseGods | Pass | Bid | DiscardTiles
SystemCommand: TypeAlias = ScoreEpoch
RaCommand: TypeAlias = PlayerCommand | SystemCommand

PLAYER_COMMANDS: Final[tuple[type[Command], ...]] = get_args(PlayerCommand)
SYSTEM_COMMANDS: Final[tuple[type[Command], ...]] = (ScoreEpoch,)
