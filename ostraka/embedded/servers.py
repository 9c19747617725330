"""Both servers together, in one data folder."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ostraka.embedded.binaries import find_postgres, find_valkey
from ostraka.embedded.folder import claimed
from ostraka.embedded.postgres import Postgres, PostgresSettings
from ostraka.embedded.valkey import Valkey


@dataclass(frozen=True, kw_only=True)
class EmbeddedServers:
    """The servers of one data folder, both running."""

    postgres: Postgres
    valkey: Valkey

    @property
    def database_url(self) -> str:
        """The database of the service."""
        return self.postgres.url()

    @property
    def redis_url(self) -> str:
        """The broker of the service."""
        return self.valkey.url()


@contextlib.contextmanager
def embedded_servers(
    folder: Path,
    *,
    postgres: PostgresSettings | None = None,
    valkey_port: int | None = None,
    postgres_programs: Path | None = None,
    valkey_program: Path | None = None,
) -> Iterator[EmbeddedServers]:
    """Postgres and Valkey, running from here to the end of the block.

    Raises: CannotStart.
    """
    programs, program = find_postgres(postgres_programs), find_valkey(valkey_program)
    with claimed(folder) as data:
        servers = EmbeddedServers(
            postgres=Postgres(folder=data, programs=programs, settings=postgres or PostgresSettings()),
            valkey=Valkey(folder=data, program=program, wanted_port=valkey_port),
        )
        # The database last, as the broker's clients may still be writing to it.
        with contextlib.ExitStack() as stack:
            stack.callback(servers.postgres.stop)
            stack.callback(servers.valkey.stop)
            servers.valkey.start()
            servers.postgres.start()
            yield servers
