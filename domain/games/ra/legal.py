"""Every legal command of a seat, generated directly, and what stands in the way of taking it back."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeVar, assert_never

from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, Pass, PlayerCommand, RaCommand, UseGods
from domain.games.ra.decide import decide
from domain.games.ra.events import Demand
from domain.games.ra.evolve import fold
from domain.games.ra.material import CIVILISATIONS, MONUMENTS, TRACK_SPACES
from domain.games.ra.state import (
    Auction,
    AwaitingScore,
    Discard,
    Over,
    Setup,
    State,
    Tiles,
    Turn,
    best_sun,
    must_bid,
    to_act,
)
from domain.kernel.chance import NoChance
from domain.kernel.messages import Seat

T = TypeVar("T", bound=str)


def legal(state: State, seat: Seat) -> tuple[PlayerCommand, ...]:
    """The commands that `decide` accepts from the seat, the idle move first; none when it is not to act.

    Rules: RA-10.1.
    """
    player = state.players[seat]
    match state.phase if seat in to_act(state) else None:
        case Turn():
            return tuple(_turn(state.track, player.tiles.count("god")))
        case Auction() as auction:
            return tuple(_answers(player.suns_up, auction))
        case Discard(due=due):
            return _discards(player.tiles, due[0])
        case Setup() | AwaitingScore() | Over() | None:
            return ()
        case phase:
            assert_never(phase)


def barrier(state: State, seat: Seat, command: RaCommand) -> str | None:
    """Why the legal command could not be taken back. Everything it depends on is public. Rules: RA-10.2."""
    if isinstance(command, Draw):
        return "reveals_tile"
    after = fold(state, decide(state, seat, command, NoChance()))
    if isinstance(after.phase, AwaitingScore):
        return "ends_epoch"
    return None if to_act(after) == (seat,) else "passes_turn"


def _turn(track: Tiles, gods: int) -> Iterator[PlayerCommand]:
    if len(track) < TRACK_SPACES:
        yield Draw()
    yield Invoke()
    takeable = [slot for slot, tile in enumerate(track) if tile != "god"]
    for spent in range(1, gods + 1):
        yield from (UseGods(slots=slots) for slots in combinations(takeable, spent))


def _answers(suns: tuple[int, ...], auction: Auction) -> Iterator[PlayerCommand]:
    if not must_bid(auction):
        yield Pass()
    best = best_sun(auction)
    yield from (Bid(sun=sun) for sun in suns if sun > best)


def _discards(owned: Tiles, demand: Demand) -> tuple[PlayerCommand, ...]:
    if demand.disaster == "dis:unrest":
        return tuple(DiscardTiles(civilisations=lost) for lost in _choices(owned, CIVILISATIONS, demand.count))
    return tuple(DiscardTiles(monuments=lost) for lost in _choices(owned, MONUMENTS, demand.count))


def _choices(owned: Tiles, group: Sequence[T], size: int) -> list[tuple[T, ...]]:
    """The different choices of `size` owned tiles of the group: fewest ids lost completely first, then table order."""
    counts = [(tile, owned.count(tile)) for tile in group if tile in owned]
    return sorted(
        _multisets(counts, size),
        key=lambda chosen: sum(chosen.count(tile) == owned.count(tile) for tile in set(chosen)),
    )


def _multisets(counts: Sequence[tuple[T, int]], size: int) -> Iterator[tuple[T, ...]]:
    """In lexicographic order, which takes most copies of the first tile first."""
    if not counts:
        if not size:
            yield ()
        return
    (tile, copies), *rest = counts
    for taken in range(min(copies, size), -1, -1):
        yield from ((tile,) * taken + others for others in _multisets(rest, size - taken))
