"""Two API processes on one database: nothing is lost and nothing doubled, however their moves meet."""

import asyncio

import httpx

from tests.api.desk import GAME, Caller, key
from tests.api.processes import serving

ROUNDS = 200


async def test_two_hundred_rounds_of_simultaneous_moves(migrated_url: str, valkey_url: str) -> None:
    with serving(migrated_url, valkey_url) as one, serving(migrated_url, valkey_url) as other:
        async with httpx.AsyncClient(base_url=one, timeout=30) as here, httpx.AsyncClient(base_url=other) as there:
            await _play((here, there))


async def _play(doors: tuple[httpx.AsyncClient, httpx.AsyncClient]) -> None:
    nobody = Caller(http=doors[0])
    tokens = [(await nobody.post("/players", {"name": name}))["token"] for name in ("Ann", "Bob")]
    people = [[Caller(http=door, token=token) for door in doors] for token in tokens]
    game_id, version, acknowledged = "", 0, 0
    for number in range(ROUNDS):
        state = await people[0][number % 2].get(f"/games/{game_id}") if game_id else {"to_act": []}
        if not state["to_act"]:
            game_id, version = await _new_game(people)
            state = await people[0][0].get(f"/games/{game_id}")
        here, there = people[state["to_act"][0]]
        moves = (await here.get(f"/games/{game_id}/moves"))["moves"]
        same = number % 3 == 0
        keys = (key(),) * 2 if same else (key(), key())
        path, condition = f"/games/{game_id}/moves", f'"{state["version"]}"'
        answers = await asyncio.gather(
            here.ask("POST", path, moves[0], Idempotency_Key=keys[0], If_Match=condition),
            there.ask("POST", path, moves[0], Idempotency_Key=keys[1], If_Match=condition),
        )
        stored = [answer.json() for answer in answers if answer.status_code == 201]
        if same:
            assert len(stored) == 2
            assert stored[0] == stored[1]
        else:
            assert sorted(answer.status_code for answer in answers) == [201, 412]
        version = state["version"] + len(stored[0]["events"])
        acknowledged += 1
        seen = [(await caller.get(f"/games/{game_id}"))["version"] for caller in people[0]]
        assert seen == [version, version], "a read shows less or more than what was answered"
    audit = await people[0][1].get(f"/games/{game_id}/audit")
    assert audit["chain_ok"]
    assert audit["version"] == version
    assert acknowledged == ROUNDS


async def _new_game(people: list[list[Caller]]) -> tuple[str, int]:
    seats = [{"kind": "me"}, {"kind": "open"}]
    game_id: str = (await people[0][0].post("/games", {"game": GAME, "seats": seats}))["game_id"]
    state = await people[1][1].post(f"/games/{game_id}/seats", {})
    version: int = state["version"]
    return game_id, version
