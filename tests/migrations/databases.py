"""Databases as migrations make them and as the tables are declared, and how to tell whether they are the same."""

import subprocess

import psycopg
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from eventstore.append_only import AFTER_TABLES, BEFORE_TABLES
from eventstore.schema import metadata
from migrations import VERSION_TABLE
from ostraka.embedded.binaries import find_postgres


def declare(url: str) -> None:
    """Make everything that `eventstore` declares, without any migration."""
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://", 1), poolclass=NullPool)
    with engine.begin() as connection:
        for statement in BEFORE_TABLES:
            connection.execute(text(statement))
        metadata.create_all(connection)
        for statement in AFTER_TABLES:
            connection.execute(text(statement))


def dumped(url: str) -> list[str]:
    """Tables, indexes, functions, triggers, rights and first rows: what pg_dump writes but the migrations' own."""
    command = [find_postgres().program("pg_dump"), "--no-comments", f"--exclude-table={VERSION_TABLE}", url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    # Its first and last line hold a random word.
    return [line for line in lines if line and not line.startswith(("--", "\\restrict", "\\unrestrict"))]


def schemas(url: str) -> set[str]:
    """The schemas of a database but those of Postgres itself."""
    with psycopg.connect(url) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_|^information_schema$'")
        return {name for (name,) in rows}
