"""The global order of all events, as the sealer has given it: dense, never changed, in order within each game."""

from collections.abc import Mapping, Sequence

from domain.application.ports import Recorded
from eventstore.connecting import Pool, connection
from eventstore.postgres import recorded

# OFFSET 0 keeps each event a look-up by its key: for a page of unknown size the planner would read all events instead.
_AFTER = """
SELECT l.seq, e.* FROM
    (SELECT seq, game_id, version FROM ostraka.log WHERE seq > $1 ORDER BY seq LIMIT $2) AS l
    CROSS JOIN LATERAL (
        SELECT * FROM ostraka.event WHERE game_id = l.game_id AND version = l.version OFFSET 0) AS e
ORDER BY l.seq
"""

_POSITIONS = "SELECT version, seq FROM ostraka.log WHERE game_id = $1 AND version BETWEEN $2 AND $3"

_LAST = "SELECT last_seq FROM ostraka.sealer"


class PostgresSealedLog:
    """Reads the log; who writes it is `eventstore.sealer`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def after(self, position: int, limit: int) -> Sequence[Recorded]:
        """The events of all games by position, after the given one.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            rows = await one.fetch(_AFTER, position, limit)
        return [recorded(str(row["game_id"]), row, row["seq"]) for row in rows]

    async def positions(self, game_id: str, start: int, end: int) -> Mapping[int, int]:
        """Version to position of a game's events with start <= version <= end that are sealed.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            rows = await one.fetch(_POSITIONS, game_id, start, end)
        return {row["version"]: row["seq"] for row in rows}

    async def last(self) -> int:
        """The newest position, 0 when nothing is sealed.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            position: int = await one.fetchval(_LAST)
        return position
