"""A command that is refused leaves nothing behind: no event, no change, and its key free."""

from itertools import count, islice

import pytest

from domain.application.folding import Aggregate
from domain.kernel.chance import SeededChance
from domain.kernel.errors import IllegalCommand
from domain.kernel.messages import Command, Seat
from domain.table.errors import TableRefusal
from domain.table.state import Running
from tests.conformance.cases import Case, per_table, support_of
from tests.conformance.journeys import chooser
from tests.house import House, account

EVERY = 25
"""Between which commands of a game refusals are provoked: one in so many."""


def refused(case: Case, state: object, seat: Seat) -> list[Command]:
    """Some commands that the game refuses."""
    found = []
    for command in islice(support_of(case.game, "candidates").candidates(state, seat), seat, None, 40):
        try:
            case.game.decide(state, seat, command, SeededChance(b"refused"))
        except IllegalCommand:
            found.append(command)
    return found


@per_table
async def test_a_refusal_changes_nothing_and_leaves_the_key_free(case: Case) -> None:
    house, choose = House(f"refused/{case}"), chooser("uniform", f"refused/{case}")
    aggregate = (await house.open(case.game, case.seats, case.options_json()))[-1].aggregate
    for number in count():
        if not isinstance(table := aggregate.table, Running):
            break
        if number % EVERY == 0:
            await provoke(house, case, aggregate, table)
        done = await house.step(aggregate, table, choose)
        assert not done.replayed
        aggregate = done.aggregate


async def provoke(house: House, case: Case, aggregate: Aggregate, table: Running) -> None:
    """Have every seat send what is refused, with the key of the game's next command."""
    game_id, version = aggregate.game_id, aggregate.head.version
    row = house.store.directory[game_id]
    for seat in range(case.seats):
        for command in refused(case, table.position, seat):
            with pytest.raises((IllegalCommand, TableRefusal)):
                await house.service.move(game_id, account(seat), command, key=f"the client's {version}")
    assert await house.reader.newest(game_id) == aggregate
    assert len(await house.events(game_id)) == version
    assert house.store.directory[game_id] == row
