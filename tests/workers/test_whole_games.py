"""Games that workers play and score, whatever happens to workers, relay and broker on the way."""

import signal
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis

from ostraka.embedded.valkey import Valkey
from tests.workers.stack import House, Stack, eventually, house, stack
from workers.celery_app import create_celery, queue_of


@pytest.fixture
def running(migrated_url: str, own_valkey: Valkey, tmp_path: Path) -> Iterator[Stack]:
    with stack(migrated_url, own_valkey.url(), tmp_path) as started:
        yield started


@pytest.fixture
async def table(running: Stack) -> AsyncIterator[House]:
    async with house(running.database_url, running.redis_url) as one:
        yield one


async def test_a_table_of_four_bots_finishes_by_itself(running: Stack, table: House) -> None:
    running.relay()
    running.worker("all", "fast", "upkeep", processes=2)
    await table.finished(await table.open("random", "random", "random", "random"))


async def test_a_killed_worker_loses_and_doubles_nothing(running: Stack, table: House) -> None:
    running.relay()
    running.worker("upkeep", "upkeep")
    game_id = await table.open("random", "random", "random")
    for round_number in range(3):
        name = f"bots-{round_number}"
        running.worker(name, "fast")
        before = (await table.row(game_id))["version"]
        row = await table.until(game_id, lambda row, before=before: row["version"] > before)  # type: ignore[misc]
        running.kill(name)
        if row["status"] == "finished":
            break
    running.worker("bots", "fast")
    await table.finished(game_id)


async def test_a_killed_relay_is_followed_by_another(running: Stack, table: House) -> None:
    running.relay("first")
    running.worker("all", "fast", "upkeep")
    game_id = await table.open("random", "random", "random", "random")
    await table.until(game_id, lambda row: row["version"] > 10)
    running.kill("first")
    running.relay("second")
    await table.finished(game_id)


async def test_two_relays_share_the_work_and_double_nothing(running: Stack, table: House) -> None:
    running.relay("one")
    running.relay("two")
    running.worker("all", "fast", "upkeep", processes=2)
    games = [await table.open("random", "random") for _ in range(4)]
    for game_id in games:
        await table.finished(game_id)


async def test_an_emptied_broker_loses_no_game(running: Stack, table: House) -> None:
    running.relay()
    running.worker("all", "fast", "upkeep")
    games = [await table.open("random", "random", "random") for _ in range(4)]
    await table.until(games[0], lambda row: row["version"] > 10)
    with redis.Redis.from_url(running.redis_url) as broker:
        broker.flushall()
    for game_id in games:
        await table.finished(game_id)


async def test_a_broker_that_dies_and_comes_back_loses_no_game(
    running: Stack, table: House, own_valkey: Valkey
) -> None:
    running.relay()
    running.worker("all", "fast", "upkeep")
    game_id = await table.open("random", "random", "random", "random")
    await table.until(game_id, lambda row: row["version"] > 10)
    assert own_valkey.process
    own_valkey.process.kill()
    own_valkey.start()
    # Celery's main process may end when its broker dies in the wrong instant; a supervisor starts it again.
    if running.processes["all"].poll() is not None:
        running.worker("again", "fast", "upkeep")
    await table.finished(game_id)


async def test_a_doubled_task_has_one_effect(running: Stack, table: House) -> None:
    game_id = await table.open("random", "random", "random")
    row = await table.row(game_id)
    celery = create_celery(running.redis_url, task_seconds=8)
    call = [game_id, row["version"], row["due_seat"], row["due_pool"], 1]
    for _ in range(5):
        celery.send_task("ostraka.turn", call, queue=queue_of("fast"))
    running.settings["OSTRAKA_SLICE_SECONDS"] = "0"
    running.worker("bots", "fast", processes=2)

    async def waiting() -> int:
        with redis.Redis.from_url(running.redis_url) as broker:
            return int(broker.llen(queue_of("fast")))

    await eventually(waiting, lambda left: left == 0)
    await table.until(game_id, lambda now: now["version"] > row["version"])
    running.processes["bots"].send_signal(signal.SIGTERM)
    running.processes.pop("bots").wait(timeout=20)
    history = await table.pool.fetch(
        "SELECT command_id FROM ostraka.event WHERE game_id = $1 AND version > $2 AND command_ix = 0",
        game_id,
        row["version"],
    )
    assert len(history) == 1


async def test_scoring_does_not_wait_behind_bots_that_hang(running: Stack, table: House) -> None:
    """Every process that plays bots hangs; a round that two people have ended is scored all the same, and soon."""
    running.relay()
    running.worker("bots", "fast")
    running.worker("upkeep", "upkeep")
    await table.until(await table.open("random", "random"), lambda row: row["version"] > 8)
    running.signal("bots", signal.SIGSTOP)
    stuck = [await table.open("random", "random") for _ in range(3)]
    game_id = await table.lobby_of_two()
    while (await table.row(game_id))["due"] != "upkeep":
        await table.play_first_move(game_id)
    ended = time.monotonic()
    await table.until(game_id, lambda row: row["due"] != "upkeep")
    assert time.monotonic() - ended < 2
    running.signal("bots", signal.SIGCONT)
    for other in stuck:
        await table.finished(other)


async def test_a_game_that_fails_is_set_aside_with_the_reason_and_can_be_tried_again(
    running: Stack, table: House
) -> None:
    """Its first event names a bot that no worker knows, so every try fails; the others play on."""
    running.settings["OSTRAKA_TASK_TRIES"] = "2"
    poisoned = await table.open("random", "random")
    await table.pool.execute("ALTER TABLE ostraka.event DISABLE TRIGGER USER")
    await table.pool.execute(
        "UPDATE ostraka.event SET data = jsonb_set(data, '{chairs}', '17') WHERE game_id = $1 AND version = 1", poisoned
    )
    running.relay()
    running.worker("all", "fast", "upkeep")
    row = await table.until(poisoned, lambda row: row["parked"] is not None)
    assert "CorruptLog" in row["parked"]
    await table.finished(await table.open("random", "random"))
    running.start("retry", "retry", poisoned)
    assert running.processes.pop("retry").wait(30) == 0
    assert "due again" in running.told("retry")
    await table.until(poisoned, lambda row: row["parked"] is not None)
