"""The turn clock: who may think until when."""

from domain.kernel.messages import Seat
from domain.table.answering import Answerer, answerer
from domain.table.state import Deadlines, Running, to_act

MICROSECONDS = 1_000_000


def deadlines_after(before: Running, after: Running, mover: Seat | None, now: int) -> Deadlines:
    """The deadlines once a command has taken effect.

    A clock starts when a seat enters `to_act` and afresh after each own command that leaves it there; it runs only for
    people who have not resigned.
    Unit: microseconds since 1970 UTC.
    """
    if after.facts.turn_seconds is None:
        return ()
    fresh = now + after.facts.turn_seconds * MICROSECONDS
    running = dict(before.deadlines)
    return tuple(
        (seat, fresh if seat == mover else running.get(seat, fresh))
        for seat in to_act(after)
        if answerer(after, seat) is Answerer.PERSON
    )


def run_out(table: Running, now: int) -> tuple[Seat, ...]:
    """The seats whose time is up."""
    return tuple(seat for seat, deadline in table.deadlines if deadline <= now)
