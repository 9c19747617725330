"""What workers do: bots' turns, idle moves, upkeep, clocks; each at most once for a version of a game."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import pytest

from domain.application.committing import Committed, Request
from domain.application.recording import Cause, command_id
from domain.kernel.chance import SeededChance, bot_seed
from domain.kernel.codec import to_json
from domain.kernel.visibility import salter
from domain.table.decide import Asked
from domain.table.errors import TableRefusal
from domain.table.state import Over
from eventstore.memory import MemoryEventStore
from tests.application.process import Courteous, Process, Switch
from tests.table.table import ANN, BOB, CAL
from tests.table.toy import DEEP, FIRST, Tally

MINUTE: dict[str, Any] = {"turn_seconds": 60}


def types(done: Committed | None) -> list[str]:
    """What a worker has caused."""
    return [event.type for event in done.events] if done else []


async def test_a_bot_plays_its_turn_and_the_record_says_which_bot_it_was() -> None:
    process = Process()
    game_id = await process.game(bots=["deep"])
    done = await process.worker.turn(game_id, await process.version(game_id), 1)
    assert done is not None
    (event,) = done.events
    assert event.meta["actor"] == {"kind": "bot", "seat": 1}
    assert event.meta["bot"] == {"name": "deep", "version": DEEP.version}
    assert event.openings["/data/number"].value == 3
    assert event.openings["/meta/command"].seats == (1,)
    await process.check(game_id)


async def test_a_second_try_is_played_plainly_by_the_substitute() -> None:
    process = Process()
    game_id = await process.game(bots=["deep"])
    done = await process.worker.turn(game_id, await process.version(game_id), 1, plainly=True)
    assert done is not None
    assert done.events[0].meta["bot"] == {"name": "first", "version": FIRST.version}
    assert done.events[0].openings["/data/number"].value == 0


async def test_a_bot_gets_its_own_seed_and_never_the_secret() -> None:
    process = Process()
    game_id = await process.game(bots=["random"])
    version = await process.version(game_id)
    done = await process.worker.turn(game_id, version, 1)
    secret = (await process.store.load(game_id, with_secret=True)).secret
    assert secret is not None
    assert done is not None
    moves = (await process.running(game_id)).facts.game.legal((await at(process, game_id, version)).position, 1)
    expected = moves[SeededChance(bot_seed(secret, game_id, version, 1)).below(len(moves))]
    assert done.events[0].openings["/meta/command"].value == to_json(expected)


async def at(process: Process, game_id: str, version: int) -> Any:
    """The table at a version; `Any`: the test knows the phase."""
    return (await process.streams.at(game_id, version)).table


async def test_a_seat_that_gave_up_is_played_by_the_substitute() -> None:
    process = Process()
    game_id = await process.game(BOB, CAL)
    await process.service.resign(game_id, BOB)
    done = await process.worker.turn(game_id, await process.version(game_id), 1)
    assert done is not None
    assert done.events[0].meta["bot"]["name"] == "first"


async def test_a_seat_that_gave_up_idles_where_the_table_says_so() -> None:
    process = Process()
    game_id = await process.game(BOB, CAL, resigned="idle")
    await process.service.resign(game_id, BOB)
    done = await process.worker.turn(game_id, await process.version(game_id), 1)
    assert done is not None
    assert done.events[0].meta["actor"] == {"kind": "system", "seat": 1}
    assert "bot" not in done.events[0].meta
    assert done.events[0].openings["/data/number"].value == 0


async def test_no_worker_plays_for_a_person() -> None:
    process = Process()
    game_id = await process.game(bots=["first"])
    assert await process.worker.turn(game_id, await process.version(game_id), 0) is None


async def test_no_bot_plays_out_of_turn_or_outside_a_game() -> None:
    process = Process()
    game_id = await process.game(bots=["first"])
    await process.worker.turn(game_id, await process.version(game_id), 1)
    assert await process.worker.turn(game_id, await process.version(game_id), 1) is None
    for other in (await process.lobby(), await process.finished()):
        version = await process.version(other)
        assert await process.worker.turn(other, version, 1) is None
        assert await process.worker.upkeep(other, version) is None
        assert await process.worker.clock(other, version) is None


async def test_the_service_scores_a_round_once_it_is_due() -> None:
    process = Process()
    game_id = await process.game()
    assert await process.worker.upkeep(game_id, await process.version(game_id)) is None
    await process.choose(game_id, ANN, BOB)
    done = await process.worker.upkeep(game_id, await process.version(game_id))
    assert types(done) == ["toy.tallied"]
    assert done is not None
    assert done.events[0].meta["actor"] == {"kind": "system", "seat": None}
    assert done.events[0].meta["command"] == {"type": "tally", "round": 1}
    await process.check(game_id)


async def test_the_clock_does_nothing_before_time_is_up() -> None:
    process = Process()
    game_id = await process.game(**MINUTE)
    process.clock.pass_by(59)
    assert await process.worker.clock(game_id, await process.version(game_id)) is None


async def test_a_table_without_a_clock_waits_for_ever() -> None:
    process = Process()
    game_id = await process.game()
    process.clock.pass_by(10**9)
    assert await process.worker.clock(game_id, await process.version(game_id)) is None


@pytest.mark.parametrize(
    ("policy", "events", "actor"),
    [("idle", ["toy.chosen"], "system"), ("bot", ["toy.chosen"], "bot"), ("resign", ["table.seat_resigned"], "system")],
)
async def test_when_time_is_up_the_table_does_with_the_seat_as_it_says(
    policy: Literal["idle", "bot", "resign"], events: list[str], actor: str
) -> None:
    process = Process()
    game_id = await process.game(BOB, CAL, absent=policy, **MINUTE)
    await process.choose(game_id, ANN)
    process.clock.pass_by(60)
    done = await process.worker.clock(game_id, await process.version(game_id))
    assert types(done) == events
    assert done is not None
    assert done.events[0].meta["actor"] == {"kind": actor, "seat": 1}
    assert done.events[0].data["seat"] == 1
    await process.check(game_id)


async def test_late_seats_are_dealt_with_one_after_the_other() -> None:
    process = Process()
    game_id = await process.game(BOB, CAL, **MINUTE)
    process.clock.pass_by(60)
    seats = []
    while done := await process.worker.clock(game_id, await process.version(game_id)):
        seats.append(done.events[0].data["seat"])
    assert seats == [0, 1, 2]


async def test_a_seat_that_runs_out_of_time_may_lose_the_game() -> None:
    process = Process()
    game_id = await process.game(absent="resign", **MINUTE)
    process.clock.pass_by(60)
    done = await process.worker.clock(game_id, await process.version(game_id))
    assert types(done) == ["table.seat_resigned", "table.finished", "table.secret_revealed"]
    assert done is not None
    assert done.events[0].data == {"seat": 0, "cause": "clock"}
    table = await process.table(game_id)
    assert isinstance(table, Over)
    assert table.outcome.winners == (1,)


async def test_a_player_who_answered_in_time_is_left_alone() -> None:
    process = Process()
    game_id = await process.game(**MINUTE)
    late = await process.version(game_id)
    process.clock.pass_by(60)
    await process.choose(game_id, ANN)
    assert await process.worker.clock(game_id, late) is None


Work = Callable[[Process, str, int], Awaitable[Committed | None]]

WORK: dict[str, Work] = {
    "bot": lambda process, game_id, version: process.worker.turn(game_id, version, 2),
    "bot plainly": lambda process, game_id, version: process.worker.turn(game_id, version, 2, plainly=True),
    "idle": lambda process, game_id, version: process.worker.turn(game_id, version, 1),
    "upkeep": lambda process, game_id, version: process.worker.upkeep(game_id, version),
    "clock": lambda process, game_id, version: process.worker.clock(game_id, version),
}


async def waiting(process: Process, work: str) -> tuple[str, int]:
    """A game of Ann, Bob, who gave up, and a bot, in which the work is due; and its version."""
    game_id = await process.game(BOB, bots=["deep"], resigned="idle", **MINUTE)
    await process.service.resign(game_id, BOB)
    if work == "upkeep":
        await process.choose(game_id, ANN)
        for seat in (1, 2):
            await process.worker.turn(game_id, await process.version(game_id), seat)
    process.clock.pass_by(60)
    return game_id, await process.version(game_id)


@pytest.mark.parametrize("work", WORK)
async def test_a_doubled_task_has_one_effect(work: str) -> None:
    process = Process()
    game_id, version = await waiting(process, work)
    assert types(await WORK[work](process, game_id, version)) != []
    assert await WORK[work](process, game_id, version) is None
    assert await process.version(game_id) == version + 1


@pytest.mark.parametrize("work", WORK)
async def test_a_doubled_task_in_two_processes_at_once_has_one_effect(work: str) -> None:
    store = Courteous(MemoryEventStore())
    one, two = Process(store, seed="one"), Process(store, seed="two")
    game_id, version = await waiting(one, work)
    two.clock.pass_by(60)
    await two.version(game_id)
    ends = await asyncio.gather(WORK[work](one, game_id, version), WORK[work](two, game_id, version))
    assert len([end for end in ends if end]) == 1
    assert await two.version(game_id) == version + 1


async def test_a_slow_first_try_and_a_plain_second_one_have_one_effect() -> None:
    store = Courteous(MemoryEventStore())
    one, two = Process(store, seed="one"), Process(store, seed="two")
    game_id, version = await waiting(one, "bot")
    await two.version(game_id)
    ends = await asyncio.gather(WORK["bot"](one, game_id, version), WORK["bot plainly"](two, game_id, version))
    assert len([end for end in ends if end]) == 1
    assert await two.version(game_id) == version + 1


@pytest.mark.parametrize("work", WORK)
async def test_nothing_is_done_once_the_game_has_moved_on(work: str) -> None:
    process = Process()
    game_id, version = await waiting(process, work)
    await process.service.resign(game_id, ANN)
    assert await WORK[work](process, game_id, version) is None


class Overtaken(Switch):
    """A store in which somebody resigns just after the worker has looked."""

    act: Callable[[], Awaitable[object]] | None = None

    async def append(self, batch: Any) -> None:
        act, self.act = self.act, None
        if act:
            await act()
        await super().append(batch)


@pytest.mark.parametrize("work", WORK)
async def test_nothing_is_done_when_a_person_is_faster(work: str) -> None:
    store = Overtaken(MemoryEventStore())
    process, person = Process(store, seed="one"), Process(store.behind, seed="two")
    game_id, version = await waiting(process, work)
    store.act = lambda: person.service.resign(game_id, ANN)
    assert await WORK[work](process, game_id, version) is None
    assert (await process.events(game_id))[version].type == "table.seat_resigned"


async def test_what_a_worker_does_names_what_it_answers() -> None:
    process = Process()
    game_id = await process.game(bots=["first"])
    opened = (await process.events(game_id))[0]
    done = await process.worker.turn(game_id, await process.version(game_id), 1)
    chosen = await process.choose(game_id, ANN)
    tallied = await process.worker.upkeep(game_id, await process.version(game_id))
    assert done is not None
    assert tallied is not None
    for event, cause, root in (
        (opened, None, opened.command_id),
        (done.events[0], opened.command_id, opened.command_id),
        (chosen.events[0], None, chosen.events[0].command_id),
        (tallied.events[0], chosen.events[0].command_id, chosen.events[0].command_id),
    ):
        assert (event.meta["causation_id"], event.meta["correlation_id"]) == (cause, root)


async def test_a_worker_is_refused_where_nothing_can_be_drawn_any_more() -> None:
    process = Process()
    game_id = await process.game()
    await process.choose(game_id, ANN, BOB)
    process.memory._secrets.clear()
    bereft = Process(process.store)
    with pytest.raises(TableRefusal) as refusal:
        await bereft.worker.upkeep(game_id, await bereft.version(game_id))
    assert refusal.value.reason == "secret-lost"


async def test_a_lost_secret_stops_no_choice_and_no_bot_and_hides_what_it_hid() -> None:
    process = Process()
    game_id = await process.game(bots=["random"])
    process.memory._secrets.clear()
    bereft = Process(process.store, seed="bereft")
    chosen = await bereft.choose(game_id, ANN)
    assert set(chosen.events[0].data["number"]) == {"commitment"}
    salt = chosen.events[0].openings["/data/number"].salt
    assert len(bytes.fromhex(salt)) == 16
    assert salt != salter(b"", game_id, chosen.events[0].version)("/data/number")
    await bereft.check(game_id)


async def test_a_whole_game_of_ra_is_played_by_workers() -> None:
    process = Process()
    game_id = await process.game(bots=["random", "random"], game="ra", resigned="bot")
    await process.service.resign(game_id, ANN)
    while due := process.memory.directory[game_id].due:
        version = await process.version(game_id)
        if due.kind == "upkeep":
            await process.worker.upkeep(game_id, version)
        else:
            assert due.seat is not None
            await process.worker.turn(game_id, version, due.seat)
    table = await process.table(game_id)
    assert isinstance(table, Over)
    assert table.outcome.ranking[-1] == (0,)
    await process.check(game_id)
    await Process(process.store).check(game_id)


async def test_a_command_of_the_service_that_has_had_its_effect_appends_nothing() -> None:
    process = Process()
    game_id = await process.game()
    await process.choose(game_id, ANN, BOB)

    async def tally(name: str) -> Committed:
        asked = Asked(command=Tally(round=1), seat=None, mover="system")
        cause = Cause(command_id=command_id(game_id, "worker/upkeep", name), correlation_id="", causation_id=None)
        request = Request(asked=lambda _: asked, cause=lambda _: cause, command_id=cause.command_id, keyed=True)
        return await process.committer.submit(game_id, request)

    assert types(await tally("one")) == ["toy.tallied"]
    rung, version = list(process.bell.rung), await process.version(game_id)
    again = await tally("two")
    assert (again.events, again.replayed, again.aggregate.head.version) == ((), False, version)
    assert process.bell.rung == rung
