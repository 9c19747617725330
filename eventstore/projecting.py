"""What follows the sealed log: each projection at its own checkpoint, which moves in the transaction of its page.

So a crash between page and checkpoint repeats nothing, and of two runners only one gets past a page.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import asyncpg
import structlog

from domain.application.ports import Recorded, SealedLog, StoreUnavailable
from eventstore.connecting import Connection, Pool, connection

PAGE = 1000
POLL_SECONDS = 1.0

_log = structlog.get_logger()

_CHECKPOINT = "SELECT seq FROM ostraka.checkpoint WHERE projection = $1 AND revision = $2"

_BEGIN = """
INSERT INTO ostraka.checkpoint (projection, revision, seq) VALUES ($1, $2, 0)
ON CONFLICT (projection, revision) DO NOTHING
"""

_MOVE = """
UPDATE ostraka.checkpoint SET seq = $4, moved_at = clock_timestamp()
WHERE projection = $1 AND revision = $2 AND seq = $3 RETURNING seq
"""


class Projection(Protocol):
    """Something made of all events in their order. A new revision begins again from the first."""

    @property
    def name(self) -> str:
        """What it is called for good."""
        ...

    @property
    def revision(self) -> int:
        """Raised when what it makes of events changes."""
        ...

    async def apply(self, one: Connection, events: Sequence[Recorded]) -> None:
        """Take the next events in, by statements on this connection alone: its transaction holds the checkpoint."""
        ...


class ProjectionStopped(Exception):
    """A projection cannot take an event in; its checkpoint stands right before it."""

    def __init__(self, projection: Projection, event: Recorded) -> None:
        super().__init__(f"{projection.name} {projection.revision} cannot take in position {event.position}")
        self.event = event


class Projector:
    """Runs projections beside each other; one that stops leaves the others alone. Any number of processes may run."""

    def __init__(self, pool: Pool, log: SealedLog, projections: Sequence[Projection]) -> None:
        self._pool = pool
        self._log = log
        self._waking = [(projection, asyncio.Event()) for projection in projections]

    def wake(self) -> None:
        """The log has grown: a hint that may be left out."""
        for _, wake in self._waking:
            wake.set()

    async def run(self) -> None:
        """Follow the log until cancelled, or until every projection has stopped."""
        async with asyncio.TaskGroup() as group:
            for projection, wake in self._waking:
                group.create_task(self._follow(projection, wake))

    async def _follow(self, projection: Projection, wake: asyncio.Event) -> None:
        log = _log.bind(projection=projection.name, revision=projection.revision)
        while True:
            wake.clear()
            try:
                while await advance(self._pool, self._log, projection):
                    pass
            except StoreUnavailable as fault:
                log.warning("projection_waits", reason=str(fault))
            except ProjectionStopped as fault:
                event = fault.event
                log.exception(
                    "projection_stopped",
                    reason=repr(fault.__cause__),
                    position=event.position,
                    game_id=event.game_id,
                    version=event.version,
                    type=event.type,
                )
                return
            try:
                await asyncio.wait_for(wake.wait(), POLL_SECONDS)
            except TimeoutError:
                continue


async def advance(pool: Pool, log: SealedLog, projection: Projection, page: int = PAGE) -> bool:
    """Take in the next page of the log; False when there is none.

    Raises: StoreUnavailable; ProjectionStopped, with everything before the event it names taken in.
    """
    seq = await _checkpoint(pool, projection)
    events = await log.after(seq, page)
    if not events:
        return False
    try:
        await _take_in(pool, projection, seq, events)
    except (StoreUnavailable, asyncio.CancelledError):
        raise
    except asyncpg.TransactionRollbackError as fault:
        msg = f"{projection.name} lost a race for rows: {fault!r}"
        raise StoreUnavailable(msg) from fault
    except Exception as fault:
        if len(events) == 1:
            raise ProjectionStopped(projection, events[0]) from fault
        # Somewhere in this page: smaller ones lead up to it.
        return await advance(pool, log, projection, len(events) // 2)
    return True


async def _checkpoint(pool: Pool, projection: Projection) -> int:
    key = projection.name, projection.revision
    async with connection(pool) as one:
        seq: int | None = await one.fetchval(_CHECKPOINT, *key)
        if seq is None:
            await one.execute(_BEGIN, *key)
    return seq or 0


async def _take_in(pool: Pool, projection: Projection, seq: int, events: Sequence[Recorded]) -> None:
    """Nothing, if another runner has moved the checkpoint meanwhile."""
    key = projection.name, projection.revision
    async with connection(pool) as one:
        try:
            async with one.transaction():
                if await one.fetchval(_MOVE, *key, seq, events[-1].position) is not None:
                    await projection.apply(one, events)
        finally:
            # A rollback that did not get through must not lend its transaction to the next user of the pool.
            if not one.is_closed() and one.is_in_transaction():
                one.terminate()
