"""Games whose time has come, in Postgres: leases on directory rows.

All times are the database's own clock at the moment of the statement, taken once: a subquery, so that it can bound
the walk over the partial index. Urgent games have a walk of their own, for an index in this order ends each walk at
the first row that is not due yet.
"""

from collections.abc import Sequence
from datetime import timedelta

import asyncpg

from domain.application.instants import from_datetime
from domain.application.ports import Due, DueGame, Parked, Waiting
from eventstore.connecting import Pool, connection

CLAIM = """
WITH urgent AS (
    SELECT game_id, due_at, tries FROM ostraka.directory
    WHERE due IS NOT NULL AND parked IS NULL AND due_pool = $1 AND urgent
        AND due_at <= (SELECT clock_timestamp())
    ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED),
calm AS (
    SELECT game_id, due_at, tries FROM ostraka.directory
    WHERE due IS NOT NULL AND parked IS NULL AND due_pool = $1 AND NOT urgent
        AND due_at <= (SELECT clock_timestamp())
    ORDER BY due_at LIMIT $2 - (SELECT count(*) FROM urgent) FOR UPDATE SKIP LOCKED),
claimed AS (SELECT * FROM urgent UNION ALL SELECT * FROM calm),
leased AS (
    UPDATE ostraka.directory SET due_at = clock_timestamp() + $3::interval, tries = least(tries + 1, 32767)
    -- By an array, for the planner takes it to be short: a join would be by a walk over the whole table.
    WHERE game_id = ANY (ARRAY(SELECT game_id FROM claimed))
    RETURNING game_id, version, due, due_pool, due_seat, urgent)
SELECT leased.*, claimed.due_at, claimed.tries FROM leased JOIN claimed USING (game_id)
ORDER BY urgent DESC, due_at
"""

# The pools one after the other by their smallest next name, and of each the first row: a few steps down the index,
# however many games wait.
NEXT_AT = """
WITH RECURSIVE pools AS (
    SELECT min(due_pool) AS pool FROM ostraka.directory WHERE due IS NOT NULL AND parked IS NULL
    UNION ALL
    SELECT (SELECT min(due_pool) FROM ostraka.directory
            WHERE due IS NOT NULL AND parked IS NULL AND due_pool > pools.pool)
    FROM pools WHERE pools.pool IS NOT NULL)
SELECT min(first.due_at) FROM pools CROSS JOIN (VALUES (true), (false)) AS ways (urgent)
CROSS JOIN LATERAL (
    SELECT d.due_at FROM ostraka.directory d
    WHERE d.due IS NOT NULL AND d.parked IS NULL AND d.due_pool = pools.pool AND d.urgent = ways.urgent
    ORDER BY d.due_at LIMIT 1) AS first
"""

# A lease given back was no try: else a broker that is away would use up the tries of every game.
_RELEASE = """
UPDATE ostraka.directory SET due_at = least(due_at, clock_timestamp()), tries = greatest(tries - 1, 0)
WHERE game_id = $1 AND version = $2 AND due IS NOT NULL
"""

_PARK = "UPDATE ostraka.directory SET parked = $3 WHERE game_id = $1 AND version = $2"

_RETRY = """
UPDATE ostraka.directory SET parked = NULL, tries = 0, due_at = least(due_at, clock_timestamp())
WHERE game_id = $1 AND parked IS NOT NULL RETURNING game_id
"""

_WAITING = """
SELECT due_pool, count(*) AS games, greatest(clock_timestamp() - min(due_at), '0') AS oldest FROM ostraka.directory
WHERE due IS NOT NULL AND parked IS NULL AND due_at <= (SELECT clock_timestamp())
GROUP BY due_pool ORDER BY due_pool
"""

_PARKED = """
SELECT game_id, version, parked, tries, moved_at FROM ostraka.directory
WHERE parked IS NOT NULL ORDER BY moved_at, game_id
"""


class PostgresDues:
    """What games wait for, claimed for a time from the directory."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def claim(self, pool: str, limit: int, lease: int) -> Sequence[DueGame]:
        """Up to `limit` due games of a pool, those first where a person waits, and nobody else's for the lease.

        Each says when it fell due, not when its lease ends. Claims never wait for each other. Unit: `lease`
        microseconds.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            rows = await one.fetch(CLAIM, pool, limit, timedelta(microseconds=lease))
        return [_due_game(row) for row in rows]

    async def next_at(self) -> int | None:
        """When the next game that is not parked is due, in microseconds since 1970; None when none is.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            at = await one.fetchval(NEXT_AT)
        return None if at is None else from_datetime(at)

    async def release(self, game_id: str, version: int) -> None:
        """Give a lease back, and the try with it: the game is due now, unless it has moved on.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            await one.execute(_RELEASE, game_id, version)

    async def park(self, game_id: str, version: int, reason: str) -> None:
        """Set a game aside with the reason, unless it has moved on.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            await one.execute(_PARK, game_id, version, reason)

    async def retry(self, game_id: str) -> bool:
        """Take a game that was set aside up again, due now with no try used; False when it was not.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            return await one.fetchval(_RETRY, game_id) is not None

    async def waiting(self) -> Sequence[Waiting]:
        """What waits for workers, by pool; pools with nothing due are left out.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            rows = await one.fetch(_WAITING)
        return [
            Waiting(pool=row["due_pool"], games=row["games"], oldest=row["oldest"] // timedelta(microseconds=1))
            for row in rows
        ]

    async def parked(self) -> Sequence[Parked]:
        """Every game that was set aside, the longest one first.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            rows = await one.fetch(_PARKED)
        return [
            Parked(
                game_id=str(row["game_id"]),
                version=row["version"],
                reason=row["parked"],
                tries=row["tries"],
                moved_at=from_datetime(row["moved_at"]),
            )
            for row in rows
        ]


def _due_game(row: asyncpg.Record) -> DueGame:
    return DueGame(
        game_id=str(row["game_id"]),
        version=row["version"],
        due=Due(
            kind=row["due"],
            pool=row["due_pool"],
            at=from_datetime(row["due_at"]),
            seat=row["due_seat"],
            urgent=row["urgent"],
        ),
        tries=row["tries"],
    )
