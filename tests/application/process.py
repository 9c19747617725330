"""A process of the service over a store that it may share with others, and stores that fail on purpose."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from domain.application.committing import Committed, Committer
from domain.application.folding import Aggregate
from domain.application.loading import Streams
from domain.application.ports import Batch, Due, EventStore, Recorded, StoreUnavailable, Tail
from domain.application.reading import GameReader
from domain.application.service import GameService, SeatWanted, TableWanted
from domain.application.working import GameWorker
from domain.table.evolve import Games
from domain.table.state import Over, Running
from eventstore.memory import MemoryEventStore
from tests.house import FixedClock, FixedEntropy
from tests.table.table import ANN, BOB, GAMES
from tests.table.toy import Choose

T = TypeVar("T")

ME, FREE = SeatWanted(kind="me"), SeatWanted(kind="open")


def bot(name: str = "first") -> SeatWanted:
    """A seat for a bot."""
    return SeatWanted(kind="bot", bot=name)


def wanted(*seats: SeatWanted, game: str = "toy", **facts: Any) -> TableWanted:
    """A wish for a table, by default of two: whoever opens it, and an open seat."""
    return TableWanted(game=game, seats=seats or (ME, FREE), **facts)


class Bell:
    """Keeps every hint that a game has moved on."""

    def __init__(self) -> None:
        self.rung: list[tuple[str, int, Due | None]] = []

    def hint(self, game_id: str, version: int, due: Due | None) -> None:
        """A game has reached a version, and waits for something."""
        self.rung.append((game_id, version, due))


class SealedAtOnce:
    """A global log that is never behind, for stores that can be asked for streams only."""

    async def after(self, position: int, limit: int) -> Sequence[Recorded]:
        """Nothing: who reads the log asks a store that has one."""
        return ()

    async def positions(self, game_id: str, start: int, end: int) -> Mapping[int, int]:
        """A position for every version."""
        return {version: version for version in range(start, end + 1)}


class Process:
    """One process of the service; two of them over one store know of each other only what is stored."""

    def __init__(
        self, store: EventStore | None = None, *, seed: str = "process", cache: int = 1000, games: Games = GAMES
    ) -> None:
        self.memory = MemoryEventStore()
        self.store = store or self.memory
        self.clock = FixedClock()
        self.bell = Bell()
        entropy = FixedEntropy(seed)
        self.streams = Streams(games, self.store, cache)
        self.committer = Committer(games, self.store, self.streams, self.clock, entropy, self.bell)
        self.service = GameService(games, self.committer, self.streams, self.clock, entropy)
        self.reader = GameReader(games, self.store, SealedAtOnce(), self.streams, self.clock)
        self.worker = GameWorker(self.committer, self.streams, self.clock)

    async def lobby(self, **facts: Any) -> str:
        """Ann's toy table of two that waits for somebody."""
        return (await self.service.open(ANN, wanted(**facts))).aggregate.game_id

    async def game(self, *others: str, bots: Sequence[str] = (), **facts: Any) -> str:
        """Ann's toy game with the others, by default Bob, and bots behind them: begun."""
        people = others if others or bots else (BOB,)
        seats = (ME, *(FREE for _ in people), *(bot(name) for name in bots))
        game_id = (await self.service.open(ANN, wanted(*seats, **facts))).aggregate.game_id
        for player in people:
            await self.service.sit(game_id, player, None, None)
        return game_id

    async def choose(self, game_id: str, *players: str, number: int = 1) -> Committed:
        """These players choose, one after the other."""
        last = [await self.service.move(game_id, player, Choose(number=number)) for player in players]
        return last[-1]

    async def finished(self, **facts: Any) -> str:
        """A toy game of Ann and Bob that has been played to its end."""
        game_id = await self.game(options={"rounds": 1}, **facts)
        await self.choose(game_id, ANN, BOB)
        await self.worker.upkeep(game_id, await self.version(game_id))
        assert isinstance(await self.table(game_id), Over)
        return game_id

    async def newest(self, game_id: str) -> Aggregate:
        """The game as it is."""
        return await self.reader.newest(game_id)

    async def version(self, game_id: str) -> int:
        """Where the game is."""
        return (await self.newest(game_id)).head.version

    async def table(self, game_id: str) -> Any:
        """The table as it is; `Any`: the test knows the phase."""
        return (await self.newest(game_id)).table

    async def running(self, game_id: str) -> Running:
        """The table, which is in play."""
        table = await self.table(game_id)
        assert isinstance(table, Running)
        return table

    async def events(self, game_id: str) -> Sequence[Recorded]:
        """Everything stored of the game."""
        return (await self.store.load(game_id)).events

    async def check(self, game_id: str) -> None:
        """What this process holds of the game is what anybody would fold from the store."""
        newest = await self.newest(game_id)
        assert await self.streams.at(game_id, newest.head.version) == newest


class Courteous:
    """A store that lets all other tasks go first, as one across a network does."""

    def __init__(self, store: EventStore) -> None:
        self._store = store

    async def append(self, batch: Batch) -> None:
        """As the store, a little later."""
        await asyncio.sleep(0)  # no time passes
        await self._store.append(batch)

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """As the store, a little later."""
        await asyncio.sleep(0)
        return await self._store.load(game_id, start=start, end=end, with_secret=with_secret)

    async def command(self, game_id: str, command_id: str) -> Sequence[Recorded]:
        """As the store, a little later."""
        await asyncio.sleep(0)
        return await self._store.command(game_id, command_id)


class Switch:
    """A store that can be replaced by another while the service runs, as a failover does."""

    def __init__(self, store: EventStore) -> None:
        self.behind = store

    async def append(self, batch: Batch) -> None:
        """As the store behind."""
        await self.behind.append(batch)

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """As the store behind."""
        return await self.behind.load(game_id, start=start, end=end, with_secret=with_secret)

    async def command(self, game_id: str, command_id: str) -> Sequence[Recorded]:
        """As the store behind."""
        return await self.behind.command(game_id, command_id)


class Failing:
    """A store that fails at one call, counted from 0: before it has any effect, or after, when its answer is lost."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._left: int | None = None
        self._when: Literal["before", "after"] = "before"
        self.failed = False

    def fail(self, call: int, when: Literal["before", "after"]) -> None:
        """Fail once, at that call from now on."""
        self._left, self._when, self.failed = call, when, False

    def heal(self) -> None:
        """Fail no more."""
        self._left = None

    async def append(self, batch: Batch) -> None:
        """As the store, unless it fails."""
        await self._through(lambda: self._store.append(batch))

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """As the store, unless it fails."""
        return await self._through(lambda: self._store.load(game_id, start=start, end=end, with_secret=with_secret))

    async def command(self, game_id: str, command_id: str) -> Sequence[Recorded]:
        """As the store, unless it fails."""
        return await self._through(lambda: self._store.command(game_id, command_id))

    async def _through(self, call: Callable[[], Awaitable[T]]) -> T:
        due = self._left == 0
        self._left = None if self._left is None or due else self._left - 1
        self.failed |= due
        if due and self._when == "before":
            raise StoreUnavailable
        answer = await call()
        if due:
            raise StoreUnavailable
        return answer


def without_positions(events: Sequence[Recorded]) -> list[dict[str, Any]]:
    """Events as their writer knew them, before the store gave them a place in its log."""
    fields = [field for field in Recorded.__struct_fields__ if field != "position"]
    return [{field: getattr(event, field) for field in fields} for event in events]
