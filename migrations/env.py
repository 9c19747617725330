"""Runs migrations: under one lock, and never waiting long for another's."""

from alembic import context
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from eventstore.schema import metadata
from migrations import VERSION_TABLE

LOCK = 7_204_518
"""The advisory lock that lets one migration run at a time."""


def run() -> None:
    """Upgrade or downgrade the database that the configuration names, all in one transaction."""
    engine = create_engine(context.config.attributes["url"], poolclass=NullPool)
    with engine.connect() as connection, connection.begin():
        # Another migration may take its time, but not for ever.
        connection.execute(text("SET LOCAL lock_timeout = '60s'"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        # A migration that cannot get its locks soon gives up, rather than queue every move behind it.
        connection.execute(text("SET LOCAL lock_timeout = '5s'"))
        connection.execute(text("SET LOCAL statement_timeout = '5min'"))
        context.configure(connection=connection, target_metadata=metadata, version_table=VERSION_TABLE)
        with context.begin_transaction():
            context.run_migrations()


run()
