"""Points as pure functions of what lies on the table."""

from collections.abc import Sequence

from domain.games.ra.events import GameEnded, ScoreLine
from domain.games.ra.material import (
    CIVILISATION_POINTS,
    CIVILISATIONS,
    DIFFERENT_MONUMENTS,
    EPOCHS,
    FEWEST_PHARAOHS,
    GOD_POINTS,
    GOLD_POINTS,
    HIGHEST_SUNS,
    IDENTICAL_MONUMENTS,
    LOWEST_SUNS,
    MONUMENTS,
    MOST_PHARAOHS,
)
from domain.games.ra.state import Player, State, Tiles
from domain.kernel.messages import Seat


def lines(state: State) -> tuple[ScoreLine, ...]:
    """What the epoch that has ended brings each seat. Shape: in seat order. Rules: RA-8.1 to RA-8.9."""
    players, both = state.players, state.options.all_equal == "both"
    last = state.epoch == EPOCHS
    pharaohs = compared([player.tiles.count("pharaoh") for player in players], MOST_PHARAOHS, FEWEST_PHARAOHS, both)
    suns = compared([sun_total(player) for player in players], HIGHEST_SUNS, LOWEST_SUNS, both)
    return tuple(
        _line(player, pharaohs[seat], monuments(player.tiles) if last else 0, suns[seat] if last else 0, state)
        for seat, player in enumerate(players)
    )


def _line(player: Player, pharaoh_points: int, monument_points: int, sun_points: int, state: State) -> ScoreLine:
    tiles = player.tiles
    gods, gold = GOD_POINTS * tiles.count("god"), GOLD_POINTS * tiles.count("gold")
    nile_points, civilisation_points = niles(tiles), civilisations(tiles)
    net = gods + gold + nile_points + civilisation_points + pharaoh_points + monument_points + sun_points
    floor = state.options.score_floor
    after = player.score + net
    return ScoreLine(
        gods=gods,
        gold=gold,
        niles=nile_points,
        civilisations=civilisation_points,
        pharaohs=pharaoh_points,
        monuments=monument_points,
        suns=sun_points,
        net=net,
        before=player.score,
        after=after if floor is None else max(after, floor),
    )


def niles(tiles: Tiles) -> int:
    """One for each Nile and each flood, if there is a flood. Rules: RA-8.3."""
    floods = tiles.count("flood")
    return floods + tiles.count("nile") if floods else 0


def civilisations(tiles: Tiles) -> int:
    """By the number of different civilisation tiles. Rules: RA-8.4."""
    return CIVILISATION_POINTS[sum(tile in tiles for tile in CIVILISATIONS)]


def monuments(tiles: Tiles) -> int:
    """For different monuments and, monument by monument, for identical ones. Rules: RA-8.7."""
    owned = [tiles.count(tile) for tile in MONUMENTS if tile in tiles]
    return DIFFERENT_MONUMENTS[len(owned)] + sum(IDENTICAL_MONUMENTS[copies] for copies in owned)


def compared(amounts: Sequence[int], most: int, fewest: int, both: bool) -> tuple[int, ...]:
    """The points of seats whose amounts are compared; when all are equal none, or `both` at once.

    Rules: RA-8.5, RA-8.6, RA-8.8.
    """
    high, low = max(amounts), min(amounts)
    if high == low and not both:
        return (0,) * len(amounts)
    return tuple(most * (amount == high) + fewest * (amount == low) for amount in amounts)


def sun_total(player: Player) -> int:
    """Of all suns of the seat, whichever side is up. Rules: RA-8.8."""
    return sum(player.suns_up) + sum(player.suns_down)


def result(state: State) -> GameEnded:
    """The end of a game whose third epoch is scored. Rules: RA-9.2, RA-9.3."""
    scores = tuple(player.score for player in state.players)

    def rank(seat: Seat) -> tuple[int, int]:
        player = state.players[seat]
        return scores[seat], max((*player.suns_up, *player.suns_down))

    ranking = sorted(range(len(scores)), key=rank, reverse=True)
    tied = scores[ranking[0]] == scores[ranking[1]]
    return GameEnded(
        scores=scores,
        winners=(ranking[0],),
        ranking=tuple((seat,) for seat in ranking),
        reason="highest_sun" if tied else "points",
    )
