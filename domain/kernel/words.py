"""Words of a game in one language."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from domain.kernel.messages import Command


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """How a game speaks one language.

    `move` words a legal move; `event` an event from its type and its fields as the reader may see them (a hidden value
    is `{"commitment": ...}`); `reasons` a refusal by its name; `barriers` why a move cannot be taken back, by its name.
    """

    move: Callable[[Command], str]
    event: Callable[[str, Mapping[str, Any]], str]  # Any: JSON fields, some of them hidden
    reasons: Mapping[str, str]
    barriers: Mapping[str, str]
