"""The application for one test, over a database of its own."""

from collections.abc import AsyncIterator

import pytest

from tests.api.desk import Desk, desk


@pytest.fixture
async def ostraka(migrated_url: str) -> AsyncIterator[Desk]:
    async with desk(migrated_url) as opened:
        yield opened
