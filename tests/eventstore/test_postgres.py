"""The store in Postgres keeps the contract of every store, and what only a database can promise."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, cast
from uuid import UUID

import msgspec
import pytest

from domain.application.instants import from_datetime
from domain.application.ports import Batch, ConcurrencyConflict, Due, EventStore, Head, Listing, SealedLog
from domain.kernel.visibility import Opening
from eventstore.connecting import Connection, Pool, connection
from eventstore.postgres import PlainBox, PostgresEventStore
from eventstore.sealed_log import PostgresSealedLog
from eventstore.sealer import seal_once
from tests.eventstore.contract import (
    BEGINNING,
    NOON,
    ONE,
    OTHER,
    SECRET,
    WRITERS,
    EventStoreContract,
    Subject,
    batch,
    hash_of,
    head_of,
    unsealed,
)
from tests.eventstore.games import pool_of

ANN, BOB, CAL = (str(UUID(int=number)) for number in (1, 2, 3))
BOT = Due(kind="bot", pool="slow", at=NOON + 7, seat=3, urgent=True)


class InPostgres:
    """The store with its log and its directory, in one database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self.store: EventStore = PostgresEventStore(pool, PlainBox())
        self.log: SealedLog = PostgresSealedLog(pool)

    async def seal(self) -> None:
        async with connection(self._pool) as one:
            await seal_once(one)

    async def listing(self, game_id: str) -> Listing | None:
        row = await row_of(self._pool, game_id)
        if row is None:
            return None
        due = None
        if row["due"] is not None:
            at = from_datetime(row["due_at"])
            due = Due(kind=row["due"], pool=row["due_pool"], at=at, seat=row["due_seat"], urgent=row["urgent"])
        return Listing(
            game=row["game"],
            status=row["status"],
            chairs=row["chairs"],
            opener=str(row["opener"]),
            to_act=tuple(row["to_act"]),
            due=due,
        )


async def row_of(pool: Pool, game_id: str) -> Any:
    """The directory's row; `Any`: its columns are the test's business."""
    async with connection(pool) as one:
        return await one.fetchrow("SELECT * FROM ostraka.directory WHERE game_id = $1", game_id)


async def seats_of(pool: Pool, game_id: str) -> dict[str, int]:
    async with connection(pool) as one:
        rows = await one.fetch("SELECT player_id, seat FROM ostraka.seat WHERE game_id = $1", game_id)
    return {str(row["player_id"]): row["seat"] for row in rows}


def shown(one: Batch, **listing: Any) -> Batch:
    """The batch with another row for the directory."""
    return msgspec.structs.replace(one, listing=msgspec.structs.replace(one.listing, **listing))


def sitting(one: Batch, *seated: tuple[str, int]) -> Batch:
    """The batch in a lobby where these sit."""
    return msgspec.structs.replace(one, seated=seated)


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url, WRITERS) as opened:
        yield opened


@pytest.fixture
def store(pool: Pool) -> PostgresEventStore:
    return PostgresEventStore(pool, PlainBox())


class TestPostgresEventStore(EventStoreContract):
    @pytest.fixture
    def subject(self, pool: Pool) -> Subject:
        return InPostgres(pool)


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -(2**53) + 1,
        2**53 - 1,
        "",
        'a"b\\c\n\t\x7f ‖ ß 漢 \U0001f3b2 \u2028',
        [],
        {},
        [[], [[None]], {"a": []}],
        {"z": 1, "a": {"b": [1, 2, {"c": None}]}, "": ""},
        [f"tile_{number}" for number in range(500)],
    ],
    ids=lambda value: repr(value)[:20],
)
async def test_every_kind_of_value_comes_back_as_it_was(store: PostgresEventStore, value: Any) -> None:
    (bare,) = batch(BEGINNING, 1).events
    event = msgspec.structs.replace(
        bare,
        data={"value": value},
        meta={"value": [value]},
        openings={"/data/value": Opening(value=value, salt="ab" * 16, seats=())},
        hash="",
    )
    event = msgspec.structs.replace(event, hash=hash_of(event, BEGINNING.hash))
    await store.append(msgspec.structs.replace(batch(BEGINNING, 1), events=(event,)))
    (loaded,) = (await store.load(ONE)).events
    assert loaded == event
    assert hash_of(loaded, BEGINNING.hash) == event.hash


async def test_an_event_without_openings_stores_none(pool: Pool, store: PostgresEventStore) -> None:
    one = batch(BEGINNING, 1)
    bare = msgspec.structs.replace(one.events[0], openings={})
    await store.append(msgspec.structs.replace(one, events=(bare,)))
    assert unsealed((await store.load(ONE)).events) == [bare]
    async with connection(pool) as open_one:
        assert await open_one.fetchval("SELECT secret IS NULL FROM ostraka.event")


async def test_the_first_batch_writes_the_whole_row(pool: Pool, store: PostgresEventStore) -> None:
    chairs = [{"kind": "player", "player": ANN}, {"kind": "bot", "bot": "grëedy"}, {"kind": "open"}]
    first = batch(BEGINNING, 1, size=2, status="lobby", due=BOT)
    await store.append(sitting(shown(first, chairs=chairs, to_act=(0, 2), opener=CAL), (ANN, 0)))
    row = dict(await row_of(pool, ONE))
    moments = {name: from_datetime(row.pop(name)) for name in ("due_at", "opened_at", "moved_at")}
    assert moments == {"due_at": NOON + 7, "opened_at": NOON, "moved_at": NOON}
    assert row == {
        "game_id": UUID(ONE),
        "game": "toy",
        "status": "lobby",
        "version": 2,
        "opener": UUID(CAL),
        "chairs": chairs,
        "to_act": [0, 2],
        "due": "bot",
        "due_pool": "slow",
        "due_seat": 3,
        "urgent": True,
        "tries": 0,
        "parked": None,
    }


@pytest.mark.parametrize("reseated", [True, False], ids=["in a lobby", "while it runs"])
async def test_a_later_batch_moves_the_row_on(pool: Pool, store: PostgresEventStore, reseated: bool) -> None:
    first = sitting(batch(BEGINNING, 1, size=2, status="lobby", due=BOT), (ANN, 0))
    await store.append(first)
    async with connection(pool) as one:
        await one.execute("UPDATE ostraka.directory SET tries = 5, parked = 'no end'")
    second = shown(batch(head_of(first), 2, size=3), chairs=[{"kind": "player", "player": BOB}], to_act=(1,))
    await store.append(sitting(second, (BOB, 4)) if reseated else second)
    row = await row_of(pool, ONE)
    assert (row["status"], row["version"], row["to_act"]) == ("running", 5, [1])
    assert [row[name] for name in ("due", "due_pool", "due_seat", "due_at", "parked")] == [None] * 5
    assert (row["urgent"], row["tries"]) == (False, 0)
    assert (from_datetime(row["opened_at"]), from_datetime(row["moved_at"])) == (NOON, NOON + 2)
    assert row["chairs"] == (second.listing.chairs if reseated else first.listing.chairs)
    assert await seats_of(pool, ONE) == ({BOB: 4} if reseated else {ANN: 0})


async def test_seats_follow_who_comes_and_goes(pool: Pool, store: PostgresEventStore) -> None:
    lobby: list[tuple[tuple[str, int], ...]] = [
        ((ANN, 0),),
        ((ANN, 0), (BOB, 1)),
        ((ANN, 2), (BOB, 1), (CAL, 0)),
        ((CAL, 1),),
        (),
        ((BOB, 0),),
    ]
    await store.append(sitting(batch(BEGINNING, 1, game_id=OTHER), (ANN, 4), (BOB, 3)))
    head = BEGINNING
    for number, seated in enumerate(lobby):
        one = sitting(batch(head, number, status="lobby"), *seated)
        await store.append(one)
        head = head_of(one)
        assert await seats_of(pool, ONE) == dict(seated)
    await store.append(batch(head, 99))
    assert await seats_of(pool, ONE) == {BOB: 0}
    assert await seats_of(pool, OTHER) == {ANN: 4, BOB: 3}


async def test_a_refused_batch_changes_no_seat_and_no_row(pool: Pool, store: PostgresEventStore) -> None:
    first = sitting(batch(BEGINNING, 1, status="lobby", due=BOT), (ANN, 0))
    await store.append(first)
    row = await row_of(pool, ONE)
    fork = batch(BEGINNING, 1, said="other")
    late = (batch(BEGINNING, 2), batch(head_of(fork), 3), batch(Head(version=7, hash=fork.events[0].hash), 4))
    for one in (*late, batch(head_of(first), 1)):
        for refused in (one, sitting(one, (BOB, 1))):
            with pytest.raises(ConcurrencyConflict):
                await store.append(refused)
    assert await row_of(pool, ONE) == row
    assert await seats_of(pool, ONE) == {ANN: 0}


async def test_a_first_batch_not_on_the_beginning_is_no_game(pool: Pool, store: PostgresEventStore) -> None:
    for after in (Head(version=1, hash=BEGINNING.hash), Head(version=5, hash="ab" * 32)):
        with pytest.raises(ConcurrencyConflict):
            await store.append(sitting(batch(after, 1, secret=SECRET), (ANN, 0)))
    assert await row_of(pool, ONE) is None
    assert await seats_of(pool, ONE) == {}


@pytest.mark.parametrize("round_number", range(3))
async def test_of_appends_on_sixteen_connections_exactly_one_wins(
    pool: Pool, store: PostgresEventStore, round_number: int
) -> None:
    first = batch(BEGINNING, 100)
    await store.append(first)
    async with contextlib.AsyncExitStack() as held:
        ready = [await held.enter_async_context(pool.acquire()) for _ in range(WRITERS)]
        assert len({one.get_server_pid() for one in ready}) == WRITERS
        stores = [PostgresEventStore(only(one), PlainBox()) for one in ready]
        racers = [sitting(batch(head_of(first), number, size=1 + number % 3), (ANN, number)) for number in range(16)]
        pairs = zip(stores, racers, strict=True)
        ends = await asyncio.gather(*(store.append(one) for store, one in pairs), return_exceptions=True)
    losers = [end for end in ends if end is not None]
    assert [type(end) for end in losers] == [ConcurrencyConflict] * (WRITERS - 1)
    won = racers[ends.index(None)]
    assert unsealed((await store.load(ONE)).events) == [*first.events, *won.events]
    assert (await row_of(pool, ONE))["version"] == won.events[-1].version
    assert await seats_of(pool, ONE) == dict(won.seated or ())


def every_append() -> list[Batch]:
    """One batch for each of the three statements, in a row."""
    first = sitting(batch(BEGINNING, 1, status="lobby", secret=SECRET, due=BOT), (ANN, 0))
    second = sitting(batch(head_of(first), 2, size=2), (ANN, 0), (BOB, 1))
    return [first, second, batch(head_of(second), 3, size=5, due=BOT)]


class OneConnection:
    """A pool that always gives the same connection, also within a transaction."""

    def __init__(self, one: Connection) -> None:
        self._one = one

    @contextlib.asynccontextmanager
    async def acquire(self, **_limit: float) -> AsyncIterator[Connection]:
        yield self._one


def only(one: Connection) -> Pool:
    """The connection in the form that a store takes."""
    return cast("Pool", OneConnection(one))


@contextlib.asynccontextmanager
async def statements(one: Connection) -> AsyncIterator[list[str]]:
    """What a connection is asked in the block, whole when the block has ended."""
    asked: list[str] = []
    with one.query_logger(lambda query: asked.append(query.query)):
        yield asked
        await asyncio.sleep(0)  # the driver reports a moment later; no time passes


async def test_an_append_is_one_statement(pool: Pool) -> None:
    async with connection(pool) as one:
        store = PostgresEventStore(only(one), PlainBox())
        for append in every_append():
            # What the driver asks once of each connection, to learn the types, is not the append's.
            await store.append(append)
        for append in every_append():
            async with statements(one) as asked:
                await store.append(msgspec.structs.replace(append, game_id=OTHER))
            assert len(asked) == 1


async def test_an_append_takes_no_lock_but_those_of_its_rows(migrated_url: str) -> None:
    async with pool_of(migrated_url, 1) as pool, connection(pool) as one, one.transaction():
        for append in every_append():
            await PostgresEventStore(only(one), PlainBox()).append(append)
        held = await one.fetch(
            "SELECT locktype, mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype <> 'virtualxid'"
        )
    modes = {(row["locktype"], row["mode"]) for row in held}
    assert modes == {
        ("relation", "AccessShareLock"),
        ("relation", "RowExclusiveLock"),
        ("transactionid", "ExclusiveLock"),
    }


async def test_nothing_but_the_guards_of_history_runs_with_an_append(pool: Pool) -> None:
    async with connection(pool) as one:
        triggers = await one.fetch(
            "SELECT DISTINCT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid "
            "WHERE relnamespace = 'ostraka'::regnamespace"
        )
        functions = await one.fetch("SELECT proname FROM pg_proc WHERE pronamespace = 'ostraka'::regnamespace")
        assert not await one.fetchval(
            "SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND connamespace = 'ostraka'::regnamespace"
        )
    assert {row["tgname"] for row in triggers} == {"append_only", "append_only_truncate"}
    assert {row["proname"] for row in functions} == {"refuse_change"}


async def test_a_transaction_that_is_held_open_stops_no_other_game(pool: Pool, store: PostgresEventStore) -> None:
    async with connection(pool) as slow, slow.transaction():
        await PostgresEventStore(only(slow), PlainBox()).append(batch(BEGINNING, 1))
        async with asyncio.timeout(5):
            for append in every_append():
                await store.append(msgspec.structs.replace(append, game_id=OTHER))
            assert (await store.load(ONE)).events == []
    assert len((await store.load(ONE)).events) == 1


async def test_a_load_is_one_statement_and_one_more_for_the_secret(pool: Pool) -> None:
    async with connection(pool) as one:
        store = PostgresEventStore(only(one), PlainBox())
        await store.append(batch(BEGINNING, 1, secret=SECRET))
        for with_secret, count in ((False, 1), (True, 2)):
            await store.load(ONE)
            async with statements(one) as asked:
                await store.load(ONE, with_secret=with_secret)
            assert len(asked) == count
