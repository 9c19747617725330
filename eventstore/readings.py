"""Who has read what was hidden, in Postgres; rows stand for good."""

from collections.abc import Sequence

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.application.instants import from_datetime
from domain.application.ports import Reading
from eventstore.engine import reading as reading_from
from eventstore.schema import reading


class PostgresReadings:
    """Readings in one append-only table."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def add(self, game_id: str, player_id: str, version: int, route: str) -> None:
        """Keep a reading, durably, before its answer goes out.

        Raises: StoreUnavailable.
        """
        row = insert(reading).values(game_id=game_id, player_id=player_id, version=version, route=route)
        async with reading_from(self._engine) as connection:
            await connection.execute(row)

    async def of_game(self, game_id: str) -> Sequence[Reading]:
        """Every reading of a game, oldest first.

        Raises: StoreUnavailable.
        """
        wanted = select(reading).where(reading.c.game_id == game_id).order_by(reading.c.read_at, reading.c.id)
        async with reading_from(self._engine) as connection:
            rows = await connection.execute(wanted)
            return [
                Reading(
                    player_id=str(row.player_id), version=row.version, route=row.route, at=from_datetime(row.read_at)
                )
                for row in rows
            ]

    async def has_read(self, game_id: str, player_id: str) -> bool:
        """Whether an account has read a game's secrets.

        Raises: StoreUnavailable.
        """
        any_row = select(reading.c.id).where(reading.c.game_id == game_id, reading.c.player_id == player_id).limit(1)
        async with reading_from(self._engine) as connection:
            return (await connection.execute(any_row)).first() is not None
