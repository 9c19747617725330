"""The event store in memory: for play in one process and for tests; it passes the same contract as Postgres."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from domain.application.ports import Batch, ConcurrencyConflict, Head, Listing, Recorded, Tail
from domain.kernel.chain import GENESIS


class MemoryEventStore:
    """Streams in lists. What it holds is gone with the process."""

    def __init__(self) -> None:
        self._streams: dict[str, list[Recorded]] = defaultdict(list)
        self._secrets: dict[str, bytes] = {}
        self._commands: dict[tuple[str, str], tuple[int, int]] = {}
        self._log: list[tuple[str, int]] = []
        self.directory: dict[str, Listing] = {}

    async def append(self, batch: Batch) -> None:
        """Store a batch, sealed at once: in one process commits have an order.

        Raises: ConcurrencyConflict.
        """
        stream = self._streams[batch.game_id]
        head = Head(version=stream[-1].version, hash=stream[-1].hash) if stream else Head(version=0, hash=GENESIS)
        if head != batch.after or (batch.game_id, batch.command_id) in self._commands:
            msg = f"{batch.game_id} is at version {head.version}, the batch stands on {batch.after.version}"
            raise ConcurrencyConflict(msg)
        for event in batch.events:
            self._log.append((event.game_id, event.version))
            stream.append(msgspec.structs.replace(event, position=len(self._log)))
        self._commands[batch.game_id, batch.command_id] = (batch.events[0].version, batch.events[-1].version)
        self.directory[batch.game_id] = batch.listing
        if batch.secret is not None:
            self._secrets[batch.game_id] = batch.secret

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """The events with start <= version <= end; none for an unknown stream."""
        events = tuple(self._streams.get(game_id, ())[max(start, 1) - 1 : end])
        return Tail(events=events, secret=self._secrets.get(game_id) if with_secret else None)

    async def command(self, game_id: str, command_id: str) -> Sequence[Recorded]:
        """The events a command has caused, none if it is not stored."""
        first, last = self._commands.get((game_id, command_id), (1, 0))
        return self._streams.get(game_id, [])[first - 1 : last]

    async def after(self, position: int, limit: int) -> Sequence[Recorded]:
        """The events of all games by position, after the given one."""
        return [self._streams[game_id][version - 1] for game_id, version in self._log[position : position + limit]]

    async def positions(self, game_id: str, start: int, end: int) -> Mapping[int, int]:
        """Version to position of a game's events with start <= version <= end."""
        events = self._streams.get(game_id, ())[max(start, 1) - 1 : end]
        return {event.version: event.position for event in events if event.position is not None}
