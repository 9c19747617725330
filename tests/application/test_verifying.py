"""Checking an exported history without trusting who exported it."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from domain.application.instants import from_text
from domain.application.ports import Recorded
from domain.application.recording import hash_of
from domain.application.seeing import WATCHER, SeenEvent, Viewer
from domain.application.verifying import FORMAT, Report, verify
from domain.kernel.chain import GENESIS
from domain.kernel.errors import InvalidInput
from domain.kernel.visibility import commitment, replaced, value_at
from tests.application.process import Process
from tests.table.table import ANN, BOB, CAL, GAMES
from tests.table.toy import Hush, Stack

Change = Callable[[list[SeenEvent]], list[SeenEvent]]


async def exported(process: Process, game_id: str, viewer: Viewer = WATCHER) -> list[SeenEvent]:
    """A game's history as the viewer may see it."""
    return list((await process.reader.history(game_id, viewer)).events)


def checked(game_id: str, events: Sequence[SeenEvent], games: Any = GAMES, header: str = FORMAT) -> Report:
    """What a check of the exported file finds."""
    lines = [msgspec.json.encode({"format": header, "game_id": game_id}), *map(msgspec.json.encode, events), b"\n"]
    return verify(games, lambda: iter(lines))


def forged(game_id: str, events: Sequence[SeenEvent]) -> list[SeenEvent]:
    """The events as a forger hands them out: every hash fits the one before it."""
    previous, chained = GENESIS, []
    for event in events:
        public = {"data": event.data, "meta": event.meta}
        for pointer, salt in event.openings.items():
            public = replaced(public, pointer, {"commitment": commitment(value_at(public, pointer), salt)})
        stored = Recorded(
            game_id=game_id,
            version=event.version,
            type=event.type,
            schema_version=event.schema_version,
            data=public["data"],
            meta=public["meta"],
            openings={},
            command_id=event.command_id,
            command_ix=event.command_ix,
            recorded_at=from_text(event.recorded_at),
            hash="",
        )
        previous = hash_of(stored, previous)
        chained.append(msgspec.structs.replace(event, hash=previous))
    return chained


def change(place: int, pointer: str, value: Any) -> Change:
    """One event with another value at a pointer."""

    def changed(events: list[SeenEvent]) -> list[SeenEvent]:
        document = replaced({"data": events[place].data, "meta": events[place].meta}, pointer, value)
        event = msgspec.structs.replace(events[place], data=document["data"], meta=document["meta"])
        return [*events[:place], event, *events[place + 1 :]]

    return changed


async def eventful(process: Process) -> str:
    """A finished game with a bot, idle moves, moves taken back, a resignation and a seat taken with entropy."""
    game_id = await process.game(BOB, CAL, bots=["random"], options={"rounds": 1}, turn_seconds=60, resigned="idle")
    await process.service.move(game_id, ANN, Hush(), "key")
    await process.service.move(game_id, ANN, Stack())
    await process.service.undo(game_id, ANN)
    await process.service.undo(game_id, ANN)
    await process.service.resign(game_id, CAL)
    process.clock.pass_by(61)
    await process.worker.clock(game_id, await process.version(game_id))
    while due := process.memory.directory[game_id].due:
        version = await process.version(game_id)
        if due.kind == "upkeep":
            await process.worker.upkeep(game_id, version)
        elif due.kind == "clock":
            await process.choose(game_id, BOB)
        else:
            assert due.seat is not None
            await process.worker.turn(game_id, version, due.seat)
    return game_id


async def test_a_finished_game_is_decided_again_to_the_same_events() -> None:
    process = Process()
    game_id = await eventful(process)
    events = await exported(process, game_id)
    report = checked(game_id, events)
    assert report.problem is None
    assert report.redecided == len({event.command_id for event in events})
    assert (report.game_id, report.events, report.head_hash) == (game_id, len(events), events[-1].hash)
    assert report.openings == sum(len(event.openings) for event in events) > 0


async def test_a_closed_lobby_is_decided_again() -> None:
    process = Process()
    game_id = await process.lobby()
    await process.service.abandon(game_id, ANN)
    assert checked(game_id, await exported(process, game_id)).redecided == 2


@pytest.mark.parametrize("viewer", [WATCHER, Viewer(player=ANN), Viewer(player=BOB)])
async def test_of_a_running_game_everybody_checks_the_chain_and_what_he_may_see(viewer: Viewer) -> None:
    process = Process()
    game_id = await process.game()
    await process.choose(game_id, ANN)
    events = await exported(process, game_id, viewer)
    report = checked(game_id, events)
    assert (report.problem, report.redecided, report.events) == (None, None, 5)
    assert report.openings == (2 if viewer.player == ANN else 0)
    assert report.head_hash == (await process.newest(game_id)).head.hash


async def test_a_game_whose_secret_was_lost_is_checked_but_not_decided_again() -> None:
    process = Process()
    game_id = await process.game()
    process.memory._secrets.clear()
    await Process(process.store, seed="bereft").service.resign(game_id, ANN)
    report = checked(game_id, await exported(process, game_id))
    assert (report.problem, report.redecided) == (None, None)


async def test_a_history_without_events_has_nothing_wrong() -> None:
    assert checked("a", []).problem is None


HONEST_HASHES: dict[str, tuple[Change, str]] = {
    "an event less": (lambda events: [*events[:2], *events[3:]], "version 4 stands where 3 should"),
    "another public value": (change(3, "/data/die", 7), "version 4: the hash should be"),
    "another hidden value": (change(4, "/data/number", 3), "version 5: the hash should be"),
    "another cause": (change(3, "/meta/causation_id", "x"), "version 4: the hash should be"),
    "nothing behind an opening": (
        change(4, "/data", {"seat": 0}),
        "version 5: there is nothing to open at /data/number",
    ),
    "a number no hash is made of": (change(3, "/data/die", 0.5), "version 4"),
    "a salt that is none": (
        lambda events: [*events[:4], msgspec.structs.replace(events[4], openings={"/data/number": "x"}), *events[5:]],
        "version 5",
    ),
}


@pytest.mark.parametrize("how", HONEST_HASHES)
async def test_what_was_changed_after_it_was_hashed_is_found(how: str) -> None:
    process = Process()
    game_id = await process.finished()
    altered, problem = HONEST_HASHES[how]
    report = checked(game_id, altered(await exported(process, game_id)))
    assert report.problem is not None
    assert problem in report.problem
    assert report.redecided is None


FORGED: dict[str, tuple[Change, str]] = {
    "another secret": (change(9, "/data/secret", "00" * 32), "version 10: the revealed secret is not the one"),
    "a secret that is none": (change(9, "/data/secret", "secret"), "version 10"),
    "no word of the secret": (change(9, "/data", {}), "version 10"),
    "another die": (change(3, "/data/die", 7), "version 4: the rules give"),
    "another result": (change(8, "/data/reason", "luck"), "version 9: the rules give"),
    "a move against the rules": (change(4, "/meta/command", {"type": "choose", "number": 9}), "version 5"),
    "a move out of turn": (change(5, "/meta/actor", {"kind": "player", "seat": 0}), "version 6"),
    "a move of a seat that does not exist": (change(4, "/meta/actor", {"kind": "player", "seat": 9}), "version 5"),
    "a command that does not exist": (change(4, "/meta/command", {"type": "fly"}), "version 5"),
    "no command": (change(4, "/meta", {"command": None}), "version 5"),
    "no actor": (change(4, "/meta/actor", None), "version 5"),
    "an unknown game": (change(0, "/data/game", "senet"), "version 1: the game senet is not known here"),
    "an impossible table": (change(0, "/meta/command/chairs", []), "version 1"),
    "an event too many": (
        lambda events: [
            *events[:6],
            *(msgspec.structs.replace(event, version=event.version + (event.version > 6)) for event in events[5:]),
        ],
        "version",
    ),
    "an end too early": (lambda events: [*events[:7], *renumbered(events[8:], -1)], "version 7: the rules give"),
    "an extra event": (
        lambda events: [
            *events[:6],
            msgspec.structs.replace(events[5], version=7, command_ix=1),
            *renumbered(events[6:], 1),
        ],
        "version 6: the rules give 1 events, the history has 2",
    ),
}


def renumbered(events: Sequence[SeenEvent], by: int) -> list[SeenEvent]:
    """The events at other versions."""
    return [msgspec.structs.replace(event, version=event.version + by) for event in events]


@pytest.mark.parametrize("how", FORGED)
async def test_what_was_changed_before_it_was_hashed_is_found(how: str) -> None:
    process = Process()
    game_id = await process.finished()
    altered, problem = FORGED[how]
    report = checked(game_id, forged(game_id, altered(await exported(process, game_id))))
    assert report.problem is not None
    assert problem in report.problem
    assert report.redecided is None


async def test_a_game_this_release_does_not_have_cannot_be_decided_again() -> None:
    process = Process()
    game_id = await process.finished()
    report = checked(game_id, await exported(process, game_id), games={})
    assert report.problem == "version 1: the game toy is not known here"


@pytest.mark.parametrize(
    ("lines", "pointer"),
    [
        ([], "/1"),
        ([b"no json"], "/1"),
        ([b'{"format": "ostraka-history/1"}'], "/1"),
        ([b'{"format": "ostraka-history/99", "game_id": "a"}'], "/format"),
        ([b'{"format": "ostraka-history/1", "game_id": "a"}', b"{"], "/2"),
        ([b'{"format": "ostraka-history/1", "game_id": "a"}', b"\n", b'{"version": "one"}'], "/3/version"),
    ],
)
def test_a_file_that_is_no_history_is_refused_with_its_line(lines: list[bytes], pointer: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        verify(GAMES, lambda: iter(lines))
    assert [where for where, _ in refusal.value.faults] == [pointer]
