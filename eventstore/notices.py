"""What people want to be told: rows written by a projection of the log, and claimed for delivery.

Kinds come from the events of the table and from what every command's last event says of who is to act: no game is
known here, and no fold is needed.
"""

from collections.abc import Sequence
from datetime import timedelta

from domain.application.ports import Notice, Recorded
from eventstore.connecting import Connection, Pool, connection

YOUR_TURN = "your_turn"
TO_ALL = {"table.started": "game_started", "table.finished": "game_finished"}
"""Kinds that everybody who sits is told, by the event that brings them."""
RESIGNED = "table.seat_resigned"

# A seat that somebody gave up is played on by the service: they sit there still, but have no turns any more.
_WRITE = """
WITH wanted AS (
    SELECT * FROM unnest($1::uuid[], $2::int[], $3::text[], $4::smallint[]) AS w (game_id, version, kind, seat)),
resigned AS MATERIALIZED (
    SELECT e.game_id, e.version, (e.data ->> 'seat')::smallint AS seat FROM ostraka.event e
    WHERE e.type = $5::text AND e.game_id = ANY (ARRAY(SELECT DISTINCT game_id FROM wanted WHERE seat IS NOT NULL)))
INSERT INTO ostraka.notice (game_id, version, kind, player_id, seat)
SELECT w.game_id, w.version, w.kind, s.player_id, s.seat
FROM wanted w JOIN ostraka.seat s ON s.game_id = w.game_id AND s.seat = coalesce(w.seat, s.seat)
WHERE w.seat IS NULL OR NOT EXISTS (
    SELECT FROM resigned r WHERE r.game_id = w.game_id AND r.seat = w.seat AND r.version <= w.version)
ON CONFLICT (game_id, version, kind, player_id) DO NOTHING
"""

CLAIM = """
WITH due AS (
    SELECT game_id, version, kind, player_id, due_at FROM ostraka.notice
    WHERE sent_at IS NULL AND due_at <= (SELECT clock_timestamp())
    ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED),
leased AS (
    UPDATE ostraka.notice n SET
        due_at = clock_timestamp() + $2::interval * power(2, least(n.tries, 10)), tries = least(n.tries + 1, 32767)
    FROM due
    WHERE n.game_id = due.game_id AND n.version = due.version AND n.kind = due.kind AND n.player_id = due.player_id
    RETURNING n.game_id, n.version, n.kind, n.player_id, n.seat, n.tries - 1 AS tries, due.due_at)
SELECT * FROM leased ORDER BY due_at, game_id, version, kind, player_id
"""

_SENT = """
UPDATE ostraka.notice SET sent_at = clock_timestamp()
WHERE game_id = $1 AND version = $2 AND kind = $3 AND player_id = $4 AND sent_at IS NULL
"""


class NoticeProjection:
    """Writes one row for each game, version, kind and account, however often it runs."""

    name = "notices"
    revision = 1

    async def apply(self, one: Connection, events: Sequence[Recorded]) -> None:
        """Add the notices of these events."""
        wanted = [(event, kind, seat) for event in events for kind, seat in _kinds(event)]
        if not wanted:
            return
        await one.execute(
            _WRITE,
            [event.game_id for event, _, _ in wanted],
            [event.version for event, _, _ in wanted],
            [kind for _, kind, _ in wanted],
            [seat for _, _, seat in wanted],
            RESIGNED,
        )


class PostgresNotices:
    """Notices to deliver, claimed for a time."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def claim(self, limit: int, lease: int) -> Sequence[Notice]:
        """Up to `limit` notices that are due and not sent, nobody else's for the lease, the longest wait first.

        One that is not marked as sent comes again when the lease ends, which doubles with every try, up to a
        thousandfold. Unit: `lease` microseconds.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            rows = await one.fetch(CLAIM, limit, timedelta(microseconds=lease))
        return [
            Notice(
                game_id=str(row["game_id"]),
                version=row["version"],
                kind=row["kind"],
                player_id=str(row["player_id"]),
                seat=row["seat"],
                tries=row["tries"],
            )
            for row in rows
        ]

    async def sent(self, notice: Notice) -> None:
        """Never hand this notice out again; the first time it was marked stays.

        Raises: StoreUnavailable.
        """
        async with connection(self._pool) as one:
            await one.execute(_SENT, notice.game_id, notice.version, notice.kind, notice.player_id)


def _kinds(event: Recorded) -> list[tuple[str, int | None]]:
    """The kinds an event brings, each with the seat it is for, None for all."""
    to_all: list[tuple[str, int | None]] = [(TO_ALL[event.type], None)] if event.type in TO_ALL else []
    return [*to_all, *((YOUR_TURN, seat) for seat in event.meta.get("to_act", ()))]
