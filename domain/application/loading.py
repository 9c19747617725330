"""Folded streams kept in memory, fenced by the hash of their last event, and one queue per game."""

import asyncio
from collections import OrderedDict
from weakref import WeakValueDictionary

import msgspec

from domain.application.folding import Aggregate, blank, fold
from domain.application.ports import EventStore, StreamNotFound
from domain.table.evolve import Games


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """An aggregate and the secret of its draws, None when it is lost."""

    aggregate: Aggregate
    secret: bytes | None


class Streams:
    """The aggregates of recent games. A cached one may be old, never wrong: an append on an old head is refused."""

    def __init__(self, games: Games, store: EventStore, size: int = 1000) -> None:
        self._games = games
        self._store = store
        self._size = size
        self._cache: OrderedDict[str, Loaded] = OrderedDict()
        self._queues: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def queue(self, game_id: str) -> asyncio.Lock:
        """The lock that puts this process's commands for a game in a row, in place of a storm of conflicts."""
        lock = self._queues.get(game_id)
        if lock is None:
            lock = self._queues[game_id] = asyncio.Lock()
        return lock

    async def recent(self, game_id: str) -> Loaded:
        """The aggregate as this process last knew it, without asking the store again.

        Raises: StreamNotFound.
        """
        return self._cache.get(game_id) or await self._whole(game_id)

    async def fresh(self, game_id: str) -> Loaded:
        """The aggregate with every event that is stored now.

        A cached one whose last event is no longer stored, as after a failover that lost it, is dropped.

        Raises: StreamNotFound.
        """
        known = self._cache.get(game_id)
        if known is None:
            return await self._whole(game_id)
        head = known.aggregate.head
        tail = (await self._store.load(game_id, start=head.version)).events
        if not tail or tail[0].hash != head.hash:
            self.drop(game_id)
            return await self._whole(game_id)
        aggregate = fold(self._games, known.aggregate, tail[1:])
        loaded = msgspec.structs.replace(known, aggregate=aggregate)
        self.keep(loaded)
        return loaded

    async def at(self, game_id: str, version: int) -> Aggregate:
        """The aggregate as it stood right after a version, folded from the beginning; blank for version 0."""
        tail = await self._store.load(game_id, end=version)
        return fold(self._games, blank(game_id), tail.events)

    def keep(self, loaded: Loaded) -> None:
        """Remember an aggregate unless a newer one of its game is known."""
        game_id = loaded.aggregate.game_id
        known = self._cache.get(game_id)
        if known is None or known.aggregate.head.version <= loaded.aggregate.head.version:
            self._cache[game_id] = loaded
        self._cache.move_to_end(game_id)
        if len(self._cache) > self._size:
            self._cache.popitem(last=False)

    def drop(self, game_id: str) -> None:
        """Forget a game."""
        self._cache.pop(game_id, None)

    async def _whole(self, game_id: str) -> Loaded:
        tail = await self._store.load(game_id, with_secret=True)
        if not tail.events:
            msg = f"no game {game_id}"
            raise StreamNotFound(msg)
        loaded = Loaded(aggregate=fold(self._games, blank(game_id), tail.events), secret=tail.secret)
        self.keep(loaded)
        return loaded
