"""Live streams: a game's events as they happen, and a person's games."""
