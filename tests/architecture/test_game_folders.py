"""A game that the registry offers has every file of a game."""

from pathlib import Path

import pytest

from tests.architecture.source import game_folders, registered_games

MODULES = (
    "material", "commands", "events", "state", "evolve", "scoring", "setup", "decide", "legal", "view", "bot", "text",
)  # fmt: skip


def test_every_folder_offers_a_game() -> None:
    assert registered_games() == game_folders()


@pytest.mark.parametrize("game", registered_games(), ids=lambda game: game.name)
def test_a_game_has_every_file(game: Path) -> None:
    present = {path.stem for path in game.iterdir()}
    assert [name for name in (*MODULES, "RULES") if name not in present] == []
