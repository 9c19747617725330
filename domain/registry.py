"""Finds the games: every folder under `domain/games/` that holds a `GAME`."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import MappingProxyType

from domain import games
from domain.kernel.game import AnyGame
from domain.kernel.upcasting import check_upcasters


@cache
def all_games() -> Mapping[str, AnyGame]:
    """Every game by its key, in alphabetical order.

    Raises: ValueError when a game's key is not its folder's name or its upcasters have a gap.
    """
    found: dict[str, AnyGame] = {}
    for folder in sorted(pkgutil.iter_modules(games.__path__), key=lambda module: module.name):
        game: AnyGame = import_module(f"{games.__name__}.{folder.name}").GAME
        if game.key != folder.name:
            msg = f"the game in folder {folder.name} calls itself {game.key}"
            raise ValueError(msg)
        check_upcasters(game.upcasters, game.events)
        found[game.key] = game
    return MappingProxyType(found)
