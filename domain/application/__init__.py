"""The one door to the games: load, fold, decide, append, and what follows from it. Speaks outwards through `ports`."""
