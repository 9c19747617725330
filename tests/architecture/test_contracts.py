"""The import contracts of pyproject.toml hold, and each of them bites."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGES, ROOT

LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")

GAME = "domain/games/planted"
OTHER_GAME = "domain/games/rival"

# For each contract, a file and the line in it that breaks the contract.
PLANTED = {
    "service-layers": ("api/planted.py", "import workers.planted"),
    "domain-layers": ("domain/kernel/planted.py", "import domain.table.planted"),
    "game-layers": (f"{GAME}/state.py", "import domain.games.planted.decide"),
    "games-apart": (f"{GAME}/scoring.py", "import domain.games.rival.scoring"),
    "bots-see-views": (f"{GAME}/bot.py", "import domain.games.planted.state"),
    "games-by-registry": ("domain/application/planted.py", "import domain.games.planted"),
    "registry-by-program": ("api/planted.py", "import domain.registry"),
    "store-by-program": ("workers/planted.py", "import eventstore.planted"),
    "store-knows-ports": ("eventstore/planted.py", "import domain.application.planted"),
    "ports-know-kernel": ("domain/application/ports.py", "import domain.table.planted"),
    "domain-without-frameworks": ("domain/table/planted.py", "import pydantic"),
    "store-without-faces": ("eventstore/planted.py", "import fastapi"),
    "api-without-queue": ("api/planted.py", "import celery"),
    "workers-without-web": ("workers/planted.py", "import sqlalchemy"),
}


def lint_imports(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The contracts, checked on the packages that lie in a folder."""
    command = [str(LINT_IMPORTS), "--no-cache", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the packages with two more games and an empty module `planted` in each folder."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in ("api", "workers", "eventstore", "domain/kernel", "domain/table", "domain/application"):
        (tmp_path / folder / "planted.py").touch()
    for game in (GAME, OTHER_GAME):
        (tmp_path / game).mkdir()
        for name in ("__init__", "state", "decide", "scoring", "bot"):
            (tmp_path / game / f"{name}.py").touch()
    return tmp_path


def test_the_contracts_hold() -> None:
    checked = lint_imports(ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_contract_has_a_planted_violation() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert {contract["id"] for contract in settings["tool"]["importlinter"]["contracts"]} == PLANTED.keys()


@pytest.mark.parametrize("contract", PLANTED)
def test_a_planted_violation_breaks_the_contract(copy: Path, contract: str) -> None:
    place, line = PLANTED[contract]
    with (copy / place).open("a") as file:
        file.write(f"\n{line}\n")
    checked = lint_imports(copy, "--contract", contract)
    assert "0 kept, 1 broken" in checked.stdout, checked.stdout + checked.stderr
    assert line.removeprefix("import ") in checked.stdout


def test_a_file_without_a_place_in_the_order_is_found(copy: Path) -> None:
    (copy / GAME / "helpers.py").touch()
    checked = lint_imports(copy, "--contract", "game-layers")
    assert "domain.games.planted.helpers" in checked.stdout
