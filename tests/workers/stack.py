"""Real processes of the program on real servers, for tests that kill, stop and double them."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from domain.application.seeing import Viewer
from domain.application.service import SeatWanted, TableWanted
from domain.application.verifying import verify
from domain.table.state import Running, to_act
from eventstore.connecting import Pool, open_pool
from eventstore.postgres import PlainBox, PostgresEventStore
from eventstore.sealed_log import PostgresSealedLog
from ostraka.hints import RedisHints
from ostraka.histories import read_lines, write_history
from ostraka.outside import SystemClock, SystemEntropy
from ostraka.wiring import Parts, build

LEASE_SECONDS = 2
PEOPLE = ("00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b")
PATIENCE_SECONDS = 30
GAME = "ra"


@dataclass
class Stack:
    """Processes by name, started with the same settings and ended with the test."""

    database_url: str
    redis_url: str
    logs: Path
    settings: dict[str, str] = field(default_factory=dict)
    processes: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def start(self, name: str, *arguments: str) -> None:
        """Run `ostraka` with the arguments, in a process group of its own."""
        environment = {
            **os.environ,
            "OSTRAKA_DATABASE_URL": self.database_url,
            "OSTRAKA_REDIS_URL": self.redis_url,
            "OSTRAKA_LEASE_SECONDS": str(LEASE_SECONDS),
            "OSTRAKA_SLICE_SECONDS": "0.3",
            **self.settings,
        }
        with (self.logs / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                [sys.executable, "-m", "ostraka", *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                process_group=0,
            )

    def relay(self, name: str = "relay") -> None:
        """Start a relay."""
        self.start(name, "relay")

    def worker(self, name: str, *pools: str, processes: int = 1) -> None:
        """Start a worker for some pools."""
        options = [option for pool in pools for option in ("--pool", pool)]
        self.start(name, "worker", *options, "--processes", str(processes))

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a process and all it has started."""
        os.killpg(self.processes[name].pid, number)

    def kill(self, name: str) -> None:
        """End a process and all it has started at once, as a power cut would."""
        self.signal(name, signal.SIGKILL)
        self.processes.pop(name).wait()

    def end(self) -> None:
        """End everything."""
        for name in tuple(self.processes):
            with contextlib.suppress(ProcessLookupError):
                self.kill(name)

    def told(self, name: str) -> str:
        """What a process has logged."""
        return (self.logs / f"{name}.log").read_text(errors="replace")


@contextlib.contextmanager
def stack(database_url: str, redis_url: str, logs: Path, **settings: str) -> Iterator[Stack]:
    """A stack whose processes end with the block."""
    started = Stack(database_url=database_url, redis_url=redis_url, logs=logs, settings=settings)
    try:
        yield started
    finally:
        started.end()


@dataclass(frozen=True, kw_only=True)
class House:
    """The service in the test's own process, on the stack's servers."""

    parts: Parts
    pool: Pool

    async def open(self, *bots: str, me: str | None = None, **facts: Any) -> str:
        """Open a table of bots, with a person at seat 0 if one is named; the game's id."""
        mine = (SeatWanted(kind="me"),) if me else ()
        seats = (*mine, *(SeatWanted(kind="bot", bot=bot) for bot in bots))
        wanted = TableWanted(game=GAME, seats=seats, **facts)
        opened = await self.parts.service.open(me or str(uuid.uuid4()), wanted)
        return opened.aggregate.game_id

    async def lobby_of_two(self) -> str:
        """A running game of two people, both the test's to move."""
        service = self.parts.service
        wanted = TableWanted(game=GAME, seats=(SeatWanted(kind="me"), SeatWanted(kind="open")))
        opened = await service.open(PEOPLE[0], wanted)
        game_id = opened.aggregate.game_id
        await service.sit(game_id, PEOPLE[1], None, None)
        return game_id

    async def play_first_move(self, game_id: str) -> None:
        """Make the first legal move of whoever is to act."""
        table = (await self.parts.reader.newest(game_id)).opened
        assert isinstance(table, Running)
        seat = to_act(table)[0]
        command = table.facts.game.legal(table.position, seat)[0]
        await self.parts.service.move(game_id, PEOPLE[seat], command)

    async def row(self, game_id: str) -> dict[str, Any]:
        """The game's row in the directory."""
        row = await self.pool.fetchrow("SELECT * FROM ostraka.directory WHERE game_id = $1", game_id)
        assert row is not None
        return {**row}

    async def until(self, game_id: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The row as soon as it fits."""
        row: dict[str, Any] = await eventually(lambda: self.row(game_id), fits)
        return row

    async def finished(self, game_id: str) -> None:
        """Wait for the end of a game and check that its history is whole and right in every draw and decision."""
        await self.until(game_id, lambda row: row["status"] == "finished")
        await self.sound(game_id)

    async def sound(self, game_id: str) -> None:
        """Check a history: chain, and once it is over every decision; so nothing is lost, doubled or out of order."""
        history = await self.parts.reader.history(game_id, Viewer())
        path = Path(os.environ.get("TMPDIR", "/tmp")) / f"{game_id}.ndjson"
        write_history(path, game_id, history.events)
        try:
            report = verify(self.parts.games, lambda: read_lines(path))
        finally:
            path.unlink()
        assert report.problem is None, report.problem
        assert report.events == (await self.row(game_id))["version"]


@asynccontextmanager
async def house(database_url: str, redis_url: str) -> AsyncIterator[House]:
    """The service on these servers, with hints."""
    pool = await open_pool(database_url, name="test", size=4)
    try:
        async with RedisHints(redis_url) as hints:
            store = PostgresEventStore(pool, PlainBox())
            log = PostgresSealedLog(pool)
            parts = build(store, log, clock=SystemClock(), entropy=SystemEntropy(), wake_up=hints)
            yield House(parts=parts, pool=pool)
    finally:
        pool.terminate()


async def eventually(ask: Callable[[], Awaitable[Any]], fits: Callable[[Any], bool]) -> Any:
    """The first answer that fits, asked for again and again for a while."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        answer = await ask()
        if fits(answer):
            return answer
        assert time.monotonic() < end, f"still {answer}"
        await asyncio.sleep(0.02)
