"""A turn: draw a tile, call Ra or use gods."""

from domain.games.ra.commands import UseGods
from domain.games.ra.decide.auction import start
from domain.games.ra.decide.disasters import parted, strike
from domain.games.ra.decide.epoch import end, next_turn
from domain.games.ra.events import GodsUsed, RaEvent, TileDrawn
from domain.games.ra.evolve import evolve
from domain.games.ra.material import TILES, TRACK_SPACES
from domain.games.ra.state import State, Turn, ra_spaces
from domain.kernel.chance import Chance, pick
from domain.kernel.errors import IllegalCommand


def draw(state: State, turn: Turn, chance: Chance) -> tuple[RaEvent, ...]:
    """A tile from the bag and what it sets off.

    Rules: RA-4.1 to RA-4.5. Raises: RA-4.1 `track_full`.
    """
    if len(state.track) == TRACK_SPACES:
        raise IllegalCommand("RA-4.1", "track_full", "The auction track is full: call Ra or use god tiles.")
    drawn = TileDrawn(seat=turn.active, tile=pick(zip(TILES, state.bag, strict=True), chance))
    after = evolve(state, drawn)
    if drawn.tile == "ra":
        return drawn, end(after, "ra_track") if after.ra_count == ra_spaces(after) else start(after, turn, "ra_drawn")
    if len(after.track) == TRACK_SPACES and after.options.full_track == "auto":
        return drawn, start(after, turn, "full_track")
    return drawn, next_turn(after, turn.active)


def invoke(state: State, turn: Turn) -> tuple[RaEvent, ...]:
    """An auction by the seat's own call. Rules: RA-4.9."""
    return (start(state, turn, "full_track" if len(state.track) == TRACK_SPACES else "voluntary"),)


def use_gods(state: State, turn: Turn, command: UseGods) -> tuple[RaEvent, ...]:
    """Tiles taken from the track for gods, and the disasters among them.

    Rules: RA-4.6 to RA-4.8. Raises: RA-4.7 `no_such_slot`, `duplicate_slot`, RA-4.8 `god_not_takeable`, RA-4.6
    `not_enough_gods`.
    """
    slots, gods = tuple(sorted(command.slots)), state.players[turn.active].tiles.count("god")
    if slots[0] < 0 or slots[-1] >= len(state.track):
        detail = f"Choose among the {len(state.track)} tiles on the auction track, counted from 0."
        raise IllegalCommand("RA-4.7", "no_such_slot", detail)
    if len(set(slots)) < len(slots):
        raise IllegalCommand("RA-4.7", "duplicate_slot", "Name each slot once.")
    lot = tuple(state.track[slot] for slot in slots)
    if "god" in lot:
        raise IllegalCommand("RA-4.8", "god_not_takeable", "A god tile cannot be taken with a god: leave it there.")
    if len(slots) > gods:
        detail = f"You own {gods} god tile(s) and each takes one tile: choose fewer tiles."
        raise IllegalCommand("RA-4.6", "not_enough_gods", detail)
    tiles, struck = parted(lot)
    used = GodsUsed(seat=turn.active, slots=slots, tiles=tiles, disasters=struck)
    return used, *strike(evolve(state, used), turn.active, struck, after=turn.active)
