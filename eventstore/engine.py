"""The read side's connections: an SQLAlchemy engine whose failures mean the same as those of the hot statements."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import msgspec
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as NoConnectionFree
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from domain.application.ports import StoreUnavailable
from eventstore.connecting import meaning


def create_engine(url: str, *, name: str, size: int = 5, statement_seconds: float = 10) -> AsyncEngine:
    """An engine that connects when it is first asked; every statement is a transaction of its own.

    `name` is how the process calls itself in `pg_stat_activity`. Unit: seconds a statement may take.
    """
    settings = {
        "application_name": name,
        "timezone": "UTC",
        "statement_timeout": f"{round(statement_seconds * 1000)}ms",
        "idle_in_transaction_session_timeout": "5s",
    }

    async def connect() -> Any:  # Any: SQLAlchemy's name for a driver's connection
        # asyncpg reads the URL itself, so that it means the same here as in `connecting.open_pool`.
        return await asyncpg.connect(url, timeout=5, command_timeout=statement_seconds + 1, server_settings=settings)

    engine = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=connect,
        isolation_level="AUTOCOMMIT",
        pool_size=size,
        max_overflow=0,
        pool_timeout=5,
        # The newest connection first: the others go idle, and nothing is asked before a statement.
        pool_use_lifo=True,
        json_deserializer=msgspec.json.decode,
    )
    event.listen(engine.sync_engine, "checkout", _require_open)
    return engine


@asynccontextmanager
async def reading(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection of the engine.

    Raises: StoreUnavailable; ConcurrencyConflict for a row that is there already.
    """
    async with meaning():
        try:
            async with engine.connect() as connection:
                yield connection
        except NoConnectionFree as fault:
            msg = "no connection to Postgres became free"
            raise StoreUnavailable(msg) from fault
        except DBAPIError as fault:
            # The driver's own error says what happened; `meaning` knows them all.
            raise fault.driver_exception from fault


def _require_open(driver: Any, _record: object, _proxy: object) -> None:  # Any: the adapter of a driver's connection
    """Whoever takes a connection that the server has closed gets a fresh one in its place."""
    if driver.driver_connection.is_closed():
        raise DisconnectionError
