"""Whole games as they were stored, with their openings, commands and secret: what once was played stays checkable.

`python -m tests.conformance.replays` writes the replays that a game lacks: one for each number of seats, and one for
each way to end that these do not show. In each a clock runs out, moves are taken back, a bot plays and, with three
seats or more, somebody gives up. A replay is never changed; one of old rules stays, and a real game may join them.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from domain.application.committing import Committed
from domain.application.folding import Aggregate
from domain.application.ports import Recorded
from domain.application.seeing import WATCHER, SeenEvent
from domain.application.verifying import FORMAT, Header
from domain.kernel.game import AnyGame
from domain.table.state import Running
from tests.conformance.cases import CASES, GAMES, OPPOSITE, Case, folder_of
from tests.conformance.journeys import chooser
from tests.conformance.shapes import end_reasons
from tests.house import House, account

RESIGNATION = "resignation"
"""How every game may end besides its own ways: all but one have given up."""

TURN_SECONDS = 600
SECONDS_PER_STEP = 11
LATE_EVERY = 40
"""How often somebody does not answer in time. Unit: steps."""

GIVES_UP_AT = 20
"""In which step one seat gives up, or all but one do. Unit: steps."""

ATTEMPTS = 1000
"""How many random games are played for the sake of one way to end."""


class Replay(NamedTuple):
    """A stored game."""

    name: str
    header: Header
    events: tuple[SeenEvent, ...]

    def lines(self) -> Iterator[bytes]:
        """The history as it would be exported."""
        return (msgspec.json.encode(one) for one in (self.header, *self.events))

    @property
    def seats(self) -> int:
        """How many sat at the table."""
        return len(self.events[0].data["chairs"])

    @property
    def reason(self) -> str:
        """How the game ended."""
        (finished,) = (event for event in self.events if event.type == "table.finished")
        reason: str = finished.data["reason"]
        return reason


def replays_of(game: AnyGame) -> tuple[Replay, ...]:
    """Every replay of a game."""
    return tuple(map(_read, sorted((folder_of(game) / "replays").glob("*.json"))))


def _read(path: Path) -> Replay:
    header, *events = json.loads(path.read_text())
    return Replay(path.stem, msgspec.convert(header, Header), msgspec.convert(events, tuple[SeenEvent, ...]))


def recorded(replay: Replay) -> Iterator[Recorded]:
    """The events as the store held them, every value open."""
    for event in replay.events:
        yield Recorded(
            game_id=replay.header.game_id,
            version=event.version,
            type=event.type,
            schema_version=event.schema_version,
            data=event.data,
            meta=event.meta,
            openings={},
            command_id=event.command_id,
            command_ix=event.command_ix,
            recorded_at=0,
            hash=event.hash,
        )


async def play(case: Case, name: str, *, resigning: bool = False, attempt: int = 0) -> Replay:
    """A game with all that can happen at a table; where all resign, without a bot."""
    seed = f"{case.key}/{name}/{attempt}"
    house, choose = House(seed), chooser("patient", seed)
    bots = [] if resigning else [(case.seats - 1, "random")]
    leave = case.seats - 1 if resigning else min(1, case.seats - 2)
    opening = await house.open(
        case.game, case.seats, case.options_json(), bots=bots, turn_seconds=TURN_SECONDS, entropy="entropy of seat "
    )
    aggregate, step = opening[-1].aggregate, 0
    while isinstance(table := aggregate.table, Running):
        house.clock.pass_by(SECONDS_PER_STEP)
        step += 1
        done = await _special(house, aggregate, table, step, leave) or await house.step(aggregate, table, choose)
        aggregate = done.aggregate
    history = await house.reader.history(aggregate.game_id, WATCHER)
    events = tuple(msgspec.structs.replace(event, position=None) for event in history.events)
    return Replay(name, Header(format=FORMAT, game_id=aggregate.game_id), events)


async def _special(house: House, aggregate: Aggregate, table: Running, step: int, leave: int) -> Committed | None:
    """What now and then happens besides moves."""
    game_id = aggregate.game_id
    if table.kept and not table.takebacks:
        return await house.service.undo(game_id, account(table.kept[-1].seat))
    if step % LATE_EVERY == 0 and table.deadlines:
        house.clock.pass_by(TURN_SECONDS)
        return await house.worker.clock(game_id, aggregate.head.version)
    if 0 <= step - GIVES_UP_AT < leave:
        return await house.service.resign(game_id, account(step - GIVES_UP_AT))
    return None


def write_missing(game: AnyGame) -> Iterator[Path]:
    """Play and write what the game lacks; an end that is rare may take some hundred attempts."""
    labels = [*game.presets, OPPOSITE]
    cases = {(case.seats, case.label): case for case in CASES if case.key == game.key}
    for place, seats in enumerate(game.seats):
        if seats not in {replay.seats for replay in replays_of(game)}:
            case = cases[seats, labels[place % len(labels)]]
            yield _write(game, asyncio.run(play(case, f"{seats}-{case.label}")))
    few = cases[game.seats[0], labels[0]]
    for reason in (*end_reasons(game), RESIGNATION):
        if reason not in {replay.reason for replay in replays_of(game)}:
            resigning = reason == RESIGNATION
            attempts = (asyncio.run(play(few, reason, resigning=resigning, attempt=at)) for at in range(ATTEMPTS))
            found = next((attempt for attempt in attempts if attempt.reason == reason), None)
            assert found, f"{ATTEMPTS} random games of {game.key} did not end by {reason}: put a real one there"
            yield _write(game, found)


def _write(game: AnyGame, replay: Replay) -> Path:
    path = folder_of(game) / "replays" / f"{replay.name}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"[\n" + b",\n".join(replay.lines()) + b"\n]\n")
    return path


if __name__ == "__main__":
    for one in GAMES:
        for written in write_missing(one):
            sys.stdout.write(f"{written}\n")
