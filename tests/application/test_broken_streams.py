"""A history that cannot be folded stops its own game only; one of a newer release is left alone."""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest

from domain.application.ports import Recorded
from domain.application.seeing import WATCHER
from domain.kernel.errors import CorruptLog, NewerSoftware
from tests.application.process import ME, Process, bot, wanted
from tests.table.table import ANN, BOB
from tests.table.toy import Choose

Stream = list[Recorded]
Break = Callable[[Stream], None]


def change(place: int, **fields: Any) -> Break:
    """One event with other contents."""

    def changed(stream: Stream) -> None:
        stream[place] = msgspec.structs.replace(stream[place], **fields)

    return changed


def remove(place: int) -> Break:
    """One event less."""

    def shorter(stream: Stream) -> None:
        del stream[place]

    return shorter


CORRUPT: dict[str, Break] = {
    "a gap": remove(2),
    "two events of one version": change(3, version=3),
    "a field of another type": change(3, data={"die": "six"}),
    "a missing field": change(3, data={}),
    "a field too many": change(3, data={"die": 1, "cup": 2}),
    "an event out of place": change(3, type="table.seat_left", data={"seat": 0}),
    "no actor": change(3, meta={}),
    "no draws": change(3, meta={"actor": {"kind": "system", "seat": None}, "draws": None}),
    "options of another game": lambda stream: change(0, data={**stream[0].data, "options": {"hide": 1}})(stream),
}
NEWER: dict[str, Break] = {
    "an unknown event": change(3, type="toy.flown"),
    "an unknown first event": change(0, type="table.founded"),
    "a newer shape": change(3, schema_version=2),
    "a newer game": lambda stream: change(0, data={**stream[0].data, "game": "senet"})(stream),
    "newer rules": lambda stream: change(0, data={**stream[0].data, "rules_version": 2})(stream),
    "a newer bot": lambda stream: change(
        0, data={**stream[0].data, "chairs": [{"kind": "bot", "bot": "oracle"}, {"kind": "open"}]}
    )(stream),
}


async def stopped(how: Break, fault: type[Exception], *, known: bool) -> None:
    """After the break every door to the game is shut, for that fault, and another game goes on."""
    process = Process()
    broken, sound = await process.game(), await process.game()
    if not known:
        process.streams.drop(broken)
    how(process.memory._streams[broken])
    asked: list[Callable[[], Awaitable[object]]] = [
        lambda: process.newest(broken),
        lambda: process.reader.game(broken, WATCHER),
        lambda: process.reader.history(broken, WATCHER),
        lambda: process.worker.upkeep(broken, 4),
        lambda: process.service.move(broken, ANN, Choose(number=9)),
    ]
    for one in asked:
        with pytest.raises(fault):
            await one()
    await process.choose(sound, ANN, BOB)


@pytest.mark.parametrize("how", CORRUPT)
async def test_a_broken_history_stops_its_own_game_only(how: str) -> None:
    await stopped(CORRUPT[how], CorruptLog, known=False)


@pytest.mark.parametrize("how", NEWER)
async def test_a_history_of_newer_software_stops_its_own_game_only(how: str) -> None:
    await stopped(NEWER[how], NewerSoftware, known=False)


def appended(**fields: Any) -> Break:
    """One more event, which does not come from here."""

    def grown(stream: Stream) -> None:
        stream.append(msgspec.structs.replace(stream[-1], version=stream[-1].version + 1, **fields))

    return grown


async def test_a_known_game_is_stopped_by_what_another_process_wrote() -> None:
    await stopped(appended(type="toy.flown"), NewerSoftware, known=True)
    await stopped(appended(data={}), CorruptLog, known=True)


async def test_an_event_that_the_game_cannot_follow_breaks_the_log() -> None:
    process = Process()
    opened = await process.service.open(ANN, wanted(ME, bot("random"), game="ra"))
    game_id = opened.aggregate.game_id
    lost = {"seat": 0, "disaster": "dis:funeral", "tiles": ["pharaoh"]}
    appended(type="ra.tiles_lost", data=lost)(process.memory._streams[game_id])
    with pytest.raises(CorruptLog, match="cannot be folded"):
        await process.newest(game_id)


async def test_a_broken_event_below_what_is_known_does_not_stop_a_game_that_is_in_memory() -> None:
    process = Process()
    game_id = await process.game()
    change(1, data={})(process.memory._streams[game_id])
    await process.choose(game_id, ANN)
    with pytest.raises(CorruptLog):
        await Process(process.store).newest(game_id)
