"""Who answers for a seat: a person, a bot, or nobody, so that the service makes idle moves."""

from enum import Enum

from domain.kernel.bots import Bot
from domain.kernel.game import AnyGame
from domain.kernel.messages import Seat
from domain.table.chairs import BotChair
from domain.table.state import Running


class Answerer(Enum):
    """Kinds of who answers."""

    PERSON = "person"
    BOT = "bot"
    IDLE = "idle"


def answerer(table: Running, seat: Seat) -> Answerer:
    """Who answers for a seat now; a seat that resigned is answered for by the table's policy."""
    if isinstance(table.chairs[seat], BotChair):
        return Answerer.BOT
    if seat not in table.resigned:
        return Answerer.PERSON
    return Answerer(table.facts.resigned)


def bot_of(table: Running, seat: Seat) -> Bot:
    """The bot that plays a seat: the one that sits there, else the substitute."""
    chair = table.chairs[seat]
    bots = table.facts.game.bots
    return bots[chair.bot] if isinstance(chair, BotChair) else substitute(table.facts.game)


def substitute(game: AnyGame) -> Bot:
    """The bot for absent and resigned seats and for a turn's second try: the last of the fast ones a game lists."""
    return [bot for bot in game.bots.values() if bot.cost == "fast"][-1]
