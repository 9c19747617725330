"""Many tasks in several processes do whatever comes to their minds; afterwards the history is whole."""

import asyncio
import random
from collections import defaultdict

import msgspec
import pytest

from domain.application.committing import Committed
from domain.application.seeing import WATCHER
from domain.application.verifying import FORMAT, verify
from domain.kernel.errors import DomainError
from domain.table.state import Over
from eventstore.memory import MemoryEventStore
from tests.application.process import Courteous, Process, without_positions
from tests.table.table import ANN, BOB, CAL, GAMES
from tests.table.toy import Choose, Hush, Pile, Roll, Stack

TASKS = 16
ACTS = 12
PLAYERS = (ANN, BOB, CAL, "dan")


async def something(process: Process, game_id: str, chance: random.Random) -> Committed | None:
    """A person or a worker does one thing, perhaps against the rules, perhaps for the second time."""
    player, key = chance.choice(PLAYERS), chance.choice([None, *map(str, range(20))])
    version = await process.version(game_id)
    match chance.randrange(12):
        case 0 | 1:
            return await process.service.undo(game_id, player, key, chance.choice([None, version]))
        case 2:
            return await process.worker.upkeep(game_id, version)
        case 3:
            return await process.worker.turn(game_id, version, chance.randrange(4), plainly=chance.random() < 0.5)
        case 4 if chance.random() < 0.1:
            return await process.service.resign(game_id, player, key)
        case _:
            command = chance.choice([Choose(number=1), Stack(), Pile(), Roll(), Hush()])
            return await process.service.move(game_id, player, command, key, chance.choice([None, None, version]))


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_many_do_at_once_every_answer_is_true_and_the_history_verifies(seed: int) -> None:
    chance = random.Random(seed)
    store = Courteous(MemoryEventStore())
    processes = [Process(store, seed=f"{seed}/{number}") for number in range(4)]
    game_id = await processes[0].game(*PLAYERS[1:], options={"rounds": 50}, turn_seconds=60)
    answers: defaultdict[str, list[Committed]] = defaultdict(list)

    async def task(process: Process, chance: random.Random) -> None:
        for _ in range(ACTS):
            try:
                done = await something(process, game_id, chance)
            except DomainError:
                continue
            if done and done.events:
                answers[done.events[0].command_id].append(done)

    await asyncio.gather(*(task(processes[number % 4], random.Random(chance.random())) for number in range(TASKS)))
    for same in answers.values():
        assert len([one for one in same if not one.replayed]) == 1
        for one in same:
            stored = await store.command(game_id, one.events[0].command_id)
            assert without_positions(stored) == without_positions(one.events)
            assert one.aggregate == same[0].aggregate
    for process in processes:
        await process.check(game_id)
    await finish(processes[0], game_id)
    events = (await processes[1].reader.history(game_id, WATCHER)).events
    lines = [msgspec.json.encode({"format": FORMAT, "game_id": game_id}), *map(msgspec.json.encode, events)]
    report = verify(GAMES, lambda: iter(lines))
    assert (report.problem, report.redecided) == (None, len({event.command_id for event in events}))
    assert len(answers) > 20


async def finish(process: Process, game_id: str) -> None:
    """All but one give up."""
    for player in PLAYERS:
        if isinstance(table := await process.table(game_id), Over):
            return
        if PLAYERS.index(player) not in table.resigned:
            await process.service.resign(game_id, player)
