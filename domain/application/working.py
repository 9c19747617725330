"""What workers do for a game: bots' turns and idle moves, what the rules want, clocks. No worker holds a rule."""

from typing import Any, assert_never

from domain.application.committing import Committed, Committer, Hold, Request
from domain.application.errors import VersionMismatch
from domain.application.folding import Aggregate
from domain.application.loading import Loaded, Streams
from domain.application.ports import Clock
from domain.application.recording import Cause, command_id
from domain.kernel.bots import Bot
from domain.kernel.chance import SeededChance, bot_seed
from domain.kernel.messages import Command, Seat
from domain.table.answering import Answerer, answerer, bot_of, substitute
from domain.table.clock import run_out
from domain.table.commands import Resign
from domain.table.decide import Asked, Mover
from domain.table.state import Running, to_act


class GameWorker:
    """Each method has its effect at most once for a version of a game, and none once the game has moved on.

    `hold` is what the caller goes on with afterwards, so that nobody else takes it up meanwhile.
    """

    def __init__(self, committer: Committer, streams: Streams, clock: Clock) -> None:
        self._committer = committer
        self._streams = streams
        self._clock = clock

    async def turn(
        self, game_id: str, version: int, seat: Seat, *, plainly: bool = False, hold: Hold | None = None
    ) -> Committed | None:
        """Answer for a seat that a bot plays or that is idle; None when there is nothing to do any more.

        `plainly`: let the substitute bot choose, because an earlier try did not come to an end.

        Raises: StreamNotFound.
        """
        loaded = await self._streams.fresh(game_id)
        table = _running_at(loaded, version)
        if table is None or seat not in to_act(table):
            return None
        match answerer(table, seat):
            case Answerer.PERSON:
                return None
            case Answerer.IDLE:
                return await self._idle(loaded.aggregate, table, seat, "idle", hold)
            case Answerer.BOT:
                bot = substitute(table.facts.game) if plainly else bot_of(table, seat)
                return await self._let_bot_play(loaded, table, seat, bot, hold)
            case who:
                assert_never(who)

    async def upkeep(self, game_id: str, version: int) -> Committed | None:
        """Do what the rules want without a player; None when there is nothing to do any more."""
        loaded = await self._streams.fresh(game_id)
        table = _running_at(loaded, version)
        command = table.facts.game.upkeep(table.position) if table else None
        if command is None:
            return None
        return await self._send(loaded.aggregate, command, None, "system", "upkeep")

    async def clock(self, game_id: str, version: int) -> Committed | None:
        """Apply the table's policy to the first seat whose time is up; None when nobody's is."""
        loaded = await self._streams.fresh(game_id)
        table = _running_at(loaded, version)
        late = run_out(table, self._clock.now()) if table else ()
        if table is None or not late:
            return None
        match table.facts.absent:
            case "idle":
                return await self._idle(loaded.aggregate, table, late[0], "clock")
            case "bot":
                return await self._let_bot_play(loaded, table, late[0], substitute(table.facts.game))
            case "resign":
                command = Resign(seat=late[0], cause="clock")
                return await self._send(loaded.aggregate, command, late[0], "system", "clock")
            case policy:
                assert_never(policy)

    async def _idle(
        self, aggregate: Aggregate, table: Running, seat: Seat, why: str, hold: Hold | None = None
    ) -> Committed | None:
        command = table.facts.game.legal(table.position, seat)[0]
        return await self._send(aggregate, command, seat, "system", why, hold=hold)

    async def _let_bot_play(
        self, loaded: Loaded, table: Running, seat: Seat, bot: Bot, hold: Hold | None = None
    ) -> Committed | None:
        aggregate, game = loaded.aggregate, table.facts.game
        seed = bot_seed(loaded.secret or b"", aggregate.game_id, aggregate.head.version, seat)
        view, legal = game.view(table.position, seat), game.legal(table.position, seat)
        command = bot.choose(view, seat, legal, SeededChance(seed))
        played = {"bot": {"name": bot.name, "version": bot.version}}
        return await self._send(aggregate, command, seat, "bot", "bot", played, hold=hold)

    async def _send(
        self,
        aggregate: Aggregate,
        command: Command,
        seat: Seat | None,
        mover: Mover,
        kind: str,
        extra: dict[str, Any] | None = None,
        *,
        hold: Hold | None = None,
    ) -> Committed | None:
        version = aggregate.head.version
        cause = Cause(
            command_id=command_id(aggregate.game_id, f"worker/{kind}", f"{version}/{seat}"),
            correlation_id=aggregate.correlation_id or "",
            causation_id=aggregate.last_command,
            extra=extra or {},
        )
        request = Request(
            asked=lambda _: Asked(command=command, seat=seat, mover=mover),
            cause=lambda _: cause,
            command_id=cause.command_id,
            keyed=False,
            if_version=version,
            hold=hold,
        )
        try:
            return await self._committer.submit(aggregate.game_id, request)
        except VersionMismatch:
            return None


def _running_at(loaded: Loaded, version: int) -> Running | None:
    aggregate = loaded.aggregate
    table = aggregate.table
    return table if isinstance(table, Running) and aggregate.head.version == version else None
