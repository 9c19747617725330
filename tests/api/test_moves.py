"""Moves: legal lists, refusals, keys, conditions, taking back, resigning, and a whole game."""

import asyncio

import pytest

from tests.api.desk import GAME, Caller, Desk, key

STARTED = 5
"""The version of a game of two people when the first move is awaited."""


@pytest.fixture
async def people(ostraka: Desk) -> tuple[Caller, Caller]:
    return await ostraka.come("Ann"), await ostraka.come("Bob")


async def test_every_listed_move_can_be_posted_as_it_is(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    mover = await ostraka.mover(game_id, *people)
    listed = await mover.get(f"/games/{game_id}/moves?notes=1", Accept_Language="da, en;q=0.5")
    assert len(listed["notes"]) == len(listed["moves"])
    assert listed["notes"][0]["undo"] == "barrier"
    answer = await mover.post(f"/games/{game_id}/moves", listed["moves"][0])
    assert answer["version"] > listed["version"]
    assert answer["hash"] == answer["events"][-1]["hash"]
    assert all(event["version"] for event in answer["events"])
    other = people[1] if mover is people[0] else people[0]
    assert (await other.get(f"/games/{game_id}"))["version"] == answer["version"]


async def test_checks_come_in_the_order_of_the_contract(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    mover = await ostraka.mover(game_id, *people)
    stranger = await ostraka.come("Eve")
    path, none = f"/games/{game_id}/moves", "/games/00000000-0000-4000-8000-000000000000/moves"
    bad = b"{not json"
    assert (await ostraka.nobody.problem("POST", none, bad))[:2] == (401, "not-authenticated")
    assert (await stranger.problem("POST", none, bad))[:2] == (404, "no-such-game")
    assert (await stranger.problem("POST", "/games/nonsense/moves", bad))[:2] == (404, "no-such-game")
    assert (await stranger.problem("POST", path, bad))[:2] == (403, "not-your-seat")
    assert (await mover.problem("POST", path, bad, If_Match='"1"'))[:2] == (400, "malformed-json")
    assert (await mover.problem("POST", path, {"type": "fly"}, If_Match='"1"'))[:2] == (422, "invalid-body")
    move = {"type": "bid", "sun": 1}
    assert (await mover.problem("POST", path, move, If_Match='"1"'))[:2] == (412, "version-mismatch")
    status, slug, document = await mover.problem("POST", path, move)
    assert (status, slug) == (409, "illegal-move")
    assert (document["rule"], document["reason"], document["version"]) == ("RA-3.2", "wrong_phase", STARTED)


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        (b"", "malformed-json"),
        (b"\xff\xfe", "malformed-json"),
        (b"[" * 5000, "malformed-json"),
        (b"null", "invalid-body"),
        (b'{"type": "draw", "extra": 1}', "invalid-body"),
        (b'{"type": "bid", "sun": 9.5}', "invalid-body"),
        (b'{"type": "bid"}', "invalid-body"),
        (b'{"type": "score_epoch", "epoch": 1}', "invalid-body"),
        (b'{"type": "table.undo", "seat": 0}', "invalid-body"),
        (b'{"type": "use_gods", "slots": []}', "invalid-body"),
        (b'"' + b"x" * 70_000 + b'"', "too-large"),
    ],
)
async def test_a_body_of_the_wrong_shape_changes_nothing(
    ostraka: Desk, people: tuple[Caller, Caller], body: bytes, slug: str
) -> None:
    game_id = await ostraka.game_of(*people)
    mover = await ostraka.mover(game_id, *people)
    assert (await mover.problem("POST", f"/games/{game_id}/moves", body))[1] == slug
    assert (await mover.get(f"/games/{game_id}"))["version"] == STARTED


async def test_a_move_sent_again_with_its_key_has_one_effect(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    mover = await ostraka.mover(game_id, *people)
    path, own = f"/games/{game_id}/moves", key()
    first = await mover.ask("POST", path, {"type": "draw"}, Idempotency_Key=own)
    again = await mover.ask("POST", path, {"type": "draw"}, Idempotency_Key=own)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert (await mover.problem("POST", path, {"type": "invoke"}, Idempotency_Key=own))[1] == "idempotency-key-reused"
    assert (await mover.problem("POST", f"/games/{game_id}/resign", Idempotency_Key=own))[1] == "idempotency-key-reused"
    assert (await mover.problem("POST", path, {"type": "draw"}, Idempotency_Key="k" * 129))[1] == "invalid-body"
    stale = await mover.ask("POST", path, {"type": "draw"}, Idempotency_Key=own, If_Match=f'"{STARTED}"')
    assert stale.headers["idempotency-replayed"] == "true"


async def test_a_refused_move_leaves_its_key_free(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    mover = await ostraka.mover(game_id, *people)
    path, own = f"/games/{game_id}/moves", key()
    assert (await mover.problem("POST", path, {"type": "pass"}, Idempotency_Key=own))[1] == "illegal-move"
    assert (await mover.ask("POST", path, {"type": "draw"}, Idempotency_Key=own)).status_code == 201


async def test_the_same_move_twenty_times_at_once_has_one_effect(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    mover = await ostraka.mover(game_id, *people)
    path, own = f"/games/{game_id}/moves", key()
    answers = await asyncio.gather(
        *(mover.ask("POST", path, {"type": "draw"}, Idempotency_Key=own, If_Match=f'"{STARTED}"') for _ in range(20))
    )
    assert {answer.status_code for answer in answers} == {201}
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    opened = await asyncio.gather(
        *(
            mover.ask("POST", "/games", {"game": GAME, "seats": [{"kind": "open"}] * 2}, Idempotency_Key=own)
            for _ in range(5)
        )
    )
    assert len({answer.json()["game_id"] for answer in opened}) == 1


async def test_a_dry_run_tells_only_what_is_free_and_changes_nothing(
    ostraka: Desk, people: tuple[Caller, Caller]
) -> None:
    game_id = await ostraka.game_of(*people)
    mover = await ostraka.mover(game_id, *people)
    tried = await mover.ask("POST", f"/games/{game_id}/moves?dry_run=1", {"type": "draw"})
    assert tried.status_code == 200
    assert tried.json()["note"]["undo"] == "barrier"
    assert "events" not in tried.json()
    assert (await mover.problem("POST", f"/games/{game_id}/moves?dry_run=1", {"type": "pass"}))[1] == "illegal-move"
    assert (await mover.get(f"/games/{game_id}"))["version"] == STARTED


async def test_nothing_to_undo_and_resignation_ends_a_game_of_two(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    assert (await people[0].problem("POST", f"/games/{game_id}/undo"))[:2] == (409, "nothing-to-undo")
    answer = await people[0].ask("POST", f"/games/{game_id}/resign", Idempotency_Key="farewell")
    assert answer.status_code == 201
    assert answer.json()["status"] == "finished"
    game = await people[1].get(f"/games/{game_id}")
    assert (game["outcome"]["winners"], game["outcome"]["reason"]) == ([1], "resignation")
    assert (await people[1].problem("POST", f"/games/{game_id}/moves", {"type": "draw"}))[:2] == (
        409,
        "game-not-running",
    )


async def test_two_people_and_a_bot_play_a_whole_game(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    ann, bob = people
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "bot": "greedy"}]
    game_id = (await ann.post("/games", {"game": GAME, "seats": seats, "turn_seconds": 86400}))["game_id"]
    await bob.post(f"/games/{game_id}/seats", {})
    state = await ann.get(f"/games/{game_id}")
    while state["status"] == "running":
        if state["waiting_for"] == "workers":
            if state["to_act"]:
                await ostraka.worker.turn(game_id, state["version"], 2)
            else:
                waiting = await ann.problem("POST", f"/games/{game_id}/moves", {"type": "draw"})
                assert waiting[1] in {"waiting-for-workers", "illegal-move"}
                await ostraka.worker.upkeep(game_id, state["version"])
        else:
            assert state["deadline"]
            mover = people[state["to_act"][0]]
            moves = (await mover.get(f"/games/{game_id}/moves"))["moves"]
            await mover.post(f"/games/{game_id}/moves", moves[-1], If_Match=f'"{state["version"]}"')
        state = await ann.get(f"/games/{game_id}")
    assert sorted(seat for group in state["outcome"]["ranking"] for seat in group) == [0, 1, 2]
    audit = await ann.get(f"/games/{game_id}/audit")
    assert audit["chain_ok"]
    assert audit["problems"] == []
