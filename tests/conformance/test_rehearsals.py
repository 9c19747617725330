"""What a seat is told before a move is what it gets: the list, the notes, and the events of a rehearsal."""

from itertools import islice
from typing import Any

from domain.application.folding import Aggregate
from domain.application.ports import Recorded
from domain.application.seeing import see
from domain.kernel.codec import to_json
from domain.kernel.messages import Command, Seat
from domain.kernel.visibility import replaced, to_seat
from domain.table.state import Running, to_act
from tests.conformance.cases import Case, per_table
from tests.conformance.journeys import chooser
from tests.house import House, account


@per_table
async def test_every_seat_gets_its_list_with_notes(case: Case) -> None:
    game, house, choose = case.game, House(f"notes/{case}"), chooser("patient", f"notes/{case}")
    aggregate = (await house.open(game, case.seats, case.options_json()))[-1].aggregate
    while isinstance(table := aggregate.table, Running):
        for seat in range(case.seats):
            listed = await house.reader.moves(aggregate.game_id, account(seat))
            legal = game.legal(table.position, seat)
            free = [game.barrier(table.position, seat, command) is None for command in legal]
            assert (listed.seat, listed.version) == (seat, aggregate.head.version)
            assert listed.moves == tuple(map(to_json, legal))
            assert [note.undo == "free" for note in listed.notes] == free
            assert [note.why is None for note in listed.notes] == free
        aggregate = (await house.step(aggregate, table, choose)).aggregate


@per_table
async def test_what_is_rehearsed_is_what_happens(case: Case) -> None:
    house, choose = House(f"rehearsed/{case}"), chooser("patient", f"rehearsed/{case}")
    aggregate = (await house.open(case.game, case.seats, case.options_json()))[-1].aggregate
    while isinstance(table := aggregate.table, Running):
        for seat in to_act(table):
            for command in islice(case.game.legal(table.position, seat), 3):
                aggregate = await rehearsed(house, aggregate, seat, command)
        table = aggregate.table
        assert isinstance(table, Running)
        aggregate = (await house.step(aggregate, table, choose)).aggregate


async def rehearsed(house: House, aggregate: Aggregate, seat: Seat, command: Command) -> Aggregate:
    """The game after a move has been rehearsed and, where it is free, made and taken back."""
    game_id = aggregate.game_id
    rehearsal = await house.reader.rehearse(game_id, account(seat), command)
    assert await house.reader.newest(game_id) == aggregate
    assert (rehearsal.events is None) == (rehearsal.note.undo == "barrier")
    if rehearsal.events is None:
        return aggregate
    made = await house.service.move(game_id, account(seat), command)
    assert rehearsal.events == tuple(as_rehearsed(event, seat) for event in made.events)
    return (await house.service.undo(game_id, account(seat))).aggregate


def as_rehearsed(event: Recorded, seat: Seat) -> dict[str, Any]:
    """The event as its seat sees it; a rehearsal has no commitments to show."""
    seen = see(event, to_seat(seat))
    document = {"data": seen.data}
    for pointer in event.openings.keys() - seen.openings.keys():
        if pointer.startswith("/data/"):
            document = replaced(document, pointer, {"commitment": None})
    return {"type": seen.type, **document}
