"""The directory and the seats made anew from the events, while the service runs."""

from collections.abc import AsyncIterator, Sequence

import msgspec

from domain.application.instants import to_datetime
from domain.application.ports import Listing
from domain.kernel.messages import Seat
from eventstore.connecting import Pool, connection

# The row's times are those of the events; a version that is not stored writes nothing. A row of the same version keeps
# its tries and why it was set aside, for neither stands in the events.
_REBUILD = """
WITH written AS (
    INSERT INTO ostraka.directory AS d (game_id, game, status, version, opener, chairs, to_act, due, due_pool, due_seat,
                                        due_at, urgent, opened_at, moved_at)
    SELECT $1::uuid, $3::text, $4::text, $2::int, $5::uuid, $6::jsonb, $7::smallint[], $8::text, $9::text,
           $10::smallint, $11::timestamptz, $12::boolean, first.recorded_at, last.recorded_at
    FROM ostraka.event first, ostraka.event last
    WHERE first.game_id = $1 AND first.version = 1 AND last.game_id = $1 AND last.version = $2
    ON CONFLICT (game_id) DO UPDATE SET
        game = excluded.game, status = excluded.status, version = excluded.version, opener = excluded.opener,
        chairs = excluded.chairs, to_act = excluded.to_act, due = excluded.due, due_pool = excluded.due_pool,
        due_seat = excluded.due_seat, due_at = excluded.due_at, urgent = excluded.urgent,
        opened_at = excluded.opened_at, moved_at = excluded.moved_at,
        tries = CASE WHEN d.version = excluded.version THEN d.tries ELSE 0 END,
        parked = CASE WHEN d.version = excluded.version THEN d.parked END
    WHERE d.version <= excluded.version
    RETURNING game_id),
gone AS (
    DELETE FROM ostraka.seat s USING written
    WHERE s.game_id = written.game_id AND s.player_id <> ALL ($13::uuid[])),
seated AS (
    INSERT INTO ostraka.seat (player_id, game_id, seat)
    SELECT sitting.player_id, written.game_id, sitting.seat
    FROM written, unnest($13::uuid[], $14::smallint[]) AS sitting (player_id, seat)
    ON CONFLICT (player_id, game_id) DO UPDATE SET seat = excluded.seat)
SELECT count(*) FROM written
"""

_BEHIND = """
SELECT first.game_id FROM ostraka.event first LEFT JOIN ostraka.directory d USING (game_id)
WHERE first.version = 1 AND (d.version IS NULL OR EXISTS (
    SELECT FROM ostraka.event e WHERE e.game_id = first.game_id AND e.version = d.version + 1))
ORDER BY first.game_id
"""


class Rebuilt(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's directory row and seats were right after a version, by its events."""

    game_id: str
    version: int
    listing: Listing
    seated: tuple[tuple[str, Seat], ...]


async def rebuild(pool: Pool, games: AsyncIterator[Rebuilt]) -> int:
    """Write rows anew, each unless a newer one stands; how many were written.

    Afterwards ask `behind`: a move made while its game had no row at all has not been listed.

    Raises: StoreUnavailable.
    """
    written = 0
    async for game in games:
        listing, due = game.listing, game.listing.due
        async with connection(pool) as one:
            written += await one.fetchval(
                _REBUILD,
                game.game_id,
                game.version,
                listing.game,
                listing.status,
                listing.opener,
                listing.chairs,
                list(listing.to_act),
                due.kind if due else None,
                due.pool if due else None,
                due.seat if due else None,
                to_datetime(due.at) if due else None,
                due.urgent if due else False,
                [player for player, _ in game.seated],
                [seat for _, seat in game.seated],
            )
    return written


async def behind(pool: Pool) -> Sequence[str]:
    """The games that have events but no row, or a row older than their events: what is left to rebuild.

    Raises: StoreUnavailable.
    """
    async with connection(pool) as one:
        return [str(row["game_id"]) for row in await one.fetch(_BEHIND)]
