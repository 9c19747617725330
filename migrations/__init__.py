"""The Alembic migrations of the event store's schema."""
