"""What follows from a table: whom it waits for, and what is due from when on."""

from typing import Any

import pytest

from domain.application.ports import Due
from domain.application.reactions import due_in, listing_of, status_of, waiting_for
from domain.table import commands as cm
from domain.table.state import Opened, Unopened
from tests.application.process import Process
from tests.table.table import ANN, BOB, CAL, NOON, OPEN, SECOND, Standing, bot, opened, people, resign
from tests.table.toy import Choose, Stack, Tally


def shown(standing: Standing) -> Opened:
    """The table, which has been opened."""
    assert not isinstance(standing.table, Unopened)
    return standing.table


def ann_and(*others: Any, **facts: Any) -> Standing:
    """Ann's game with others."""
    return opened(*people(ANN), *others, **facts)


def chosen(standing: Standing, *seats: int) -> Standing:
    """The game after these seats have chosen."""
    for seat in seats:
        standing = standing.when(Choose(number=1), seat=seat).done()
    return standing


LOBBY = ann_and(OPEN)
CLOSED = LOBBY.when(cm.Abandon(player=ANN)).done()
PEOPLE = ann_and(*people(BOB))
OVER = PEOPLE.when(resign(0), seat=0).done()
SCORING = chosen(PEOPLE, 0, 1)
BOTS = opened(bot(), bot("deep"))
WITH_BOT = ann_and(bot("deep"))


@pytest.mark.parametrize(
    ("standing", "status", "waits"),
    [
        (LOBBY, "lobby", "players"),
        (CLOSED, "abandoned", "nobody"),
        (PEOPLE, "running", "players"),
        (SCORING, "running", "workers"),
        (OVER, "finished", "nobody"),
        (BOTS, "running", "workers"),
        (WITH_BOT, "running", "players"),
        (chosen(WITH_BOT, 0), "running", "workers"),
        (chosen(WITH_BOT, 1), "running", "players"),
        (chosen(ann_and(*people(BOB, CAL)).when(resign(2), seat=2).done(), 0, 1), "running", "workers"),
    ],
)
def test_a_table_waits_for_people_while_any_must_answer(standing: Standing, status: str, waits: str) -> None:
    assert (status_of(shown(standing)), waiting_for(shown(standing))) == (status, waits)


def gave_up(policy: cm.ResignedPolicy) -> Standing:
    """Three people, of whom Ann gave up."""
    return ann_and(*people(BOB, CAL), resigned=policy).when(resign(0), seat=0).done()


@pytest.mark.parametrize(
    ("standing", "due"),
    [
        (LOBBY, None),
        (CLOSED, None),
        (OVER, None),
        (PEOPLE, None),
        (chosen(PEOPLE, 0), None),
        (SCORING, Due(kind="upkeep", pool="upkeep", at=NOON, urgent=True)),
        (chosen(BOTS, 0, 1), Due(kind="upkeep", pool="upkeep", at=NOON)),
        (BOTS, Due(kind="bot", pool="fast", at=NOON, seat=0)),
        (chosen(BOTS, 0), Due(kind="bot", pool="search", at=NOON, seat=1)),
        (WITH_BOT, Due(kind="bot", pool="search", at=NOON, seat=1, urgent=True)),
        (gave_up("bot"), Due(kind="bot", pool="fast", at=NOON, seat=0, urgent=True)),
        (gave_up("idle"), Due(kind="bot", pool="upkeep", at=NOON, seat=0, urgent=True)),
    ],
)
def test_what_a_worker_can_do_is_due_at_once_and_urgent_where_people_play(standing: Standing, due: Due | None) -> None:
    assert due_in(shown(standing), NOON) == due


def test_when_only_people_are_to_act_the_first_clock_to_run_out_is_due() -> None:
    standing = ann_and(*people(BOB, CAL), turn_seconds=60)
    assert due_in(shown(standing), NOON) == Due(kind="clock", pool="upkeep", at=NOON + 60 * SECOND, seat=0)
    later = standing.later(10).when(Choose(number=1), seat=0).done().when(Choose(number=1), seat=1).done()
    assert due_in(shown(later), NOON) == Due(kind="clock", pool="upkeep", at=NOON + 60 * SECOND, seat=2)
    scored = chosen(later, 2).when(Tally(round=1), mover="system").done()
    assert due_in(shown(scored), NOON) == Due(kind="clock", pool="upkeep", at=NOON + 70 * SECOND, seat=0)


def test_of_two_clocks_the_earlier_is_due() -> None:
    stacked = ann_and(*people(BOB), turn_seconds=60).later(10).when(Stack(), seat=0).done()
    assert due_in(shown(stacked), NOON) == Due(kind="clock", pool="upkeep", at=NOON + 60 * SECOND, seat=1)


def test_a_bot_goes_before_a_clock() -> None:
    due = due_in(shown(ann_and(bot(), turn_seconds=60)), NOON)
    assert due == Due(kind="bot", pool="fast", at=NOON, seat=1, urgent=True)


def test_once_all_people_have_gone_nothing_is_urgent() -> None:
    standing = ann_and(bot(), bot()).when(resign(0), seat=0).done()
    due = due_in(shown(standing), NOON)
    assert due is not None
    assert not due.urgent


def test_the_directory_row_tells_who_sits_and_who_is_to_act() -> None:
    listing = listing_of(shown(chosen(ann_and(bot("deep")), 1)), NOON)
    assert (listing.game, listing.status, listing.opener, listing.to_act, listing.due) == (
        "toy",
        "running",
        ANN,
        (0,),
        None,
    )
    assert listing.chairs == [{"kind": "player", "player": ANN}, {"kind": "bot", "bot": "deep"}]


async def test_every_append_rings_the_bell_with_what_is_due_and_writes_the_directory() -> None:
    process = Process()
    game_id = await process.game(bots=["first"], turn_seconds=60)
    bot_due = Due(kind="bot", pool="fast", at=process.clock.now(), seat=1, urgent=True)
    assert process.bell.rung == [(game_id, 3, bot_due)]
    await process.worker.turn(game_id, 3, 1)
    await process.choose(game_id, ANN)
    upkeep = Due(kind="upkeep", pool="upkeep", at=process.clock.now(), urgent=True)
    assert process.bell.rung[2:] == [(game_id, 5, upkeep)]
    assert process.memory.directory[game_id].due == upkeep


async def test_nothing_rings_for_a_command_that_has_had_its_effect_before() -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Choose(number=1), "key")
    rung = list(process.bell.rung)
    await process.service.move(game_id, ANN, Choose(number=1), "key")
    assert process.bell.rung == rung
