"""What every event store must do, whatever it is made of.

A store's own test module subclasses `EventStoreContract` and gives a `subject`: the store and its reading sides.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

import msgspec
import pytest

from domain.application.ports import (
    Batch,
    ConcurrencyConflict,
    Due,
    EventStore,
    Head,
    Listing,
    Recorded,
    SealedLog,
    Status,
)
from domain.kernel.chain import GENESIS, event_hash
from domain.kernel.visibility import Opening

WRITERS = 16
ONE, OTHER = "018f0000-0000-7000-8000-000000000001", "018f0000-0000-7000-8000-000000000002"
NOON = 1_770_000_000_000_000
SECRET = bytes(range(32))
BEGINNING = Head(version=0, hash=GENESIS)


class Subject(Protocol):
    """A store under test, with what follows its events."""

    store: EventStore
    log: SealedLog

    async def seal(self) -> None:
        """Give every event that is stored its place in the log."""
        ...

    async def listing(self, game_id: str) -> Listing | None:
        """The row of a game in the directory."""
        ...


def command_id(number: int) -> str:
    """An id of a command."""
    return f"00000000-0000-8000-8000-{number:012x}"


def batch(
    after: Head,
    number: int,
    *,
    game_id: str = ONE,
    size: int = 1,
    said: str = "",
    secret: bytes | None = None,
    status: Status = "running",
    due: Due | None = None,
) -> Batch:
    """The events of command `number`, chained to a head."""
    events: list[Recorded] = []
    for place in range(size):
        version, previous = after.version + 1 + place, events[-1].hash if events else after.hash
        bare = Recorded(
            game_id=game_id,
            version=version,
            type="toy.said",
            schema_version=1,
            data={"said": said, "number": number, "secret": {"commitment": "00"}},
            meta={"actor": {"kind": "player", "seat": 0}, "correlation_id": command_id(number), "causation_id": None},
            openings={"/data/secret": Opening(value=[number, {"deep": None}], salt="00" * 16, seats=(0, 2))},
            command_id=command_id(number),
            command_ix=place,
            recorded_at=NOON + after.version,
            hash="",
        )
        events.append(msgspec.structs.replace(bare, hash=hash_of(bare, previous)))
    listing = Listing(
        game="toy", status=status, chairs=[{"kind": "open"}], opener=ONE, to_act=(0, 1) if due else (), due=due
    )
    return Batch(
        game_id=game_id,
        after=after,
        command_id=command_id(number),
        events=tuple(events),
        listing=listing,
        secret=secret,
    )


def hash_of(event: Recorded, previous: str) -> str:
    """The hash an event must have after another."""
    return event_hash(
        game_id=event.game_id,
        version=event.version,
        previous=previous,
        type=event.type,
        schema_version=event.schema_version,
        recorded_at=str(event.recorded_at),
        command_id=event.command_id,
        command_ix=event.command_ix,
        data=event.data,
        meta=event.meta,
    )


def head_of(one: Batch) -> Head:
    """Where a stream stands after a batch."""
    return Head(version=one.events[-1].version, hash=one.events[-1].hash)


def unsealed(events: Sequence[Recorded]) -> list[Recorded]:
    """The events without their place in the log, which may be given later."""
    return [msgspec.structs.replace(event, position=None) for event in events]


async def refused(store: EventStore, one: Batch) -> None:
    """The store refuses the batch."""
    with pytest.raises(ConcurrencyConflict):
        await store.append(one)


def check_chain(events: Sequence[Recorded]) -> None:
    """Versions are dense from 1 on, and each event stands on the one before it."""
    assert [event.version for event in events] == list(range(1, len(events) + 1))
    previous = GENESIS
    for event in events:
        assert event.hash == hash_of(event, previous)
        previous = event.hash


class EventStoreContract:
    """One sentence for each thing a caller may rely on."""

    @pytest.fixture
    def subject(self) -> Subject | AsyncIterator[Subject]:
        """An empty store."""
        raise NotImplementedError

    async def test_what_is_appended_is_loaded_as_it_was(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1, size=3, said="‖ ünïcode \u2028 \\ \" '", secret=SECRET)
        await subject.store.append(first)
        assert unsealed((await subject.store.load(ONE)).events) == list(first.events)

    async def test_an_unknown_stream_has_no_events_and_no_secret(self, subject: Subject) -> None:
        tail = await subject.store.load(OTHER, with_secret=True)
        assert (list(tail.events), tail.secret) == ([], None)
        assert await subject.listing(OTHER) is None

    async def test_a_batch_stands_on_the_head(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1)
        second = batch(head_of(first), 2, size=2)
        third = batch(head_of(second), 3)
        for one in (first, second, third):
            await subject.store.append(one)
        events = (await subject.store.load(ONE)).events
        assert unsealed(events) == [*first.events, *second.events, *third.events]
        check_chain(events)

    async def test_a_batch_on_an_old_head_is_refused_whole(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1)
        await subject.store.append(first)
        second = batch(head_of(first), 2)
        await subject.store.append(second)
        await refused(subject.store, batch(head_of(first), 3, size=3))
        await refused(subject.store, batch(BEGINNING, 4, size=3))
        assert unsealed((await subject.store.load(ONE)).events) == [*first.events, *second.events]
        assert list(await subject.store.command(ONE, command_id(3))) == []

    async def test_a_batch_on_the_right_version_with_another_hash_is_refused(self, subject: Subject) -> None:
        first, fork = batch(BEGINNING, 1, said="this"), batch(BEGINNING, 1, said="that")
        await subject.store.append(first)
        await refused(subject.store, batch(head_of(fork), 2))

    async def test_a_batch_ahead_of_the_head_is_refused(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1)
        await refused(subject.store, batch(head_of(first), 2))
        await subject.store.append(first)
        second = batch(head_of(first), 2)
        await refused(subject.store, batch(head_of(second), 3))

    async def test_a_refused_batch_leaves_listing_and_secret_alone(self, subject: Subject) -> None:
        await subject.store.append(batch(BEGINNING, 1, secret=SECRET, status="lobby"))
        await refused(subject.store, batch(BEGINNING, 2, secret=bytes(32), status="abandoned"))
        listing = await subject.listing(ONE)
        assert listing is not None
        assert listing.status == "lobby"
        assert (await subject.store.load(ONE, with_secret=True)).secret == SECRET

    async def test_a_command_is_stored_once_in_a_game_for_ever(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1)
        second = batch(head_of(first), 2)
        await subject.store.append(first)
        await subject.store.append(second)
        for known in (1, 2):
            await refused(subject.store, batch(head_of(second), known, said="again"))
        await subject.store.append(batch(head_of(second), 3))

    async def test_games_do_not_share_commands(self, subject: Subject) -> None:
        for game_id in (ONE, OTHER):
            await subject.store.append(batch(BEGINNING, 1, game_id=game_id, said=game_id))
        for game_id in (ONE, OTHER):
            (event,) = await subject.store.command(game_id, command_id(1))
            assert event.data["said"] == game_id

    async def test_a_command_answers_with_all_its_events_in_order(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1, size=2)
        second = batch(head_of(first), 2, size=3)
        await subject.store.append(first)
        await subject.store.append(second)
        assert unsealed(await subject.store.command(ONE, command_id(2))) == list(second.events)

    async def test_an_unknown_command_has_no_events(self, subject: Subject) -> None:
        await subject.store.append(batch(BEGINNING, 1))
        assert list(await subject.store.command(ONE, command_id(2))) == []
        assert list(await subject.store.command(OTHER, command_id(1))) == []

    @pytest.mark.parametrize(
        ("start", "end", "versions"),
        [
            (1, None, [1, 2, 3, 4, 5]),
            (3, None, [3, 4, 5]),
            (0, 2, [1, 2]),
            (2, 4, [2, 3, 4]),
            (5, 5, [5]),
            (4, 99, [4, 5]),
            (4, 3, []),
            (6, None, []),
            (1, 0, []),
        ],
    )
    async def test_a_range_is_loaded(self, subject: Subject, start: int, end: int | None, versions: list[int]) -> None:
        await subject.store.append(batch(BEGINNING, 1, size=5))
        tail = await subject.store.load(ONE, start=start, end=end)
        assert [event.version for event in tail.events] == versions

    async def test_the_secret_comes_with_the_first_events_and_is_shown_on_demand_only(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1, secret=SECRET)
        await subject.store.append(first)
        await subject.store.append(batch(head_of(first), 2))
        assert (await subject.store.load(ONE)).secret is None
        assert (await subject.store.load(ONE, start=2, with_secret=True)).secret == SECRET

    async def test_a_stream_can_be_without_a_secret(self, subject: Subject) -> None:
        await subject.store.append(batch(BEGINNING, 1))
        assert (await subject.store.load(ONE, with_secret=True)).secret is None

    async def test_the_directory_shows_a_game_as_its_last_batch_left_it(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1, status="lobby")
        due = Due(kind="bot", pool="fast", at=NOON, seat=1, urgent=True)
        second = batch(head_of(first), 2, due=due)
        third = batch(head_of(second), 3, status="finished")
        for one in (first, second, third):
            await subject.store.append(one)
            assert await subject.listing(ONE) == one.listing

    async def test_the_log_holds_every_event_once_by_dense_positions(self, subject: Subject) -> None:
        first, other = batch(BEGINNING, 1, size=2), batch(BEGINNING, 1, game_id=OTHER)
        second = batch(head_of(first), 2, size=2)
        for one in (first, other, second):
            await subject.store.append(one)
        await subject.seal()
        log = await subject.log.after(0, 100)
        assert [event.position for event in log] == [1, 2, 3, 4, 5]
        for game_id, whole in ((ONE, [*first.events, *second.events]), (OTHER, list(other.events))):
            assert unsealed([event for event in log if event.game_id == game_id]) == whole

    async def test_the_log_is_read_page_by_page(self, subject: Subject) -> None:
        await subject.store.append(batch(BEGINNING, 1, size=5))
        await subject.seal()
        pages = [[event.version for event in await subject.log.after(after, 2)] for after in (0, 2, 4, 5)]
        assert pages == [[1, 2], [3, 4], [5], []]

    async def test_positions_are_told_by_version(self, subject: Subject) -> None:
        await subject.store.append(batch(BEGINNING, 1, game_id=OTHER))
        await subject.store.append(batch(BEGINNING, 1, size=4))
        await subject.seal()
        assert await subject.log.positions(ONE, 2, 3) == {2: 3, 3: 4}
        assert await subject.log.positions(ONE, 0, 99) == {1: 2, 2: 3, 3: 4, 4: 5}
        assert await subject.log.positions(OTHER, 2, 9) == {}
        assert await subject.log.positions(command_id(1), 1, 9) == {}

    async def test_sealing_goes_on_where_it_was(self, subject: Subject) -> None:
        first = batch(BEGINNING, 1)
        await subject.seal()
        for one in (first, batch(head_of(first), 2)):
            await subject.store.append(one)
            await subject.seal()
            await subject.seal()
        assert [(event.position, event.version) for event in await subject.log.after(0, 9)] == [(1, 1), (2, 2)]

    async def test_of_racing_first_batches_exactly_one_wins(self, subject: Subject) -> None:
        racers = [batch(BEGINNING, number, secret=bytes([number]) * 32) for number in range(WRITERS)]
        won = await self.race(subject.store, racers)
        assert unsealed((await subject.store.load(ONE)).events) == list(won.events)
        assert (await subject.store.load(ONE, with_secret=True)).secret == won.secret

    async def test_of_racing_appends_exactly_one_wins(self, subject: Subject) -> None:
        first = batch(BEGINNING, 99)
        await subject.store.append(first)
        racers = [batch(head_of(first), number, size=1 + number % 3) for number in range(WRITERS)]
        won = await self.race(subject.store, racers)
        events = (await subject.store.load(ONE)).events
        assert unsealed(events) == [*first.events, *won.events]
        assert await subject.listing(ONE) == won.listing

    async def test_a_command_that_races_with_itself_is_stored_once(self, subject: Subject) -> None:
        same = batch(BEGINNING, 1, size=2)
        assert await self.race(subject.store, [same] * WRITERS) == same
        assert unsealed((await subject.store.load(ONE)).events) == list(same.events)

    async def test_games_do_not_stand_in_each_others_way(self, subject: Subject) -> None:
        games = [f"{ONE[:-4]}{number:04x}" for number in range(WRITERS)]
        await asyncio.gather(*(subject.store.append(batch(BEGINNING, 1, game_id=game_id)) for game_id in games))
        await subject.seal()
        log = await subject.log.after(0, 100)
        assert sorted(event.game_id for event in log) == games

    @pytest.mark.parametrize("seed", range(5))
    async def test_whatever_many_writers_do_the_streams_stay_whole(self, subject: Subject, seed: int) -> None:
        acknowledged: list[tuple[str, str, int]] = []
        chance = random.Random(seed)
        writers = (self.write(subject.store, random.Random(chance.random()), acknowledged) for _ in range(WRITERS))
        await asyncio.gather(*writers)
        await subject.seal()
        log = await subject.log.after(0, 10_000)
        assert [event.position for event in log] == list(range(1, len(log) + 1))
        stored: Counter[tuple[str, str, int]] = Counter()
        for game_id in (ONE, OTHER):
            events = (await subject.store.load(game_id)).events
            check_chain(events)
            assert unsealed([event for event in log if event.game_id == game_id]) == unsealed(events)
            sizes = Counter(event.command_id for event in events)
            assert len({event.command_id for event in events if event.command_ix == 0}) == len(sizes)
            stored.update((game_id, command, size) for command, size in sizes.items())
        assert stored == Counter(acknowledged)
        assert set(stored.values()) == {1}

    async def race(self, store: EventStore, racers: Sequence[Batch]) -> Batch:
        """The one batch that won; the others were refused."""
        ends = await asyncio.gather(*(store.append(one) for one in racers), return_exceptions=True)
        assert all(end is None or isinstance(end, ConcurrencyConflict) for end in ends), ends
        (winner,) = (one for one, end in zip(racers, ends, strict=True) if end is None)
        return winner

    async def write(self, store: EventStore, chance: random.Random, acknowledged: list[tuple[str, str, int]]) -> None:
        """Append commands of few numbers to two games, on heads that others may have moved on meanwhile."""
        for _ in range(12):
            game_id, number, size = chance.choice((ONE, OTHER)), chance.randrange(40), chance.randint(1, 3)
            events = (await store.load(game_id)).events
            after = Head(version=events[-1].version, hash=events[-1].hash) if events else BEGINNING
            for _ in range(chance.randrange(4)):
                await asyncio.sleep(0)  # lets the others go first; no time passes
            try:
                await store.append(batch(after, number, game_id=game_id, size=size))
            except ConcurrencyConflict:
                continue
            acknowledged.append((game_id, command_id(number), size))
