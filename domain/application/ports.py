"""What the application asks of the outside: a store, a clock, randomness, wake-ups. And what it tells them."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import msgspec

from domain.kernel.errors import DomainError
from domain.kernel.messages import Seat
from domain.kernel.visibility import Opening

Status: TypeAlias = Literal["lobby", "running", "finished", "abandoned"]
DueKind: TypeAlias = Literal["bot", "upkeep", "clock"]
Role: TypeAlias = Literal["player", "auditor", "operator"]


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """One event as stored, for good.

    `data` and `meta` hold commitments where `openings` has the values; `hash` covers all but `openings` and
    `position`, the event's place in the sealed global log, None until it is sealed.
    Unit: `recorded_at` microseconds since 1970 UTC.
    """

    game_id: str
    version: int
    type: str
    schema_version: int
    data: dict[str, Any]  # JSON of the event's own shape
    meta: dict[str, Any]  # JSON: actor, command, draws, correlation
    openings: dict[str, Opening]
    command_id: str
    command_ix: int
    recorded_at: int
    hash: str
    position: int | None = None


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """What a game waits for that a worker can do, and from when on.

    `pool` is the class of workers that do it; `urgent` says that a person waits for it.
    Unit: `at` microseconds since 1970 UTC.
    """

    kind: DueKind
    pool: str
    at: int
    seat: Seat | None = None
    urgent: bool = False


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """A game's row in the directory, written with every append; can be rebuilt from the events.

    Shape: `chairs` JSON of one chair per seat; `to_act` seats, ascending.
    """

    game: str
    status: Status
    chairs: list[dict[str, Any]]  # JSON of domain.table.chairs
    opener: str
    to_act: tuple[Seat, ...]
    due: Due | None


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The last event of a stream that a decision stands on; version 0 and GENESIS before the first."""

    version: int
    hash: str


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """The events of one command, appended together or not at all.

    `secret` is given with the first events of a stream only; `seated` (account, seat) of everybody who sits, None
    where it is as it was.
    """

    game_id: str
    after: Head
    command_id: str
    events: tuple[Recorded, ...]
    listing: Listing
    seated: tuple[tuple[str, Seat], ...] | None = None
    secret: bytes | None = None


class Tail(msgspec.Struct, frozen=True, kw_only=True):
    """What a stream holds from some version on, in order; `secret` None when it is lost or was not asked for."""

    events: Sequence[Recorded]
    secret: bytes | None


class ConcurrencyConflict(DomainError):
    """The stream's head is not the one the batch stands on, or its command is stored already; nothing was appended."""


class StreamNotFound(DomainError):
    """No stream has this id."""


class StoreUnavailable(DomainError):
    """The store did not answer; whether a batch was appended is not known."""


class EventStore(Protocol):
    """Streams of events. Every method may raise StoreUnavailable."""

    async def append(self, batch: Batch) -> None:
        """Store a batch durably, if the row with the version and hash it stands on is the head.

        Raises: ConcurrencyConflict.
        """
        ...

    async def load(self, game_id: str, *, start: int = 1, end: int | None = None, with_secret: bool = False) -> Tail:
        """The events with start <= version <= end; none for an unknown stream."""
        ...

    async def command(self, game_id: str, command_id: str) -> Sequence[Recorded]:
        """The events a command has caused, none if it is not stored."""
        ...


class SealedLog(Protocol):
    """The global order, given to events after they are stored. Every method may raise StoreUnavailable."""

    async def after(self, position: int, limit: int) -> Sequence[Recorded]:
        """The events of all games by position, after the given one."""
        ...

    async def positions(self, game_id: str, start: int, end: int) -> Mapping[int, int]:
        """Version to position of a game's events with start <= version <= end that are sealed."""
        ...


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """A person or program that plays, as the service knows it."""

    player_id: str
    name: str
    role: Role


class Accounts(Protocol):
    """Who may come in. Tokens are known by their SHA-256 only. Every method may raise StoreUnavailable."""

    async def create(self, account: Account, token_hash: bytes) -> Account:
        """Add an account; if its id is there already, give the one that is."""
        ...

    async def by_token(self, token_hash: bytes) -> Account | None:
        """Whose token this is."""
        ...

    async def names(self, players: Collection[str]) -> Mapping[str, str]:
        """The names of accounts by id; those that are unknown are left out."""
        ...


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A game as the directory lists it. Unit: microseconds since 1970 UTC."""

    game_id: str
    version: int
    listing: Listing
    opened_at: int
    moved_at: int
    parked: str | None


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which games to list.

    `to_act`: only those that wait for `player`; `before`: (opened_at, game id) of the row to go on after.
    """

    game: str | None = None
    status: Status | None = None
    player: str | None = None
    to_act: bool = False
    before: tuple[int, str] | None = None
    limit: int = 50


class Directory(Protocol):
    """What all games are about, without folding any. Every method may raise StoreUnavailable."""

    async def list(self, wanted: Wanted) -> Sequence[Summary]:
        """The games wanted, newest first by (opened_at, game id), at most `limit`."""
        ...

    async def versions(self, games: Collection[str]) -> Mapping[str, int]:
        """The newest version of each of these games; those that are unknown are left out."""
        ...


class DueGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game that waits for a worker; `tries` how often it was handed out at this version before."""

    game_id: str
    version: int
    due: Due
    tries: int


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """Games of a pool that are due and in nobody's hands, and for how long the first has been. Unit: microseconds."""

    pool: str
    games: int
    oldest: int


class Parked(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was set aside. Unit: `moved_at` microseconds since 1970 UTC."""

    game_id: str
    version: int
    reason: str
    tries: int
    moved_at: int


class Dues(Protocol):
    """Games whose time has come, each leased to whoever claims it. Every method may raise StoreUnavailable."""

    async def claim(self, pool: str, limit: int, lease: int) -> Sequence[DueGame]:
        """Up to `limit` due games of a pool, those first where a person waits, and nobody else's for the lease.

        Claims never wait for each other. Unit: `lease` microseconds.
        """
        ...

    async def next_at(self) -> int | None:
        """When the next game that is not parked is due, in microseconds since 1970; None when none is."""
        ...

    async def release(self, game_id: str, version: int) -> None:
        """Give a lease back: the game is due now, unless it has moved on."""
        ...

    async def park(self, game_id: str, version: int, reason: str) -> None:
        """Set a game aside with the reason, unless it has moved on."""
        ...

    async def retry(self, game_id: str) -> bool:
        """Take a game that was set aside up again; False when it was not."""
        ...

    async def waiting(self) -> Sequence[Waiting]:
        """What is due now, by pool."""
        ...

    async def parked(self) -> Sequence[Parked]:
        """The games that were set aside."""
        ...


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Something an account wants to be told; `tries` how often it was handed out before."""

    game_id: str
    version: int
    kind: str
    player_id: str
    seat: Seat | None
    tries: int


class Notices(Protocol):
    """What is to be told to whom, each leased to whoever claims it. Every method may raise StoreUnavailable."""

    async def claim(self, limit: int, lease: int) -> Sequence[Notice]:
        """Up to `limit` notices that are due and not sent, nobody else's for the lease. Unit: `lease` microseconds."""
        ...

    async def sent(self, notice: Notice) -> None:
        """Never hand this notice out again."""
        ...


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody has read a running game unredacted. Unit: `at` microseconds since 1970 UTC."""

    player_id: str
    version: int
    route: str
    at: int


class Readings(Protocol):
    """Who has read what was hidden; kept for good. Every method may raise StoreUnavailable."""

    async def add(self, game_id: str, player_id: str, version: int, route: str) -> None:
        """Keep a reading, durably, before its answer goes out."""
        ...

    async def of_game(self, game_id: str) -> Sequence[Reading]:
        """Every reading of a game, oldest first."""
        ...

    async def has_read(self, game_id: str, player_id: str) -> bool:
        """Whether an account has read a game's secrets."""
        ...


class Clock(Protocol):
    """The time."""

    def now(self) -> int:
        """Microseconds since 1970 UTC."""
        ...


class Entropy(Protocol):
    """A source nobody can predict, for secrets and ids."""

    def bytes(self, count: int) -> bytes:
        """That many random bytes."""
        ...


class WakeUp(Protocol):
    """Tells whoever listens that a game has moved on. A hint: it may be lost, and must never delay or raise."""

    def hint(self, game_id: str, version: int, due: Due | None) -> None:
        """A game has reached a version, and waits for something."""
        ...


class NoWakeUp:
    """For a process that nobody listens to."""

    def hint(self, game_id: str, version: int, due: Due | None) -> None:
        """Nothing."""
