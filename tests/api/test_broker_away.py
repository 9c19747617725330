"""Redis stopped or gone: every answer is as before, and none is held up."""

import os
import signal
import statistics
import time

import httpx

from ostraka.embedded.valkey import Valkey
from tests.api.desk import GAME, Caller, key
from tests.api.processes import serving

MOVES = 25
HELD_UP_SECONDS = 0.05
"""How much longer a move may take at the median; measured, it is nothing."""


async def test_moves_are_answered_as_before_while_redis_is_stopped_and_when_it_is_gone(
    migrated_url: str, own_valkey: Valkey
) -> None:
    server = own_valkey.process
    assert server
    with serving(migrated_url, own_valkey.url()) as url:
        async with httpx.AsyncClient(base_url=url, timeout=10) as http:
            people = [Caller(http=http, token=(await _come(http))["token"]) for _ in range(2)]
            usual = await _moves(people)
            os.kill(server.pid, signal.SIGSTOP)
            stopped = await _moves(people)
            os.kill(server.pid, signal.SIGCONT)
            server.kill()
            gone = await _moves(people)
            ready = await http.get("/readyz")
    assert stopped < usual + HELD_UP_SECONDS
    assert gone < usual + HELD_UP_SECONDS
    assert ready.status_code == httpx.codes.OK
    assert "Redis" in ready.json()["broker"]


async def _come(http: httpx.AsyncClient) -> dict[str, str]:
    answer: dict[str, str] = await Caller(http=http).post("/players", {"name": "Ann"})
    return answer


async def _moves(people: list[Caller]) -> float:
    """Make moves in a new game, each of which must be stored; how long one took at the median. Unit: seconds."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    game_id = (await people[0].post("/games", {"game": GAME, "seats": seats}))["game_id"]
    state = await people[1].post(f"/games/{game_id}/seats", {})
    took: list[float] = []
    while len(took) < MOVES and state["to_act"]:
        mover = people[state["to_act"][0]]
        move = (await mover.get(f"/games/{game_id}/moves"))["moves"][0]
        began = time.perf_counter()
        answer = await mover.ask("POST", f"/games/{game_id}/moves", move, Idempotency_Key=key())
        took.append(time.perf_counter() - began)
        assert answer.status_code == 201, answer.text
        state = answer.json()
    assert len(took) > 5
    return statistics.median(took)
