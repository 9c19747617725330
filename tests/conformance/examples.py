"""Stored examples of every event, in every shape it has ever had: what released software has written stays readable.

An example is `events/<type>.<schema version>.json` among the tests of a game (for the table's own events: here), with
the event's type, schema version and whole data. It is never changed. `python -m tests.conformance.examples` writes the
ones that are missing, out of random games; what those do not show is written by hand.

After an upcaster the example of an old shape also says under `present` what its data are today.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from domain.kernel.codec import event_data
from domain.kernel.game import AnyGame
from domain.kernel.messages import Event, type_of
from domain.kernel.upcasting import Upcasters
from domain.table.events import TABLE_EVENTS
from tests.conformance.cases import GAMES, folder_of
from tests.conformance.journeys import Step, journey, runs_of


class Shelf(NamedTuple):
    """A closed union of events, and the folder with its examples."""

    name: str
    events: tuple[type[Event], ...]
    upcasters: Upcasters
    folder: Path

    def wanted(self) -> dict[str, type[Event]]:
        """The name of each example there must be, for every version up to the present one."""
        return {
            f"{type_of(event)}.{version}": event
            for event in self.events
            for version in range(1, event.schema_version + 1)
        }

    def examples(self) -> dict[str, Any]:
        """The examples there are, by name."""
        return {path.stem: json.loads(path.read_text()) for path in sorted(self.folder.glob("*.json"))}


def shelf_of(game: AnyGame) -> Shelf:
    """The examples of a game."""
    return Shelf(game.key, game.events, game.upcasters, folder_of(game) / "events")


TABLE = Shelf("table", TABLE_EVENTS, {}, Path(__file__).parent / "events")
SHELVES = (TABLE, *map(shelf_of, GAMES))


def steps_of(game: AnyGame) -> Iterator[Step]:
    """All that happens in the random games."""
    for case, style in runs_of(game.key):
        yield from journey(case, style)


def write_missing(game: AnyGame) -> Iterator[Path]:
    """Write an example of each present shape that has none: of all that happened, the one that tells most."""
    shelf = shelf_of(game)
    longest: dict[type[Event], str] = {}
    for event in (event for step in steps_of(game) for event in step.events):
        kind = type(event)
        example = {"type": type_of(kind), "schema_version": kind.schema_version, "data": event_data(event)}
        text = json.dumps(example, indent=2) + "\n"
        longest[kind] = max(longest.get(kind, ""), text, key=len)
    shelf.folder.mkdir(exist_ok=True)
    for kind, text in longest.items():
        path = shelf.folder / f"{type_of(kind)}.{kind.schema_version}.json"
        if not path.exists():
            path.write_text(text)
            yield path


if __name__ == "__main__":
    for one in GAMES:
        for written in write_missing(one):
            sys.stdout.write(f"{written}\n")
