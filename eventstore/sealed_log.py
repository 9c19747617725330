"""The global order of all events, as the sealer has given it: dense, never changed, in order within each game."""

from collections.abc import Mapping, Sequence

from domain.application.ports import Recorded
from eventstore.connecting import Pool, connection
from eventstore.postgres import recorded

_AFTER = """
SELECT l.seq, e.* FROM ostraka.log l
JOIN ostraka.event e ON e.game_id = l.game_id AND e.version = l.version
WHERE l.seq > $1 ORDER BY l.seq LIMIT $2
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
