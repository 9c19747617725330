"""A game as the terminal sees it: the JSON shapes of the HTTP contract, wherever the game is played."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from domain.application.reactions import status_of, waiting_for
from domain.application.seeing import Viewer
from domain.application.service import SeatWanted, TableWanted
from domain.kernel.codec import Codec
from domain.table.chairs import chairs_json
from domain.table.state import Over, to_act
from eventstore.memory import MemoryEventStore
from ostraka.wiring import Parts, build_in_memory

Json = dict[str, Any]


class Room(Protocol):
    """One game and one person in it, or watching it."""

    async def state(self) -> Json:
        """The game as `GET /games/{id}` answers it."""
        ...

    async def moves(self) -> Json:
        """The caller's legal moves with notes, as `GET /games/{id}/moves?notes=1` answers them."""
        ...

    async def move(self, command: Json) -> None:
        """Post a move.

        Raises: DomainError with a sentence for a person.
        """
        ...

    async def undo(self) -> None:
        """Take the last move back."""
        ...

    async def events(self, after: int) -> Sequence[Json]:
        """The events after a version, as the caller may see them; waits until there are any or the game is over."""
        ...


@dataclass(frozen=True, kw_only=True)
class LocalRoom:
    """A game in this process, its bots played and its rounds scored as soon as it waits for them."""

    parts: Parts
    store: MemoryEventStore
    game_id: str
    player: str

    @classmethod
    async def open(cls, wanted: TableWanted) -> "LocalRoom":
        """Open a table in a store of its own; a seat of kind `me` is the caller's."""
        parts, store = build_in_memory()
        player = "00000000-0000-4000-8000-000000000001"
        opened = await parts.service.open(player, wanted)
        room = cls(parts=parts, store=store, game_id=opened.aggregate.game_id, player=player)
        await room.run_workers()
        return room

    async def run_workers(self) -> None:
        """Do what is due until the game waits for a person or is over."""
        while due := self.store.directory[self.game_id].due:
            aggregate = await self.parts.reader.newest(self.game_id)
            version = aggregate.head.version
            if due.kind == "bot" and due.seat is not None:
                await self.parts.worker.turn(self.game_id, version, due.seat)
            elif due.kind == "upkeep":
                await self.parts.worker.upkeep(self.game_id, version)
            else:
                return

    async def state(self) -> Json:
        """The game as `GET /games/{id}` answers it."""
        seen = await self.parts.reader.game(self.game_id, Viewer(player=self.player))
        table = seen.aggregate.opened
        return {
            "game_id": self.game_id,
            "game": table.facts.game.key,
            "status": status_of(table),
            "version": seen.aggregate.head.version,
            "seats": chairs_json(table.chairs),
            "your_seat": seen.seat,
            "to_act": list(to_act(table)),
            "waiting_for": waiting_for(table),
            "commitment": table.facts.commitment,
            "view": seen.view,
            "outcome": msgspec.to_builtins(table.outcome) if isinstance(table, Over) else None,
        }

    async def moves(self) -> Json:
        """The caller's legal moves with notes."""
        listed: Json = msgspec.to_builtins(await self.parts.reader.moves(self.game_id, self.player))
        return listed

    async def move(self, command: Json) -> None:
        """Take a move and everything that follows from it without a person."""
        game, _ = await self.parts.service.seat(self.game_id, self.player)
        await self.parts.service.move(self.game_id, self.player, Codec(game.player_commands).decode(command))
        await self.run_workers()

    async def undo(self) -> None:
        """Take the last move back."""
        await self.parts.service.undo(self.game_id, self.player)

    async def events(self, after: int) -> Sequence[Json]:
        """The events after a version, as the caller may see them."""
        history = await self.parts.reader.history(self.game_id, Viewer(player=self.player), after)
        return [msgspec.to_builtins(event) for event in history.events]


def seats_for(people: int, bots: Sequence[str]) -> tuple[SeatWanted, ...]:
    """The caller first if a person plays, then the bots in order."""
    me = (SeatWanted(kind="me"),) * people
    return (*me, *(SeatWanted(kind="bot", bot=bot) for bot in bots))
