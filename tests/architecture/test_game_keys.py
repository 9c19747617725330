"""Shared code never names a game: what is true of one game only stands in that game's folder."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.architecture.source import GAMES, ROOT, game_folders, python_files, strings

SHARED = ("domain", "eventstore", "api", "workers", "ostraka")


def named_games(source: str, keys: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Line and value of each string that is a game's key or starts with one, as event types and rule ids do."""
    any_key = "|".join(map(re.escape, keys))
    pattern = re.compile(rf"(?:{any_key})(?:[-._:/].*)?", re.IGNORECASE | re.DOTALL)
    for line, value in strings(ast.parse(source)):
        if pattern.fullmatch(value):
            yield line, value


def is_shared(path: Path) -> bool:
    """Whether a file lies outside the folders of the games."""
    return not any(path.is_relative_to(game) for game in game_folders())


def test_shared_code_names_no_game() -> None:
    keys = [game.name for game in game_folders()]
    found = [
        f"{path.relative_to(ROOT)}:{line}: {value!r}"
        for path in python_files(*SHARED)
        if is_shared(path)
        for line, value in named_games(path.read_text(), keys)
    ]
    assert found == []


def test_the_games_are_found() -> None:
    assert game_folders()
    assert not is_shared(GAMES / game_folders()[0].name / "state.py")


def test_a_named_game_is_found() -> None:
    source = '"""tric"""\nkey == "tric"\ntype_of("tric.die_thrown")\nrule("TRIC-5.3")\nword = "trick"\n'
    assert [line for line, _ in named_games(source, ["tric"])] == [2, 3, 4]
