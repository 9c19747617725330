"""Builds the service from its parts; the one place that chooses a store and asks the registry."""

from dataclasses import dataclass

from domain.application.committing import Committer
from domain.application.loading import Streams
from domain.application.ports import Clock, Entropy, EventStore, NoWakeUp, SealedLog, WakeUp
from domain.application.reading import GameReader
from domain.application.service import GameService
from domain.application.working import GameWorker
from domain.registry import all_games
from domain.table.evolve import Games
from eventstore.memory import MemoryEventStore
from ostraka.outside import SystemClock, SystemEntropy


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The service taken apart: what accounts ask, what anybody reads, what workers do, over one store."""

    games: Games
    streams: Streams
    service: GameService
    reader: GameReader
    worker: GameWorker


def build(store: EventStore, log: SealedLog, *, clock: Clock, entropy: Entropy, wake_up: WakeUp) -> Parts:
    """The parts over a store."""
    games = all_games()
    streams = Streams(games, store)
    committer = Committer(games, store, streams, clock, entropy, wake_up)
    return Parts(
        games=games,
        streams=streams,
        service=GameService(games, committer, streams, clock, entropy),
        reader=GameReader(games, store, log, streams, clock),
        worker=GameWorker(committer, streams, clock),
    )


def build_in_memory() -> tuple[Parts, MemoryEventStore]:
    """The whole service in this process; its games are gone with it."""
    store = MemoryEventStore()
    return build(store, store, clock=SystemClock(), entropy=SystemEntropy(), wake_up=NoWakeUp()), store
