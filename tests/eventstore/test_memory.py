"""The store in memory keeps the contract of every store."""

from collections.abc import Sequence

import pytest

from domain.application.ports import EventStore, Listing, Recorded
from eventstore.memory import MemoryEventStore
from tests.eventstore.contract import EventStoreContract, Subject


class InMemory:
    """The store with its log and its directory."""

    def __init__(self) -> None:
        self._memory = MemoryEventStore()
        self.store: EventStore = self._memory

    async def log(self, after: int, limit: int) -> Sequence[Recorded]:
        return await self._memory.after(after, limit)

    async def listing(self, game_id: str) -> Listing | None:
        return self._memory.directory.get(game_id)


class TestMemoryEventStore(EventStoreContract):
    @pytest.fixture
    def subject(self) -> Subject:
        return InMemory()
