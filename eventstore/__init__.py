"""Streams of events in Postgres: knows positions, hashes and JSON, and no game."""
