"""Disasters strike whoever takes them, at once; where there is a choice, the owner makes it."""

from domain.games.ra.commands import DiscardTiles
from domain.games.ra.decide.epoch import next_turn
from domain.games.ra.events import Demand, DiscardDemanded, RaEvent, TilesDiscarded, TilesLost
from domain.games.ra.material import CHOICE, DISASTERS, LOST_PER_DISASTER, STRIKES, Disaster
from domain.games.ra.state import Discard, State, Tiles, ordered
from domain.kernel.errors import IllegalCommand
from domain.kernel.messages import Seat


def parted(lot: Tiles) -> tuple[Tiles, tuple[Disaster, ...]]:
    """The lot as tiles to keep and disasters, each in table order."""
    tiles = ordered(tile for tile in lot if tile not in DISASTERS)
    return tiles, tuple(disaster for disaster in DISASTERS for _ in range(lot.count(disaster)))


def strike(state: State, seat: Seat, disasters: tuple[Disaster, ...], *, after: Seat) -> tuple[RaEvent, ...]:
    """What the disasters do to the seat that took them; with no choice left open, the turn goes on from `after`.

    Rules: RA-6.1 to RA-6.6, RA-6.8.
    """
    losses: list[TilesLost] = []
    due: list[Demand] = []
    for disaster in sorted(set(disasters), key=DISASTERS.index):
        count = LOST_PER_DISASTER * disasters.count(disaster)
        exposed = _exposed(state.players[seat].tiles, disaster)
        if disaster in CHOICE and len(exposed) > count and len(set(exposed)) > 1:
            due.append(Demand(disaster=disaster, count=count))
        elif exposed:
            losses.append(TilesLost(seat=seat, disaster=disaster, tiles=ordered(exposed[:count])))
    if due:
        return *losses, DiscardDemanded(seat=seat, after=after, due=tuple(due))
    return *losses, next_turn(state, after)


def discard(state: State, phase: Discard, command: DiscardTiles) -> tuple[RaEvent, ...]:
    """The tiles the owner gives up to the disaster that is due.

    Rules: RA-6.7, RA-6.8. Raises: RA-6.7 `wrong_discard_count`, `not_owned`.
    """
    demand, *further = phase.due
    wanted = (demand.count, 0) if demand.disaster == "dis:unrest" else (0, demand.count)
    if (len(command.civilisations), len(command.monuments)) != wanted:
        detail = f"Give up exactly {wanted[0]} civilisation tiles and {wanted[1]} monuments."
        raise IllegalCommand("RA-6.7", "wrong_discard_count", detail)
    chosen, owned = ordered((*command.civilisations, *command.monuments)), state.players[phase.seat].tiles
    if any(chosen.count(tile) > owned.count(tile) for tile in chosen):
        raise IllegalCommand("RA-6.7", "not_owned", "Choose only tiles that you own, each as often as you own it.")
    discarded = TilesDiscarded(seat=phase.seat, disaster=demand.disaster, tiles=chosen)
    return (discarded,) if further else (discarded, next_turn(state, phase.after))


def _exposed(tiles: Tiles, disaster: Disaster) -> Tiles:
    """What of the seat's tiles the disaster can destroy, in the order in which it does."""
    return tuple(tile for kind in STRIKES[disaster] for tile in tiles if tile == kind)
