"""The whole service in memory, with a clock that stands still and randomness that repeats, for whoever tests on it."""

import hashlib
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, Literal, TypeAlias

from domain.application.committing import Committed
from domain.application.folding import Aggregate
from domain.application.ports import NoWakeUp, Recorded
from domain.application.service import SeatWanted, TableWanted
from domain.kernel.game import AnyGame
from domain.kernel.messages import Command, Seat
from domain.table.answering import Answerer, answerer
from domain.table.state import Running, to_act
from eventstore.memory import MemoryEventStore
from ostraka.wiring import build

NOON = 1_770_000_000_000_000
"""When the clock of a new house stands still. Unit: microseconds since 1970 UTC."""

SECOND = 1_000_000

Choose: TypeAlias = Callable[[Sequence[Command]], Command]
"""What a person does: one of the legal moves."""


class FixedClock:
    """Time passes only when a test says so."""

    def __init__(self, now: int = NOON) -> None:
        self._now = now

    def now(self) -> int:
        """Microseconds since 1970 UTC."""
        return self._now

    def pass_by(self, seconds: int) -> None:
        """Let so many seconds pass."""
        self._now += seconds * SECOND


class FixedEntropy:
    """Bytes that look random and are the same for the same seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._calls = 0

    def bytes(self, count: int) -> bytes:
        """The next bytes."""
        self._calls += 1
        return hashlib.shake_256(f"{self._seed}/{self._calls}".encode()).digest(count)


def account(seat: Seat) -> str:
    """The id of the account that sits at a seat; seat 0 opens the table."""
    return f"00000000-0000-4000-8000-{seat + 1:012}"


class House:
    """A service with its store. Every seat that is no bot belongs to `account(seat)`."""

    def __init__(self, seed: str = "house") -> None:
        self.store = MemoryEventStore()
        self.clock = FixedClock()
        self._entropy = FixedEntropy(seed)
        self._move_in()

    def _move_in(self) -> None:
        parts = build(self.store, self.store, clock=self.clock, entropy=self._entropy, wake_up=NoWakeUp())
        self.streams, self.service = parts.streams, parts.service
        self.reader, self.worker = parts.reader, parts.worker

    def restart(self) -> None:
        """Forget all but what is stored, as another process would see it."""
        self._move_in()

    async def open(
        self,
        game: AnyGame,
        seats: int,
        options: dict[str, Any] | None = None,
        *,
        bots: Iterable[tuple[Seat, str]] = (),
        turn_seconds: int | None = None,
        absent: Literal["idle", "bot", "resign"] = "idle",
        resigned: Literal["bot", "idle"] = "bot",
        entropy: str | None = None,
    ) -> tuple[Committed, ...]:
        """Open a table and fill it: every command up to the one with which the game begins.

        People at the seats above 0 add `entropy`, each with the seat's number behind it.
        """
        by_seat = dict(bots)
        chairs = [SeatWanted(kind="bot", bot=by_seat[seat]) if seat in by_seat else None for seat in range(seats)]
        wanted = TableWanted(
            game=game.key,
            seats=tuple(chair or SeatWanted(kind="open" if seat else "me") for seat, chair in enumerate(chairs)),
            options=options or {},
            turn_seconds=turn_seconds,
            absent=absent,
            resigned=resigned,
        )
        done = [await self.service.open(account(0), wanted)]
        for seat in (seat for seat, chair in enumerate(chairs) if seat and chair is None):
            own = None if entropy is None else f"{entropy}{seat}"
            done.append(await self.service.sit(done[0].aggregate.game_id, account(seat), seat, own))
        return tuple(done)

    async def play(self, aggregate: Aggregate, choose: Choose) -> AsyncIterator[Committed]:
        """Every command from here to the end: people choose, bots and upkeep are left to the worker."""
        while isinstance(table := aggregate.table, Running):
            done = await self.step(aggregate, table, choose)
            yield done
            aggregate = done.aggregate

    async def step(self, aggregate: Aggregate, table: Running, choose: Choose) -> Committed:
        """The next command of a running game."""
        game_id, version = aggregate.game_id, aggregate.head.version
        if table.facts.game.upkeep(table.position) is not None:
            done = await self.worker.upkeep(game_id, version)
        else:
            seat = to_act(table)[0]
            if answerer(table, seat) is Answerer.PERSON:
                command = choose(table.facts.game.legal(table.position, seat))
                return await self.service.move(game_id, account(seat), command, key=f"the client's {version}")
            done = await self.worker.turn(game_id, version, seat)
        assert done is not None, f"the worker found nothing to do at version {version}"
        return done

    async def events(self, game_id: str) -> Sequence[Recorded]:
        """The whole stream of a game."""
        return (await self.store.load(game_id)).events
