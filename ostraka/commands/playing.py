"""`games`, `play`."""

import asyncio
import getpass
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.table import Table

from domain.application.seeing import Viewer
from domain.application.service import TableWanted
from domain.kernel.codec import to_json
from domain.kernel.errors import DomainError
from domain.kernel.game import AnyGame
from domain.registry import all_games
from ostraka.commands.telling import fail, out
from ostraka.histories import write_history
from ostraka.terminal.playing import play as play_in
from ostraka.terminal.room import LocalRoom, seats_for

DEFAULT_URL = "http://127.0.0.1:8000"


def games() -> None:
    """List the games on offer."""
    table = Table("game", "title", "seats", "bots")
    for game in all_games().values():
        table.add_row(game.key, game.title, f"{game.seats[0]} to {game.seats[-1]}", ", ".join(game.bots))
    out.print(table)


def play(
    game: Annotated[str, typer.Argument(help="The game's key, as `ostraka games` lists it.")],
    seats: Annotated[int, typer.Option(help="How many seats the table has.")] = 3,
    bot: Annotated[str, typer.Option(help="The bot on every other seat.")] = "greedy",
    watch: Annotated[bool, typer.Option(help="Let a bot play your seat, too.")] = False,
    option: Annotated[list[str] | None, typer.Option(help="An option of the game, as key=JSON.")] = None,
    url: Annotated[str, typer.Option(envvar="OSTRAKA_URL", help="The service to play on.")] = DEFAULT_URL,
    offline: Annotated[bool, typer.Option(help="Play in this process, without a service.")] = False,
    save: Annotated[Path | None, typer.Option(help="Offline: write the history here when you leave.")] = None,
) -> None:
    """Play a game in this terminal against bots."""
    chosen = all_games().get(game)
    if chosen is None:
        fail(f"There is no game {game}; there are {', '.join(all_games())}.")
    people = 0 if watch else 1
    wanted = TableWanted(game=game, seats=seats_for(people, [bot] * (seats - people)), options=_options(option or []))
    try:
        asyncio.run(_offline(chosen, wanted, save) if offline else _online(chosen, wanted, url))
    except DomainError as fault:
        fail(str(fault))


async def _offline(game: AnyGame, wanted: TableWanted, save: Path | None) -> None:
    room = await LocalRoom.open(wanted)
    await play_in(room, game.text["en"], out)
    if save is not None:
        history = await room.parts.reader.history(room.game_id, Viewer(player=room.player))
        out.print(f"{write_history(save, room.game_id, history.events)} events written to {save}")


async def _online(game: AnyGame, wanted: TableWanted, url: str) -> None:
    from ostraka.terminal.remote import RemoteRoom, Unreachable

    table = to_json(wanted)
    table["seats"] = [{key: value for key, value in seat.items() if value is not None} for seat in table["seats"]]
    try:
        room = await RemoteRoom.open(url, getpass.getuser()[:40], table)
    except Unreachable as fault:
        fail(f"{fault}. Start a service with `ostraka up`, name one with --url, or play with --offline.")
    await play_in(room, game.text["en"], out)


def _options(pairs: list[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for pair in pairs:
        key, _, value = pair.partition("=")
        try:
            options[key] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[key] = value
    return options


COMMANDS = {"games": games, "play": play}
