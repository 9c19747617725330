"""What the sealer and its readers cost does not grow with what is stored: they go by indexes."""

from typing import Any

import asyncpg
import msgspec
import pytest

from eventstore.sealed_log import _AFTER
from eventstore.sealer import _LOOK, _SETTINGS, ROUND_LIMIT, SEAL, seal_round

GAMES, EVENTS = 1000, 20
PAGES_READ = 400
"""Far more than an index walk needs, far fewer than the tables have. Unit: blocks of 8 KiB."""

INSERT = """
INSERT INTO ostraka.event (game_id, version, type, schema_version, data, meta, command_id, command_ix, recorded_at,
                           hash)
SELECT md5(($1 + g)::text)::uuid, v, 'test', 1, '{}', '{}', gen_random_uuid(), 0, now(), sha256(g::text::bytea)
FROM generate_series(1, $2::int) g, generate_series(1, $3::int) v
"""


@pytest.fixture
async def sealer(migrated_url: str) -> Any:
    """The sealer's connection, with many sealed events and a few that are not."""
    connection = await asyncpg.connect(migrated_url, server_settings=_SETTINGS)
    await connection.execute(INSERT, 0, GAMES, EVENTS)
    # The last rounds number nothing and only narrow where to look.
    while (await seal_round(connection)).width:
        continue
    await connection.execute(INSERT, 10**6, 1, 5)
    yield connection
    await connection.close()


async def read_blocks(connection: Any, statement: str, *values: object) -> int:
    """How many blocks a statement touches; it is undone afterwards."""
    transaction = connection.transaction()
    await transaction.start()
    explained = await connection.fetchval(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}", *values)
    await transaction.rollback()
    plan = msgspec.json.decode(explained)[0]["Plan"]
    return int(plan["Shared Hit Blocks"]) + int(plan["Shared Read Blocks"])


@pytest.mark.parametrize(("statement", "values"), [(_LOOK, ()), (SEAL, (ROUND_LIMIT,))], ids=["look", "seal"])
async def test_a_round_of_the_sealer_reads_only_what_is_new(sealer: Any, statement: str, values: tuple[int]) -> None:
    assert await read_blocks(sealer, statement, *values) < PAGES_READ


async def test_a_page_of_the_log_reads_only_its_own_events(sealer: Any) -> None:
    assert await read_blocks(sealer, _AFTER, 100, 20) < PAGES_READ
