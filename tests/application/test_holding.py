"""A worker that goes on with a game keeps its next turn from others, and nothing else."""

import pytest

from domain.application.committing import Hold
from domain.application.ports import Due
from domain.application.seeing import WATCHER
from tests.application.process import Process, bot, wanted
from tests.table.table import ANN

LEASE = 10_000_000


async def played(pool: str) -> tuple[Process, Due | None]:
    """A table of bots after one turn by a worker that goes on with the turns of a pool, and what is due then."""
    process = Process()
    opened = await process.service.open(ANN, wanted(bot(), bot(), bot()))
    game_id = opened.aggregate.game_id
    version = await process.version(game_id)
    await process.worker.turn(game_id, version, 0, hold=Hold(pool=pool, time=LEASE))
    return process, process.memory.directory[game_id].due


async def test_the_next_turn_of_its_own_pool_is_kept_for_the_lease() -> None:
    process, due = await played("fast")
    assert due
    assert (due.kind, due.at) == ("bot", process.clock.now() + LEASE)


@pytest.mark.parametrize("pool", ["search", "upkeep"])
async def test_turns_of_other_pools_are_due_at_once(pool: str) -> None:
    process, due = await played(pool)
    assert due
    assert due.at == process.clock.now()


async def test_a_command_that_has_just_been_given_is_shown_as_its_seat_may_see_it() -> None:
    process = Process()
    game_id = await process.game()
    newest = await process.newest(game_id)
    assert process.reader.as_seen(newest, WATCHER) == await process.reader.game(game_id, WATCHER)
