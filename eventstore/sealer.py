"""The sealer: numbers committed events into the log, one at a time in the whole service. See `docs/sealing.md`.

It is not on the path of a move. If it is away, games go on; only what follows the global order waits.
"""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import asyncpg
import structlog

from eventstore.connecting import Connection

LOCK = 7_204_519
"""The advisory lock of whoever seals."""

ROUND_LIMIT = 5_000

# Each row is looked up in the log by its key, in a subquery that no planner can turn into a join: a join would read
# the whole log, for nobody knows beforehand how few events stand above `low`.
# Read-only: an idle round takes no transaction id and writes nothing.
_LOOK = """
SELECT s.fence::text AS fence,
    s.fence >= pg_snapshot_xmax(now.snapshot) AS foreign_fence,
    (SELECT greatest(extract(epoch FROM clock_timestamp() - e.recorded_at), 0)::float8 FROM ostraka.event e
     WHERE e.ticket > s.low
       AND (SELECT l.seq FROM ostraka.log l WHERE l.game_id = e.game_id AND l.version = e.version) IS NULL
     ORDER BY e.ticket LIMIT 1) AS lag,
    newest.ticket - s.low AS width,
    s.low < newest.ticket AND s.fence < pg_snapshot_xmin(now.snapshot) AS narrows,
    s.last_seq
FROM ostraka.sealer s
CROSS JOIN (SELECT pg_current_snapshot() AS snapshot) AS now
CROSS JOIN (SELECT coalesce(max(ticket), 0) AS ticket FROM ostraka.event) AS newest
WHERE s.id = 0
"""

# Every row visible in this snapshot and not in the log gets the next number, by ticket. Membership is "not in the
# log", so no row can be passed over; tickets only narrow the scan: `low` moves up to an earlier `high` once every
# transaction that could still commit below it has ended, which the fence tells (in a full round only to the last row
# taken, for others may wait above it). The fence must be this transaction's own id, drawn after its snapshot: the
# snapshot's xmax is too early and loses events.
# FOR UPDATE: a rival that waited goes on with the newest fence, not with one that its own old snapshot shows.
SEAL = """
WITH s AS (SELECT * FROM ostraka.sealer WHERE id = 0 FOR UPDATE),
batch AS (
    SELECT e.game_id, e.version, e.hash, e.ticket FROM ostraka.event e
    WHERE e.ticket > (SELECT low FROM s)
      AND (SELECT l.seq FROM ostraka.log l WHERE l.game_id = e.game_id AND l.version = e.version) IS NULL
    ORDER BY e.ticket LIMIT $1::int),
added AS (
    INSERT INTO ostraka.log (seq, game_id, version, hash)
    SELECT (SELECT last_seq FROM s) + row_number() OVER (ORDER BY ticket), game_id, version, hash FROM batch
    RETURNING seq),
done AS (SELECT count(*) AS n, max(seq) AS last FROM added),
moved AS (
    SELECT s.fence < pg_snapshot_xmin(pg_current_snapshot()) AS passed,
        CASE WHEN done.n < $1::int THEN s.high ELSE least(s.high, (SELECT max(ticket) FROM batch)) END AS low
    FROM s, done),
noted AS (SELECT moved.passed AND moved.low = s.high AS yes FROM s, moved)
UPDATE ostraka.sealer x SET
    last_seq = coalesce((SELECT last FROM done), x.last_seq),
    low = CASE WHEN (SELECT passed FROM moved) THEN (SELECT low FROM moved) ELSE x.low END,
    high = CASE WHEN (SELECT yes FROM noted) THEN coalesce((SELECT max(ticket) FROM ostraka.event), 0) ELSE x.high END,
    fence = CASE WHEN (SELECT yes FROM noted) THEN pg_current_xact_id() ELSE x.fence END
WHERE id = 0
RETURNING (SELECT n FROM done) AS sealed, last_seq
"""

# Transaction ids begin anew in a restored cluster, and a fence from the future would not be passed for long. A fence
# that is seen was committed, so in its own cluster it is below every snapshot's xmax.
_MEND_FENCE = """
UPDATE ostraka.sealer SET fence = '0'
WHERE id = 0 AND fence = $1::text::xid8 AND fence >= pg_snapshot_xmax(pg_current_snapshot())
"""

_TRY_LOCK = "SELECT pg_try_advisory_lock($1)"

# Every round of a living sealer is a statement, also an idle one, so its connection tells that it lives. A statement
# at work is the server's slowness, not the client's death: ending it early would only make the next one begin again.
_END_STALE = """
SELECT a.pid, pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 0 AND l.objid = $1::bigint::oid AND l.objsubid = 1
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND clock_timestamp() - a.state_change > interval '1 second' * CASE
      WHEN a.state = 'active' AND a.wait_event_type IS DISTINCT FROM 'Client' THEN $3::float8 ELSE $2::float8 END
"""

_STATEMENT_SECONDS = 30
_STAND_BY_SECONDS = 0.2
_LONGEST_RETRY_SECONDS = 1.0

# The window is short and at the end of the tickets: only the walk along their index is right, also for a plan that
# was made while the tables were empty.
_SETTINGS = {
    "application_name": "ostraka sealer",
    "timezone": "UTC",
    "statement_timeout": f"{_STATEMENT_SECONDS}s",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "enable_sort": "off",
    "jit": "off",
}

_log = structlog.get_logger()
_AWAY = (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)


class Round(NamedTuple):
    """What a round found and did.

    Unit: `lag` seconds that the first unsealed event had waited, 0 when there was none; `width` tickets looked through.
    """

    sealed: int
    last: int
    lag: float
    width: int


async def seal_round(connection: Connection, limit: int = ROUND_LIMIT) -> Round:
    """Number what is committed, at most `limit` events, if there is anything to number."""
    if connection.is_in_transaction():
        msg = "a round must be a transaction of its own: its id has to be younger than its snapshot"
        raise RuntimeError(msg)
    seen = await connection.fetchrow(_LOOK)
    assert seen is not None, "the row of the sealer is there from the first migration on"
    if seen["foreign_fence"]:
        await connection.execute(_MEND_FENCE, seen["fence"])
    waiting, width = seen["lag"], seen["width"]
    if waiting is None and not seen["narrows"]:
        return Round(0, seen["last_seq"], 0.0, width)
    done = await connection.fetchrow(SEAL, limit)
    assert done is not None
    return Round(done["sealed"], done["last_seq"], waiting or 0.0, width)


async def seal_once(connection: Connection) -> int:
    """One round; how many events were numbered."""
    return (await seal_round(connection)).sealed


async def lag_of(connection: Connection) -> float:
    """For how long the first unsealed event has waited, 0 when there is none. Unit: seconds."""
    seen = await connection.fetchrow(_LOOK)
    return 0.0 if seen is None else seen["lag"] or 0.0


@dataclass(kw_only=True)
class Sealer:
    """Seals while it holds the lock, stands by while another does.

    `wake` ends a pause early; `on_sealed` is told how many were sealed, when `last` is up to date. Unit: seconds for
    `pause` (while busy), `poll` (while idle), `stale` (a holder that has been silent for so long is ended), `lag` (for
    how long the first unsealed event had waited when last looked, also by a standby).
    """

    url: str
    wake: asyncio.Event
    on_sealed: Callable[[int], None]
    pause: float = 0.005
    poll: float = 0.05
    stale: float = 5.0
    holds: bool = False
    rounds: int = 0
    sealed: int = 0
    last: int = 0
    lag: float = 0.0
    width: int = 0

    async def run(self) -> None:
        """Seal or stand by until cancelled, over every loss of the connection."""
        wait, told = self.poll, ""
        while True:
            rounds = self.rounds
            try:
                await self._on_one_connection()
            except _AWAY as fault:
                reason = type(fault).__name__
                if self.rounds > rounds:
                    wait, told = self.poll, ""
                if reason != told:
                    _log.warning("sealer_interrupted", reason=reason, held=self.holds)
                told = reason
            self.holds = False
            await asyncio.sleep(wait)
            wait = min(wait * 2, _LONGEST_RETRY_SECONDS)

    async def _on_one_connection(self) -> None:
        connection = await asyncpg.connect(
            self.url, timeout=5, command_timeout=_STATEMENT_SECONDS, server_settings=_SETTINGS
        )
        try:
            await self._stand_by(connection)
            self.holds = True
            _log.info("sealing")
            while True:
                await self._round(connection)
        finally:
            connection.terminate()

    async def _stand_by(self, connection: Connection) -> None:
        while not await connection.fetchval(_TRY_LOCK, LOCK):
            ended = await connection.fetch(_END_STALE, LOCK, self.stale, max(self.stale, _STATEMENT_SECONDS))
            if ended:
                _log.warning("stale_sealer_ended", silent_for=self.stale, backends=[row["pid"] for row in ended])
            self.lag = await lag_of(connection)
            await asyncio.sleep(_STAND_BY_SECONDS)

    async def _round(self, connection: Connection) -> None:
        self.wake.clear()
        found = await seal_round(connection)
        self.rounds += 1
        self.last, self.lag, self.width = found.last, found.lag, found.width
        if found.sealed:
            self.sealed += found.sealed
            self.on_sealed(found.sealed)
            await asyncio.sleep(self.pause)
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.wake.wait(), self.poll)
