"""What the architecture tests read: the source of the packages, and the games as they lie in their folders."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("api", "domain", "eventstore", "migrations", "ostraka", "workers")
GAMES = ROOT / "domain" / "games"


def python_files(*folders: str) -> list[Path]:
    """Every Python file below folders of the checkout, in a fixed order."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def game_folders() -> list[Path]:
    """The folder of every game, also of one that is still being written."""
    return sorted(path for path in GAMES.iterdir() if any(path.glob("*.py")))


def registered_games() -> list[Path]:
    """The folders that offer a `GAME`, as `domain.registry` wants them."""
    return [folder for folder in game_folders() if offers_game(folder / "__init__.py")]


def offers_game(init: Path) -> bool:
    """Whether a module binds the name `GAME` at its top."""
    if not init.exists():
        return False
    names: list[ast.expr] = []
    for node in ast.parse(init.read_text()).body:
        if isinstance(node, ast.Assign):
            names += node.targets
        elif isinstance(node, ast.AnnAssign):
            names.append(node.target)
    return any(isinstance(name, ast.Name) and name.id == "GAME" for name in names)


def imported_modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and full name of every module that a source imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and value of every string literal that is no docstring and no other string standing alone."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value
