"""Settings of all tests, and the real servers they run on, started when the first test asks for one.

Property tests try the same examples in every run, on every machine.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from hypothesis import settings

from ostraka.embedded.binaries import find_postgres, find_valkey
from ostraka.embedded.folder import DataFolder, claimed
from ostraka.embedded.postgres import Postgres, PostgresSettings
from ostraka.embedded.valkey import Valkey
from tests.servers.shared import SharedServers, shared_servers

settings.register_profile("fixed", derandomize=True, database=None, deadline=None, max_examples=40)
settings.load_profile("fixed")


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[SharedServers]:
    """One Postgres and one Valkey for all processes of this test run."""
    base = tmp_path_factory.getbasetemp()
    with shared_servers(base if worker_id == "master" else base.parent, worker_id) as shared:
        yield shared


@pytest.fixture(scope="session")
def postgres_url(servers: SharedServers) -> Iterator[str]:
    """A database without tables that the tests of this process share."""
    url = servers.create_database()
    yield url
    servers.drop_database(url)


@pytest.fixture
def empty_database_url(servers: SharedServers) -> Iterator[str]:
    """A database without tables, for one test."""
    url = servers.create_database()
    yield url
    servers.drop_database(url)


@pytest.fixture(scope="session")
def shared_migrated_url(servers: SharedServers) -> Iterator[str]:
    """A database at the newest revision that the tests of this process share."""
    url = servers.create_migrated_database()
    yield url
    servers.drop_database(url)


@pytest.fixture
def migrated_url(servers: SharedServers) -> Iterator[str]:
    """A database at the newest revision, for one test."""
    url = servers.create_migrated_database()
    yield url
    servers.drop_database(url)


@pytest.fixture
def valkey_url(servers: SharedServers) -> str:
    """A database of Valkey that is empty at first; channels are shared with other processes of the test run."""
    url = servers.valkey_url()
    with redis.Redis.from_url(url) as client:
        client.flushdb()
    return url


@pytest.fixture
def own_place() -> Iterator[Path]:
    """A folder for the servers of one test; everybody may enter it, as Postgres may have to run as nobody."""
    with tempfile.TemporaryDirectory(prefix="ostraka-test-") as name:
        place = Path(name)
        place.chmod(0o711)
        yield place


@pytest.fixture
def own_folder(own_place: Path) -> Iterator[DataFolder]:
    """A locked data folder, for the servers of one test."""
    with claimed(own_place / "data") as folder:
        yield folder


@pytest.fixture
def own_valkey(own_folder: DataFolder) -> Iterator[Valkey]:
    """A Valkey that one test may stop, kill and empty."""
    server = Valkey(folder=own_folder, program=find_valkey())
    server.start()
    yield server
    server.stop()


@pytest.fixture
def own_postgres(own_folder: DataFolder) -> Iterator[Postgres]:
    """A Postgres that one test may stop and kill; what was committed is kept."""
    server = Postgres(folder=own_folder, programs=find_postgres(), settings=PostgresSettings(throwaway=True))
    server.start()
    yield server
    server.stop()
