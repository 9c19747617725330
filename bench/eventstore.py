"""The event store against the limit that Postgres sets: appends, loading, sealing, and what an append costs in bytes.

Run: `python -m bench.eventstore [--seconds 2] [--runs 3]`. Each run alternates ours and the raw insert on one server
with default durability; the load generator shares the machine with it.
"""

import argparse
import asyncio
import hashlib
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import asyncpg

from bench.measuring import keep, machine, percentile, show, spread
from domain.application.ports import Batch, Head, Listing, Recorded
from domain.application.recording import hash_of
from domain.kernel.chain import GENESIS
from eventstore.connecting import Pool, open_pool
from eventstore.postgres import PlainBox, PostgresEventStore
from eventstore.sealer import Sealer
from ostraka.embedded.servers import embedded_servers
from ostraka.migrating import upgrade

Figures = dict[str, Any]
WRITERS = (1, 4, 16)
LISTING = Listing(game="bench", status="running", chairs=[], opener=str(uuid.UUID(int=1)), to_act=(0,), due=None)
DATA = {"seat": 0, "tile": "pharaoh", "note": "x" * 120}
"""What an event of some 240 bytes holds, meta and all."""

RAW_TABLE = "CREATE TABLE raw_event (game_id uuid, version int, data jsonb, meta jsonb, PRIMARY KEY (game_id, version))"
RAW = "INSERT INTO raw_event VALUES ($1, $2, $3::text::jsonb, $4::text::jsonb)"


class Stream:
    """One game that grows: every batch stands on the one before."""

    def __init__(self) -> None:
        self.game_id = str(uuid.uuid4())
        self.head = Head(version=0, hash=GENESIS)

    def batch(self, size: int) -> Batch:
        """The next batch of so many events, hashed as the service hashes."""
        command, now, events, head = str(uuid.uuid4()), time.time_ns() // 1000, [], self.head
        for place in range(size):
            event = Recorded(
                game_id=self.game_id,
                version=head.version + 1,
                type="bench.happened",
                schema_version=1,
                data=DATA,
                meta={"actor": {"kind": "player", "seat": 0}, "correlation_id": command, "causation_id": None},
                openings={},
                command_id=command,
                command_ix=place,
                recorded_at=now,
                hash="",
            )
            found = hash_of(event, head.hash)
            head = Head(version=event.version, hash=found)
            events.append(Recorded(**{**{f: getattr(event, f) for f in event.__struct_fields__}, "hash": found}))
        batch = Batch(
            game_id=self.game_id,
            after=self.head,
            command_id=command,
            events=tuple(events),
            listing=LISTING,
            seated=() if self.head.version == 0 else None,
            secret=b"s" * 32 if self.head.version == 0 else None,
        )
        self.head = head
        return batch


async def appends(store: PostgresEventStore, writers: int, seconds: float, size: int = 1) -> float:
    """Events a second that so many writers append to games of their own."""

    async def write() -> int:
        stream, count = Stream(), 0
        while time.perf_counter() < end:
            await store.append(stream.batch(size))
            count += size
        return count

    end = time.perf_counter() + seconds
    return sum(await asyncio.gather(*(write() for _ in range(writers)))) / seconds


async def raw_inserts(pool: Pool, writers: int, seconds: float) -> float:
    """Rows a second by prepared single-row inserts into a bare table: the bound."""

    async def write() -> int:
        game, count = uuid.uuid4(), 0
        async with pool.acquire() as one:
            insert = await one.prepare(RAW)
            while time.perf_counter() < end:
                count += 1
                await insert.fetch(game, count, '{"note": "' + "x" * 120 + '"}', "{}")
        return count

    end = time.perf_counter() + seconds
    return sum(await asyncio.gather(*(write() for _ in range(writers)))) / seconds


async def compare(pool: Pool, url: str, seconds: float, runs: int) -> Figures:
    """Ours alone, ours beside a sealer, and the bound, in turn."""
    store, figures = PostgresEventStore(pool, PlainBox()), {}
    for writers in WRITERS:
        ours, beside, batches, bound = [], [], [], []
        for _ in range(runs):
            ours.append(await appends(store, writers, seconds))
            bound.append(await raw_inserts(pool, writers, seconds))
            batches.append(await appends(store, writers, seconds, size=5))
            sealer = Sealer(url=url, wake=asyncio.Event(), on_sealed=lambda _count: None)
            sealing = asyncio.create_task(sealer.run())
            beside.append(await appends(store, writers, seconds))
            sealing.cancel()
            await asyncio.gather(sealing, return_exceptions=True)
        figures[f"{writers} writers"] = {
            "events a second": spread(ours),
            "beside a sealer": spread(beside),
            "5 events a command": spread(batches),
            "bare rows a second": spread(bound),
            "ours to bare, medians": round(percentile(ours, 0.5) / percentile(bound, 0.5), 2),
        }
    return figures


async def loading(pool: Pool, runs: int) -> Figures:
    """Milliseconds to load a game, against fetching its rows. The hash of the load keeps it honest."""
    store, figures = PostgresEventStore(pool, PlainBox()), {}
    for size in (100, 1000):
        stream = Stream()
        await store.append(stream.batch(1))
        while stream.head.version < size:
            await store.append(stream.batch(min(50, size - stream.head.version)))
        ours, bare = [], []
        for _ in range(runs * 3):
            begun = time.perf_counter()
            events = (await store.load(stream.game_id)).events
            ours.append((time.perf_counter() - begun) * 1000)
            assert hashlib.sha256(events[-1].hash.encode()).digest()
            begun = time.perf_counter()
            await pool.fetch("SELECT * FROM ostraka.event WHERE game_id = $1 ORDER BY version", stream.game_id)
            bare.append((time.perf_counter() - begun) * 1000)
        figures[f"{size} events"] = {"load, ms": spread(ours), "bare fetch, ms": spread(bare)}
    return figures


async def costs(pool: Pool) -> Figures:
    """What does not depend on the clock: bytes in the log and on disk, statements."""
    store, stream, count = PostgresEventStore(pool, PlainBox()), Stream(), 500
    await store.append(stream.batch(1))
    await pool.execute("CHECKPOINT")
    before = await pool.fetchval("SELECT pg_current_wal_insert_lsn()")
    for _ in range(count):
        await store.append(stream.batch(1))
    written = await pool.fetchval("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)", before)
    disk = await pool.fetchval(
        "SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'ostraka.event'::regclass"
    )
    stored = await pool.fetchval("SELECT count(*) FROM ostraka.event")
    return {
        "statements an append": 1,
        "WAL bytes an append": int(written) // count,
        "bytes an event on disk, with indexes": int(disk) // stored,
    }


async def _measure(url: str, seconds: float, runs: int) -> Figures:
    pool = await open_pool(url, name="bench", size=max(WRITERS))
    try:
        await pool.execute(RAW_TABLE)
        return {
            "machine": {**machine(), "asyncpg": asyncpg.__version__},
            "costs": await costs(pool),
            "loading": await loading(pool, runs),
            "appends": await compare(pool, url, seconds, runs),
        }
    finally:
        await pool.close()


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long each measurement takes")
    parser.add_argument("--runs", type=int, default=3, help="how often each is repeated")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ostraka-bench-") as name:
        place = Path(name)
        place.chmod(0o711)
        with embedded_servers(place / "data") as servers:
            upgrade(servers.database_url)
            figures = asyncio.run(_measure(servers.database_url, asked.seconds, asked.runs))
    show("machine", figures["machine"])
    show("costs", figures["costs"])
    for title, group in (*figures["loading"].items(), *figures["appends"].items()):
        show(title, group)
    keep("eventstore", figures)


if __name__ == "__main__":
    main()
