"""The registry finds a game by its folder, and no game that is not whole."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain import games
from domain.registry import all_games

KNOWN = tuple(all_games())

TRIC = """
import msgspec
from domain.kernel.messages import Event

class Ended(Event, frozen=True, kw_only=True, tag="tric.ended"):
    schema_version = {version}

class Offer(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    events: tuple
    upcasters: dict

GAME = Offer(key="{key}", events=(Ended,), upcasters={{}})
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which the registry looks for games besides those there are."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith(f"{games.__name__}.tric")]:
        del sys.modules[name]


def put(folder: Path, name: str, *, key: str = "tric", version: int = 1) -> None:
    """Put a game, as far as the registry looks at it, into the folder."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(TRIC.format(key=key, version=version))


def test_a_folder_with_a_game_is_a_game(folder: Path) -> None:
    put(folder, "tric")
    found = all_games.__wrapped__()
    assert list(found) == sorted([*KNOWN, "tric"])
    assert found["tric"].key == "tric"


def test_a_game_is_called_as_its_folder(folder: Path) -> None:
    put(folder, "trick")
    with pytest.raises(ValueError, match="folder trick calls itself tric"):
        all_games.__wrapped__()


def test_a_game_reads_all_that_it_has_written(folder: Path) -> None:
    put(folder, "tric", version=2)
    with pytest.raises(ValueError, match=r"no step from \[\('tric.ended', 1\)\]"):
        all_games.__wrapped__()


def test_the_list_of_games_is_fixed() -> None:
    assert all_games() is all_games()
    with pytest.raises(TypeError):
        all_games()["tric"] = next(iter(all_games().values()))  # type: ignore[index]
