"""Tables for the tests of Ra: every tile that does not lie somewhere else is in the bag."""

from itertools import chain

from domain.games.ra import GAME
from domain.games.ra.commands import Draw, RaCommand
from domain.games.ra.material import COPIES, PRESETS, SEATINGS, TILES, AuctionKind, Options, Tile
from domain.games.ra.state import (
    NO_TILES,
    Auction,
    Phase,
    PlacedBid,
    Player,
    State,
    Turn,
    counted,
    ordered,
)
from domain.kernel.chance import NoChance
from domain.kernel.messages import Seat
from tests.spec import Given, Loaded, When, given, number_of

SEED = PRESETS["seed"]
OFFICIAL = PRESETS["official"]


def player(*suns_up: int, down: tuple[int, ...] = (), tiles: str = "", score: int = 5) -> Player:
    """A seat's possessions."""
    return Player(suns_up=suns_up, suns_down=down, tiles=ordered(lot(tiles)), score=score)


def lot(names: str) -> tuple[Tile, ...]:
    """Tiles by the ends of their ids, in the order given: `"god art 3*pyramid"`."""
    tiles: list[Tile] = []
    for part in names.split():
        copies, _, name = part.rpartition("*")
        tile = next(tile for tile in TILES if tile.rpartition(":")[2] == name)
        tiles += [tile] * int(copies or 1)
    return tuple(tiles)


def table(
    *players: Player,
    phase: Phase | None = None,
    track: str = "",
    ra_count: int = 0,
    center_sun: int = 1,
    epoch: int = 1,
    options: Options = SEED,
) -> State:
    """A game where seat 0 has the turn, unless told otherwise."""
    ra_tiles: tuple[Tile, ...] = tuple("ra" for _ in range(ra_count))
    out = chain(ra_tiles, lot(track), *(one.tiles for one in players))
    return State(
        rules=GAME.rules_version,
        options=options,
        epoch=epoch,
        players=players,
        center_sun=center_sun,
        track=lot(track),
        ra_count=ra_count,
        bag=counted(tuple(COPIES.values()), out, -1),
        removed=NO_TILES,
        phase=phase or Turn(active=0),
    )


def three(*tiles: str, scores: tuple[int, ...] = (5, 5, 5)) -> tuple[Player, ...]:
    """Three seats with the suns of table RA-1.2 and these tiles."""
    suns = SEATINGS[3].sun_sets
    held = (*tiles, "", "", "")
    return tuple(player(*sorted(suns[seat]), tiles=held[seat], score=scores[seat]) for seat in range(3))


def auction(
    order: tuple[Seat, ...], *bids: tuple[Seat, int], kind: AuctionKind = "ra_drawn", ra_player: Seat = 0
) -> Auction:
    """An auction in which `order` has still to answer."""
    placed = tuple(PlacedBid(seat=seat, sun=sun) for seat, sun in bids)
    return Auction(ra_player=ra_player, kind=kind, order=order, bids=placed)


def ra(state: State) -> Given[State]:
    """The game of Ra in that state."""
    return given(GAME, state)


def draws(so_far: Given[State], seat: Seat, name: str) -> When[State]:
    """The seat draws, and the bag gives that tile."""
    (tile,) = lot(name)
    return so_far.when(seat, Draw(), Loaded(number_of(tile, zip(TILES, so_far.state.bag, strict=True))))


def after(state: State, seat: Seat | None, *commands: RaCommand) -> State:
    """The state after commands that draw nothing."""
    for command in commands:
        for event in GAME.decide(state, seat, command, NoChance()):
            state = GAME.evolve(state, event)
    return state
