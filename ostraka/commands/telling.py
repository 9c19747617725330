"""How commands speak: tables to standard output, one clear sentence to standard error when something is wrong."""

from typing import NoReturn

import typer
from rich.console import Console

out = Console()
_err = Console(stderr=True)


def fail(sentence: str) -> NoReturn:
    """End with a sentence and exit code 2."""
    _err.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(2)
