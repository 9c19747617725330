"""One stream over all games of an account: whose turn it is, what began, what ended."""

import asyncio
from collections.abc import AsyncIterator

import msgspec

from api.live.hub import HEARTBEAT, Hub
from domain.application.ports import Directory, Summary, Wanted

_GAMES = 500
_LOOK_SECONDS = 1.0
_HEARTBEAT_LOOKS = 15


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What an account is told of one of its games."""

    kind: str
    game_id: str
    game: str
    version: int
    seat: int


async def own_games(hub: Hub, directory: Directory, player: str) -> AsyncIterator[bytes]:
    """Chunks of the stream, until the hub closes; it begins with every game that waits for the account."""
    known: dict[str, Summary] = {}
    first, quiet = True, 0
    with hub.listening() as moved:
        yield b"retry: 1000\n\n"
        while True:
            now = {game.game_id: game for game in await directory.list(Wanted(player=player, limit=_GAMES))}
            oldest_first = reversed(now.values())
            told = [one for game in oldest_first for one in _news(known.get(game.game_id), game, player, first)]
            for one in told:
                yield b"event: %s\ndata: %s\n\n" % (one.kind.encode(), msgspec.json.encode(one))
            known, first = now, False
            quiet = 0 if told else quiet + 1
            if quiet >= _HEARTBEAT_LOOKS:
                yield HEARTBEAT
                quiet = 0
            if not await _wait(moved, known):
                return


async def _wait(moved: asyncio.Queue[str | None], known: dict[str, Summary]) -> bool:
    """Wait until one of the known games moves on, a second at most; False when the hub has closed."""
    try:
        async with asyncio.timeout(_LOOK_SECONDS):
            while (game_id := await moved.get()) is not None:
                if game_id in known:
                    return True
            return False
    except TimeoutError:
        return True


def _news(before: Summary | None, now: Summary, player: str, first: bool) -> list[Told]:
    if before is not None and before.version == now.version:
        return []
    seats = [seat for seat, chair in enumerate(now.listing.chairs) if chair.get("player") == player]
    if not seats:
        return []
    kinds: list[str] = []
    was = before.listing.status if before else None
    if not first and now.listing.status == "running" and was != "running":
        kinds.append("game_started")
    if not first and now.listing.status == "finished" and was != "finished":
        kinds.append("game_finished")
    if seats[0] in now.listing.to_act:
        kinds.append("your_turn")
    return [
        Told(kind=kind, game_id=now.game_id, game=now.listing.game, version=now.version, seat=seats[0])
        for kind in kinds
    ]
