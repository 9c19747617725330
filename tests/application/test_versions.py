"""If-Match: act only if the game is where the caller believes it is."""

from collections.abc import Awaitable, Callable

import pytest

from domain.application.committing import Committed
from domain.application.errors import VersionMismatch
from domain.kernel.errors import IllegalCommand
from tests.application.process import Process
from tests.table.table import ANN, BOB
from tests.table.toy import Choose, Hush

Act = Callable[[Process, str, int], Awaitable[Committed]]

ACTS: dict[str, Act] = {
    "move": lambda process, game_id, version: process.service.move(game_id, ANN, Choose(number=1), "key", version),
    "undo": lambda process, game_id, version: process.service.undo(game_id, ANN, "key", version),
    "resign": lambda process, game_id, version: process.service.resign(game_id, ANN, "key", version),
}


@pytest.mark.parametrize("act", ACTS)
async def test_at_the_expected_version_it_acts(act: str) -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Hush())
    assert not (await ACTS[act](process, game_id, await process.version(game_id))).replayed


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("off", [-1, 1])
async def test_at_another_version_it_does_nothing_and_tells_where_the_game_is(act: str, off: int) -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Hush())
    version = await process.version(game_id)
    with pytest.raises(VersionMismatch) as mismatch:
        await ACTS[act](process, game_id, version + off)
    assert mismatch.value.version == version == await process.version(game_id)


async def test_a_repeat_is_answered_though_its_own_first_effect_has_moved_the_game_on() -> None:
    process = Process()
    game_id = await process.game()
    version = await process.version(game_id)
    first = await process.service.move(game_id, ANN, Choose(number=1), "key", version)
    again = await process.service.move(game_id, ANN, Choose(number=1), "key", version)
    assert again.replayed
    assert again.aggregate == first.aggregate


async def test_the_version_is_judged_before_the_rules() -> None:
    process = Process()
    game_id = await process.game()
    with pytest.raises(VersionMismatch):
        await process.service.move(game_id, ANN, Choose(number=9), None, 1)


async def test_a_version_this_process_has_not_seen_yet_is_no_mismatch() -> None:
    process = Process()
    game_id = await process.game()
    await Process(process.store, seed="other").choose(game_id, BOB)
    version = len(await process.events(game_id))
    moved = await process.service.move(game_id, ANN, Choose(number=1), None, version)
    assert moved.aggregate.head.version == version + 1


async def test_a_mismatch_with_what_another_process_did_tells_the_newest_version() -> None:
    process = Process()
    game_id = await process.game()
    known = await process.version(game_id)
    await Process(process.store, seed="other").choose(game_id, BOB)
    with pytest.raises(VersionMismatch) as mismatch:
        await process.service.move(game_id, ANN, Choose(number=1), None, known)
    assert mismatch.value.version == known + 1


async def test_a_refusal_at_the_expected_version_is_the_rules_own() -> None:
    process = Process()
    game_id = await process.game()
    with pytest.raises(IllegalCommand):
        await process.service.move(game_id, ANN, Choose(number=9), None, await process.version(game_id))
