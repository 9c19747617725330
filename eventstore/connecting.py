"""Connections to Postgres for the hot statements, and what its failures mean."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import asyncpg
import msgspec

from domain.application.ports import ConcurrencyConflict, StoreUnavailable

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"

_AWAY = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InternalClientError,
)


async def open_pool(url: str, *, name: str, size: int = 10, statement_seconds: float = 10) -> Pool:
    """A pool of connections that answer jsonb as Python values.

    `name` is how the process calls itself in `pg_stat_activity`. Unit: seconds a statement may take.

    Raises: StoreUnavailable.
    """
    settings = {"application_name": name, "timezone": "UTC", "idle_in_transaction_session_timeout": "5s"}
    async with meaning():
        return await asyncpg.create_pool(
            url,
            min_size=1,
            max_size=size,
            command_timeout=statement_seconds,
            timeout=5,
            init=_prepare,
            # Nothing here changes a session, so there is nothing to reset: a round trip less per statement.
            reset=_keep,
            server_settings=settings,
        )


@asynccontextmanager
async def meaning() -> AsyncIterator[None]:
    """Turns the driver's errors into those of the ports."""
    try:
        yield
    except asyncpg.UniqueViolationError as fault:
        raise ConcurrencyConflict(str(fault)) from fault
    except _AWAY as fault:
        msg = f"Postgres did not answer: {fault!r}"
        raise StoreUnavailable(msg) from fault


@asynccontextmanager
async def connection(pool: Pool, seconds: float = 5) -> AsyncIterator[Connection]:
    """A connection of the pool. Unit: seconds to wait for a free one.

    Raises: StoreUnavailable; ConcurrencyConflict for a row that is there already.
    """
    async with meaning(), pool.acquire(timeout=seconds) as one:
        yield one


async def _prepare(one: Any) -> None:  # Any: asyncpg's stubs give init no usable type
    for name in ("jsonb", "json"):
        await one.set_type_codec(name, schema="pg_catalog", encoder=_encode, decoder=msgspec.json.decode)


async def _keep(_one: Any) -> None:
    """Leave the session as it is."""


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()
