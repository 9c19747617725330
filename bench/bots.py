"""How well and how fast the bots play: matches with seats rotated. Run as `python -m bench.bots`."""

from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import combinations, count, islice
from statistics import fmean

from bench.matches import Played, play, seated
from bench.measuring import Figures, keep, machine, percentile, show, wilson
from domain.kernel.bots import Bot
from domain.kernel.game import AnyGame
from domain.kernel.messages import Seat
from domain.registry import all_games


def matches(game: AnyGame, one: Bot, others: Bot, seats: int) -> Iterator[tuple[Seat, Played]]:
    """`one` against `others` in all other seats, without end; each deal comes once with `one` in each seat."""
    for deal in count():
        for place in range(seats):
            yield place, play(game, seated(one, others, place, seats), f"{game.key}/{seats}/{deal}")


def measure(game: AnyGame, one: Bot, others: Bot, seats: int, games: int) -> Figures:
    """How often `one` wins, with its 95 % interval, what it scores, and how long it thinks."""
    played = list(islice(matches(game, one, others, seats), games))
    wins = sum(place in game.outcome.winners for place, game in played)
    thought = [
        decision.seconds * 1e3
        for place, game in played
        for decision in game.decisions
        if decision.seat == place and len(decision.legal) > 1
    ]
    return {
        "games": games,
        "wins": wins,
        "win rate": round(wins / games, 4),
        "95 % interval": [round(bound, 4) for bound in wilson(wins, games)],
        "of equal bots": round(1 / seats, 4),
        "own score": round(fmean(game.outcome.scores[place] for place, game in played), 1),
        "score of the others": round(
            fmean(score for place, game in played for seat, score in enumerate(game.outcome.scores) if seat != place), 1
        ),
        "milliseconds a decision": {
            "p50": round(percentile(thought, 0.5), 3),
            "p95": round(percentile(thought, 0.95), 3),
            "max": round(max(thought), 3),
        },
    }


def pairings(game: AnyGame, games: int) -> Iterator[tuple[Bot, Bot, int]]:
    """Each bot against those named before it, and every bot but the first, in fewer games, against its like."""
    yield from ((one, others, games) for others, one in combinations(game.bots.values(), 2))
    yield from ((bot, bot, -(-games // 10)) for bot in islice(game.bots.values(), 1, None))


def main() -> None:
    """Play every pairing of every game with every number of seats."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=600, help="games a pairing")
    games = asked.parse_args().games
    on = machine()
    show("machine", on)
    figures: Figures = {}
    for key, game in all_games().items():
        figures[key] = {}
        for one, others, many in pairings(game, games):
            for seats in game.seats:
                found = measure(game, one, others, seats, many)
                title = f"{one.name} {one.version} against {others.name} {others.version}, {seats} seats"
                show(f"{game.title}: {title}", found)
                figures[key][title] = found
    keep("bots", {"machine": on, "games": figures})


if __name__ == "__main__":
    main()
