"""What follows from a table's state: who is waited for, and what is due. Pure; names no game."""

from typing import Literal, assert_never

from domain.application.ports import Due, Listing, Status
from domain.table.answering import Answerer, answerer, bot_of
from domain.table.chairs import chairs_json
from domain.table.state import Closed, Lobby, Opened, Over, Running, to_act

UPKEEP_POOL = "upkeep"


def status_of(table: Opened) -> Status:
    """The word for a table's phase."""
    match table:
        case Lobby():
            return "lobby"
        case Running():
            return "running"
        case Over():
            return "finished"
        case Closed():
            return "abandoned"
        case _:
            assert_never(table)


def waiting_for(table: Opened) -> Literal["players", "workers", "nobody"]:
    """Whom a table waits for: players while any person must answer, else workers, else nobody."""
    if isinstance(table, Lobby):
        return "players"
    if not isinstance(table, Running):
        return "nobody"
    people = any(answerer(table, seat) is Answerer.PERSON for seat in to_act(table))
    return "players" if people else "workers"


def due_in(table: Opened, now: int) -> Due | None:
    """The next thing a worker can do for a table, if any; bots and idle moves before a clock that runs."""
    if not isinstance(table, Running):
        return None
    people = any(answerer(table, seat) is Answerer.PERSON for seat in range(len(table.chairs)))
    if table.facts.game.upkeep(table.position) is not None:
        return Due(kind="upkeep", pool=UPKEEP_POOL, at=now, urgent=people)
    for seat in to_act(table):
        match answerer(table, seat):
            case Answerer.BOT:
                return Due(kind="bot", pool=bot_of(table, seat).cost, at=now, seat=seat, urgent=people)
            case Answerer.IDLE:
                return Due(kind="bot", pool=UPKEEP_POOL, at=now, seat=seat, urgent=people)
            case Answerer.PERSON:
                continue
            case who:
                assert_never(who)
    if table.deadlines:
        seat, deadline = min(table.deadlines, key=lambda one: one[1])
        return Due(kind="clock", pool=UPKEEP_POOL, at=deadline, seat=seat)
    return None


def listing_of(table: Opened, now: int) -> Listing:
    """The table's row in the directory."""
    return Listing(
        game=table.facts.game.key,
        status=status_of(table),
        chairs=chairs_json(table.chairs),
        opener=table.facts.opener,
        to_act=to_act(table),
        due=due_in(table, now),
    )
