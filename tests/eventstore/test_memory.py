"""The store in memory keeps the contract of every store."""

import pytest

from domain.application.ports import EventStore, Listing, SealedLog
from eventstore.memory import MemoryEventStore
from tests.eventstore.contract import EventStoreContract, Subject


class InMemory:
    """The store with its log and its directory."""

    def __init__(self) -> None:
        self._memory = MemoryEventStore()
        self.store: EventStore = self._memory
        self.log: SealedLog = self._memory

    async def seal(self) -> None:
        """Nothing is left to do: what is appended is sealed at once."""

    async def listing(self, game_id: str) -> Listing | None:
        return self._memory.directory.get(game_id)


class TestMemoryEventStore(EventStoreContract):
    @pytest.fixture
    def subject(self) -> Subject:
        return InMemory()
