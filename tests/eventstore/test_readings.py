"""Readings in Postgres."""

from collections.abc import AsyncIterator
from uuid import uuid4

import pytest

from eventstore.engine import create_engine
from eventstore.readings import PostgresReadings


@pytest.fixture
async def readings(shared_migrated_url: str) -> AsyncIterator[PostgresReadings]:
    engine = create_engine(shared_migrated_url, name="tests")
    yield PostgresReadings(engine)
    await engine.dispose()


async def test_readings_of_a_game_in_order(readings: PostgresReadings) -> None:
    game, one, other = str(uuid4()), str(uuid4()), str(uuid4())
    await readings.add(game, one, 3, "events")
    await readings.add(game, other, 4, "record")
    await readings.add(game, one, 3, "events")
    await readings.add(str(uuid4()), one, 1, "events")
    found = await readings.of_game(game)
    assert [(one.player_id, one.version, one.route) for one in found] == [
        (one, 3, "events"),
        (other, 4, "record"),
        (one, 3, "events"),
    ]
    assert [reading.at for reading in found] == sorted(reading.at for reading in found)


async def test_who_has_read(readings: PostgresReadings) -> None:
    game, reader = str(uuid4()), str(uuid4())
    await readings.add(game, reader, 3, "events")
    assert await readings.has_read(game, reader)
    assert not await readings.has_read(game, str(uuid4()))
    assert not await readings.has_read(str(uuid4()), reader)
    assert await readings.of_game(str(uuid4())) == []
