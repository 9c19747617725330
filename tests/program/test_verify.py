"""Whoever changes a history is found out, and a file that is none gets a sentence."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from domain.application.seeing import Viewer
from domain.application.service import TableWanted
from domain.registry import all_games
from ostraka.command_line import app
from ostraka.histories import write_history
from ostraka.terminal.room import LocalRoom, seats_for

RUN = CliRunner()


async def _played(path: Path) -> None:
    game = next(iter(all_games()))
    room = await LocalRoom.open(TableWanted(game=game, seats=seats_for(0, ["random", "random"])))
    history = await room.parts.reader.history(room.game_id, Viewer())
    write_history(path, room.game_id, history.events)


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The header and the events of a finished game."""
    path = tmp_path_factory.mktemp("history") / "whole.ndjson"
    asyncio.run(_played(path))
    return [json.loads(line) for line in path.read_text().splitlines()]


def _verify(path: Path, lines: list[dict[str, Any]]) -> tuple[int, str]:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = RUN.invoke(app, ["verify", str(path)], env={"COLUMNS": "400"})
    return result.exit_code, result.output + result.stderr


def test_an_untouched_history_is_sound_and_every_command_is_decided_again(
    lines: list[dict[str, Any]], tmp_path: Path
) -> None:
    code, output = _verify(tmp_path / "h.ndjson", lines)
    commands = sum(event["command_ix"] == 0 for event in lines[1:])
    assert code == 0
    assert f"{commands} commands" in output


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_edit_of_one_event_is_found(lines: list[dict[str, Any]], tmp_path: Path, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(lines) - 2), label="line")
    edit = data.draw(st.sampled_from(["drop", "double", "swap", "version", "type", "time", "command", "hash", "meta"]))
    edited = json.loads(json.dumps(lines))
    event = edited[place]
    match edit:
        case "drop":
            del edited[place]
        case "double":
            edited.insert(place, event)
        case "swap":
            edited[place], edited[place + 1] = edited[place + 1], edited[place]
        case "version":
            event["version"] += 1
        case "type":
            event["type"] += "x"
        case "time":
            event["recorded_at"] = "2001-01-01T00:00:00.000000Z"
        case "command":
            event["command_ix"] += 1
        case "hash":
            event["hash"] = "0" * 64
        case "meta":
            event["meta"]["actor"] = {"kind": "player", "seat": 7}
    code, output = _verify(tmp_path / "h.ndjson", edited)
    assert code == 1, (edit, place, output)
    assert "version" in output


def test_a_cut_tail_leaves_the_secret_unknown_and_says_so(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    code, output = _verify(tmp_path / "h.ndjson", lines[:-1])
    assert code == 0
    assert "secret not revealed" in " ".join(output.split())


def test_another_secret_than_the_one_committed_to_is_found(lines: list[dict[str, Any]], tmp_path: Path) -> None:
    """Even by someone who makes every hash anew: the commitment stands in the first event."""
    code, output = _verify(tmp_path / "h.ndjson", [*lines[:-1], {**lines[-1], "data": {"secret": "00" * 32}}])
    assert code == 1
    assert f"version {len(lines) - 1}" in output


@pytest.mark.parametrize(
    "text",
    ["", "not json\n", "[]\n", '{"format": "other/1", "game_id": "x"}\n', '{"format": "ostraka-history/1"}\n'],
)
def test_a_file_that_is_no_history_gets_a_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text(text)
    result = RUN.invoke(app, ["verify", str(path)])
    assert result.exit_code == 2
    assert "is not an exported history" in " ".join(result.stderr.split())


def test_a_missing_file_gets_a_sentence(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["verify", str(tmp_path / "none.ndjson")])
    assert result.exit_code == 2
    assert "No such file" in " ".join(result.stderr.split())
