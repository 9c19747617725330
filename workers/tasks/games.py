"""Turns of bots, what the rules want, and clocks: one game at one version each."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from domain.application.committing import Hold
from domain.application.ports import StoreUnavailable
from domain.application.reactions import due_in
from domain.kernel.errors import CorruptLog, NewerSoftware
from domain.kernel.messages import Seat
from workers.parts import WorkerParts

_log = structlog.get_logger()


async def run_turns(parts: WorkerParts, game_id: str, version: int, seat: Seat, pool: str, tries: int) -> None:
    """Answer for a seat, and go on with the turns that follow for the same pool until the time slice is over.

    From the second try on, the plain substitute chooses: the first may have thought for too long.
    """
    async with _set_aside_when_hopeless(parts, game_id, version, tries):
        end = parts.clock.now() + parts.slice
        plainly = tries > 1
        while True:
            hold = Hold(pool=pool, time=parts.lease) if parts.clock.now() < end else None
            committed = await parts.games.turn(game_id, version, seat, plainly=plainly, hold=hold)
            due = committed and due_in(committed.aggregate.opened, parts.clock.now())
            if not committed or not due or not hold or due.kind != "bot" or due.pool != pool or due.seat is None:
                return
            version, seat, plainly = committed.aggregate.head.version, due.seat, False


async def run_upkeep(parts: WorkerParts, game_id: str, version: int, tries: int) -> None:
    """Do what the rules want: score, deal."""
    async with _set_aside_when_hopeless(parts, game_id, version, tries):
        await parts.games.upkeep(game_id, version)


async def run_clock(parts: WorkerParts, game_id: str, version: int, tries: int) -> None:
    """Apply the table's policy to whoever's time is up."""
    async with _set_aside_when_hopeless(parts, game_id, version, tries):
        await parts.games.clock(game_id, version)


@asynccontextmanager
async def _set_aside_when_hopeless(parts: WorkerParts, game_id: str, version: int, tries: int) -> AsyncIterator[None]:
    """Leaves a failed task to its lease, which brings it back; the last try sets the game aside with the reason."""
    with structlog.contextvars.bound_contextvars(game_id=game_id, version=version, tries=tries):
        try:
            yield
        except (StoreUnavailable, NewerSoftware) as fault:
            # Neither is the game's fault: it is due again when the lease runs out, here or on a newer worker.
            _log.warning("task_put_off", reason=str(fault))
        except Exception as fault:  # noqa: BLE001
            # A process boundary: whatever a game or bot does wrong must not end the worker.
            _log.exception("task_failed")
            if tries >= parts.tries or isinstance(fault, CorruptLog):
                await parts.dues.park(game_id, version, f"{type(fault).__name__} after {tries} tries")
