"""From seats and options to the first turn."""

from msgspec.structs import replace

from domain.games.ra.events import EpochStarted, RaEvent, SunsDealt
from domain.games.ra.material import COPIES, FIRST_CENTER_SUN, SEATINGS, Options
from domain.games.ra.state import NO_TILES, Player, Setup, State
from domain.kernel.chance import Chance, permutation
from domain.kernel.messages import Seat


def initial(seats: int, options: Options, rules_version: int) -> State:
    """The table before any event: all tiles in the bag, sun 1 in the centre, the other suns not dealt yet.

    Rules: RA-2.1, RA-2.3.
    """
    empty = Player(suns_up=(), suns_down=(), tiles=(), score=options.starting_points)
    return State(
        rules=rules_version,
        options=options,
        epoch=0,
        players=(empty,) * seats,
        center_sun=FIRST_CENTER_SUN,
        track=(),
        ra_count=0,
        bag=tuple(COPIES.values()),
        removed=NO_TILES,
        phase=Setup(sun_sets=SEATINGS[seats].sun_sets),
    )


def setup(state: State, chance: Chance) -> tuple[RaEvent, ...]:
    """Suns dealt and the first epoch opened. Rules: RA-2.2, RA-2.4."""
    sets = SEATINGS[len(state.players)].sun_sets
    if state.options.assign_suns == "random":
        sets = permutation(sets, chance)
    suns = tuple(tuple(sorted(own)) for own in sets)
    players = tuple(replace(player, suns_up=own) for player, own in zip(state.players, suns, strict=True))
    return SunsDealt(suns=suns), EpochStarted(epoch=1, active=holder_of_highest_sun(players))


def holder_of_highest_sun(players: tuple[Player, ...]) -> Seat:
    """Who opens an epoch; the sun in the centre is nobody's. Rules: RA-2.4, RA-7.5."""
    return max(range(len(players)), key=lambda seat: max((*players[seat].suns_up, *players[seat].suns_down)))
