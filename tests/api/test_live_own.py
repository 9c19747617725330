"""The stream over all games of an account."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from domain.application.ports import StoreUnavailable, Summary, Wanted
from tests.api.live_service import Messages, Service, served

OWN = "/me/events/live"


@pytest.fixture
async def service(migrated_url: str) -> AsyncIterator[Service]:
    async with served(migrated_url) as service:
        yield service


async def until(live: Messages, kind: str) -> dict[str, Any]:
    """The next notice of a kind."""
    while (notice := await live.notice())["kind"] != kind:
        pass
    return notice


async def test_it_begins_with_every_game_that_waits(service: Service) -> None:
    games = [await service.game("ann", "bob") for _ in range(4)]
    player = await service.waited_for(games[0])
    waiting = [game_id for game_id in games if await service.waited_for(game_id) == player]
    for _ in range(2):
        async with service.stream(OWN, player) as live:
            first = [await live.notice() for _ in waiting]
        assert [one["game_id"] for one in first] == waiting
        for one in first:
            version = await service.version(one["game_id"])
            seat = ("ann", "bob").index(player)
            assert one == {
                "kind": "your_turn",
                "game_id": one["game_id"],
                "game": "ra",
                "version": version,
                "seat": seat,
            }


async def test_a_game_is_followed_from_its_lobby_to_its_end(service: Service) -> None:
    opened = await service.backend.service.open(service.accounts["ann"], service.table())
    game_id = opened.aggregate.game_id
    async with service.stream(OWN, "ann") as ann:
        await service.backend.service.sit(game_id, service.accounts["bob"], None, None)
        started = await ann.notice()
        assert (started["kind"], started["game_id"], started["seat"]) == ("game_started", game_id, 0)
        end = await service.play_out(game_id)
        notices = [await ann.notice()]
        while notices[-1]["kind"] != "game_finished":
            notices.append(await ann.notice())
        assert notices[-1]["version"] == end
        turns = [one["version"] for one in notices[:-1]]
        assert {one["kind"] for one in notices[:-1]} == {"your_turn"}
        assert turns == sorted(set(turns))


async def test_a_turn_is_told_at_once(service: Service) -> None:
    game_id = await service.game("ann", bots=("random",))
    async with service.stream(OWN, "ann") as live:
        for _ in range(20):
            version = await service.steps(game_id, 1)
            table: Any = (await service.backend.reader.newest(game_id)).opened
            if table.facts.game.to_act(table.position) == (0,):
                while (told := await until(live, "your_turn"))["version"] < version:
                    pass
                assert told["version"] == version


async def test_a_new_game_and_a_lost_hint_are_found_by_looking(migrated_url: str) -> None:
    async with served(migrated_url, hints=False) as service, service.stream(OWN, "ann") as live:
        game_id = await service.game("ann", "bob")
        assert (await until(live, "game_started"))["game_id"] == game_id


async def test_an_abandoned_lobby_is_told_and_a_left_one_is_not(service: Service) -> None:
    ann, bob = service.accounts["ann"], service.accounts["bob"]
    games = service.backend.service
    opened = await games.open(ann, service.table(start="manual"))
    game_id = opened.aggregate.game_id
    await games.sit(game_id, bob, None, None)
    async with service.stream(OWN, "ann") as hers, service.stream(OWN, "bob") as his:
        await games.leave(game_id, bob, 1)
        await games.abandon(game_id, ann)
        assert (await hers.notice())["kind"] == "game_abandoned"
        other = await service.game("bob", "ann")
        assert (await his.notice())["game_id"] == other


async def test_a_database_that_is_away_costs_time_and_nothing_else(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = await service.game("ann", bots=("random",))
    whole = service.backend.directory.list
    failures = 0

    async def failing(wanted: Wanted) -> Any:
        nonlocal failures
        if failures < 1:
            failures += 1
            raise StoreUnavailable
        found: list[Summary] = list(await whole(wanted))
        return found

    async with service.stream(OWN, "ann") as live:
        monkeypatch.setattr(service.backend.directory, "list", failing)
        end = await service.play_out(game_id)
        assert (await until(live, "game_finished"))["version"] == end
    assert failures == 1
