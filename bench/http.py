"""Moves over HTTP against the whole service: how many, how long, and how soon bots and scoring answer on the stream.

Run: `python -m bench.http [--seconds 3] [--replies 60]`. Driver and service share the machine.
"""

import argparse
import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import httpx

from bench.measuring import keep, machine, percentile, show
from bench.stack import running

Json = dict[str, Any]
GAMES_AT_ONCE = (1, 16, 64)


class Person:
    """An account that plays."""

    def __init__(self, client: httpx.AsyncClient, token: str) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}"}

    @classmethod
    async def come(cls, client: httpx.AsyncClient) -> "Person":
        """Become a player."""
        answer = await client.post("/players", json={"name": "bench"})
        return cls(client, answer.raise_for_status().json()["token"])

    async def get(self, path: str) -> Json:
        """Ask."""
        answer: Json = (await self._client.get(path, headers=self._headers)).raise_for_status().json()
        return answer

    async def post(self, path: str, body: Json | None = None) -> httpx.Response:
        """Post with a key of its own."""
        headers = {**self._headers, "Idempotency-Key": str(uuid.uuid4())}
        return await self._client.post(path, json=body or {}, headers=headers)

    async def open(self, game: str, others: list[Json]) -> str:
        """Open a table; the game's id."""
        answer = await self.post("/games", {"game": game, "seats": [{"kind": "me"}, *others]})
        game_id: str = answer.raise_for_status().json()["game_id"]
        return game_id


async def rate(base: str, games: int, seconds: float) -> Json:
    """Moves of two people a game in so many games at once, answered when durable. Unit: milliseconds."""
    limits = httpx.Limits(max_connections=games + 8)
    async with httpx.AsyncClient(base_url=f"{base}/api/v1", timeout=30, limits=limits) as client:
        people = (await Person.come(client), await Person.come(client))
        game = (await people[0].get("/games-on-offer"))[0]["game"]  # type: ignore[index]
        tables = [await _table(people, game) for _ in range(games)]
        end = time.perf_counter() + seconds
        lots = await asyncio.gather(*(_moves(people, game, table, end) for table in tables))
    took = [one for lot in lots for one in lot]
    return {
        "games": games,
        "moves_per_s": round(len(took) / seconds, 1),
        "p50_ms": round(percentile(took, 0.5), 2),
        "p99_ms": round(percentile(took, 0.99), 2),
    }


async def _table(people: tuple[Person, Person], game: str) -> str:
    game_id = await people[0].open(game, [{"kind": "open"}])
    (await people[1].post(f"/games/{game_id}/seats")).raise_for_status()
    return game_id


async def _moves(people: tuple[Person, Person], game: str, game_id: str, end: float) -> list[float]:
    """Play games of two, first legal moves, until the time is up; how long each move took."""
    took: list[float] = []
    while time.perf_counter() < end:
        state = await people[0].get(f"/games/{game_id}")
        while state["status"] == "running" and time.perf_counter() < end:
            if not state["to_act"]:
                await asyncio.sleep(0.01)
                state = await people[0].get(f"/games/{game_id}")
                continue
            mover = people[state["to_act"][0]]
            move = (await mover.get(f"/games/{game_id}/moves"))["moves"][0]
            begun = time.perf_counter()
            answer = await mover.post(f"/games/{game_id}/moves", move)
            took.append((time.perf_counter() - begun) * 1000)
            state = answer.raise_for_status().json()
        if time.perf_counter() < end:
            game_id = await _table(people, game)
    return took


async def replies(base: str, count: int) -> Json:
    """How soon after a person's move the bot's is on the stream, and after an epoch's end its scoring.

    Unit: milliseconds; for scoring from the recorded time of the end to its arrival.
    """
    bots: list[float] = []
    scoring: list[float] = []
    async with httpx.AsyncClient(base_url=f"{base}/api/v1", timeout=30) as client:
        person = await Person.come(client)
        offer = (await person.get("/games-on-offer"))[0]  # type: ignore[index]
        while len(bots) < count:
            game_id = await person.open(offer["game"], [{"kind": "bot", "bot": offer["bots"][-1]}] * 2)
            async with client.stream("GET", f"/games/{game_id}/events/live?after=0") as stream:
                await _play(person, game_id, _events(stream), bots, scoring)
    return {
        "bot_replies": len(bots),
        "bot_reply_ms": _times(bots),
        "scorings": len(scoring),
        "scoring_ms": _times(scoring),
    }


async def _play(
    person: Person, game_id: str, events: AsyncIterator[Json], bots: list[float], scoring: list[float]
) -> None:
    """Make first legal moves as the stream tells that it is the person's turn, until the game ends."""
    moved: float | None = None
    ended: float | None = None
    async for event in events:
        actor = event["meta"]["actor"]["kind"]
        if actor == "bot" and moved is not None:
            bots.append((time.perf_counter() - moved) * 1000)
            moved = None
        if actor == "system" and ended is not None:
            scoring.append((time.time() - ended) * 1000)
            ended = None
        to_act = event["meta"].get("to_act")
        if to_act == [] and event["type"] != "table.secret_revealed":
            ended = datetime.fromisoformat(event["recorded_at"]).timestamp()
        if to_act == [0]:
            listed = await person.get(f"/games/{game_id}/moves")
            if listed["version"] == event["version"]:
                answer = (await person.post(f"/games/{game_id}/moves", listed["moves"][0])).raise_for_status().json()
                moved = time.perf_counter() if answer["to_act"] and answer["to_act"] != [0] else None


async def _events(stream: httpx.Response) -> AsyncIterator[Json]:
    async for line in stream.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def _times(values: list[float]) -> Json:
    return {
        "p50": round(percentile(values, 0.5), 1),
        "p95": round(percentile(values, 0.95), 1),
        "p99": round(percentile(values, 0.99), 1),
        "max": round(max(values), 1),
    }


async def _measure(base: str, seconds: float, count: int) -> Json:
    figures: Json = {"machine": machine(), "moves": []}
    figures["replies"] = await replies(base, count)
    for games in GAMES_AT_ONCE:
        figures["moves"].append(await rate(base, games, seconds))
    return figures


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to move, for each number of games")
    parser.add_argument("--replies", type=int, default=60, help="how many replies of bots to wait for")
    asked = parser.parse_args()
    with running() as base:
        figures = asyncio.run(_measure(base, asked.seconds, asked.replies))
    show("machine", figures["machine"])
    show("replies on the stream", figures["replies"])
    for one in figures["moves"]:
        show(f"{one['games']} games at once", one)
    keep("http", figures)


if __name__ == "__main__":
    main()
