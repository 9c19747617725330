"""Several processes over one store: stale knowledge, lost races, a store that has lost its last events."""

import asyncio
import copy

import pytest

from domain.application.committing import ATTEMPTS
from domain.application.ports import Batch, ConcurrencyConflict, StreamNotFound
from domain.kernel.errors import IllegalCommand
from domain.table.errors import TableRefusal
from eventstore.memory import MemoryEventStore
from tests.application.process import Courteous, Process, Switch, wanted
from tests.table.table import ANN, BOB, CAL
from tests.table.toy import Choose, Hush, Roll


def two_processes() -> tuple[Process, Process]:
    """Two processes that take turns at every call of their store."""
    store = Courteous(MemoryEventStore())
    return Process(store, seed="one"), Process(store, seed="two")


async def test_a_refusal_judged_by_an_old_state_is_none() -> None:
    one, two = two_processes()
    game_id = await one.game(options={"rounds": 3})
    await one.choose(game_id, ANN)
    await two.choose(game_id, BOB)
    await two.worker.upkeep(game_id, await two.version(game_id))
    moved = await one.service.move(game_id, ANN, Choose(number=2))
    assert [event.type for event in moved.events] == ["toy.chosen"]


async def test_a_command_that_was_legal_by_an_old_state_is_judged_by_the_newest() -> None:
    one, two = two_processes()
    game_id = await one.game()
    await two.choose(game_id, ANN)
    with pytest.raises(IllegalCommand):
        await one.service.move(game_id, ANN, Choose(number=2))
    await one.check(game_id)


async def test_commands_of_two_players_that_race_both_take_effect_in_order() -> None:
    one, two = two_processes()
    game_id = await one.game()
    await two.version(game_id)
    version = await one.version(game_id)
    ends = await asyncio.gather(one.choose(game_id, ANN), two.choose(game_id, BOB))
    assert sorted(end.aggregate.head.version for end in ends) == [version + 1, version + 2]
    assert (await one.running(game_id)).position.chosen == (1, 1)
    await one.check(game_id)
    await two.check(game_id)


async def test_of_one_players_commands_that_race_exactly_one_wins() -> None:
    one, two = two_processes()
    game_id = await one.game()
    await two.version(game_id)
    moves = [process.service.move(game_id, ANN, Choose(number=n)) for n, process in enumerate((one, two))]
    ends = await asyncio.gather(*moves, return_exceptions=True)
    assert sorted(type(end).__name__ for end in ends) == ["Committed", "IllegalCommand"]


async def test_one_command_sent_to_two_processes_at_once_has_one_effect() -> None:
    one, two = two_processes()
    game_id = await one.game()
    await two.version(game_id)
    moves = [process.service.move(game_id, ANN, Choose(number=1), "key") for process in (one, two)]
    first, second = await asyncio.gather(*moves)
    assert sorted([first.replayed, second.replayed]) == [False, True]
    assert first.aggregate == second.aggregate


async def test_one_opening_sent_to_two_processes_at_once_opens_one_game() -> None:
    one, two = two_processes()
    ends = await asyncio.gather(*(process.service.open(ANN, wanted(), "key") for process in (one, two)))
    assert sorted(end.replayed for end in ends) == [False, True]
    assert ends[0].aggregate == ends[1].aggregate


async def test_for_the_last_seat_exactly_one_wins() -> None:
    one, two = two_processes()
    game_id = await one.lobby()
    await two.version(game_id)
    seats = (one.service.sit(game_id, BOB, None, None), two.service.sit(game_id, CAL, None, None))
    ends = await asyncio.gather(*seats, return_exceptions=True)
    assert sorted(type(end).__name__ for end in ends) == ["Committed", "TableRefusal"]


async def test_a_lost_race_moves_no_draw() -> None:
    alone, racing = Process(), Courteous(MemoryEventStore())
    game_id = await alone.game()
    await alone.service.move(game_id, ANN, Roll())
    one, two = Process(racing, seed="process"), Process(racing, seed="two")
    assert await one.game() == game_id
    await two.version(game_id)
    await asyncio.gather(two.choose(game_id, BOB), one.service.move(game_id, ANN, Roll()))
    dice = [
        [event.data for event in await process.events(game_id) if event.type == "toy.rolled"]
        for process in (alone, one)
    ]
    assert dice[0] == dice[1] != []


class Counting(Courteous):
    """Counts how many appends were tried."""

    tried = 0

    async def append(self, batch: Batch) -> None:
        self.tried += 1
        await super().append(batch)


async def test_within_a_process_commands_of_a_game_wait_for_each_other() -> None:
    store = Counting(MemoryEventStore())
    one = Process(store)
    game_id = await one.game(CAL, BOB)
    players = (ANN, BOB, CAL)
    ends = await asyncio.gather(*(one.choose(game_id, player) for player in players))
    assert sorted(end.aggregate.head.version for end in ends) == [6, 7, 8]
    assert store.tried == 6
    await one.check(game_id)


class Contended(Switch):
    """A store in which somebody else is always a little faster."""

    async def append(self, batch: Batch) -> None:
        raise ConcurrencyConflict


async def test_after_many_lost_races_a_command_gives_up() -> None:
    process = Process()
    game_id = await process.game()
    contended = Process(Contended(process.store), seed="other")
    with pytest.raises(ConcurrencyConflict, match=str(ATTEMPTS)):
        await contended.service.move(game_id, ANN, Choose(number=1))


async def failed_over(process: Process, game_id: str) -> Process:
    """A process whose store is replaced by a copy taken before Ann hushed Bob."""
    switch = Switch(process.memory)
    knowing = Process(switch, seed="knowing")
    copied = copy.deepcopy(process.memory)
    await knowing.service.move(game_id, ANN, Hush())
    switch.behind = copied
    return knowing


async def test_after_a_failover_that_lost_events_a_read_shows_what_is_stored() -> None:
    process = Process()
    game_id = await process.game()
    knowing = await failed_over(process, game_id)
    assert (await knowing.running(game_id)).position.alone is None
    assert (await knowing.streams.recent(game_id)).aggregate.head.version == 4
    await knowing.check(game_id)


async def test_after_a_failover_that_lost_events_a_command_is_judged_by_what_is_stored() -> None:
    process = Process()
    game_id = await process.game()
    knowing = await failed_over(process, game_id)
    moved = await knowing.service.move(game_id, BOB, Choose(number=1))
    assert moved.aggregate.head.version == 5
    await knowing.check(game_id)


async def test_after_a_failover_a_command_legal_only_by_the_lost_events_is_refused() -> None:
    process = Process()
    game_id = await process.game()
    knowing = await failed_over(process, game_id)
    with pytest.raises(TableRefusal):
        await knowing.service.undo(game_id, ANN)
    await knowing.check(game_id)


async def test_after_a_failover_other_events_in_place_of_the_lost_ones_count() -> None:
    process = Process()
    game_id = await process.game()
    knowing = await failed_over(process, game_id)
    await Process(knowing.store, seed="other").choose(game_id, BOB)
    assert (await knowing.running(game_id)).position.chosen == (None, 1)
    await knowing.choose(game_id, ANN)
    await knowing.check(game_id)


async def test_after_a_failover_a_game_that_is_gone_is_not_found() -> None:
    process = Process()
    switch = Switch(process.memory)
    knowing = Process(switch, seed="knowing")
    game_id = await knowing.lobby()
    switch.behind = MemoryEventStore()
    with pytest.raises(StreamNotFound):
        await knowing.newest(game_id)
    with pytest.raises(StreamNotFound):
        await knowing.service.sit(game_id, BOB, None, None)
