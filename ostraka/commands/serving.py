"""`up` and the parts alone: `api`, `worker`, `relay`, `beat`, `migrate`; and `settings`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.table import Table

from ostraka.commands.telling import fail, out
from ostraka.settings import Settings, masked


def up(
    port: Annotated[int | None, typer.Option(help="Port of the API; 8000 by default.")] = None,
    data_dir: Annotated[Path | None, typer.Option(help="Where games are kept; by default the user's folder.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that play bots; 2 by default.")] = None,
) -> None:
    """Start the whole service here, with a Postgres and a Redis-compatible server of its own, and show a game."""
    from ostraka.stack.up import run_stack

    with sentences():
        run_stack(settings_of(port=port, data_dir=data_dir, workers=workers), out)


def api(port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None) -> None:
    """Run the HTTP API alone."""
    from ostraka.parts.api import run_api

    with sentences():
        run_api(settings_of(port=port))


def worker(
    pool: Annotated[list[str], typer.Option(help="A pool to work for: fast, search, upkeep or notices.")],
    processes: Annotated[int, typer.Option(help="How many tasks at once.")] = 2,
) -> None:
    """Run a worker alone."""
    from ostraka.parts.worker import run_worker

    with sentences():
        run_worker(settings_of(), pool, processes)


def relay() -> None:
    """Run the relay alone: dispatcher, sealer and projections. Any number may run."""
    from ostraka.parts.relay import run_relay

    with sentences():
        run_relay(settings_of())


def beat() -> None:
    """Run beat alone: one of it."""
    from ostraka.parts.beat import run_beat

    with sentences():
        run_beat(settings_of())


def migrate(revision: Annotated[str, typer.Argument(help="Where to.")] = "head") -> None:
    """Bring the database to the schema of this release; safe to run twice."""
    from ostraka.migrating import current, upgrade
    from ostraka.parts.connections import database_url

    with sentences():
        url = database_url(settings_of())
        upgrade(url, revision)
        out.print(f"The database is at revision {current(url)}.")


def settings() -> None:
    """Print the settings in force, secrets masked."""
    table = Table("variable", "value")
    for name, value in masked(settings_of()).items():
        table.add_row(name, value)
    out.print(table)


def settings_of(**given: Any) -> Settings:
    """The environment's settings, with what the command line names on top."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as faults:
        told = "; ".join(f"OSTRAKA_{'_'.join(map(str, one['loc'])).upper()}: {one['msg']}" for one in faults.errors())
        fail(f"A setting is wrong: {told}.")


@contextmanager
def sentences() -> Iterator[None]:
    """Whatever stops a part from starting is one sentence, never a traceback."""
    from domain.application.ports import StoreUnavailable
    from ostraka.embedded.errors import CannotStart
    from ostraka.parts.connections import NotConfigured

    try:
        yield
    except (CannotStart, NotConfigured, StoreUnavailable) as fault:
        fail(str(fault))


COMMANDS = {
    "up": up,
    "api": api,
    "worker": worker,
    "relay": relay,
    "beat": beat,
    "migrate": migrate,
    "settings": settings,
}
