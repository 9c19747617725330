"""Idempotency keys: what is sent twice has one effect, and the second answer is the first."""

from collections.abc import Awaitable, Callable

import pytest

from domain.application.committing import Committed
from domain.application.errors import KeyReused
from domain.kernel.errors import IllegalCommand
from domain.table.errors import TableRefusal
from tests.application.process import FREE, ME, Process, bot, wanted, without_positions
from tests.table.table import ANN, BOB, CAL
from tests.table.toy import Choose, Hush, Stack

Act = Callable[[Process, str], Awaitable[Committed]]


async def repeated(process: Process, game_id: str, act: Act) -> None:
    """The repeat of an act answers as the act did and has no effect."""
    first = await act(process, game_id)
    stored = await process.events(game_id)
    again = await act(process, game_id)
    assert (first.replayed, again.replayed) == (False, True)
    assert without_positions(again.events) == without_positions(first.events)
    assert again.aggregate == first.aggregate
    assert await process.events(game_id) == stored


IN_THE_LOBBY: dict[str, Act] = {
    "sit": lambda process, game_id: process.service.sit(game_id, BOB, None, "typed", "key"),
    "start": lambda process, game_id: process.service.start(game_id, ANN, "typed", "key"),
    "leave": lambda process, game_id: process.service.leave(game_id, BOB, 1, "key"),
    "abandon": lambda process, game_id: process.service.abandon(game_id, ANN, "key"),
}
IN_THE_GAME: dict[str, Act] = {
    "move": lambda process, game_id: process.service.move(game_id, ANN, Choose(number=1), "key"),
    "free move": lambda process, game_id: process.service.move(game_id, ANN, Hush(), "key"),
    "resign": lambda process, game_id: process.service.resign(game_id, ANN, "key"),
}


@pytest.mark.parametrize("act", IN_THE_LOBBY)
async def test_a_repeat_in_the_lobby_gets_the_first_answer(act: str) -> None:
    process = Process()
    game_id = await (process.lobby() if act == "sit" else process.game(start="manual"))
    await repeated(process, game_id, IN_THE_LOBBY[act])


@pytest.mark.parametrize("act", IN_THE_GAME)
async def test_a_repeat_in_the_game_gets_the_first_answer(act: str) -> None:
    process = Process()
    await repeated(process, await process.game(), IN_THE_GAME[act])


async def test_a_repeated_undo_takes_back_one_move_only() -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Hush())
    await process.service.move(game_id, ANN, Stack())
    await repeated(process, game_id, lambda one, game: one.service.undo(game, ANN, "key"))
    table = await process.running(game_id)
    assert (table.position.pebbles, table.position.alone) == (0, 0)


async def test_a_repeated_opening_gets_the_same_game() -> None:
    process = Process()
    first = await process.service.open(ANN, wanted(), "key")
    again = await process.service.open(ANN, wanted(), "key")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.aggregate == first.aggregate
    assert list(process.memory.directory) == [first.aggregate.game_id]
    secret = (await process.store.load(first.aggregate.game_id, with_secret=True)).secret
    assert secret == (await Process(process.store).streams.recent(first.aggregate.game_id)).secret


async def test_a_repeated_opening_answers_as_then_though_the_game_has_moved_on() -> None:
    process = Process()
    first = await process.service.open(ANN, wanted(), "key")
    await process.service.sit(first.aggregate.game_id, BOB, 1, None)
    again = await process.service.open(ANN, wanted(), "key")
    assert again.aggregate == first.aggregate
    assert again.aggregate.head.version == 1


async def test_an_opening_under_a_known_key_with_another_wish_is_refused() -> None:
    process = Process()
    await process.service.open(ANN, wanted(), "key")
    with pytest.raises(KeyReused):
        await process.service.open(ANN, wanted(ME, bot()), "key")


async def test_openings_of_two_players_under_one_key_are_two_games() -> None:
    process = Process()
    first, second = await process.service.open(ANN, wanted(), "key"), await process.service.open(BOB, wanted(), "key")
    assert first.aggregate.game_id != second.aggregate.game_id


async def test_a_repeat_after_the_game_moved_on_answers_as_then() -> None:
    process = Process()
    game_id = await process.game()
    first = await process.service.move(game_id, ANN, Choose(number=1), "key")
    await process.choose(game_id, BOB)
    await process.worker.upkeep(game_id, await process.version(game_id))
    stored = await process.events(game_id)
    again = await process.service.move(game_id, ANN, Choose(number=1), "key")
    assert again.replayed
    assert again.aggregate == first.aggregate
    assert await process.events(game_id) == stored


async def test_a_repeat_after_the_end_answers_as_then() -> None:
    process = Process()
    game_id = await process.game()
    first = await process.service.resign(game_id, BOB, "key")
    again = await process.service.resign(game_id, BOB, "key")
    assert again.replayed
    assert without_positions(again.events) == without_positions(first.events)


async def test_a_repeat_reaches_a_process_that_never_knew_the_game() -> None:
    process = Process()
    game_id = await process.game()
    first = await process.service.move(game_id, ANN, Choose(number=1), "key")
    again = await Process(process.store).service.move(game_id, ANN, Choose(number=1), "key")
    assert again.replayed
    assert again.aggregate == first.aggregate


@pytest.mark.parametrize(
    "other",
    [
        lambda process, game_id: process.service.move(game_id, ANN, Choose(number=2), "key"),
        lambda process, game_id: process.service.move(game_id, ANN, Choose(number=9), "key"),
        lambda process, game_id: process.service.undo(game_id, ANN, "key"),
        lambda process, game_id: process.service.resign(game_id, ANN, "key"),
        lambda process, game_id: process.service.sit(game_id, ANN, 1, None, "key"),
    ],
    ids=["other number", "illegal number", "undo", "resign", "sit"],
)
async def test_another_request_under_a_known_key_is_refused(other: Act) -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Choose(number=1), "key")
    stored = await process.events(game_id)
    with pytest.raises(KeyReused):
        await other(process, game_id)
    assert await process.events(game_id) == stored


async def test_another_entropy_under_a_known_key_is_another_request() -> None:
    process = Process()
    game_id = await process.lobby()
    await process.service.sit(game_id, BOB, 1, "one", "key")
    with pytest.raises(KeyReused):
        await process.service.sit(game_id, BOB, 1, "two", "key")


async def test_a_refused_request_leaves_its_key_free() -> None:
    process = Process()
    game_id = await process.game()
    with pytest.raises(IllegalCommand):
        await process.service.move(game_id, ANN, Choose(number=9), "key")
    with pytest.raises(TableRefusal):
        await process.service.undo(game_id, ANN, "key")
    moved = await process.service.move(game_id, ANN, Choose(number=1), "key")
    assert not moved.replayed


async def test_keys_of_two_players_never_meet() -> None:
    process = Process()
    game_id = await process.game()
    first = await process.service.move(game_id, ANN, Choose(number=1), "key")
    second = await process.service.move(game_id, BOB, Choose(number=1), "key")
    assert not second.replayed
    assert first.events[0].command_id != second.events[0].command_id


async def test_keys_of_two_games_never_meet() -> None:
    process = Process()
    games = (await process.game(), await process.game())
    moves = [await process.service.move(game_id, ANN, Choose(number=1), "key") for game_id in games]
    assert not any(move.replayed for move in moves)
    assert len({move.events[0].command_id for move in moves}) == 2


async def test_without_a_key_the_same_request_is_another_command() -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Hush())
    for _ in range(2):
        assert not (await process.service.move(game_id, ANN, Stack())).replayed
    assert (await process.running(game_id)).position.pebbles == 2


async def test_a_repeated_seat_is_answered_though_it_was_given_back() -> None:
    process = Process()
    game_id = await process.lobby(start="manual")
    first = await process.service.sit(game_id, BOB, None, None, "key")
    await process.service.leave(game_id, BOB, 1)
    again = await process.service.sit(game_id, BOB, None, None, "key")
    assert again.replayed
    assert again.aggregate == first.aggregate


async def test_a_stranger_does_not_get_a_players_answer() -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Choose(number=1), "key")
    with pytest.raises(TableRefusal):
        await process.service.move(game_id, CAL, Choose(number=1), "key")


async def test_a_table_for_all_comers_needs_no_seat_of_the_opener() -> None:
    process = Process()
    opened = await process.service.open(ANN, wanted(FREE, FREE))
    await process.service.sit(opened.aggregate.game_id, BOB, 0, None)
    await process.check(opened.aggregate.game_id)
