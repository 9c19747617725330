"""The application over a real database, called in process, and people who call it."""

import contextlib
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx

from api.app import create_app
from api.backend import Backend
from domain.application.ports import NoWakeUp
from domain.application.working import GameWorker
from domain.table.state import Running
from eventstore.connecting import Pool, open_pool
from eventstore.engine import create_engine
from eventstore.postgres import PlainBox, PostgresEventStore
from eventstore.sealed_log import PostgresSealedLog
from eventstore.sealer import seal_once
from ostraka.outside import SystemClock, SystemEntropy
from ostraka.parts.api import build_backend
from ostraka.wiring import build

Json = dict[str, Any]
GAME = "ra"


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Somebody with or without a token."""

    http: httpx.AsyncClient
    player_id: str = ""
    token: str = ""

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Call the API; header names are written with underscores."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            named.setdefault("Authorization", f"Bearer {self.token}")
        if isinstance(body, bytes):
            return await self.http.request(method, f"/api/v1{path}", content=body, headers=named)
        return await self.http.request(method, f"/api/v1{path}", json=body, headers=named)

    async def get(self, path: str, **headers: str) -> Any:
        """What a path answers, which must be no problem."""
        answer = await self.ask("GET", path, **headers)
        assert answer.is_success, answer.text
        return answer.json()

    async def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """What a post answers, which must be no problem."""
        answer = await self.ask("POST", path, body, **headers)
        assert answer.is_success, answer.text
        return answer.json()

    async def problem(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str, Json]:
        """Status, slug and document of a problem."""
        answer = await self.ask(method, path, body, **headers)
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        document = answer.json()
        assert document["status"] == answer.status_code
        assert document["detail"]
        return answer.status_code, document["type"].rsplit("/", 1)[1], document


@dataclass(frozen=True, kw_only=True)
class Desk:
    """The application, its worker, and its database."""

    backend: Backend
    worker: GameWorker
    pool: Pool
    http: httpx.AsyncClient

    @property
    def nobody(self) -> Caller:
        """Somebody without a token."""
        return Caller(http=self.http)

    async def come(self, name: str) -> Caller:
        """A new player."""
        answer = await self.nobody.post("/players", {"name": name})
        return Caller(http=self.http, player_id=answer["player_id"], token=answer["token"])

    async def auditor(self) -> Caller:
        """A new auditor."""
        caller = await self.come("Maat")
        await self.pool.execute("UPDATE ostraka.player SET role = 'auditor' WHERE player_id = $1", caller.player_id)
        return caller

    async def game_of(self, *people: Caller, **table: Any) -> str:
        """A running game of these people, in seat order."""
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in people[1:])]
        game_id: str = (await people[0].post("/games", {"game": GAME, "seats": seats, **table}))["game_id"]
        for one in people[1:]:
            await one.post(f"/games/{game_id}/seats", {})
        return game_id

    async def mover(self, game_id: str, *people: Caller) -> Caller:
        """Who is to act; scoring is done first where a game waits for it."""
        while True:
            newest = await self.backend.reader.newest(game_id)
            assert isinstance(newest.opened, Running)
            state = await people[0].get(f"/games/{game_id}")
            if state["to_act"]:
                seat: int = state["to_act"][0]
                return people[seat]
            await self.worker.upkeep(game_id, newest.head.version)

    async def seal(self) -> None:
        """Give every event its position."""
        async with self.pool.acquire() as connection:
            await seal_once(connection)


@contextlib.asynccontextmanager
async def desk(database_url: str) -> AsyncIterator[Desk]:
    """The application over a migrated database."""
    pool = await open_pool(database_url, name="test api", size=5)
    engine = create_engine(database_url, name="test api")
    store, log = PostgresEventStore(pool, PlainBox()), PostgresSealedLog(pool)
    backend = build_backend(store, log, engine, pool, wake_up=NoWakeUp(), hints=None, token_key=b"key of the tests")
    worker = build(store, log, clock=SystemClock(), entropy=SystemEntropy(), wake_up=NoWakeUp()).worker
    transport = httpx.ASGITransport(app=create_app(backend), raise_app_exceptions=False)
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://test", timeout=30) as http:
            yield Desk(backend=backend, worker=worker, pool=pool, http=http)
    finally:
        await engine.dispose()
        pool.terminate()


def key() -> str:
    """A new idempotency key."""
    return str(uuid.uuid4())
