"""Views, events and moves as rich text, for any game: from its JSON view and its words."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from domain.kernel.words import Words

Json = dict[str, Any]

_TABLE_WORDS = {
    "table.opened": "The table is open.",
    "table.seat_taken": "Seat {seat} is taken.",
    "table.seat_left": "Seat {seat} is free again.",
    "table.started": "The game begins.",
    "table.command_undone": "Seat {seat} takes back a move; the game stands as after event {back_to}.",
    "table.seat_resigned": "Seat {seat} resigns.",
    "table.abandoned": "The table is closed.",
    "table.finished": "The game is over. Winner: seat {winners}. Scores: {scores}.",
    "table.secret_revealed": "The secret behind every draw is revealed: {secret}.",
}


def event_line(event: Json, words: Words) -> Text:
    """One event in words, with its version."""
    known = _TABLE_WORDS.get(event["type"])
    sentence = known.format_map(_spoken(event["data"])) if known else words.event(event["type"], event["data"])
    return Text.assemble((f"{event['version']:>4}  ", "dim"), sentence)


def board(state: Json) -> RenderableType:
    """The view: plain values in one table, lists of one entry per seat as columns, all else as it is."""
    view, seats = state["view"] or {}, state["seats"]
    per_seat = {key: value for key, value in view.items() if _is_per_seat(value, len(seats))}
    plain = Table(box=None, show_header=False, padding=(0, 1))
    for key, value in view.items():
        if key not in per_seat:
            plain.add_row(Text(key, "cyan"), _short(value))
    parts: list[RenderableType] = [plain]
    parts += [_by_seat(key, value, state) for key, value in per_seat.items()]
    return Panel(Group(*parts), title=f"{state['game']}  version {state['version']}  {state['status']}")


def move_list(moves: Sequence[Json], notes: Sequence[Json]) -> Table:
    """The legal moves, numbered from 1, with what each would give away."""
    table = Table(title="Your moves", title_justify="left", box=None)
    table.add_column("", justify="right")
    table.add_column("move")
    table.add_column("taking back", style="dim")
    for number, (_, note) in enumerate(zip(moves, notes, strict=True), start=1):
        table.add_row(str(number), note["text"], "free" if note["undo"] == "free" else f"no: {note['why']}")
    return table


def _by_seat(title: str, entries: Sequence[Json], state: Json) -> Table:
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("", style="cyan")
    for seat in range(len(entries)):
        mine = " (you)" if seat == state["your_seat"] else ""
        turn = " *" if seat in state["to_act"] else ""
        table.add_column(f"seat {seat}{mine}{turn}")
    for key in entries[0]:
        table.add_row(key, *(_short(entry[key]) for entry in entries))
    return table


def _is_per_seat(value: Any, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(isinstance(entry, Mapping) for entry in value)


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_short(entry)}" for key, entry in value.items())
    if isinstance(value, list):
        return " ".join(_short(entry) for entry in value) or "-"
    return "-" if value is None else str(value)


def _spoken(data: Json) -> Json:
    return {key: _short(value) for key, value in data.items()}
