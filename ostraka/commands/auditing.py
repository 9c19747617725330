"""`show`, `export`, `verify`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from domain.application.seeing import SeenEvent
from domain.application.verifying import Report
from domain.application.verifying import verify as check
from domain.kernel.errors import DomainError, InvalidInput
from domain.registry import all_games
from ostraka.commands.playing import DEFAULT_URL
from ostraka.commands.telling import fail, out
from ostraka.histories import read_lines, write_history
from ostraka.terminal.drawing import board, event_line

Url = Annotated[str, typer.Option(envvar="OSTRAKA_URL", help="The service to ask.")]
Token = Annotated[str | None, typer.Option(envvar="OSTRAKA_TOKEN", help="Your token; without one, as a watcher.")]


def show(
    game_id: Annotated[str, typer.Argument(help="The game's id.")],
    version: Annotated[int | None, typer.Option(help="The state right after this event.")] = None,
    events: Annotated[int, typer.Option(help="How many of the latest events to tell.")] = 10,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Show a game: its board at a version, and what happened last."""
    at = "" if version is None else f"?version={version}"
    state = msgspec.json.decode(_get(url, token, f"/games/{game_id}{at}"))
    after = max(state["version"] - events, 0)
    page = msgspec.json.decode(_get(url, token, f"/games/{game_id}/events?after={after}&limit={events}"))
    words = all_games()[state["game"]].text["en"]
    for event in page["events"]:
        out.print(event_line(event, words))
    out.print(board(state))


def export(
    game_id: Annotated[str, typer.Argument(help="The game's id.")],
    file: Annotated[Path | None, typer.Argument(help="Where to; by default GAME_ID.ndjson.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
) -> None:
    """Write a game's history, as you may see it, to a file that `ostraka verify` checks."""
    path = file or Path(f"{game_id}.ndjson")
    lines = _get(url, token, f"/games/{game_id}/events", accept="application/x-ndjson").splitlines()
    events = (msgspec.json.decode(line, type=SeenEvent) for line in lines)
    try:
        out.print(f"{write_history(path, game_id, events)} events written to {path}")
    except OSError as fault:
        fail(f"{path} cannot be written: {fault.strerror}")


def verify(files: Annotated[list[Path], typer.Argument(help="Exported histories.")]) -> None:
    """Check exported histories offline: chain, commitments, and, when the game is over, every draw and decision."""
    table = Table("file", "events", "openings", "decided again", "result")
    sound = True
    for path, report in _reports(files):
        sound &= report.problem is None
        redecided = "secret not revealed" if report.redecided is None else f"{report.redecided} commands"
        result = "[green]sound[/green]" if report.problem is None else f"[red]{report.problem}[/red]"
        table.add_row(str(path), str(report.events), str(report.openings), redecided, result)
    out.print(table)
    raise typer.Exit(0 if sound else 1)


def _reports(files: list[Path]) -> Iterator[tuple[Path, Report]]:
    for path in files:
        try:
            yield path, check(all_games(), lambda path=path: read_lines(path))  # type: ignore[misc]
        except InvalidInput as fault:
            fail(f"{path} is not an exported history: {fault}")
        except (OSError, DomainError) as fault:
            fail(f"{path}: {fault}")


def _get(url: str, token: str | None, path: str, accept: str = "application/json") -> bytes:
    import httpx

    headers = {"Accept": accept} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        answer = httpx.get(f"{url.rstrip('/')}/api/v1{path}", headers=headers, timeout=30)
    except httpx.TransportError:
        fail(f"{url} does not answer. Start a service with `ostraka up`, or name one with --url.")
    if answer.is_error:
        problem: dict[str, Any] = answer.json()
        fail(problem.get("detail", answer.reason_phrase))
    return answer.content


COMMANDS = {"show": show, "export": export, "verify": verify}
