"""What a table refuses, apart from the rules of its game."""

from typing import Literal, TypeAlias

from domain.kernel.errors import DomainError

Reason: TypeAlias = Literal[
    "already-resigned",
    "already-started",
    "forbidden",
    "game-not-running",
    "game-too-long",
    "not-your-seat",
    "nothing-to-undo",
    "seat-taken",
    "seats-open",
    "secret-lost",
    "undo-limit",
    "waiting-for-workers",
]


class TableRefusal(DomainError):
    """The table cannot take a command now; nothing has changed. `detail` is a sentence for a person."""

    def __init__(self, reason: Reason, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason: Reason = reason
        self.detail = detail
