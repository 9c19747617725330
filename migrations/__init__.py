"""The way of the database from release to release, one revision at a time."""

VERSION_TABLE = "ostraka_migration"
"""Where a database says at which revision it is."""
