"""What all games are about, in Postgres: the rows that appends write, listed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Row, Select, any_, bindparam, literal, select, tuple_
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.application.instants import from_datetime, to_datetime
from domain.application.ports import Due, Listing, Summary, Wanted
from eventstore.engine import reading
from eventstore.schema import directory, seat

_NEWEST = (directory.c.opened_at.desc(), directory.c.game_id.desc())


class PostgresDirectory:
    """The directory as its readers see it."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def list(self, wanted: Wanted) -> Sequence[Summary]:
        """The games wanted, newest first by (opened_at, game id), at most `limit`.

        Raises: StoreUnavailable.
        """
        async with reading(self._engine) as connection:
            return [_summary(row) for row in await connection.execute(listed(wanted))]

    async def versions(self, games: Collection[str]) -> Mapping[str, int]:
        """The newest version of each of these games; those that are unknown are left out.

        Raises: StoreUnavailable.
        """
        if not games:
            return {}
        newest = select(directory.c.game_id, directory.c.version).where(directory.c.game_id.in_(games))
        async with reading(self._engine) as connection:
            rows = await connection.execute(newest)
            return {str(row.game_id): row.version for row in rows}


def listed(wanted: Wanted) -> Select[Any]:
    """The query for the games wanted. A row's place never changes, so pages do not shift under new games."""
    query = select(directory).order_by(*_NEWEST).limit(wanted.limit)
    if wanted.game is not None:
        query = query.where(directory.c.game == wanted.game)
    if wanted.status is not None:
        # Spelled out, so that the planner can tell that a partial index holds every row asked for.
        query = query.where(directory.c.status == bindparam("status", wanted.status, literal_execute=True))
    if wanted.player is not None:
        query = query.join(seat, seat.c.game_id == directory.c.game_id).where(seat.c.player_id == wanted.player)
        if wanted.to_act:
            query = query.where(seat.c.seat == any_(directory.c.to_act))
    if wanted.before is not None:
        opened_at, game_id = wanted.before
        place = tuple_(
            literal(to_datetime(opened_at), directory.c.opened_at.type), literal(game_id, directory.c.game_id.type)
        )
        query = query.where(tuple_(directory.c.opened_at, directory.c.game_id) < place)
    return query


def _summary(row: Row[Any]) -> Summary:
    return Summary(
        game_id=str(row.game_id),
        version=row.version,
        listing=Listing(
            game=row.game,
            status=row.status,
            chairs=row.chairs,
            opener=str(row.opener),
            to_act=tuple(row.to_act),
            due=_due(row),
        ),
        opened_at=from_datetime(row.opened_at),
        moved_at=from_datetime(row.moved_at),
        parked=row.parked,
    )


def _due(row: Row[Any]) -> Due | None:
    if row.due is None:
        return None
    return Due(kind=row.due, pool=row.due_pool, at=from_datetime(row.due_at), seat=row.due_seat, urgent=row.urgent)
