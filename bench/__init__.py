"""Measurements: how fast the rules are and how well the bots play, for whatever games the registry finds."""
