"""What every part opens first: settings that name servers, a pool, the store, the hints."""

import base64
import binascii
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from eventstore.connecting import Pool, open_pool
from eventstore.postgres import PlainBox, PostgresEventStore, SecretBox
from eventstore.secret_box import EncryptingBox
from ostraka.hints import RedisHints
from ostraka.settings import Settings


class NotConfigured(Exception):
    """A setting is missing or wrong; the text is one sentence for whoever starts the part."""


@dataclass(frozen=True, kw_only=True)
class Connections:
    """Postgres and Redis, open."""

    pool: Pool
    store: PostgresEventStore
    hints: RedisHints


@asynccontextmanager
async def connections(settings: Settings, part: str, *, pool: int) -> AsyncIterator[Connections]:
    """The connections of a part, closed at the end of the block.

    Raises: NotConfigured; StoreUnavailable.
    """
    opened = await open_pool(
        database_url(settings), name=f"ostraka {part}", size=pool, statement_seconds=settings.statement_seconds
    )
    try:
        async with RedisHints(redis_url(settings)) as hints:
            yield Connections(pool=opened, store=PostgresEventStore(opened, secret_box(settings)), hints=hints)
    finally:
        opened.terminate()


def database_url(settings: Settings) -> str:
    """The URL of Postgres.

    Raises: NotConfigured.
    """
    if settings.database_url is None:
        msg = "Set OSTRAKA_DATABASE_URL, or use `ostraka up`, which brings a Postgres of its own."
        raise NotConfigured(msg)
    return settings.database_url.get_secret_value()


def redis_url(settings: Settings) -> str:
    """The URL of Redis.

    Raises: NotConfigured.
    """
    if settings.redis_url is None:
        msg = "Set OSTRAKA_REDIS_URL, or use `ostraka up`, which brings a Redis-compatible server of its own."
        raise NotConfigured(msg)
    return settings.redis_url.get_secret_value()


def secret_box(settings: Settings) -> SecretBox:
    """How games' secrets are stored: encrypted when there are keys.

    Raises: NotConfigured.
    """
    if not settings.secret_keys:
        return PlainBox()
    try:
        keys = [base64.b64decode(key.get_secret_value(), validate=True) for key in settings.secret_keys]
        return EncryptingBox(keys)
    except (binascii.Error, ValueError) as fault:
        msg = "OSTRAKA_SECRET_KEYS must be a JSON list of keys, each 32 bytes in base64."
        raise NotConfigured(msg) from fault
