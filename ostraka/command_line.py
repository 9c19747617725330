"""The `ostraka` command."""

import asyncio
from pathlib import Path
from typing import Annotated, NoReturn

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from domain.application.seeing import Viewer
from domain.application.service import TableWanted
from domain.application.verifying import Report, verify
from domain.kernel.errors import DomainError, InvalidInput
from domain.kernel.game import AnyGame
from domain.registry import all_games
from ostraka.histories import read_lines, write_history
from ostraka.terminal.playing import play as play_in
from ostraka.terminal.room import LocalRoom, seats_for

app = typer.Typer(help="Board games of the ancient world on an event store.", no_args_is_help=True)
_console = Console()
_errors = Console(stderr=True)


@app.command()
def games() -> None:
    """List the games on offer."""
    table = Table("game", "title", "seats", "bots")
    for game in all_games().values():
        table.add_row(game.key, game.title, f"{game.seats[0]} to {game.seats[-1]}", ", ".join(game.bots))
    _console.print(table)


@app.command()
def play(
    game: Annotated[str, typer.Argument(help="The game's key, as `ostraka games` lists it.")],
    seats: Annotated[int, typer.Option(help="How many seats the table has.")] = 3,
    bot: Annotated[str, typer.Option(help="The bot on every other seat.")] = "greedy",
    watch: Annotated[bool, typer.Option(help="Let a bot play your seat, too.")] = False,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as key=JSON.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the history here when you leave.")] = None,
) -> None:
    """Play a game in this terminal against bots, all in this process."""
    asyncio.run(_play(_game(game), seats, bot, watch, _options(option or []), save))


@app.command(name="verify")
def verify_files(files: Annotated[list[Path], typer.Argument(help="Exported histories.")]) -> None:
    """Check exported histories offline: chain, commitments, and, when the game is over, every draw and decision."""
    table = Table("file", "events", "openings", "decided again", "result")
    sound = True
    for path in files:
        report = _report(path)
        sound &= report.problem is None
        redecided = "secret not revealed" if report.redecided is None else f"{report.redecided} commands"
        result = "[green]sound[/green]" if report.problem is None else f"[red]{report.problem}[/red]"
        table.add_row(str(path), str(report.events), str(report.openings), redecided, result)
    _console.print(table)
    raise typer.Exit(0 if sound else 1)


async def _play(
    game: AnyGame, seats: int, bot: str, watch: bool, options: dict[str, object], save: Path | None
) -> None:
    people = 0 if watch else 1
    wanted = TableWanted(game=game.key, seats=seats_for(people, [bot] * (seats - people)), options=options)
    try:
        room = await LocalRoom.open(wanted)
    except InvalidInput as fault:
        _fail(str(fault))
    await play_in(room, game.text["en"], _console)
    if save is not None:
        history = await room.parts.reader.history(room.game_id, Viewer(player=room.player))
        count = write_history(save, room.game_id, history.events)
        _console.print(f"{count} events written to {save}")


def _game(key: str) -> AnyGame:
    game = all_games().get(key)
    if game is None:
        _fail(f"There is no game {key}; there are {', '.join(all_games())}.")
    return game


def _options(pairs: list[str]) -> dict[str, object]:
    options: dict[str, object] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        try:
            options[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[key] = value
    return options


def _report(path: Path) -> Report:
    try:
        return verify(all_games(), lambda: read_lines(path))
    except InvalidInput as fault:
        _fail(f"{path} is not an exported history: {fault}")
    except (OSError, DomainError) as fault:
        _fail(f"{path}: {fault}")


def _fail(sentence: str) -> NoReturn:
    _errors.print(f"[red]{sentence}[/red]")
    raise typer.Exit(2)
