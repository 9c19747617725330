"""Bots choose legal moves, the same again from the same seed, and come to an end by themselves."""

import pytest

from domain.kernel.bots import Bot
from domain.kernel.chance import SeededChance
from domain.kernel.game import AnyGame
from domain.table.state import Over
from tests.conformance.cases import GAMES, TABLES, Case, per_game, per_table
from tests.conformance.journeys import decisions
from tests.house import House

per_bot = pytest.mark.parametrize(
    ("game", "bot"),
    [pytest.param(game, bot, id=f"{game.key}-{bot.name}") for game in GAMES for bot in game.bots.values()],
)

POSITIONS = {"fast": 40, "search": 4}
"""How many positions of a game a bot is asked about, by what asking costs."""


@per_game
def test_bots_are_known_by_name(game: AnyGame) -> None:
    assert "random" in game.bots
    assert [name for name, bot in game.bots.items() if bot.name != name] == []
    assert "fast" in {bot.cost for bot in game.bots.values()}


@per_bot
def test_a_bot_chooses_a_legal_move_and_the_same_again(game: AnyGame, bot: Bot) -> None:
    for case in (case for case in TABLES if case.key == game.key):
        states = [state for state in decisions(case, "uniform") if game.to_act(state)]
        for number, state in enumerate(states[:: max(1, len(states) // POSITIONS[bot.cost])]):
            for seat in game.to_act(state):
                view, legal = game.view(state, seat), game.legal(state, seat)
                seed = f"{case}/{number}".encode()
                chosen = bot.choose(view, seat, legal, SeededChance(seed))
                assert chosen in legal
                assert bot.choose(view, seat, legal, SeededChance(seed)) == chosen


@per_table
async def test_a_table_of_quick_bots_plays_by_itself(case: Case) -> None:
    house = House(f"bots/{case}")
    quick = [bot.name for bot in case.game.bots.values() if bot.cost == "fast"]
    bots = [(seat, quick[seat % len(quick)]) for seat in range(case.seats)]
    aggregate = (await house.open(case.game, case.seats, case.options_json(), bots=bots))[-1].aggregate
    async for done in house.play(aggregate, lambda _: pytest.fail("nobody is there to choose")):
        aggregate = done.aggregate
    assert isinstance(aggregate.table, Over)
