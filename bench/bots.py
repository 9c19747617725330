"""How well and how fast the bots play: matches with seats rotated. Run as `python -m bench.bots`."""

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count, islice
from statistics import fmean

from bench.matches import Decision, Played, play, seated
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


def duel(game: AnyGame, one: Bot, others: Bot, seats: int, games: int) -> Figures:
    """How often `one` wins against `others`, with the 95 % interval, what they score, and how long it thinks."""
    wins, own, theirs, thoughts = 0, [], [], []
    for place, match in islice(matches(game, one, others, seats), games):
        wins += place in match.outcome.winners
        own.append(match.outcome.scores[place])
        theirs += [score for seat, score in enumerate(match.outcome.scores) if seat != place]
        thoughts += thinking(made for made in match.decisions if made.seat == place)
    return {
        "games": games,
        "wins": wins,
        "win rate": round(wins / games, 4),
        "95 % interval": [round(bound, 4) for bound in wilson(wins, games)],
        "win rate of an equal": round(1 / seats, 4),
        "mean score": round(fmean(own), 1),
        "mean score of the others": round(fmean(theirs), 1),
        "milliseconds a decision": percentiles(thoughts),
    }


def company(game: AnyGame, bot: Bot, seats: int, games: int) -> Figures:
    """What the bot scores among its like, and how long it thinks then."""
    scores: list[int] = []
    best, thoughts = [], []
    for deal in range(games):
        match = play(game, (bot,) * seats, f"{game.key}/{seats}/{deal}")
        scores += match.outcome.scores
        best.append(max(match.outcome.scores))
        thoughts += thinking(match.decisions)
    return {
        "games": games,
        "mean score": round(fmean(scores), 1),
        "mean score of the best": round(fmean(best), 1),
        "scores": percentiles(scores),
        "milliseconds a decision": percentiles(thoughts),
    }


def thinking(decisions: Iterable[Decision]) -> list[float]:
    """How long each decision took in which there was a choice. Unit: milliseconds."""
    return [made.seconds * 1e3 for made in decisions if len(made.legal) > 1]


def percentiles(values: Sequence[float]) -> Figures:
    """Half of the values are not above the first, 95 % not above the second."""
    return {
        "p50": round(percentile(values, 0.5), 3),
        "p95": round(percentile(values, 0.95), 3),
        "max": round(max(values), 3),
    }


def measure(game: AnyGame, games: int) -> Figures:
    """Each bot against those named before it; every bot but the first also among its like, in fewer games."""
    figures: Figures = {}
    for seats in game.seats:
        for others, one in combinations(game.bots.values(), 2):
            title = f"{one.name} {one.version} against {others.name} {others.version}, {seats} seats"
            figures[title] = duel(game, one, others, seats, games)
            show(f"{game.title}: {title}", figures[title])
        for bot in islice(game.bots.values(), 1, None):
            title = f"{bot.name} {bot.version} among its like, {seats} seats"
            figures[title] = company(game, bot, seats, -(-games // 10))
            show(f"{game.title}: {title}", figures[title])
    return figures


def main() -> None:
    """Play every pairing of every game with every number of seats."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("--games", type=int, default=600, help="games a pairing")
    games = asked.parse_args().games
    on = machine()
    show("machine", on)
    keep("bots", {"machine": on, "games": {key: measure(game, games) for key, game in all_games().items()}})


if __name__ == "__main__":
    main()
