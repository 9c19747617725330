"""What a worker process is given by the program; it chooses no store and no broker itself."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from domain.application.ports import Clock, Dues, Notices
from domain.application.working import GameWorker


@dataclass(frozen=True, kw_only=True)
class WorkerParts:
    """The service as a worker sees it. Unit: microseconds for `lease` and `slice`."""

    games: GameWorker
    dues: Dues
    notices: Notices
    clock: Clock
    lease: int
    slice: int
    tries: int
    close: Callable[[], Awaitable[None]]


OpenParts: TypeAlias = Callable[[], Awaitable[WorkerParts]]
"""Opens connections; called once in each worker process, after it was forked."""
