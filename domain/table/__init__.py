"""The aggregate around every game: seats, options, start, turn clock, undo, resignation, end. Names no game."""
