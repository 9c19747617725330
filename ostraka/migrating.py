"""Brings a database to the schema of this release."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

import migrations
from ostraka.embedded.errors import CannotStart


class CannotMigrate(CannotStart):
    """The database is as it was; the text is one sentence for whoever migrates it."""


def upgrade(url: str, revision: str = "head") -> None:
    """Migrate up; safe to run twice, and two at once.

    Raises: CannotMigrate.
    """
    with _sentences():
        command.upgrade(_config(url), revision)


def downgrade(url: str, revision: str) -> None:
    """Migrate down; what a revision added is lost.

    Raises: CannotMigrate.
    """
    with _sentences():
        command.downgrade(_config(url), revision)


def newest() -> str:
    """The revision this release wants."""
    return revisions()[-1]


def revisions() -> list[str]:
    """All of this release, oldest first."""
    walked = ScriptDirectory.from_config(_config("")).walk_revisions()
    return [script.revision for script in walked][::-1]


def current(url: str) -> str | None:
    """The revision a database is at, None before the first.

    Raises: CannotMigrate.
    """
    engine = create_engine(_for_psycopg(url), poolclass=NullPool)
    with _sentences(), engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": migrations.VERSION_TABLE})
        return context.get_current_revision()


@contextmanager
def _sentences() -> Iterator[None]:
    try:
        yield
    except CommandError as fault:
        raise CannotMigrate(f"The database stays as it is: {fault}; is it of a newer release?") from fault
    except DBAPIError as fault:
        raise CannotMigrate(_sentence(fault.orig)) from fault


def _sentence(cause: BaseException | None) -> str:
    said = str(cause).strip().partition("\n")[0]
    match cause:
        case psycopg.errors.LockNotAvailable():
            return (
                f"The database stays as it is: somebody else holds a lock on its tables ({said}). "
                "Find the long transaction in pg_stat_activity, or try again later."
            )
        case psycopg.errors.InsufficientPrivilege():
            return f"The database stays as it is: only its owner may migrate it ({said})."
        case psycopg.OperationalError():
            return f"The database cannot be migrated: {said}."
        case _:
            return f"The database stays as it is: a migration failed ({said})."


def _config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.attributes["url"] = _for_psycopg(url)
    return config


def _for_psycopg(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://", 1)
