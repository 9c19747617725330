"""The HTTP API, served by uvicorn."""

import asyncio
import contextlib
import hashlib
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from importlib import metadata, resources

import uvicorn
from sqlalchemy.ext.asyncio import AsyncEngine

from api.app import create_app
from api.backend import Backend
from api.live.hub import Hub
from domain.application.ports import EventStore, SealedLog, StoreUnavailable, WakeUp
from eventstore.accounts import PostgresAccounts
from eventstore.connecting import Pool, connection
from eventstore.directory import PostgresDirectory
from eventstore.engine import create_engine
from eventstore.readings import PostgresReadings
from eventstore.sealed_log import PostgresSealedLog
from ostraka.hints import RedisHints
from ostraka.logging import set_up_logging
from ostraka.outside import SystemClock, SystemEntropy
from ostraka.parts.connections import connections, database_url
from ostraka.settings import Settings
from ostraka.wiring import build

_STOP_SECONDS = 3
_READS = 5


def run_api(settings: Settings) -> None:
    """Serve until told to stop.

    Raises: NotConfigured; StoreUnavailable when the database does not answer at the start.
    """
    set_up_logging(settings, "api")
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    async with connections(settings, "api", pool=settings.database_pool) as opened:
        engine = create_engine(
            database_url(settings), name="ostraka api", size=_READS, statement_seconds=settings.statement_seconds
        )
        try:
            backend = build_backend(
                opened.store,
                PostgresSealedLog(opened.pool),
                engine,
                opened.pool,
                wake_up=opened.hints,
                hints=opened.hints,
                token_key=_token_key(settings),
            )
            config = uvicorn.Config(
                create_app(backend, requests_per_second=settings.requests_per_second),
                host=settings.host,
                port=settings.port,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=_STOP_SECONDS,
                server_header=False,
            )
            async with following(backend.hub, opened.hints):
                await _Server(config, backend.hub).serve()
        finally:
            await engine.dispose()


def build_backend(
    store: EventStore,
    log: SealedLog,
    engine: AsyncEngine,
    pool: Pool,
    *,
    wake_up: WakeUp,
    hints: RedisHints | None,
    token_key: bytes,
) -> Backend:
    """What the application stands on, over these connections."""
    clock, entropy = SystemClock(), SystemEntropy()
    parts = build(store, log, clock=clock, entropy=entropy, wake_up=wake_up)
    directory = PostgresDirectory(engine)
    return Backend(
        games=parts.games,
        service=parts.service,
        reader=parts.reader,
        accounts=PostgresAccounts(engine),
        directory=directory,
        readings=PostgresReadings(engine),
        hub=Hub(parts.games, store, parts.streams, directory),
        clock=clock,
        entropy=entropy,
        token_key=token_key,
        rules=_rules,
        not_ready=lambda: _not_ready(pool),
        away=lambda: hints.away if hints else None,
        version=metadata.version("ostraka"),
    )


@asynccontextmanager
async def following(hub: Hub, hints: RedisHints) -> AsyncIterator[None]:
    """The hub at work: told by hints, and looking by itself."""

    async def follow() -> None:
        async for hint in hints.received():
            if hint is None:
                hub.missed()
            else:
                hub.hinted(hint.game_id, hint.version)

    tasks = [asyncio.create_task(follow()), asyncio.create_task(hub.run())]
    try:
        yield
    finally:
        hub.close()
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


class _Server(uvicorn.Server):
    """Ends live streams before it waits for requests, so that none delays a stop."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        self._hub.close()
        await super().shutdown(sockets)


async def _not_ready(pool: Pool) -> str | None:
    try:
        async with connection(pool, seconds=2) as one:
            exists = await one.fetchval("SELECT to_regclass('ostraka_migration') IS NOT NULL")
            revision = await one.fetchval("SELECT version_num FROM ostraka_migration") if exists else None
    except StoreUnavailable:
        return "The database does not answer."
    # Revisions are numbers with leading zeros: a newer schema serves this release too.
    if revision is None or revision < _newest_revision():
        return (
            f"The database is at revision {revision}, this release needs {_newest_revision()}: run `ostraka migrate`."
        )
    return None


@cache
def _newest_revision() -> str:
    """The last of the migrations' numbers; alembic would tell it, too, at the price of its memory."""
    names = (file.name for file in (resources.files("migrations") / "versions").iterdir())
    return max(name.split("_")[0] for name in names if name[:1].isdigit())


def _rules(game: str) -> str:
    return (resources.files(f"domain.games.{game}") / "RULES.md").read_text()


def _token_key(settings: Settings) -> bytes:
    if settings.token_key is None:
        # Repeats of POST /players are then the same only within this process.
        return secrets.token_bytes(32)
    return hashlib.sha256(settings.token_key.get_secret_value().encode()).digest()
