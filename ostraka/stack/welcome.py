"""Once the service answers: a table of bots to watch, the addresses, and a line to try."""

import threading
import time

import httpx
from rich.console import Console

from ostraka.settings import Settings

_PATIENCE_SECONDS = 60.0


def welcome(settings: Settings, console: Console, stop: threading.Event) -> None:
    """Wait for the API, open a table of bots, and print what a newcomer can do; give up when told to stop."""
    base = f"http://{settings.host}:{settings.port}"
    with httpx.Client(base_url=f"{base}/api/v1", timeout=5) as client:
        if not _answers(client, base, stop):
            return
        try:
            game = _bot_table(client)
        except (httpx.HTTPError, KeyError) as fault:
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


def _answers(client: httpx.Client, base: str, stop: threading.Event) -> bool:
    end = time.monotonic() + _PATIENCE_SECONDS
    while time.monotonic() < end and not stop.is_set():
        try:
            if client.get(f"{base}/readyz").is_success:
                return True
        except httpx.HTTPError:
            pass
        stop.wait(0.1)
    return False


def _bot_table(client: httpx.Client) -> dict[str, str]:
    """A running game of the first game on offer, by its best quick bots."""
    token = client.post("/players", json={"name": "Ostraka"}).raise_for_status().json()["token"]
    offer = client.get("/games-on-offer").raise_for_status().json()[0]
    bot = offer["bots"][-1]
    table = {"game": offer["game"], "seats": [{"kind": "bot", "bot": bot}] * min(4, offer["max_seats"])}
    headers = {"Authorization": f"Bearer {token}"}
    game: dict[str, str] = client.post("/games", json=table, headers=headers).raise_for_status().json()
    return game
