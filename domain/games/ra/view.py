"""What a seat or a watcher sees: everything but the next tile and, where scores are hidden, the scores of others."""

from collections.abc import Mapping

import msgspec

from domain.games.ra.material import SEATINGS, TILES, TRACK_SPACES, Options, Tile
from domain.games.ra.state import Counts, Over, Phase, Player, State, Tiles
from domain.kernel.chance import Chance
from domain.kernel.messages import Seat


class PlayerView(msgspec.Struct, frozen=True, kw_only=True):
    """One seat as others see it. `score` is null where it is hidden."""

    suns_up: tuple[int, ...]
    suns_down: tuple[int, ...]
    tiles: Tiles
    score: int | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The board.

    Shape: `players` in seat order; `track` from slot 0; `ra_count` of `ra_spaces` Ra tiles drawn in this epoch; `bag`
    and `removed` by tile; `phase` tells who is asked for what.
    """

    rules: int
    options: Options
    epoch: int
    players: tuple[PlayerView, ...]
    center_sun: int
    track: Tiles
    track_spaces: int
    ra_count: int
    ra_spaces: int
    bag: Mapping[Tile, int]
    removed: Mapping[Tile, int]
    phase: Phase


def view(state: State, seat: Seat | None) -> View:
    """What the seat sees; None is a watcher. Rules: RA-1.4, RA-1.5."""
    open_scores = isinstance(state.phase, Over) or not state.options.hide_scores
    return View(
        rules=state.rules,
        options=state.options,
        epoch=state.epoch,
        players=tuple(_shown(player, open_scores or owner == seat) for owner, player in enumerate(state.players)),
        center_sun=state.center_sun,
        track=state.track,
        track_spaces=TRACK_SPACES,
        ra_count=state.ra_count,
        ra_spaces=SEATINGS[len(state.players)].ra_spaces,
        bag=_by_tile(state.bag),
        removed=_by_tile(state.removed),
        phase=state.phase,
    )


def resample(seen: View, seat: Seat | None, _chance: Chance) -> State:
    """A state that fits the view; only scores can be unknown, and those are taken to equal the viewer's own."""
    own = seen.players[seat].score if seat is not None else None
    assumed = seen.options.starting_points if own is None else own
    return State(
        rules=seen.rules,
        options=seen.options,
        epoch=seen.epoch,
        players=tuple(
            Player(
                suns_up=player.suns_up,
                suns_down=player.suns_down,
                tiles=player.tiles,
                score=assumed if player.score is None else player.score,
            )
            for player in seen.players
        ),
        center_sun=seen.center_sun,
        track=seen.track,
        ra_count=seen.ra_count,
        bag=_in_order(seen.bag),
        removed=_in_order(seen.removed),
        phase=seen.phase,
    )


def _shown(player: Player, with_score: bool) -> PlayerView:
    return PlayerView(
        suns_up=player.suns_up,
        suns_down=player.suns_down,
        tiles=player.tiles,
        score=player.score if with_score else None,
    )


def _by_tile(counts: Counts) -> dict[Tile, int]:
    return dict(zip(TILES, counts, strict=True))


def _in_order(by_tile: Mapping[Tile, int]) -> Counts:
    return tuple(by_tile[tile] for tile in TILES)
