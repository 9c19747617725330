"""The audit of a stored game finds what was changed in the store below the service."""

from collections.abc import Callable, Sequence

import msgspec
import pytest

from domain.application.auditing import audit
from domain.application.ports import Batch, Recorded, Tail
from domain.application.recording import hash_of
from domain.application.seeing import Viewer
from tests.application.process import FREE, ME, Process, wanted
from tests.table.table import ANN, BOB

Events = list[Recorded]


class Damaged:
    """A store whose rows somebody has changed behind the service's back."""

    def __init__(self, events: Sequence[Recorded]) -> None:
        self._events = events

    async def append(self, batch: Batch) -> None:
        """Nothing is asked for."""
        raise AssertionError

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """The changed rows."""
        last = len(self._events) + 1 if end is None else end
        return Tail(events=[event for event in self._events if start <= event.version <= last], secret=None)

    async def command(self, game_id: str, command_id: str) -> Sequence[Recorded]:
        """Nothing is asked for."""
        raise AssertionError


async def test_a_whole_game_holds_and_tells_its_secret_once_it_is_over() -> None:
    process = Process()
    running = await process.game()
    found = await process.reader.audit(running)
    newest = await process.newest(running)
    assert found.chain_ok
    assert (found.version, found.head_hash) == (newest.head.version, newest.head.hash)
    assert (found.secret, found.problems) == (None, ())
    finished = await process.reader.audit(await process.finished())
    assert finished.chain_ok
    assert finished.secret


async def test_a_long_game_is_followed_page_by_page() -> None:
    process = Process()
    game_id = (await process.service.open(ANN, wanted(ME, FREE, FREE))).aggregate.game_id
    for _ in range(260):
        await process.service.sit(game_id, BOB, 1, None)
        await process.service.leave(game_id, BOB, 1)
    assert await process.version(game_id) > 500
    assert (await process.reader.audit(game_id)).chain_ok


def _edited(events: Events) -> Events:
    return [events[0], msgspec.structs.replace(events[1], recorded_at=events[1].recorded_at + 1), *events[2:]]


def _cut(events: Events) -> Events:
    return events[:-1]


def _gap(events: Events) -> Events:
    return [events[0], *events[2:]]


def _forged(events: Events) -> Events:
    """The last event is another, with the hash that it must have."""
    other = msgspec.structs.replace(events[-1], recorded_at=events[-1].recorded_at + 1)
    return [*events[:-1], msgspec.structs.replace(other, hash=hash_of(other, events[-2].hash))]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (_edited, "Version 2 does not have the hash that its content gives."),
        (_gap, "Version 2 is missing."),
        (_cut, "Version 5 is missing."),
        (_forged, "The chain ends at version 5 with another hash than the service plays on."),
    ],
)
async def test_a_changed_history_is_found_with_the_version(change: Callable[[Events], Events], problem: str) -> None:
    process = Process()
    game_id = await process.game()
    await process.choose(game_id, ANN)
    events = list(await process.events(game_id))
    assert len(events) == 5
    found = await audit(Damaged(change(events)), process.streams, game_id)
    assert not found.chain_ok
    assert found.problems == (problem,)


async def test_the_history_waits_for_its_positions_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sealer is away: the events are shown all the same."""
    monkeypatch.setattr("domain.application.reading._SEAL_CHECK_SECONDS", 0)
    process = Process()
    game_id = await process.game()
    log = Behind()
    monkeypatch.setattr(process.reader, "_log", log)
    history = await process.reader.history(game_id, Viewer())
    assert len(history.events) == history.version
    assert log.asked > 2


class Behind:
    """A log that has sealed nothing yet."""

    def __init__(self) -> None:
        self.asked = 0

    async def positions(self, _game_id: str, _start: int, _end: int) -> dict[int, int]:
        """None."""
        self.asked += 1
        return {}
