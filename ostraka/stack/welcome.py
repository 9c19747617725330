"""Once the service answers: a table of bots to watch, the addresses, and a line to try."""

import json
import threading
import time
import urllib.request
from typing import Any

from rich.console import Console

from ostraka.settings import Settings

_PATIENCE_SECONDS = 60.0


def welcome(settings: Settings, console: Console, stop: threading.Event) -> None:
    """Wait for the API, open a table of bots, and print what a newcomer can do; give up when told to stop."""
    base = f"http://{settings.host}:{settings.port}"
    if not _answers(base, stop):
        return
    try:
        game = _bot_table(f"{base}/api/v1")
    except (OSError, KeyError, ValueError) as fault:
        console.print(f"No table could be opened: {fault}", style="red", markup=False)
        return
    place = f"{base}/api/v1/games/{game['game_id']}"
    console.print(
        f"\nOstraka is up: {base}\n"
        f"  the API, described     {base}/docs\n"
        f"  a table of bots plays  {place}\n"
        f"  watch it live          curl -N '{place}/events/live?after=0'\n"
        f"  begin yourself         curl -X POST {base}/api/v1/players -H 'Content-Type: application/json' "
        '-d \'{"name": "Nefertari"}\'\n'
        f"  or in the terminal     ostraka play {game['game']} --url {base}\n"
        "Ctrl-C stops everything; the games stay.\n",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _answers(base: str, stop: threading.Event) -> bool:
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end and not stop.is_set():
        try:
            _asked(f"{base}/readyz")
        except OSError:
            stop.wait(0.1)
            continue
        return True
    return False


def _bot_table(api: str) -> dict[str, str]:
    """A running game of the first game on offer, by its best quick bots."""
    token = _asked(f"{api}/players", {"name": "Ostraka"})["token"]
    offer = _asked(f"{api}/games-on-offer")[0]
    table = {"game": offer["game"], "seats": [{"kind": "bot", "bot": offer["bots"][-1]}] * min(4, offer["max_seats"])}
    game: dict[str, str] = _asked(f"{api}/games", table, token)
    return game


def _asked(url: str, body: Any = None, token: str | None = None) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers)  # noqa: S310 - our own API
    with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
        return json.load(answer)
