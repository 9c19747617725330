"""Rules are numbered: what code refuses stands in RULES.md, and what stands there is tested."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, registered_games, strings

RULE_ID = re.compile(r"\b[A-Z]{2,}-\d+(?:\.\d+)+[a-z]?\b")
# A rule begins a line: in a list, a heading or a table, bold or plain.
NUMBERED = re.compile(rf"^[\s>#|*`-]*({RULE_ID.pattern})", re.MULTILINE)


def refused_rules(source: str) -> Iterator[str]:
    """The rule ids that stand as strings of their own in a source."""
    return (value for _, value in strings(ast.parse(source)) if RULE_ID.fullmatch(value))


def numbered_rules(game: Path) -> set[str]:
    """The rules that a game's RULES.md states."""
    return set(NUMBERED.findall((game / "RULES.md").read_text()))


def rules_in_tests(game: Path) -> set[str]:
    """The rules that some file among the tests of a game names."""
    folder = ROOT / "tests" / "games" / game.name
    texts = (path.read_text() for path in folder.rglob("*") if path.suffix in {".py", ".json", ".md"})
    return {rule for text in texts for rule in RULE_ID.findall(text)}


@pytest.mark.parametrize("game", registered_games(), ids=lambda game: game.name)
def test_a_refusal_quotes_a_rule_that_exists(game: Path) -> None:
    refused = {rule for path in sorted(game.rglob("*.py")) for rule in refused_rules(path.read_text())}
    assert sorted(refused - numbered_rules(game)) == []


@pytest.mark.parametrize("game", registered_games(), ids=lambda game: game.name)
def test_every_rule_is_named_in_a_test(game: Path) -> None:
    rules = numbered_rules(game)
    assert rules
    assert sorted(rules - rules_in_tests(game)) == []


def test_rules_are_read_from_lists_headings_and_tables(tmp_path: Path) -> None:
    text = "## TC-1 Throws\n- **TC-1.1** One throws (see TC-9.9).\n### TC-1.2 Two\n| TC-1.3 | three |\nTC-1.4a four\n"
    (tmp_path / "RULES.md").write_text(text)
    assert numbered_rules(tmp_path) == {"TC-1.1", "TC-1.2", "TC-1.3", "TC-1.4a"}


def test_refusals_are_read_from_code_and_not_from_docstrings() -> None:
    source = 'def f():\n    """TC-1.1"""\n    raise IllegalCommand("TC-1.2", "why", "as TC-1.3 says")\n'
    assert list(refused_rules(source)) == ["TC-1.2"]
