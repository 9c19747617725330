"""Brings a database to the schema of this release."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

import migrations


def upgrade(url: str, revision: str = "head") -> None:
    """Migrate up; safe to run twice, and two at once."""
    command.upgrade(_config(url), revision)


def downgrade(url: str, revision: str) -> None:
    """Migrate down; what a revision added is lost."""
    command.downgrade(_config(url), revision)


def newest() -> str:
    """The revision this release wants."""
    head = ScriptDirectory.from_config(_config("")).get_current_head()
    assert head is not None
    return head


def current(url: str) -> str | None:
    """The revision a database is at, None before the first."""
    engine = create_engine(_for_psycopg(url), poolclass=NullPool)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": "ostraka_migration"})
        return context.get_current_revision()


def _config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    config.attributes["url"] = _for_psycopg(url)
    return config


def _for_psycopg(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://", 1)
