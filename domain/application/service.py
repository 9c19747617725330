"""The commands of accounts: open, sit, leave, start, move, undo, resign, abandon."""

import hashlib
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec

from domain.application.committing import Committed, Committer, Request
from domain.application.folding import Aggregate
from domain.application.loading import Streams
from domain.application.ports import Clock, Entropy
from domain.application.recording import Cause, as_uuid, command_id
from domain.kernel.canonical import digest
from domain.kernel.codec import to_json
from domain.kernel.errors import InvalidInput
from domain.kernel.game import AnyGame
from domain.kernel.messages import Command, Seat
from domain.kernel.options import resolve
from domain.table import commands as cm
from domain.table.chairs import BotChair, Chair, OpenChair, PlayerChair, seat_of
from domain.table.decide import Asked
from domain.table.errors import TableRefusal
from domain.table.evolve import Games

LONGEST_TURN = 365 * 24 * 3600
"""Unit: seconds."""


class SeatWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One seat of a new table: for whoever opens it, for a bot by level, or open."""

    kind: Literal["me", "bot", "open"]
    bot: str | None = None


class TableWanted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table as asked for. Unit: `turn_seconds` seconds, None for no clock."""

    game: str
    seats: tuple[SeatWanted, ...]
    options: dict[str, Any] = {}  # checked by the game's own options
    turn_seconds: int | None = None
    start: cm.StartMode = "auto"
    absent: cm.AbsentPolicy = "idle"
    resigned: cm.ResignedPolicy = "bot"


Key: TypeAlias = str | None
"""What a client calls a command, so that sending it twice has one effect; None when it does not care."""

CommandOfSeat: TypeAlias = Callable[[Seat], Command]
AskedOf: TypeAlias = Callable[[Aggregate], Asked]


class GameService:
    """One method per thing an account may ask. Every method takes the account's id and the client's key."""

    def __init__(self, games: Games, committer: Committer, streams: Streams, clock: Clock, entropy: Entropy) -> None:
        self._games = games
        self._committer = committer
        self._streams = streams
        self._clock = clock
        self._entropy = entropy

    async def open(self, player: str, wanted: TableWanted, key: Key = None) -> Committed:
        """Open a table; a game without an open seat starts at once unless it is to be started by hand.

        Raises: InvalidInput with a pointer for an unknown game, bot, option or a wrong number of seats; KeyReused.
        """
        command = self._opening(player, wanted)
        game_id = self._new_id() if key is None else as_uuid(digest(["ostraka/game/1", player, key]))
        return await self._committer.create(game_id, self._request(game_id, player, key, lambda _: _asked(command)))

    async def sit(
        self, game_id: str, player: str, seat: Seat | None, entropy: str | None, key: Key = None
    ) -> Committed:
        """Take a seat; `entropy` is any text of the player's, of which only the digest is kept.

        Raises: TableRefusal, InvalidInput, StreamNotFound, KeyReused.
        """
        command = cm.Sit(player=player, seat=seat, entropy=entropy_digest(entropy))
        return await self._submit(game_id, player, key, command)

    async def leave(self, game_id: str, player: str, seat: Seat, key: Key = None) -> Committed:
        """Give a seat back before the start."""
        return await self._submit(game_id, player, key, cm.Leave(player=player, seat=seat))

    async def start(self, game_id: str, player: str, entropy: str | None, key: Key = None) -> Committed:
        """Start a table by hand."""
        return await self._submit(game_id, player, key, cm.Start(player=player, entropy=entropy_digest(entropy)))

    async def abandon(self, game_id: str, player: str, key: Key = None) -> Committed:
        """Close a lobby."""
        return await self._submit(game_id, player, key, cm.Abandon(player=player))

    async def seat(self, game_id: str, player: str) -> tuple[AnyGame, Seat]:
        """The game and the seat an account holds in it.

        Raises: StreamNotFound; TableRefusal `not-your-seat`.
        """
        table = (await self._streams.recent(game_id)).aggregate.opened
        if seat_of(table.chairs, player) is None:
            table = (await self._streams.fresh(game_id)).aggregate.opened
        return table.facts.game, _seat_held(table.chairs, player)

    async def move(
        self, game_id: str, player: str, command: Command, key: Key = None, if_version: int | None = None
    ) -> Committed:
        """Take a command of the game from the account's seat.

        Raises: IllegalCommand, TableRefusal, VersionMismatch, KeyReused, StreamNotFound.
        """
        return await self._seated(game_id, player, lambda _: command, key, if_version)

    async def undo(self, game_id: str, player: str, key: Key = None, if_version: int | None = None) -> Committed:
        """Take back the account's last command."""
        return await self._seated(game_id, player, _undo, key, if_version)

    async def resign(self, game_id: str, player: str, key: Key = None, if_version: int | None = None) -> Committed:
        """Give up the account's seat for good."""
        return await self._seated(game_id, player, _resign, key, if_version)

    async def _submit(self, game_id: str, player: str, key: Key, command: Command) -> Committed:
        return await self._committer.submit(game_id, self._request(game_id, player, key, lambda _: _asked(command)))

    async def _seated(
        self, game_id: str, player: str, command: CommandOfSeat, key: Key, if_version: int | None
    ) -> Committed:
        def asked(aggregate: Aggregate) -> Asked:
            seat = _seat_held(aggregate.opened.chairs, player)
            return Asked(command=command(seat), seat=seat, mover="player")

        request = self._request(game_id, player, key, asked, if_version)
        return await self._committer.submit(game_id, request)

    def _request(self, game_id: str, player: str, key: Key, asked: AskedOf, if_version: int | None = None) -> Request:
        unique = self._entropy.bytes(16).hex() if key is None else key
        own_id = command_id(game_id, f"player/{player}", unique)
        cause = Cause(command_id=own_id, correlation_id=own_id, causation_id=None)
        return Request(
            asked=asked,
            cause=lambda _: cause,
            command_id=own_id,
            keyed=key is not None,
            if_version=if_version,
        )

    def _opening(self, player: str, wanted: TableWanted) -> cm.Open:
        game = self._games.get(wanted.game)
        if game is None:
            raise InvalidInput((("/game", f"no such game; there are {', '.join(self._games)}"),))
        if wanted.turn_seconds is not None and not 1 <= wanted.turn_seconds <= LONGEST_TURN:
            raise InvalidInput((("/turn_seconds", f"expected null or 1 to {LONGEST_TURN} seconds"),))
        return cm.Open(
            game=game.key,
            chairs=tuple(_chair(game, player, place, seat) for place, seat in enumerate(_one_me(wanted.seats))),
            options=to_json(_options(game, wanted.options)),
            turn_seconds=wanted.turn_seconds,
            start=wanted.start,
            absent=wanted.absent,
            resigned=wanted.resigned,
            opener=player,
        )

    def _new_id(self) -> str:
        """A UUID of version 7: time first, so that rows of one time lie together."""
        milliseconds = self._clock.now() // 1000
        bits = f"{milliseconds:012x}" + self._entropy.bytes(10).hex()
        shaped = bits[:12] + "7" + bits[13:16] + "89ab"[int(bits[16], 16) % 4] + bits[17:]
        return f"{shaped[:8]}-{shaped[8:12]}-{shaped[12:16]}-{shaped[16:20]}-{shaped[20:]}"


def entropy_digest(text: str | None) -> str | None:
    """What is kept of a player's entropy: the SHA-256 of its UTF-8 bytes, in hex."""
    return None if text is None else hashlib.sha256(text.encode()).hexdigest()


def _undo(seat: Seat) -> Command:
    return cm.Undo(seat=seat)


def _resign(seat: Seat) -> Command:
    return cm.Resign(seat=seat, cause="player")


def _asked(command: Command) -> Asked:
    return Asked(command=command, seat=None, mover="player")


def _seat_held(chairs: tuple[Chair, ...], player: str) -> Seat:
    seat = seat_of(chairs, player)
    if seat is None:
        raise TableRefusal("not-your-seat", "You hold no seat in this game.")
    return seat


def _one_me(seats: tuple[SeatWanted, ...]) -> tuple[SeatWanted, ...]:
    mine = [place for place, seat in enumerate(seats) if seat.kind == "me"]
    if len(mine) > 1:
        raise InvalidInput(((f"/seats/{mine[1]}", "you can take one seat only"),))
    return seats


def _chair(game: AnyGame, player: str, place: int, wanted: SeatWanted) -> Chair:
    if wanted.kind == "bot":
        bot = game.bots.get(wanted.bot or "")
        if bot is None:
            raise InvalidInput(((f"/seats/{place}/bot", f"expected one of {', '.join(game.bots)}"),))
        return BotChair(bot=bot.name)
    if wanted.bot is not None:
        raise InvalidInput(((f"/seats/{place}/bot", "only a seat of kind bot names a bot"),))
    return PlayerChair(player=player) if wanted.kind == "me" else OpenChair()


def _options(game: AnyGame, asked: dict[str, Any]) -> msgspec.Struct:
    try:
        resolved: msgspec.Struct = resolve(game.presets, asked)
    except InvalidInput as fault:
        raise InvalidInput(tuple((f"/options{pointer}", sentence) for pointer, sentence in fault.faults)) from fault
    return resolved
