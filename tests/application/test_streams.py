"""Folded streams in memory, and times as the world writes them."""

from datetime import UTC, datetime

import msgspec
import pytest

from domain.application.instants import from_datetime, from_text, to_datetime, to_text
from domain.application.ports import EventStore, NoWakeUp, Tail
from tests.application.process import Process, Switch
from tests.house import NOON
from tests.table.table import ANN, BOB


class Counted(Switch):
    """Counts how often streams are loaded from their beginning."""

    def __init__(self, store: EventStore) -> None:
        super().__init__(store)
        self.wholes = 0

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        self.wholes += start == 1
        return await super().load(game_id, start=start, end=end, with_secret=with_secret)


async def test_a_known_game_is_not_folded_again() -> None:
    origin = Process()
    game_id = await origin.game()
    store = Counted(origin.store)
    process = Process(store, seed="other")
    await process.choose(game_id, ANN)
    await process.newest(game_id)
    await process.choose(game_id, BOB)
    assert store.wholes == 1


async def test_games_that_were_not_touched_for_long_are_forgotten() -> None:
    origin = Process()
    games = [await origin.game() for _ in range(3)]
    store = Counted(origin.store)
    process = Process(store, cache=2)
    for game_id in (games[0], games[1], games[0], games[2]):
        await process.newest(game_id)
    assert store.wholes == 3
    await process.newest(games[0])
    assert store.wholes == 3
    await process.newest(games[1])
    assert store.wholes == 4


async def test_what_is_known_is_not_replaced_by_something_older() -> None:
    process = Process()
    game_id = await process.game()
    older = await process.streams.recent(game_id)
    await process.choose(game_id, ANN)
    process.streams.keep(older)
    assert (await process.streams.recent(game_id)).aggregate.head.version == older.aggregate.head.version + 1


async def test_a_dropped_game_is_loaded_anew() -> None:
    process = Process()
    game_id = await process.game()
    known = await process.streams.recent(game_id)
    process.streams.drop(game_id)
    process.streams.drop(game_id)
    assert await process.streams.recent(game_id) == known


async def test_a_game_at_version_nought_is_blank() -> None:
    process = Process()
    blank = await process.streams.at(await process.game(), 0)
    assert (blank.head.version, blank.correlation_id, blank.last_command) == (0, None, None)


def test_commands_of_a_game_stand_in_one_queue() -> None:
    streams = Process().streams
    queue = streams.queue("a")
    assert streams.queue("a") is queue
    assert streams.queue("b") is not queue


def test_nobody_needs_to_listen() -> None:
    NoWakeUp().hint("a", 1, None)


def test_an_instant_is_written_in_one_way() -> None:
    assert to_text(NOON) == "2026-02-02T02:40:00.000000Z"
    assert to_text(NOON + 1) == "2026-02-02T02:40:00.000001Z"
    assert from_text(to_text(NOON + 1)) == NOON + 1
    assert to_datetime(NOON) == datetime(2026, 2, 2, 2, 40, tzinfo=UTC)
    assert from_datetime(to_datetime(NOON)) == NOON
    assert from_text("2026-02-02T03:40:00+01:00") == NOON


@pytest.mark.parametrize("text", ["", "yesterday", "2026-02-02T02:40:00"])
def test_a_time_without_its_zone_is_no_time(text: str) -> None:
    with pytest.raises(ValueError, match=r"zone|Invalid"):
        from_text(text)


async def test_an_aggregate_is_a_value() -> None:
    process = Process()
    game_id = await process.game()
    newest = await process.newest(game_id)
    assert newest == await Process(process.store).newest(game_id)
    assert newest != msgspec.structs.replace(newest, recorded_at=0)
