"""Files, functions and classes stay small enough to be read in one go."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT, python_files

LONGEST_FILE = 400
LONGEST_FUNCTION = 40
LONGEST_CLASS = 150


def is_exempt(path: Path) -> bool:
    """Whether a file is a table (`material.py`) or a migration, which is history."""
    return path.name == "material.py" or path.parent == ROOT / "migrations" / "versions"


def too_long(source: str) -> Iterator[str]:
    """One sentence for everything in a source that is over its limit."""
    length = len(source.splitlines())
    if length > LONGEST_FILE:
        yield f"1: the file has {length} lines, at most {LONGEST_FILE}"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            limit = LONGEST_FUNCTION
        elif isinstance(node, ast.ClassDef):
            limit = LONGEST_CLASS
        else:
            continue
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        if length > limit:
            yield f"{node.lineno}: {node.name} has {length} lines, at most {limit}"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_keeps_the_size_budget(package: str) -> None:
    files = [path for path in python_files(package) if not is_exempt(path)]
    found = [f"{path.relative_to(ROOT)}:{fault}" for path in files for fault in too_long(path.read_text())]
    assert found == []


def test_what_is_too_long_is_found() -> None:
    function = "def long():\n" + "    x = 1\n" * 40
    kind = "class Long:\n" + "    x = 1\n" * 150
    assert list(too_long(function + kind + "y = 2\n" * 300)) == [
        "1: the file has 492 lines, at most 400",
        "1: long has 41 lines, at most 40",
        "42: Long has 151 lines, at most 150",
    ]
