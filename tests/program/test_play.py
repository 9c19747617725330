"""A game in the terminal: watched, played, left, and saved as a history that verifies."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from domain.registry import all_games
from ostraka.command_line import app

RUN = CliRunner()
GAMES = sorted(all_games())


def test_the_games_on_offer_are_listed_with_their_bots() -> None:
    listed = RUN.invoke(app, ["games"])
    assert listed.exit_code == 0
    for key, game in all_games().items():
        assert key in listed.output
        assert game.title in listed.output
        assert all(bot in listed.output for bot in game.bots)


@pytest.mark.parametrize("key", GAMES)
def test_bots_play_a_game_to_its_end_and_its_history_verifies(key: str, tmp_path: Path) -> None:
    saved = tmp_path / "history.ndjson"
    table = ["--watch", "--bot", "random", "--seats", "2"]
    played = RUN.invoke(app, ["play", key, "--offline", *table, "--save", str(saved)])
    assert played.exit_code == 0, played.output
    assert "The game is over." in played.output
    checked = RUN.invoke(app, ["verify", str(saved)], env={"COLUMNS": "200"})
    assert checked.exit_code == 0, checked.output
    assert "sound" in checked.output


@pytest.mark.parametrize("key", GAMES)
def test_a_person_moves_is_told_of_a_wrong_answer_and_leaves(key: str) -> None:
    played = RUN.invoke(app, ["play", key, "--offline", "--bot", "random", "--seats", "2"], input="first\n1\nq\n")
    assert played.exit_code == 0, played.output
    assert "Your moves" in played.output
    assert "Answer with a number" in played.output


@pytest.mark.parametrize("key", GAMES)
def test_a_move_that_cannot_be_taken_back_says_so(key: str) -> None:
    played = RUN.invoke(app, ["play", key, "--offline", "--bot", "random", "--seats", "2"], input="u\nq\n")
    assert played.exit_code == 0, played.output
    assert "None of your moves can be taken back" in played.output


def test_an_unknown_game_is_one_clear_sentence() -> None:
    played = RUN.invoke(app, ["play", "senet"])
    assert played.exit_code == 2
    assert "There is no game senet" in played.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--seats", "9"], "/seats"),
        (["--bot", "oracle"], "/seats/1/bot"),
        (["--option", "no_such_option=1"], "/options/no_such_option"),
    ],
)
def test_a_table_that_cannot_be_opened_says_what_is_wrong(arguments: list[str], named: str) -> None:
    played = RUN.invoke(app, ["play", GAMES[0], "--offline", *arguments])
    assert played.exit_code == 2
    assert named in played.stderr
