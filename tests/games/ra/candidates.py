"""A wide superset of the commands a seat could think of, to be sifted by `decide`."""

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, Pass, PlayerCommand, UseGods
from domain.games.ra.material import CIVILISATIONS, MONUMENTS, TRACK_SPACES
from domain.games.ra.state import Discard, State
from domain.kernel.messages import Seat


def candidates(state: State, _seat: Seat) -> Iterator[PlayerCommand]:
    """Every type of command with every parameter, sorted as events hold them; no two are the same.

    Discards go up to the largest number that is due plus one, of each group alone; with nothing due, up to two.
    """
    yield from (Draw(), Invoke(), Pass())
    yield from (Bid(sun=sun) for sun in range(18))
    for size in range(1, TRACK_SPACES + 1):
        yield from (UseGods(slots=slots) for slots in combinations(range(TRACK_SPACES + 1), size))
    yield DiscardTiles()
    phase = state.phase
    most = max(demand.count for demand in phase.due) + 1 if isinstance(phase, Discard) and phase.due else 2
    for size in range(1, most + 1):
        yield from (DiscardTiles(civilisations=ids) for ids in combinations_with_replacement(CIVILISATIONS, size))
        yield from (DiscardTiles(monuments=ids) for ids in combinations_with_replacement(MONUMENTS, size))
    yield from (DiscardTiles(civilisations=(one,), monuments=(other,)) for one in CIVILISATIONS for other in MONUMENTS)
