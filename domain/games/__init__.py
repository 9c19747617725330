"""One folder per game; nothing here is imported by name except through `domain.registry`."""
