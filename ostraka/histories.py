"""Histories as files: one header line, then one event per line."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from domain.application.seeing import SeenEvent
from domain.application.verifying import FORMAT, Header


def write_history(path: Path, game_id: str, events: Iterable[SeenEvent]) -> int:
    """Write an exported history; the number of events."""
    count = 0
    with path.open("wb") as file:
        file.write(msgspec.json.encode(Header(format=FORMAT, game_id=game_id)) + b"\n")
        for event in events:
            file.write(msgspec.json.encode(event) + b"\n")
            count += 1
    return count


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, one at a time."""
    with path.open("rb") as file:
        yield from file
