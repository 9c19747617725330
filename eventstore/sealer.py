"""The sealer: numbers committed events into the log, one at a time in the whole service. See `docs/sealing.md`.

It is not on the path of a move. If it is away, games go on; only what follows the global order waits.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import asyncpg
import structlog

from eventstore.connecting import Connection

LOCK = 7_204_519
"""The advisory lock of whoever seals."""

ROUND_LIMIT = 5_000

# Nothing is written, and no transaction id taken, unless there is something to number or the window can be narrowed.
_IS_IDLE = """
SELECT NOT EXISTS (
    SELECT FROM ostraka.event e
    WHERE e.ticket > (SELECT low FROM ostraka.sealer) AND NOT EXISTS (
        SELECT FROM ostraka.log l WHERE l.game_id = e.game_id AND l.version = e.version)
) AND NOT EXISTS (
    SELECT FROM ostraka.sealer s
    WHERE s.low < (SELECT coalesce(max(ticket), 0) FROM ostraka.event)
      AND s.fence < pg_snapshot_xmin(pg_current_snapshot()))
"""

# Every row visible in this snapshot and not in the log gets the next number, by ticket. Membership is "not in the
# log", so no row can be passed over; tickets only narrow the scan: `low` moves up to an earlier `high` once every
# transaction that could still commit below it has ended, which the fence tells. The fence must be this transaction's
# own id, drawn after its snapshot: the snapshot's xmax is too early and loses events.
SEAL = f"""
WITH s AS (SELECT * FROM ostraka.sealer WHERE id = 0),
batch AS (
    SELECT e.game_id, e.version, e.hash, row_number() OVER (ORDER BY e.ticket) AS n
    FROM ostraka.event e
    WHERE e.ticket > (SELECT low FROM s)
      AND NOT EXISTS (SELECT FROM ostraka.log l WHERE l.game_id = e.game_id AND l.version = e.version)
    ORDER BY e.ticket LIMIT {ROUND_LIMIT}),
added AS (
    INSERT INTO ostraka.log (seq, game_id, version, hash)
    SELECT s.last_seq + b.n, b.game_id, b.version, b.hash FROM batch b, s ORDER BY b.n
    RETURNING seq),
done AS (SELECT count(*) AS n, max(seq) AS last FROM added),
passed AS (
    SELECT s.fence < pg_snapshot_xmin(pg_current_snapshot()) AND done.n < {ROUND_LIMIT} AS yes FROM s, done)
UPDATE ostraka.sealer x SET
    last_seq = coalesce((SELECT last FROM done), x.last_seq),
    low = CASE WHEN (SELECT yes FROM passed) THEN x.high ELSE x.low END,
    high = CASE WHEN (SELECT yes FROM passed) THEN coalesce((SELECT max(ticket) FROM ostraka.event), 0) ELSE x.high END,
    fence = CASE WHEN (SELECT yes FROM passed) THEN pg_current_xact_id() ELSE x.fence END
WHERE id = 0
RETURNING (SELECT n FROM done) AS sealed, last_seq
"""  # noqa: S608 - put together from constants

# A few new rows are sought among all there ever were. Statistics are always behind here, and a plan that reads whole
# tables was measured at 300 ms a round with 200,000 events; by the indexes a round does not grow with the log.
_BY_INDEX = {"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off"}

_TRY_LOCK = "SELECT pg_try_advisory_lock($1)"

# Transaction ids begin anew in a restored cluster: a fence from the future would never be passed.
_MEND_FENCE = """
UPDATE ostraka.sealer SET fence = '0' WHERE fence >= pg_snapshot_xmax(pg_current_snapshot())
"""

# Every round of a living sealer is a statement, also an idle one, so its connection tells that it lives.
_END_STALE = """
SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.objid = $1 AND l.classid = 0
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND greatest(a.state_change, a.query_start) < clock_timestamp() - $2 * interval '1 second'
"""

_log = structlog.get_logger()
_AWAY = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError)


async def seal_once(connection: Connection) -> int:
    """One round: number what is committed; how many events were numbered."""
    if await connection.fetchval(_IS_IDLE):
        return 0
    row = await connection.fetchrow(SEAL)
    assert row is not None
    return int(row["sealed"])


@dataclass(kw_only=True)
class Sealer:
    """Seals while it holds the lock, stands by while another does.

    `wake` ends a pause early. Unit: seconds for `pause` (while busy), `poll` (while idle or standing by) and `stale`
    (a holder that has been silent for so long is ended).
    """

    url: str
    wake: asyncio.Event
    on_sealed: Callable[[int], None]
    pause: float = 0.005
    poll: float = 0.05
    stale: float = 5.0
    rounds: int = 0
    sealed: int = 0
    holds: bool = False

    async def run(self) -> None:
        """Seal or stand by until cancelled, over every loss of the connection."""
        while True:
            try:
                await self._on_one_connection()
            except _AWAY as fault:
                _log.warning("sealer_connection_lost", reason=type(fault).__name__)
            self.holds = False
            await asyncio.sleep(self.poll)

    async def _on_one_connection(self) -> None:
        settings = {"application_name": "ostraka sealer", "timezone": "UTC", **_BY_INDEX}
        connection = await asyncpg.connect(self.url, timeout=5, command_timeout=30, server_settings=settings)
        try:
            await self._stand_by(connection)
            self.holds = True
            _log.info("sealing")
            await connection.execute(_MEND_FENCE)
            while True:
                await self._round(connection)
        finally:
            connection.terminate()

    async def _stand_by(self, connection: Connection) -> None:
        while not await connection.fetchval(_TRY_LOCK, LOCK):
            if await connection.fetch(_END_STALE, LOCK, self.stale):
                _log.warning("stale_sealer_ended", silent_for=self.stale)
            await asyncio.sleep(max(self.poll, 0.2))

    async def _round(self, connection: Connection) -> None:
        self.wake.clear()
        count = await seal_once(connection)
        self.rounds += 1
        if count:
            self.sealed += count
            self.on_sealed(count)
            await asyncio.sleep(self.pause)
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wake.wait(), self.poll)
