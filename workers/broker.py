"""Tasks to the broker, and how many wait there."""

import asyncio
from typing import Protocol

from celery import Celery
from redis.asyncio import Redis
from redis.exceptions import RedisError

from domain.application.ports import DueGame
from workers.celery_app import queue_of


class BrokerAway(Exception):
    """The broker does not answer; what is due stays due."""


class Broker(Protocol):
    """Where tasks go."""

    async def waiting(self, pool: str) -> int:
        """How many tasks wait in a pool's queue.

        Raises: BrokerAway.
        """
        ...

    async def send(self, game: DueGame) -> None:
        """Hand a due game to its pool.

        Raises: BrokerAway.
        """
        ...


class CeleryBroker:
    """Celery on Redis."""

    def __init__(self, app: Celery, url: str) -> None:
        self._app = app
        self._redis = Redis.from_url(url, socket_timeout=2, socket_connect_timeout=1)

    async def waiting(self, pool: str) -> int:
        """How many tasks wait in a pool's queue.

        Raises: BrokerAway.
        """
        try:
            length: int = await self._redis.llen(queue_of(pool))
        except (RedisError, OSError) as fault:
            raise BrokerAway(type(fault).__name__) from fault
        return length

    async def send(self, game: DueGame) -> None:
        """Hand a due game to its pool, in a thread: Celery's publishing blocks.

        Raises: BrokerAway.
        """
        await asyncio.to_thread(self._publish, *_call(game), queue_of(game.due.pool))

    async def deliver_notices(self) -> None:
        """Ask for notices to be delivered now.

        Raises: BrokerAway.
        """
        await asyncio.to_thread(self._publish, "ostraka.notices", [], queue_of("notices"))

    async def close(self) -> None:
        """Give the connections back."""
        await self._redis.aclose()
        self._app.close()

    def _publish(self, task: str, arguments: list[object], queue: str) -> None:
        try:
            self._app.send_task(task, arguments, queue=queue, retry=False, ignore_result=True)
        except Exception as fault:
            # kombu raises what its transport raises: a boundary to code we do not know.
            raise BrokerAway(type(fault).__name__) from fault


def _call(game: DueGame) -> tuple[str, list[object]]:
    """The task for a due game and its arguments: never a secret, for they pass through the broker's memory.

    The last argument counts the tries from 1.
    """
    match game.due.kind:
        case "bot":
            return "ostraka.turn", [game.game_id, game.version, game.due.seat, game.due.pool, game.tries + 1]
        case "upkeep":
            return "ostraka.upkeep", [game.game_id, game.version, game.tries + 1]
        case "clock":
            return "ostraka.clock", [game.game_id, game.version, game.tries + 1]
