"""A game as different people may see it: states, versions, events, secrets, audit."""

import json
from typing import Any

import pytest

from domain.kernel.chain import GENESIS, event_hash
from domain.kernel.visibility import commitment, replaced, value_at
from tests.api.desk import GAME, Caller, Desk

HIDDEN = {"hide_scores": True}


@pytest.fixture
async def people(ostraka: Desk) -> tuple[Caller, Caller]:
    return await ostraka.come("Ann"), await ostraka.come("Bob")


async def one_epoch(ostraka: Desk, people: tuple[Caller, Caller]) -> str:
    """A game with hidden scores whose first epoch has been scored."""
    game_id = await ostraka.game_of(*people, options=HIDDEN)
    while True:
        mover = await ostraka.mover(game_id, *people)
        state = await mover.get(f"/games/{game_id}")
        if state["view"]["epoch"] == 2:
            return game_id
        await mover.post(f"/games/{game_id}/moves", (await mover.get(f"/games/{game_id}/moves"))["moves"][0])


async def test_a_state_has_an_entity_tag_and_answers_304(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    answer = await people[0].ask("GET", f"/games/{game_id}")
    assert answer.headers["etag"] == '"5"'
    assert answer.headers["cache-control"] == "private, no-cache"
    assert answer.headers["vary"] == "Authorization, Accept-Language"
    again = await people[0].ask("GET", f"/games/{game_id}", If_None_Match='"5"')
    assert (again.status_code, again.content) == (304, b"")
    assert (await people[0].ask("GET", f"/games/{game_id}", If_None_Match='"4"')).status_code == 200


async def test_the_state_after_any_event_can_be_asked_for(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await ostraka.game_of(*people)
    assert [(await people[0].get(f"/games/{game_id}?version={number}"))["status"] for number in range(1, 6)] == [
        "lobby",
        "lobby",
        "running",
        "running",
        "running",
    ]
    for version, slug in (("0", "no-such-version"), ("6", "no-such-version"), ("x", "invalid-body")):
        assert (await people[0].problem("GET", f"/games/{game_id}?version={version}"))[1] == slug
    assert (await people[0].problem("GET", f"/games/{game_id}?as=1"))[:2] == (403, "forbidden")


async def test_each_sees_his_own_secrets_and_all_verify_the_same_hashes(
    ostraka: Desk, people: tuple[Caller, Caller]
) -> None:
    game_id = await one_epoch(ostraka, people)
    await ostraka.seal()
    seen = [(await caller.get(f"/games/{game_id}/events"))["events"] for caller in (*people, ostraka.nobody)]
    assert len({tuple(event["hash"] for event in events) for events in seen}) == 1
    for events in seen:
        assert [event["position"] for event in events] == list(range(1, len(events) + 1))
        verify(game_id, events)
    scored = [next(event for event in events if event["type"].endswith("epoch_scored")) for events in seen]
    shown = [["commitment" not in line for line in event["data"]["seats"]] for event in scored]
    assert shown == [[True, False], [False, True], [False, False]]
    scores = [
        [player["score"] for player in (await caller.get(f"/games/{game_id}"))["view"]["players"]]
        for caller in (*people, ostraka.nobody)
    ]
    assert [[score is not None for score in row] for row in scores] == shown


def verify(game_id: str, events: list[dict[str, Any]]) -> None:
    """The hashes of a redacted history, from what its viewer was given and nothing else."""
    previous = GENESIS
    for event in events:
        document = {"data": event["data"], "meta": event["meta"]}
        for pointer, salt in event["openings"].items():
            document = replaced(document, pointer, {"commitment": commitment(value_at(document, pointer), salt)})
        fields = {name: event[name] for name in ("version", "type", "schema_version", "command_id", "command_ix")}
        found = event_hash(game_id=game_id, previous=previous, recorded_at=event["recorded_at"], **fields, **document)
        assert found == event["hash"]
        previous = found


async def test_pages_and_lines_tell_the_same(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await one_epoch(ostraka, people)
    await ostraka.seal()
    paged: list[Any] = []
    more = True
    while more:
        page = await people[0].get(f"/games/{game_id}/events?after={len(paged)}&limit=7")
        paged, more = [*paged, *page["events"]], page["more"]
    lines = await people[0].ask("GET", f"/games/{game_id}/events", Accept="application/x-ndjson")
    assert [json.loads(line) for line in lines.text.splitlines()] == paged
    assert lines.headers["content-type"].startswith("application/x-ndjson")
    for query in ("after=-1", "after=x", "limit=0"):
        assert (await people[0].problem("GET", f"/games/{game_id}/events?{query}"))[1] == "invalid-body"


async def test_when_it_is_over_everything_is_open_to_everyone(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    game_id = await one_epoch(ostraka, people)
    running = await ostraka.nobody.get(f"/games/{game_id}/audit")
    assert (running["secret"], running["reads"], running["chain_ok"]) == (None, None, True)
    await people[0].post(f"/games/{game_id}/resign")
    await ostraka.seal()
    events = (await ostraka.nobody.get(f"/games/{game_id}/events"))["events"]
    assert not any(event["redacted"] for event in events)
    verify(game_id, events)
    audit = await ostraka.nobody.get(f"/games/{game_id}/audit")
    assert audit["secret"] == events[-1]["data"]["secret"]
    assert (audit["chain_ok"], audit["problems"], audit["reads"]) == (True, [], [])
    assert "seats" in (await ostraka.nobody.get(f"/games/{game_id}?as=all"))["view"]


async def test_an_auditor_is_written_down_before_he_reads_and_cannot_sit_down_any_more(
    ostraka: Desk, people: tuple[Caller, Caller]
) -> None:
    auditor = await ostraka.auditor()
    game_id = await one_epoch(ostraka, people)
    await ostraka.seal()
    events = (await auditor.get(f"/games/{game_id}/events"))["events"]
    assert not any(event["redacted"] for event in events)
    assert (await auditor.get(f"/games/{game_id}?as=0"))["view"]["players"][0]["score"] is not None
    assert (await auditor.problem("POST", f"/games/{game_id}/seats", {}))[:2] == (403, "forbidden")
    await people[1].post(f"/games/{game_id}/resign")
    reads = (await ostraka.nobody.get(f"/games/{game_id}/audit"))["reads"]
    assert [(one["player_id"], one["route"]) for one in reads] == [
        (auditor.player_id, "events"),
        (auditor.player_id, "game"),
    ]


async def test_an_auditor_who_plays_sees_what_his_seat_sees(ostraka: Desk, people: tuple[Caller, Caller]) -> None:
    auditor = await ostraka.auditor()
    game_id = await one_epoch(ostraka, (auditor, people[0]))
    await ostraka.seal()
    events = (await auditor.get(f"/games/{game_id}/events"))["events"]
    assert any(event["redacted"] for event in events)
    await people[0].post(f"/games/{game_id}/resign")
    assert (await ostraka.nobody.get(f"/games/{game_id}/audit"))["reads"] == []


async def test_paths_and_methods_that_are_not_there_are_problems(ostraka: Desk) -> None:
    assert (await ostraka.nobody.problem("GET", "/nowhere"))[:2] == (404, "not-found")
    assert (await ostraka.nobody.problem("PUT", "/games"))[:2] == (405, "method-not-allowed")


async def test_health_readiness_and_metrics(ostraka: Desk) -> None:
    assert (await ostraka.http.get("/healthz")).json() == {"status": "up"}
    assert (await ostraka.http.get("/readyz")).json()["status"] == "ready"
    assert "ostraka_http_requests" in (await ostraka.http.get("/metrics")).text
    await ostraka.pool.execute("UPDATE ostraka_migration SET version_num = '0000'")
    old = await ostraka.http.get("/readyz")
    assert old.status_code == 503
    assert "ostraka migrate" in old.json()["reason"]


async def test_a_fault_of_ours_tells_nothing(ostraka: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        msg = "secret detail"
        raise ZeroDivisionError(msg)

    monkeypatch.setattr(ostraka.backend.reader, "newest", broken)
    status, slug, document = await ostraka.nobody.problem("GET", "/games/00000000-0000-4000-8000-000000000000/audit")
    assert (status, slug) in {(500, "internal-error"), (404, "no-such-game")}
    assert "secret detail" not in str(document)


async def test_the_document_has_a_schema_for_every_command(ostraka: Desk) -> None:
    document = await ostraka.nobody.get("/openapi.json")
    game = ostraka.backend.games[GAME]
    union = document["components"]["schemas"][f"{GAME}_move"]
    assert len(union["oneOf"]) == len(game.player_commands)
    for reference in union["discriminator"]["mapping"].values():
        assert reference.rsplit("/", 1)[1] in document["components"]["schemas"]
    assert (await ostraka.http.get("/docs")).text.count("<h2>") == sum(len(one) for one in document["paths"].values())


async def test_the_examples_of_the_document_work_when_pasted(ostraka: Desk) -> None:
    document = await ostraka.nobody.get("/openapi.json")

    def examples(path: str) -> list[Any]:
        content = document["paths"][f"/api/v1{path}"]["post"]["requestBody"]["content"]["application/json"]
        return [one["value"] for one in content.get("examples", {}).values()] or [content["example"]]

    ann = await ostraka.nobody.post("/players", examples("/players")[0])
    caller = Caller(http=ostraka.http, token=ann["token"])
    for table in examples("/games"):
        assert (await caller.post("/games", table))["status"] == "running"
    bob = await ostraka.come("Bob")
    lobby = await bob.post("/games", {"game": GAME, "seats": [{"kind": "open"}, {"kind": "me"}]})
    game_id = lobby["game_id"]
    await caller.post(f"/games/{game_id}/seats", examples("/games/{game_id}/seats")[0])
    mover = await ostraka.mover(game_id, caller, bob)
    await mover.post(f"/games/{game_id}/moves", examples("/games/{game_id}/moves")[0])
