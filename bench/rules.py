"""How fast the rules are: whole random games, folding, listing legal moves. Run as `python -m bench.rules`."""

from argparse import ArgumentParser
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from bench.matches import Dice
from bench.measuring import Figures, keep, machine, seconds, show, spread
from domain.kernel.game import AnyGame
from domain.kernel.messages import Event, Seat
from domain.registry import all_games

LISTINGS = 200
"""How often the widest list is made in a run, to be long against the clock's resolution."""

PATIENCE = 75
"""How often a patient player makes the idle move without a thought. Unit: percent."""


class Played(NamedTuple):
    """A random game: its events, how many commands made them, and the widest position.

    Shape: `widest` number of legal moves, state, seat.
    """

    start: Any  # the game's own state
    events: tuple[Event, ...]
    moves: int
    widest: tuple[int, Any, Seat]


def random_game(game: AnyGame, seats: int, seed: int, idle: int = 0) -> Played:
    """One game with the first preset; the idle move is made in `idle` % of cases, else any move, all equally likely.

    Patient games come to positions that others never see.
    """
    chance, moves, widest = Dice(f"{game.key}/{seats}/{seed}"), 0, (0, None, 0)
    start = state = game.initial(seats, next(iter(game.presets.values())), game.rules_version)
    happened = list(game.setup(state, chance))
    state = reduce(game.evolve, happened, state)
    while game.outcome(state) is None:
        seat, command = None, game.upkeep(state)
        if command is None:
            seat = game.to_act(state)[0]
            legal = game.legal(state, seat)
            command = legal[0 if idle and chance.below(100) < idle else chance.below(len(legal))]
            if len(legal) > widest[0]:
                widest = (len(legal), state, seat)
        events = game.decide(state, seat, command, chance)
        state = reduce(game.evolve, events, state)
        happened += events
        moves += 1
    return Played(start, tuple(happened), moves, widest)


def measure(game: AnyGame, seats: int, games: int, runs: int) -> Figures:
    """The figures of one game with so many seats."""
    played = [random_game(game, seats, seed) for seed in range(games)]
    moves, events = sum(one.moves for one in played), sum(len(one.events) for one in played)
    patient = [random_game(game, seats, seed, PATIENCE) for seed in range(games)]
    width, state, seat = max((one.widest for one in played + patient), key=lambda widest: widest[0])

    def timed(work: Callable[[], object]) -> list[float]:
        return [seconds(work) for _ in range(runs)]

    whole = timed(lambda: [random_game(game, seats, seed) for seed in range(games)])
    folds = timed(lambda: [reduce(game.evolve, one.events, one.start) for one in played])
    lists = timed(lambda: [game.legal(state, seat) for _ in range(LISTINGS)])
    return {
        "moves a game": round(moves / games, 1),
        "events a game": round(events / games, 1),
        "games a second": spread([games / one for one in whole]),
        "moves a second": spread([moves / one for one in whole]),
        "microseconds an event folded": spread([one / events * 1e6 for one in folds]),
        "legal moves in the widest position": width,
        "microseconds to list them": spread([one / LISTINGS * 1e6 for one in lists]),
    }


def main() -> None:
    """Measure every game with every number of seats."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=50, help="random games in a run")
    asked.add_argument("--runs", type=int, default=5, help="runs of which least, median and greatest are told")
    counts = asked.parse_args()
    on = machine()
    show("machine", on)
    figures: Figures = {}
    for key, game in all_games().items():
        figures[key] = {}
        for seats in game.seats:
            found = measure(game, seats, counts.games, counts.runs)
            show(f"{game.title}, {seats} seats", found)
            figures[key][f"{seats} seats"] = found
    keep("rules", {"machine": on, "random games in a run": counts.games, "runs": counts.runs, "games": figures})


if __name__ == "__main__":
    main()
