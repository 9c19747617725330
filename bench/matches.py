"""Whole games between bots, on the functions of a game alone: no table, no service, no store."""

from collections.abc import Sequence
from random import Random
from time import thread_time
from typing import Any, NamedTuple

from domain.kernel.bots import Bot
from domain.kernel.game import AnyGame
from domain.kernel.messages import Command, Seat
from domain.kernel.outcome import Outcome


class Dice:
    """Fast chance from a seed."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def below(self, bound: int) -> int:
        """The next number, in [0, bound)."""
        return self._random.randrange(bound)


class Decision(NamedTuple):
    """What a bot chose among its legal moves, and how long it took.

    Unit: `seconds` of the processor, so that other tasks of the machine do not count.
    """

    before: Any  # the game's own state
    seat: Seat
    legal: Sequence[Command]
    command: Command
    seconds: float


class Played(NamedTuple):
    """A finished game."""

    decisions: tuple[Decision, ...]
    outcome: Outcome


def play(game: AnyGame, bots: Sequence[Bot], seed: str, options: Any = None) -> Played:
    """One game, a bot for each seat; without options of its own with the first preset.

    Equal seeds give equal chance, whoever sits where.
    """
    dice = Dice(f"{seed}/dice")
    state = game.initial(len(bots), options or next(iter(game.presets.values())), game.rules_version)
    for event in game.setup(state, dice):
        state = game.evolve(state, event)
    decisions = []
    thoughts = [Dice(f"{seed}/bot/{seat}") for seat in range(len(bots))]
    while (outcome := game.outcome(state)) is None:
        seat, command = None, game.upkeep(state)
        if command is None:
            seat = game.to_act(state)[0]
            made = _decide(game, state, seat, bots[seat], thoughts[seat])
            command = made.command
            decisions.append(made)
        for event in game.decide(state, seat, command, dice):
            state = game.evolve(state, event)
    return Played(tuple(decisions), outcome)


def seated(one: Bot, others: Bot, place: Seat, seats: int) -> tuple[Bot, ...]:
    """A table with `one` in that place and `others` in the rest."""
    return tuple(one if seat == place else others for seat in range(seats))


def _decide(game: AnyGame, state: Any, seat: Seat, bot: Bot, thoughts: Dice) -> Decision:
    view, legal = game.view(state, seat), game.legal(state, seat)
    begun = thread_time()
    command = bot.choose(view, seat, legal, thoughts)
    return Decision(state, seat, legal, command, thread_time() - begun)
