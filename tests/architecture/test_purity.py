"""The domain computes: it imports the standard library and msgspec, and reads no clock, file, network or chance."""

import ast
import sys
from collections.abc import Iterator

import pytest

from tests.architecture.source import ROOT, imported_modules, python_files

LIBRARIES = {"domain", "msgspec"}
IMPURE = {"asyncio", "datetime", "logging", "os", "pathlib", "random", "secrets", "threading", "time", "uuid"}
ALLOWED_IN_APPLICATION = {"asyncio", "datetime", "uuid"}


def impure_imports(source: str, refused: set[str]) -> Iterator[tuple[int, str]]:
    """Line and name of every import that the domain may not have."""
    for line, module in imported_modules(ast.parse(source)):
        top = module.partition(".")[0]
        if top in refused or (top not in LIBRARIES and top not in sys.stdlib_module_names):
            yield line, module


@pytest.mark.parametrize(
    ("folder", "refused"),
    [
        ("domain/kernel", IMPURE),
        ("domain/games", IMPURE),
        ("domain/table", IMPURE),
        ("domain/application", IMPURE - ALLOWED_IN_APPLICATION),
        ("domain", IMPURE - ALLOWED_IN_APPLICATION),
    ],
)
def test_the_domain_is_pure(folder: str, refused: set[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {module}"
        for path in python_files(folder)
        for line, module in impure_imports(path.read_text(), refused)
    ]
    assert found == []


def test_an_impure_import_is_found() -> None:
    source = "import time\nimport json\nfrom pydantic import BaseModel\ndef f():\n    from os.path import join\n"
    assert [line for line, _ in impure_imports(source, IMPURE)] == [1, 3, 5]
