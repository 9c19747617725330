"""Events on disk: they come back as they were, old shapes are read for ever, and none can hold a client's text."""

import pytest
from msgspec import json

from domain.kernel.canonical import canonical
from domain.kernel.codec import Codec, EventCodec, event_data, to_json
from domain.kernel.game import AnyGame
from domain.kernel.messages import type_of
from domain.kernel.upcasting import check_upcasters, upcast
from domain.table.commands import TABLE_COMMANDS
from domain.table.events import TABLE_EVENTS
from tests.conformance.cases import GAMES, per_game
from tests.conformance.examples import SHELVES, Shelf, steps_of
from tests.conformance.shapes import can_hold_text, leaves

per_shelf = pytest.mark.parametrize("shelf", SHELVES, ids=lambda shelf: shelf.name)

IDS_AND_DIGESTS = {
    "table.opened": {"game", "chairs[].player", "chairs[].bot", "options{key}", "options{}", "opener", "commitment"},
    "table.seat_taken": {"player", "entropy"},
    "table.started": {"entropy[]"},
    "table.finished": {"reason"},
    "table.secret_revealed": {"secret"},
}
"""The only fields of events with texts that are not enumerated: ids of accounts, digests, and what the service checks
against its own lists (`game`, `bot`, `reason`; `options`, which each game resolves to values that it enumerates)."""


@per_game
def test_every_event_reads_back_as_it_was(game: AnyGame) -> None:
    codec = EventCodec(game.events)
    for event in (event for step in steps_of(game) for event in step.events):
        stored = json.decode(canonical(event_data(event)))
        assert codec.restore(type_of(type(event)), event.schema_version, stored) == event


@per_shelf
def test_every_shape_has_its_example(shelf: Shelf) -> None:
    assert sorted(shelf.examples()) == sorted(shelf.wanted())


@per_shelf
def test_an_example_reads_as_the_present_event(shelf: Shelf) -> None:
    check_upcasters(shelf.upcasters, shelf.events)
    codec = EventCodec(shelf.events)
    for name, example in shelf.examples().items():
        assert name == f"{example['type']}.{example['schema_version']}"
        assert canonical(example["data"])
        version, data = upcast(shelf.upcasters, example["type"], example["schema_version"], example["data"])
        event = codec.restore(example["type"], version, data)
        assert type(event) is shelf.wanted()[name]
        assert event_data(event) == example.get("present", example["data"])


@per_shelf
def test_a_stored_name_begins_with_its_home(shelf: Shelf) -> None:
    assert [name for name in shelf.wanted() if not name.startswith(f"{shelf.name}.")] == []


@per_shelf
def test_no_event_can_hold_a_text_of_a_client(shelf: Shelf) -> None:
    for event in shelf.events:
        texts = {path for path, kind in leaves(event) if can_hold_text(kind)}
        assert texts == IDS_AND_DIGESTS.get(type_of(event), set())


@per_game
def test_neither_options_nor_commands_can_hold_a_text_of_a_client(game: AnyGame) -> None:
    """Both are recorded: the options in the first event, a command beside the events that it has caused."""
    for recorded in (game.options, *game.player_commands, *game.system_commands):
        assert [path for path, kind in leaves(recorded) if can_hold_text(kind)] == []


@per_game
def test_every_command_reads_back_as_it_was(game: AnyGame) -> None:
    codec = Codec((*game.player_commands, *game.system_commands))
    for step in steps_of(game):
        command = step.command
        assert command is None or codec.decode(json.decode(canonical(to_json(command)))) == command


def test_no_two_messages_share_a_name() -> None:
    EventCodec((*TABLE_EVENTS, *(event for game in GAMES for event in game.events)))
    for game in GAMES:
        Codec((*TABLE_COMMANDS, *game.player_commands, *game.system_commands))
