"""A game on a running service, through its HTTP API."""

import asyncio
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from domain.kernel.errors import DomainError

Json = dict[str, Any]

_LOOK_SECONDS = 0.2
_TRIES = 5


class Refused(DomainError):
    """The service refused a request; the text is its own sentence."""


class Unreachable(DomainError):
    """No service answers there."""


@dataclass(frozen=True, kw_only=True)
class RemoteRoom:
    """A game on a service, and the caller's token for it."""

    client: httpx.AsyncClient
    game_id: str

    @classmethod
    async def open(cls, url: str, name: str, table: Mapping[str, Any]) -> "RemoteRoom":
        """Become a player of the service and open a table there.

        Raises: Unreachable, Refused.
        """
        client = httpx.AsyncClient(base_url=f"{url.rstrip('/')}/api/v1", timeout=10)
        player = await _asked(client, "POST", "/players", {"name": name})
        client.headers["Authorization"] = f"Bearer {player['token']}"
        game = await _asked(client, "POST", "/games", table)
        return cls(client=client, game_id=game["game_id"])

    async def state(self) -> Json:
        """The game as `GET /games/{id}` answers it."""
        return await _asked(self.client, "GET", f"/games/{self.game_id}")

    async def moves(self) -> Json:
        """The caller's legal moves with notes."""
        return await _asked(self.client, "GET", f"/games/{self.game_id}/moves?notes=1")

    async def move(self, command: Json) -> None:
        """Post a move; sent again with the same key when the answer is lost, it has one effect.

        Raises: Refused.
        """
        await _asked(self.client, "POST", f"/games/{self.game_id}/moves", command)

    async def undo(self) -> None:
        """Take the last move back.

        Raises: Refused.
        """
        await _asked(self.client, "POST", f"/games/{self.game_id}/undo")

    async def events(self, after: int) -> Sequence[Json]:
        """The events after a version; waits until there are any, or until the game is over or waits for the caller."""
        while True:
            page = await _asked(self.client, "GET", f"/games/{self.game_id}/events?after={after}")
            events: list[Json] = page["events"]
            if events or await self._at_rest():
                return events
            await asyncio.sleep(_LOOK_SECONDS)

    async def _at_rest(self) -> bool:
        state = await self.state()
        return state["status"] != "running" or state["your_seat"] in state["to_act"]


async def _asked(client: httpx.AsyncClient, method: str, path: str, body: Mapping[str, Any] | None = None) -> Json:
    headers = {"Idempotency-Key": str(uuid.uuid4())} if method == "POST" else {}
    fault: Exception | None = None
    for _ in range(_TRIES):
        try:
            answer = await client.request(method, path, json=body, headers=headers)
        except httpx.TransportError as lost:
            fault = lost
            continue
        if answer.status_code == httpx.codes.SERVICE_UNAVAILABLE:
            await asyncio.sleep(float(answer.headers.get("Retry-After", 1)))
            continue
        if answer.is_error:
            raise Refused(answer.json().get("detail", answer.reason_phrase))
        told: Json = answer.json()
        return told
    msg = f"{client.base_url} does not answer"
    raise Unreachable(msg) from fault
