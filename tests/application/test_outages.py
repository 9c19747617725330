"""A store that does not answer: whether the command was recorded is not known, so it is repeated with its key."""

import itertools
from collections.abc import Awaitable, Callable
from typing import Literal

import pytest

from domain.application.committing import Committed
from domain.application.ports import StoreUnavailable
from tests.application.process import Failing, Process, wanted
from tests.table.table import ANN, BOB
from tests.table.toy import Choose, Hush

When = Literal["before", "after"]
Act = Callable[[Process, str], Awaitable[Committed]]

ACTS: dict[str, Act] = {
    "move": lambda process, game_id: process.service.move(game_id, ANN, Choose(number=1), "key"),
    "undo": lambda process, game_id: process.service.undo(game_id, ANN, "key"),
    "resign": lambda process, game_id: process.service.resign(game_id, ANN, "key"),
}


async def insist(store: Failing, process: Process, game_id: str, act: Act) -> Committed:
    """The answer once there is one."""
    try:
        answer = await act(process, game_id)
    except StoreUnavailable:
        answer = await act(process, game_id)
    store.heal()
    return answer


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("knowing", [True, False], ids=["knowing process", "new process"])
async def test_wherever_an_answer_is_lost_the_repeat_has_one_effect(act: str, when: When, knowing: bool) -> None:
    for call in itertools.count():
        origin = Process()
        store = Failing(origin.memory)
        process = Process(store, seed="other")
        game_id = await origin.game()
        await origin.service.move(game_id, ANN, Hush())
        version = await (process if knowing else origin).version(game_id)
        store.fail(call, when)
        answer = await insist(store, process, game_id, ACTS[act])
        stored = (await origin.events(game_id))[version:]
        assert len({event.command_id for event in stored}) == 1
        assert answer.aggregate.head.version == version + len(stored)
        await process.check(game_id)
        if not store.failed:
            assert call > 0
            return


@pytest.mark.parametrize("when", ["before", "after"])
async def test_an_opening_whose_answer_was_lost_is_repeated_to_one_game(when: When) -> None:
    origin = Process()
    store = Failing(origin.memory)
    process = Process(store, seed="other")
    store.fail(0, when)
    with pytest.raises(StoreUnavailable):
        await process.service.open(ANN, wanted(), "key")
    opened = await process.service.open(ANN, wanted(), "key")
    assert opened.replayed is (when == "after")
    assert list(origin.memory.directory) == [opened.aggregate.game_id]
    await process.service.sit(opened.aggregate.game_id, BOB, None, None)
    await process.check(opened.aggregate.game_id)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_worker_whose_answer_was_lost_scores_a_round_once(when: When) -> None:
    for call in itertools.count():
        origin = Process()
        store = Failing(origin.memory)
        process = Process(store, seed="other")
        game_id = await origin.game()
        await origin.choose(game_id, ANN, BOB)
        version = await origin.version(game_id)
        store.fail(call, when)
        for _ in range(2):
            try:
                await process.worker.upkeep(game_id, version)
            except StoreUnavailable:
                continue
        store.heal()
        assert [event.type for event in (await origin.events(game_id))[version:]] == ["toy.tallied"]
        if not store.failed:
            return


async def test_a_lost_answer_rings_no_bell_and_the_repeat_neither() -> None:
    store = Failing(Process().memory)
    process = Process(store, seed="other")
    game_id = await process.game()
    rung = list(process.bell.rung)
    store.fail(0, "after")
    with pytest.raises(StoreUnavailable):
        await process.service.move(game_id, ANN, Choose(number=1), "key")
    await process.service.move(game_id, ANN, Choose(number=1), "key")
    assert process.bell.rung == rung
