"""A person, or nobody, at a table in the terminal."""

from rich.console import Console
from rich.prompt import Prompt

from domain.kernel.errors import DomainError
from domain.kernel.words import Words
from ostraka.terminal.drawing import board, event_line, move_list
from ostraka.terminal.room import Room


async def play(room: Room, words: Words, console: Console) -> None:
    """Show what happens and ask for moves until the game is over or the person leaves with `q`."""
    version = 0
    while True:
        for event in await room.events(version):
            console.print(event_line(event, words))
            version = event["version"]
        state = await room.state()
        if state["status"] in ("finished", "abandoned"):
            console.print(board(state))
            return
        if state["your_seat"] in state["to_act"]:
            console.print(board(state))
            if not await _one_move(room, console):
                return


async def _one_move(room: Room, console: Console) -> bool:
    """Ask until a move is made; False when the person leaves."""
    listed = await room.moves()
    console.print(move_list(listed["moves"], listed["notes"]))
    while True:
        answer = Prompt.ask("Number of your move, [b]u[/b] to take back, [b]q[/b] to leave", console=console).strip()
        if answer == "q":
            return False
        try:
            if answer == "u":
                await room.undo()
                return True
            if answer.isdecimal() and 1 <= int(answer) <= len(listed["moves"]):
                await room.move(listed["moves"][int(answer) - 1])
                return True
        except DomainError as refusal:
            console.print(f"[red]{refusal}[/red]")
            continue
        console.print(f"[red]Answer with a number from 1 to {len(listed['moves'])}.[/red]")
