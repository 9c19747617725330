"""The stream of one game: without loss or repeat, redacted for whoever watches, to the end."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from domain.kernel.canonical import digest
from tests.api.live_service import Service, eventually, served


@pytest.fixture
async def service(migrated_url: str) -> AsyncIterator[Service]:
    async with served(migrated_url) as service:
        yield service


def path(game_id: str) -> str:
    return f"/games/{game_id}/events/live"


async def test_a_stream_resumes_from_every_version(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    end = await service.steps(game_id, 8)
    expected = (await service.store.load(game_id)).events
    for after in range(end + 1):
        by_header = after % 2 == 0
        where = {"last": after, "after": 0} if by_header else {"after": after}
        async with service.stream(path(game_id), "ann", **where) as live:
            missed = await live.up_to(end) if after < end else []
            end = await service.steps(game_id, 1)
            events = missed + await live.up_to(end)
        expected = (await service.store.load(game_id)).events
        assert [event["version"] for event in events] == list(range(after + 1, end + 1))
        assert [event["hash"] for event in events] == [event.hash for event in expected[after:]]
        assert all(event["position"] is None for event in events)


async def test_everybody_sees_their_own_and_the_same_hashes(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    end = await service.steps(game_id, 12)
    seen = {}
    for name in ("ann", "bob", None):
        async with service.stream(path(game_id), name, after=0) as live:
            seen[name] = await live.up_to(end)
    ann, bob, watcher = seen["ann"], seen["bob"], seen[None]
    assert [one["hash"] for one in ann] == [one["hash"] for one in bob] == [one["hash"] for one in watcher]
    for one, other, public in zip(ann, bob, watcher, strict=True):
        if one["meta"]["actor"]["seat"] is None or "command" not in one["meta"]:
            continue
        hidden = {name for name, event in (("ann", one), ("bob", other)) if "commitment" in event["meta"]["command"]}
        assert hidden == {"bob" if one["meta"]["actor"]["seat"] == 0 else "ann"}
        assert public["redacted"]
        assert "commitment" in public["meta"]["command"]


async def test_the_hash_of_the_view_is_that_of_the_view(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    first = await service.version(game_id)
    async with service.stream(path(game_id), "bob", after=0) as live, service.client("bob") as bob:
        end = await service.steps(game_id, 6)
        events = await live.up_to(end)
        told = {one["version"]: one["view_hash"] for one in events if "view_hash" in one}
        last_of_commands = {one["version"] for one in events if "to_act" in one["meta"]}
        assert set(told) == last_of_commands
        assert end in told
        for version, view_hash in told.items():
            game = (await bob.get(f"/api/v1/games/{game_id}", params={"version": version})).json()
            assert view_hash == digest(game["view"])
            assert (game["view"] is None) == (version < first)


async def test_a_stream_ends_with_its_game(service: Service) -> None:
    game_id = await service.game("ann", bots=("random",))
    async with service.stream(path(game_id), after=0) as live, asyncio.TaskGroup() as group:
        playing = group.create_task(service.play_out(game_id))
        events = await live.rest()
    end = playing.result()
    assert [event["version"] for event in events] == list(range(1, end + 1))
    assert events[-1]["type"] == "table.secret_revealed"
    assert not events[-1]["redacted"]
    async with service.stream(path(game_id), after=end - 3) as live:
        assert [event["version"] for event in await live.rest()] == [end - 2, end - 1, end]
    async with service.stream(path(game_id), after=end) as live:
        assert await live.rest() == []
    async with service.client() as client:
        answer = await client.get(f"/api/v1{path(game_id)}", headers={"Last-Event-ID": str(end)})
        assert answer.status_code == 204
    await eventually(lambda: not service.hub.watched)


async def test_a_stream_ends_with_its_lobby(service: Service) -> None:
    opened = await service.backend.service.open(service.accounts["ann"], service.table())
    game_id = opened.aggregate.game_id
    async with service.stream(path(game_id), "bob") as live:
        await live.event()
        await service.backend.service.abandon(game_id, service.accounts["ann"])
        assert "table.abandoned" in [event["type"] for event in await live.rest()]


async def test_what_is_wrong_is_said_before_the_stream_begins(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    nowhere = "00000000-0000-4000-8000-000000000000"
    async with service.client() as client:
        for wrong, status, slug, headers in (
            (path(nowhere), 404, "no-such-game", {}),
            (path("no-uuid"), 404, "no-such-game", {}),
            (path(game_id), 401, "not-authenticated", {"Authorization": "Bearer nobody"}),
            (path(game_id), 404, "no-such-version", {"Last-Event-ID": "9999"}),
            (path(game_id), 422, "invalid-body", {"Last-Event-ID": "yesterday"}),
            (path(game_id) + "?after=-1", 422, "invalid-body", {}),
            ("/me/events/live", 401, "not-authenticated", {}),
        ):
            answer = await client.get(f"/api/v1{wrong}", headers=headers)
            assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (status, slug), wrong
            assert answer.headers["content-type"] == "application/problem+json"
    assert not service.hub.watched


async def test_headers_and_heartbeats(migrated_url: str) -> None:
    async with served(migrated_url, heartbeat=0.05) as service:
        game_id = await service.game("ann", "bob")
        async with service.stream(path(game_id), after=await service.version(game_id)) as live:
            assert live.response.headers["cache-control"] == "no-store"
            assert live.response.headers["x-accel-buffering"] == "no"
            raw = live.response.aiter_raw()
            received = b""
            async with asyncio.timeout(5):
                while received.count(b"\n:") < 3:
                    received += await anext(raw)
        assert received.startswith(b"retry: ")
        assert received.partition(b"\n\n")[2].replace(b": still here\n\n", b"") == b""


async def test_an_auditor_is_written_down_before_he_reads(service: Service) -> None:
    opened = await service.backend.service.open(service.accounts["ann"], service.table())
    game_id = opened.aggregate.game_id
    readings = service.backend.readings
    async with service.stream(path(game_id), "odo") as live:
        await live.event()
        assert not await readings.of_game(game_id)
        await service.backend.service.sit(game_id, service.accounts["bob"], None, None)
        end = await service.steps(game_id, 2)
        events = await live.up_to(end)
        assert not any(event["redacted"] for event in events)
        assert [one.route for one in await readings.of_game(game_id)] == ["live"]
    async with service.stream(path(game_id), "odo", after=end):
        assert len(await readings.of_game(game_id)) == 2


async def test_closing_the_hub_ends_every_stream_at_once(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    end = await service.version(game_id)
    async with (
        service.stream(path(game_id), "ann", after=end) as mine,
        service.stream(path(game_id), after=end) as other,
        service.stream("/me/events/live", await service.waited_for(game_id)) as own,
    ):
        await own.notice()
        await eventually(lambda: service.hub.watched == {game_id: 2})
        began = time.monotonic()
        async with asyncio.TaskGroup() as group:
            group.create_task(service.stop())
            assert [await one.next() for one in (mine, other, own)] == [None, None, None]
        assert time.monotonic() - began < 1


async def test_a_game_that_moves_while_many_come_and_go_loses_nothing(service: Service) -> None:
    game_id = await service.game("ann", bots=("random",))

    async def watch(after: int) -> list[int]:
        versions: list[int] = []
        while True:
            async with service.stream(path(game_id), after=after) as live:
                for _ in range(7):
                    message = await live.next()
                    if message is None:
                        return versions
                    after = int(message["id"])
                    versions.append(after)

    async with asyncio.TaskGroup() as group:
        watching = [group.create_task(watch(0)) for _ in range(3)]
        playing = group.create_task(service.steps(game_id, 25))
        end = await playing
        ended = group.create_task(service.play_out(game_id))
    end = ended.result()
    assert [task.result() for task in watching] == [list(range(1, end + 1))] * 3


async def test_a_game_that_nobody_watches_is_forgotten(service: Service) -> None:
    game_id = await service.game("ann", "bob")
    async with service.stream(path(game_id)) as one, service.stream(path(game_id)) as other:
        await one.event()
        await other.event()
        assert service.hub.watched == {game_id: 2}
    await eventually(lambda: not service.hub.watched)
