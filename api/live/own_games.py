"""One stream over all games of an account: whose turn it is, what began, what ended."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec
import structlog

from api.live.hub import Hub
from api.live.sse import HEARTBEAT, RETRY
from domain.application.folding import Aggregate
from domain.application.ports import Directory, Status, StoreUnavailable, Summary, Wanted
from domain.application.reactions import status_of
from domain.table.chairs import seat_of

Newest: TypeAlias = Callable[[str], Awaitable[Aggregate]]

_PAGE = 200
_MOST = 1000
_LOOK_SECONDS = 2.0
_AWAY_SECONDS = 1.0
_KINDS: Mapping[Status, str] = {"running": "game_started", "finished": "game_finished", "abandoned": "game_abandoned"}
_log = structlog.get_logger()


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What an account is told of one of its games."""

    kind: str
    game_id: str
    game: str
    version: int
    seat: int


class OwnGames:
    """What one connection of an account has been told. It keeps a row per game that goes on, and no queue.

    `games` has the version of each of these games.

    Unit: seconds between looks that no hint and no new version has caused; they find games that are new.
    """

    def __init__(self, directory: Directory, newest: Newest, player: str, *, looks: float = _LOOK_SECONDS) -> None:
        self._directory = directory
        self._newest = newest
        self._player = player
        self._looks = looks
        self._known: dict[str, Summary] | None = None
        self._moved = asyncio.Event()
        self.games: Mapping[str, int] = {}
        self.ended = asyncio.Event()

    def moved(self) -> None:
        """One of the games has moved on."""
        self._moved.set()

    async def look(self) -> Sequence[Told]:
        """What is new; at first one `your_turn` for each game that waits for the account.

        Raises: StoreUnavailable.
        """
        self._moved.clear()
        # Lobbies first: a game that starts in between is then seen twice, not missed.
        found = {**await self._list("lobby"), **await self._list("running")}
        known = found if self._known is None else self._known
        over = [await self._over(summary) for game_id, summary in known.items() if game_id not in found]
        news = [one for summary in _by_move(found) for one in self._news(summary)]
        self._known = found
        self.games = {game_id: summary.version for game_id, summary in found.items()}
        return [*(one for one in over if one), *news]

    async def chunks(self, hub: Hub, first: Sequence[Told]) -> AsyncGenerator[bytes, None]:
        """Chunks of the stream, from what a first look has found until the hub closes."""
        clock = asyncio.get_running_loop().time
        with hub.following(self):
            yield RETRY
            told, spoken = first, clock()
            while not self.ended.is_set():
                for one in told:
                    yield b"event: %s\ndata: %s\n\n" % (one.kind.encode(), msgspec.json.encode(one))
                if told:
                    spoken = clock()
                elif clock() - spoken >= hub.heartbeat:
                    yield HEARTBEAT
                    spoken = clock()
                await self._wait(min(self._looks, max(0.0, spoken + hub.heartbeat - clock())))
                told = () if self.ended.is_set() else await self._look_again()

    async def _wait(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._moved.wait()

    async def _look_again(self) -> Sequence[Told]:
        try:
            return await self.look()
        except StoreUnavailable as fault:
            # Nothing is lost: the next look compares with what was known before.
            _log.warning("stream_waits", reason=str(fault))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_AWAY_SECONDS):
                    await self.ended.wait()
            return ()

    async def _list(self, status: Status) -> dict[str, Summary]:
        found: dict[str, Summary] = {}
        before: tuple[int, str] | None = None
        while len(found) < _MOST:
            wanted = Wanted(player=self._player, status=status, before=before, limit=_PAGE)
            page = await self._directory.list(wanted)
            found |= {one.game_id: one for one in page}
            if len(page) < _PAGE:
                break
            before = (page[-1].opened_at, page[-1].game_id)
        return found

    def _news(self, now: Summary) -> Sequence[Told]:
        before = None if self._known is None else self._known.get(now.game_id)
        if before is not None and before.version == now.version:
            return ()
        seat, listing = _seat(now, self._player), now.listing
        kinds: list[str] = []
        if self._known is not None and listing.status == "running" and (not before or before.listing.status == "lobby"):
            kinds.append(_KINDS["running"])
        if seat in listing.to_act:
            kinds.append("your_turn")
        return [_told(kind, now, now.version, seat) for kind in kinds if seat is not None]

    async def _over(self, last: Summary) -> Told | None:
        """What has become of a game that is neither a lobby nor running any more, if the account still sits in it."""
        aggregate = await self._newest(last.game_id)
        kind, seat = _KINDS.get(status_of(aggregate.opened)), seat_of(aggregate.opened.chairs, self._player)
        if kind is None or kind == _KINDS["running"] or seat is None:
            return None
        return _told(kind, last, aggregate.head.version, seat)


def _told(kind: str, summary: Summary, version: int, seat: int) -> Told:
    return Told(kind=kind, game_id=summary.game_id, game=summary.listing.game, version=version, seat=seat)


def _by_move(found: Mapping[str, Summary]) -> Sequence[Summary]:
    return sorted(found.values(), key=lambda one: (one.moved_at, one.game_id))


def _seat(summary: Summary, player: str) -> int | None:
    return next((seat for seat, chair in enumerate(summary.listing.chairs) if chair.get("player") == player), None)
