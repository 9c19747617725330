"""An older dump is restored under running processes: what they remember is gone, and they go on with what is stored."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from uuid import UUID

import pytest

from domain.application.instants import to_text
from domain.application.ports import Recorded, StreamNotFound
from domain.kernel.chain import GENESIS, event_hash
from eventstore.connecting import Pool
from eventstore.postgres import PlainBox, PostgresEventStore
from ostraka.embedded.binaries import find_postgres
from tests.application.process import FREE, ME, Process, wanted
from tests.eventstore.games import pool_of
from tests.table.toy import Hush

ANN, BOB = (str(UUID(int=number)) for number in (1, 2))


class Dump:
    """A dump of the whole database, as an operator takes and restores one."""

    def __init__(self, url: str, file: Path) -> None:
        self._url, self._file = url, file

    async def take(self) -> None:
        await self._run("pg_dump", "--schema=ostraka", f"--file={self._file}", self._url)

    async def restore(self) -> None:
        """Everything since the dump is lost; connections stay open."""
        options = ("--single-transaction", "--quiet", "--set=ON_ERROR_STOP=1", "--no-psqlrc")
        # pg_dump's own --clean cannot drop what partitions have inherited.
        emptied = "--command=DROP SCHEMA ostraka CASCADE"
        await self._run("psql", *options, emptied, f"--file={self._file}", self._url)

    async def _run(self, program: str, *arguments: str) -> None:
        command = [find_postgres().program(program), *arguments]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as opened:
        yield opened


@pytest.fixture
def start(pool: Pool) -> Callable[[str], Process]:
    """Starts a process of the service by its seed."""

    def started(seed: str) -> Process:
        return Process(PostgresEventStore(pool, PlainBox()), seed=seed)

    return started


@pytest.fixture
def dump(migrated_url: str, tmp_path: Path) -> Dump:
    return Dump(migrated_url, tmp_path / "dump.sql")


async def begun(process: Process) -> str:
    """A game of Ann and Bob."""
    game_id = (await process.service.open(ANN, wanted(ME, FREE))).aggregate.game_id
    await process.service.sit(game_id, BOB, None, None)
    return game_id


async def hush(process: Process, game_id: str, key: str | None = None) -> int:
    """A move of Ann's that she may always make; the version it leads to."""
    return (await process.service.move(game_id, ANN, Hush(), key)).aggregate.head.version


def check_chain(events: Sequence[Recorded]) -> None:
    """Each event stands on the one before it."""
    previous = GENESIS
    for version, event in enumerate(events, start=1):
        assert event.version == version
        assert event.hash == event_hash(
            game_id=event.game_id,
            version=version,
            previous=previous,
            type=event.type,
            schema_version=event.schema_version,
            recorded_at=to_text(event.recorded_at),
            command_id=event.command_id,
            command_ix=event.command_ix,
            data=event.data,
            meta=event.meta,
        )
        previous = event.hash


async def whole(*processes: Process, game_id: str) -> None:
    """All processes have the same game, as it is stored."""
    check_chain(await processes[0].events(game_id))
    first = await processes[0].newest(game_id)
    for process in processes:
        await process.check(game_id)
        assert (await process.newest(game_id)) == first


@pytest.mark.parametrize("ahead", [1, 3])
async def test_a_move_goes_on_from_what_is_stored(start: Callable[[str], Process], dump: Dump, ahead: int) -> None:
    process = start("one")
    game_id = await begun(process)
    kept = await hush(process, game_id)
    await dump.take()
    for _ in range(ahead):
        await hush(process, game_id)
    await dump.restore()
    assert await hush(process, game_id) == kept + 1
    await whole(process, start("new"), game_id=game_id)


async def test_a_reader_sees_what_is_stored(start: Callable[[str], Process], dump: Dump) -> None:
    process = start("one")
    game_id = await begun(process)
    kept = await hush(process, game_id)
    await dump.take()
    await hush(process, game_id)
    await dump.restore()
    assert await process.version(game_id) == kept
    await whole(process, game_id=game_id)


@pytest.mark.parametrize("others", [1, 2, 4], ids=["behind", "level", "ahead"])
async def test_a_game_that_went_another_way_meanwhile_is_known_by_its_hash(
    start: Callable[[str], Process], dump: Dump, others: int
) -> None:
    one, other = start("one"), start("other")
    game_id = await begun(one)
    kept = await hush(one, game_id)
    await dump.take()
    for _ in range(2):
        await hush(one, game_id)
    await dump.restore()
    for _ in range(others):
        await hush(other, game_id)
    assert await hush(one, game_id) == kept + others + 1
    await whole(one, other, game_id=game_id)


async def test_a_key_whose_command_was_lost_has_its_effect_again(start: Callable[[str], Process], dump: Dump) -> None:
    process = start("one")
    game_id = await begun(process)
    kept = await hush(process, game_id, key="kept")
    await dump.take()
    lost = await hush(process, game_id, key="lost")
    await dump.restore()
    assert await hush(process, game_id, key="kept") == kept
    assert await hush(process, game_id, key="lost") == lost == kept + 1
    assert await hush(process, game_id, key="lost") == lost
    assert len(await process.events(game_id)) == lost
    await whole(process, game_id=game_id)


async def test_a_game_that_was_opened_since_is_gone(start: Callable[[str], Process], dump: Dump) -> None:
    process = start("one")
    await dump.take()
    game_id, other = await begun(process), await begun(process)
    await dump.restore()
    with pytest.raises(StreamNotFound):
        await hush(process, game_id)
    with pytest.raises(StreamNotFound):
        await process.newest(other)
    assert await hush(process, await begun(process)) > 0


async def test_many_moves_at_once_after_a_loss_are_one_row(start: Callable[[str], Process], dump: Dump) -> None:
    processes = [start(f"{number}") for number in range(3)]
    game_id = await begun(processes[0])
    kept = await hush(processes[0], game_id)
    await dump.take()
    for process in processes:
        await hush(process, game_id)
    await dump.restore()
    reached = await asyncio.gather(*(hush(process, game_id) for process in processes for _ in range(2)))
    assert sorted(reached) == list(range(kept + 1, kept + 7))
    await whole(*processes, game_id=game_id)
