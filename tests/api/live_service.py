"""The API on real servers, served by uvicorn in the test's own process, and clients of its live streams."""

import asyncio
import contextlib
import dataclasses
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx
import msgspec
import uvicorn

from api.app import create_app
from api.backend import Backend
from api.http.identity import hash_of_token
from api.live.hub import Hub
from domain.application.loading import Streams
from domain.application.ports import Account, Due, Recorded, Tail, WakeUp
from domain.application.service import SeatWanted, TableWanted
from domain.application.working import GameWorker
from domain.table.answering import Answerer, answerer
from domain.table.state import Running, to_act
from eventstore.connecting import Pool, open_pool
from eventstore.directory import PostgresDirectory
from eventstore.engine import create_engine
from eventstore.postgres import PlainBox, PostgresEventStore
from eventstore.sealed_log import PostgresSealedLog
from ostraka.outside import SystemClock, SystemEntropy
from ostraka.parts.api import build_backend
from ostraka.wiring import build

PATIENCE_SECONDS = 10
ME, FREE = SeatWanted(kind="me"), SeatWanted(kind="open")
PEOPLE = ("ann", "bob", "eve", "odo")
"""Ann and Bob play, Eve watches, Odo audits."""


class CountingStore(PostgresEventStore):
    """Keeps what it was asked to load; `lost` makes it the store of another history."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool, PlainBox())
        self.loads: list[tuple[str, int]] = []
        self.lost = False

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """As the store."""
        self.loads.append((game_id, start))
        tail = await super().load(game_id, start=start, end=end, with_secret=with_secret)
        if not self.lost:
            return tail
        return Tail(events=[msgspec.structs.replace(event, hash="0" * 64) for event in tail.events], secret=None)


class Doorbell:
    """Hands hints to a hub of the same process, unless they are to be lost."""

    def __init__(self) -> None:
        self.ring: Callable[[str, int], None] | None = None

    def hint(self, game_id: str, version: int, due: Due | None) -> None:
        """A game has reached a version."""
        if self.ring:
            self.ring(game_id, version)


@dataclass(kw_only=True)
class Service:
    """A served API. `worker` and `backend` act on its games without HTTP; `store` is what its hub reads."""

    url: str
    backend: Backend
    worker: GameWorker
    store: CountingStore
    door: Doorbell
    pool: Pool
    server: uvicorn.Server
    serving: asyncio.Task[None]
    accounts: dict[str, str] = field(default_factory=dict)

    @property
    def hub(self) -> Hub:
        """The hub of its streams."""
        return self.backend.hub

    def client(self, name: str | None = None) -> httpx.AsyncClient:
        """A client with somebody's token."""
        headers = {} if name is None else {"Authorization": f"Bearer {token(self, name)}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=PATIENCE_SECONDS, verify=False)

    @contextlib.asynccontextmanager
    async def stream(
        self, path: str, name: str | None = None, *, after: int | None = None, last: int | None = None
    ) -> AsyncIterator["Messages"]:
        """An open stream."""
        params = {} if after is None else {"after": str(after)}
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        async with (
            self.client(name) as client,
            client.stream("GET", f"/api/v1{path}", params=params, headers=headers) as response,
        ):
            assert response.status_code == 200, await response.aread()
            assert response.headers["content-type"].startswith("text/event-stream")
            yield Messages(response)

    async def game(self, *people: str, bots: Sequence[str] = (), **facts: Any) -> str:
        """A game of Ra of these people and bots, with everybody seated."""
        seats = (ME, *(FREE for _ in people[1:]), *(SeatWanted(kind="bot", bot=bot) for bot in bots))
        opened = await self.backend.service.open(self.accounts[people[0]], TableWanted(game="ra", seats=seats, **facts))
        for one in people[1:]:
            await self.backend.service.sit(opened.aggregate.game_id, self.accounts[one], None, None)
        return opened.aggregate.game_id

    @staticmethod
    def table(**facts: Any) -> TableWanted:
        """A table of two, one seat open."""
        return TableWanted(game="ra", seats=(ME, FREE), **facts)

    async def step(self, game_id: str) -> Sequence[Recorded]:
        """What happens next in the game, whoever does it."""
        aggregate = await self.backend.reader.newest(game_id)
        table, version = aggregate.opened, aggregate.head.version
        assert isinstance(table, Running)
        if table.facts.game.upkeep(table.position) is not None:
            done = await self.worker.upkeep(game_id, version)
        else:
            seat = to_act(table)[0]
            if answerer(table, seat) is Answerer.PERSON:
                command = table.facts.game.legal(table.position, seat)[-1]
                player = self.accounts[PEOPLE[seat]]
                done = await self.backend.service.move(game_id, player, command)
            else:
                done = await self.worker.turn(game_id, version, seat)
        assert done is not None
        return done.events

    async def steps(self, game_id: str, count: int) -> int:
        """So many commands; the version after them."""
        last = [await self.step(game_id) for _ in range(count)][-1]
        return last[-1].version

    async def play_out(self, game_id: str) -> int:
        """Everything to the end; the last version."""
        version = 0
        while isinstance((await self.backend.reader.newest(game_id)).opened, Running):
            version = (await self.step(game_id))[-1].version
        return version

    async def waited_for(self, game_id: str) -> str:
        """Who is to act, a person."""
        return PEOPLE[to_act((await self.backend.reader.newest(game_id)).opened)[0]]

    async def version(self, game_id: str) -> int:
        """Where the game is."""
        return (await self.backend.reader.newest(game_id)).head.version

    async def stop(self) -> None:
        """Stop as a signal does."""
        self.server.should_exit = True
        await self.serving


class Messages:
    """What comes over a stream, message by message."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.comments = 0
        self._lines = response.aiter_lines()

    async def next(self) -> dict[str, str] | None:
        """The fields of the next message with data; None at the end of the stream."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            fields: dict[str, str] = {}
            async for line in self._lines:
                if line.startswith(":"):
                    self.comments += 1
                elif line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                elif "data" in fields:
                    return fields
                else:
                    fields = {}
            return None

    async def event(self) -> dict[str, Any]:
        """The next event; its id is its version, and it has no name."""
        message = await self.next()
        assert message is not None, "the stream has ended"
        assert set(message) <= {"id", "data", "retry"}
        event: dict[str, Any] = msgspec.json.decode(message["data"])
        assert int(message["id"]) == event["version"]
        return event

    async def notice(self) -> dict[str, Any]:
        """The next notice of a stream over many games."""
        message = await self.next()
        assert message is not None, "the stream has ended"
        notice: dict[str, Any] = msgspec.json.decode(message["data"])
        assert message["event"] == notice["kind"]
        return notice

    async def up_to(self, version: int) -> list[dict[str, Any]]:
        """The events up to a version."""
        events = [await self.event()]
        while events[-1]["version"] < version:
            events.append(await self.event())
        return events

    async def rest(self) -> list[dict[str, Any]]:
        """Every event to the end of the stream."""
        events: list[dict[str, Any]] = []
        while (message := await self.next()) is not None:
            events.append(msgspec.json.decode(message["data"]))
        return events


@contextlib.asynccontextmanager
async def served(
    url: str,
    *,
    size: int = 6,
    poll: float = 1.0,
    heartbeat: float = 15.0,
    queue: int = 256,
    hints: bool = True,
    wake_up: WakeUp | None = None,
) -> AsyncIterator[Service]:
    """The API on a database, on a free port. Unless hints go elsewhere or are lost, its hub hears them at once."""
    pool = await open_pool(url, name="live tests", size=size)
    engine = create_engine(url, name="live tests", size=size)
    store, log, door = CountingStore(pool), PostgresSealedLog(pool), Doorbell()
    bell = wake_up or door
    plain = PostgresEventStore(pool, PlainBox())
    backend = build_backend(plain, log, engine, pool, wake_up=bell, hints=None, token_key=b"key")
    worker = build(plain, log, clock=SystemClock(), entropy=SystemEntropy(), wake_up=bell).worker
    streams = Streams(backend.games, store)
    directory = PostgresDirectory(engine)
    hub = Hub(backend.games, store, streams, directory, poll=poll, heartbeat=heartbeat, queue=queue)
    backend = dataclasses.replace(backend, hub=hub)
    door.ring = hub.hinted if hints else None
    place = socket.create_server(("127.0.0.1", 0))
    # Little is on its way to a reader who does not read.
    place.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    config = uvicorn.Config(create_app(backend), log_config=None, access_log=False, lifespan="off")
    server = Stopping(config, hub)
    serving = asyncio.create_task(server.serve([place]))
    looking = asyncio.create_task(hub.run())
    service = Service(
        url=f"http://127.0.0.1:{place.getsockname()[1]}",
        backend=backend,
        worker=worker,
        store=store,
        door=door,
        pool=pool,
        server=server,
        serving=serving,
    )
    try:
        for name in PEOPLE:
            service.accounts[name] = f"00000000-0000-4000-8000-0000000000{PEOPLE.index(name):02}"
            role: Any = "auditor" if name == "odo" else "player"
            account = Account(player_id=service.accounts[name], name=name, role=role)
            await backend.accounts.create(account, hash_of_token(token(service, name)))
        yield service
    finally:
        await service.stop()
        looking.cancel()
        await asyncio.wait({looking})
        await pool.close()
        await engine.dispose()


class Stopping(uvicorn.Server):
    """Ends live streams first, as the program does."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        self._hub.close()
        await super().shutdown(sockets)


def token(_service: Service, name: str) -> str:
    """Somebody's token."""
    return f"the token of {name}".replace(" ", "-")


async def eventually(holds: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what is waited for has no event to wait on
            await asyncio.sleep(0.01)
