"""The audit of a stored game: its chain followed from the first event, page by page."""

import msgspec

from domain.application.loading import Streams
from domain.application.ports import EventStore, Head
from domain.application.recording import hash_of
from domain.kernel.chain import GENESIS
from domain.table.state import Closed, Over

_PAGE = 500


class Audit(msgspec.Struct, frozen=True, kw_only=True):
    """What an audit found. `secret` in hex once the game is over, if it is not lost; `problems` a sentence each."""

    version: int
    head_hash: str
    chain_ok: bool
    commitment: str
    secret: str | None
    problems: tuple[str, ...]


async def audit(store: EventStore, streams: Streams, game_id: str) -> Audit:
    """Recompute every hash of a game and hold the result against what the service plays on.

    Raises: StreamNotFound.
    """
    loaded = await streams.fresh(game_id)
    table, version = loaded.aggregate.opened, loaded.aggregate.head.version
    head, problem = await _follow(store, game_id, version)
    if problem is None and head != loaded.aggregate.head:
        problem = f"The chain ends at version {head.version} with another hash than the service plays on."
    over = isinstance(table, Over | Closed)
    return Audit(
        version=version,
        head_hash=head.hash,
        chain_ok=problem is None,
        commitment=table.facts.commitment,
        secret=loaded.secret.hex() if over and loaded.secret else None,
        problems=() if problem is None else (problem,),
    )


async def _follow(store: EventStore, game_id: str, end: int) -> tuple[Head, str | None]:
    """The last head up to which the chain holds, and what is wrong after it."""
    head = Head(version=0, hash=GENESIS)
    while head.version < end:
        tail = await store.load(game_id, start=head.version + 1, end=min(end, head.version + _PAGE))
        if not tail.events:
            return head, f"Version {head.version + 1} is missing."
        for event in tail.events:
            if event.version != head.version + 1:
                return head, f"Version {head.version + 1} is missing."
            if hash_of(event, head.hash) != event.hash:
                return head, f"Version {event.version} does not have the hash that its content gives."
            head = Head(version=event.version, hash=event.hash)
    return head, None
