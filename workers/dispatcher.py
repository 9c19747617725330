"""Hands games whose time has come to the workers. Any number may run: claims are leases and never wait."""

import asyncio
from dataclasses import dataclass

import structlog

from domain.application.ports import Clock, DueGame, Dues, StoreUnavailable
from workers.broker import Broker, BrokerAway
from workers.celery_app import POOLS

_POLL_SECONDS = 1.0
_log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class Dispatcher:
    """One dispatcher.

    `queue_length`: how many tasks may wait per pool; the rest stay in Postgres, where the order can still change.
    `tries`: after so many a game is set aside, for its workers end without a word.
    Unit: `lease` microseconds.
    """

    dues: Dues
    broker: Broker
    clock: Clock
    wake: asyncio.Event
    queue_length: int
    lease: int
    tries: int

    async def run(self) -> None:
        """Dispatch until cancelled; when Postgres or the broker is away, try again in a moment."""
        while True:
            self.wake.clear()
            try:
                for pool in POOLS:
                    await self._dispatch(pool)
                pause = await self._pause()
            except BrokerAway as fault:
                _log.warning("broker_away", reason=str(fault))
                pause = _POLL_SECONDS
            except StoreUnavailable as fault:
                _log.warning("store_unavailable", reason=str(fault))
                pause = _POLL_SECONDS
            try:
                await asyncio.wait_for(self.wake.wait(), pause)
            except TimeoutError:
                continue

    async def _dispatch(self, pool: str) -> None:
        free = self.queue_length - await self.broker.waiting(pool)
        if free <= 0:
            return
        for game in await self.dues.claim(pool, free, self.lease):
            await self._hand_over(game)

    async def _hand_over(self, game: DueGame) -> None:
        if game.tries >= self.tries:
            await self.dues.park(game.game_id, game.version, f"no end after {game.tries} tries")
            _log.error("game_set_aside", game_id=game.game_id, version=game.version, tries=game.tries)
            return
        try:
            await self.broker.send(game)
        except BrokerAway:
            await self.dues.release(game.game_id, game.version)
            raise

    async def _pause(self) -> float:
        """Until the next game is due, a second at most: hints may be lost. Unit: seconds."""
        at = await self.dues.next_at()
        if at is None:
            return _POLL_SECONDS
        # Not less than a moment: a full queue leaves games due now that nobody can take.
        return min(max((at - self.clock.now()) / 1_000_000, 0.02), _POLL_SECONDS)
