"""Decide on what is known, append, and on a lost race look again: the life of every command."""

from collections.abc import Callable, Sequence

import msgspec

from domain.application.errors import KeyReused, VersionMismatch
from domain.application.folding import Aggregate, advanced, blank
from domain.application.loading import Loaded, Streams
from domain.application.ports import (
    Batch,
    Clock,
    ConcurrencyConflict,
    Entropy,
    EventStore,
    Listing,
    Recorded,
    StoreUnavailable,
    WakeUp,
)
from domain.application.reactions import listing_of
from domain.application.recording import Cause, command_json, record
from domain.kernel.codec import to_json
from domain.kernel.errors import CorruptLog, DomainError, NewerSoftware
from domain.kernel.messages import Seat
from domain.table.chairs import PlayerChair
from domain.table.decide import Asked, Setting, decide
from domain.table.evolve import Games
from domain.table.state import Running

ATTEMPTS = 8
"""Lost races in a row before a command gives up. Within a process commands queue; only other processes race."""

SECRET_BYTES = 32


class Hold(msgspec.Struct, frozen=True, kw_only=True):
    """The next turns of one pool of workers, kept from others for a time. Unit: microseconds."""

    pool: str
    time: int


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A command on its way.

    `asked` puts it together from the aggregate and may refuse; `if_version` is where the game must be; `keyed` says
    whether a repeat gets the first answer again; without it, a repeat is judged like any other command. `hold`: what
    whoever sends it goes on with, so that nobody else takes it up.
    """

    asked: Callable[[Aggregate], Asked]
    cause: Callable[[Aggregate], Cause]
    command_id: str
    keyed: bool
    if_version: int | None = None
    hold: Hold | None = None


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a command: its events and the aggregate right after them. `replayed`: it was stored before.

    No events: a system command that had its effect already.
    """

    events: tuple[Recorded, ...]
    aggregate: Aggregate
    replayed: bool = False


class Committer:
    """Takes commands through decide and append, each with one effect however often it comes."""

    def __init__(
        self, games: Games, store: EventStore, streams: Streams, clock: Clock, entropy: Entropy, wake_up: WakeUp
    ) -> None:
        self._games = games
        self._store = store
        self._streams = streams
        self._clock = clock
        self._entropy = entropy
        self._wake_up = wake_up

    async def create(self, game_id: str, request: Request) -> Committed:
        """Start a stream, or answer again if this command has started it.

        Raises: KeyReused when the id stands for another command; what `decide` raises.
        """
        loaded = Loaded(aggregate=blank(game_id), secret=self._entropy.bytes(SECRET_BYTES))
        try:
            return await self._append(loaded, request, loaded.secret)
        except ConcurrencyConflict:
            return await self._replay(game_id, request, request.asked(loaded.aggregate))

    async def submit(self, game_id: str, request: Request) -> Committed:
        """Take a command to its one effect.

        Raises: StreamNotFound, VersionMismatch, KeyReused, ConcurrencyConflict when every attempt lost its race; what
        `asked` and `decide` raise, judged by the newest state.
        """
        async with self._streams.queue(game_id):
            loaded = await self._streams.recent(game_id)
            for _ in range(ATTEMPTS):
                asked = None
                try:
                    asked = request.asked(loaded.aggregate)
                    _require_version(loaded.aggregate, request.if_version)
                    return await self._append(loaded, request, None)
                except (StoreUnavailable, CorruptLog, NewerSoftware):
                    raise
                except DomainError as refusal:
                    if asked and request.keyed and await self._store.command(game_id, request.command_id):
                        return await self._replay(game_id, request, asked)
                    # A refusal judged by an old state is none: look again before it is final.
                    newest = await self._streams.fresh(game_id)
                    if newest.aggregate.head == loaded.aggregate.head and not isinstance(refusal, ConcurrencyConflict):
                        raise
                    loaded = newest
            msg = f"{ATTEMPTS} attempts lost their race"
            raise ConcurrencyConflict(msg)

    async def _append(self, loaded: Loaded, request: Request, new_secret: bytes | None) -> Committed:
        aggregate = loaded.aggregate
        asked, cause = request.asked(aggregate), request.cause(aggregate)
        now = max(self._clock.now(), aggregate.recorded_at)
        setting = Setting(
            games=self._games,
            game_id=aggregate.game_id,
            secret=loaded.secret,
            version=aggregate.head.version,
            now=now,
        )
        decision = decide(aggregate.table, asked, setting)
        if not decision.events:
            return Committed(events=(), aggregate=aggregate)
        # Without the secret nothing is drawn any more; salts need only be unguessable.
        salt_key = loaded.secret or self._entropy.bytes(SECRET_BYTES)
        events = record(aggregate, asked, decision, cause, secret=salt_key, now=now)
        after = advanced(aggregate, decision.after, events[-1])
        listing = _held(listing_of(after.opened, now), request.hold)
        await self._store.append(
            Batch(
                game_id=aggregate.game_id,
                after=aggregate.head,
                command_id=cause.command_id,
                events=events,
                listing=listing,
                seated=_seated(aggregate, after),
                secret=new_secret,
            )
        )
        self._streams.keep(msgspec.structs.replace(loaded, aggregate=after))
        self._wake_up.hint(aggregate.game_id, after.head.version, listing.due)
        return Committed(events=events, aggregate=after)

    async def _replay(self, game_id: str, request: Request, asked: Asked) -> Committed:
        stored: Sequence[Recorded] = await self._store.command(game_id, request.command_id)
        if not stored or command_json(stored[0]) != to_json(asked.command):
            msg = "this idempotency key was used for another request"
            raise KeyReused(msg)
        aggregate = await self._streams.at(game_id, stored[-1].version)
        return Committed(events=tuple(stored), aggregate=aggregate, replayed=True)


def _held(listing: Listing, hold: Hold | None) -> Listing:
    due = listing.due
    if hold is None or due is None or due.kind != "bot" or due.pool != hold.pool:
        return listing
    return msgspec.structs.replace(listing, due=msgspec.structs.replace(due, at=due.at + hold.time))


def _seated(before: Aggregate, after: Aggregate) -> tuple[tuple[str, Seat], ...] | None:
    """Who sits where, unless the game has begun: then nobody comes or goes any more."""
    if isinstance(before.table, Running):
        return None
    chairs = enumerate(after.opened.chairs)
    return tuple((chair.player, seat) for seat, chair in chairs if isinstance(chair, PlayerChair))


def _require_version(aggregate: Aggregate, version: int | None) -> None:
    if version is not None and aggregate.head.version != version:
        raise VersionMismatch(aggregate.head.version)
