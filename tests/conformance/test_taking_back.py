"""A move without a barrier draws nothing, leaves its seat alone to act, and can be taken back without a trace."""

from itertools import islice

import pytest

from domain.application.folding import Aggregate
from domain.application.recording import command_json
from domain.kernel.chance import NoChance
from domain.kernel.codec import Codec
from domain.kernel.game import AnyGame
from domain.kernel.messages import Command, Seat
from domain.table.errors import TableRefusal
from domain.table.state import Running, to_act
from tests.conformance.cases import CASES, Case, per_game, per_table
from tests.conformance.journeys import chooser, decisions, per_run, stepped
from tests.conformance.stored import TURN_SECONDS
from tests.house import House, account

TRIED = 2
"""How many free moves are tried out and taken back wherever there are any."""


def free_moves(game: AnyGame, state: object, seat: Seat) -> list[Command]:
    """The legal moves that can be taken back."""
    return [command for command in game.legal(state, seat) if game.barrier(state, seat, command) is None]


def running(aggregate: Aggregate) -> Running:
    """The table, which is in play."""
    assert isinstance(aggregate.table, Running)
    return aggregate.table


@per_run
def test_a_free_move_draws_nothing_and_passes_nothing_on(case: Case, style: str) -> None:
    game = case.game
    for state in decisions(case, style):
        for seat in game.to_act(state):
            for command in free_moves(game, state, seat):
                after = stepped(case, state, seat, command, game.decide(state, seat, command, NoChance())).after
                assert game.to_act(after) == (seat,)


@per_table
async def test_a_free_move_is_taken_back_without_a_trace(case: Case) -> None:
    house = House(f"undo/{case}")
    opening = await house.open(case.game, case.seats, case.options_json(), turn_seconds=TURN_SECONDS)
    aggregate = opening[-1].aggregate
    choose = chooser("patient", f"undo/{case}")
    while isinstance(table := aggregate.table, Running):
        for seat in to_act(table):
            for command in islice(free_moves(case.game, table.position, seat), TRIED):
                aggregate = await taken_back(house, aggregate, seat, command)
        house.clock.pass_by(60)
        aggregate = (await house.step(aggregate, running(aggregate), choose)).aggregate


async def taken_back(house: House, aggregate: Aggregate, seat: Seat, command: Command) -> Aggregate:
    """The game after the seat has made the move and taken it back."""
    before, game_id = running(aggregate), aggregate.game_id
    house.clock.pass_by(60)
    moved = await house.service.move(game_id, account(seat), command)
    after = running(moved.aggregate)
    assert after.draws == before.draws
    assert after.kept[-1].position == before.position
    house.clock.pass_by(60)
    undone = (await house.service.undo(game_id, account(seat))).aggregate
    again = running(undone)
    assert (again.position, again.draws, again.deadlines) == (before.position, before.draws, before.deadlines)
    assert again.kept == before.kept
    assert undone.head.version == moved.aggregate.head.version + 1
    return undone


@per_table
async def test_a_move_behind_a_barrier_stays(case: Case) -> None:
    game, house = case.game, House(f"barrier/{case}")
    aggregate = (await house.open(game, case.seats, case.options_json()))[-1].aggregate
    choose = chooser("uniform", f"barrier/{case}")
    while isinstance(table := aggregate.table, Running):
        done = await house.step(aggregate, table, choose)
        first, aggregate = done.events[0], done.aggregate
        mover = first.meta["actor"]["seat"]
        command = Codec((*game.player_commands, *game.system_commands)).decode(command_json(first))
        stays = mover is None or game.barrier(table.position, mover, command) is not None
        assert first.meta["undo"] == (not stays)
        if stays and isinstance(aggregate.table, Running):
            with pytest.raises(TableRefusal, match="nothing-to-undo"):
                await house.service.undo(aggregate.game_id, account(mover or 0))


@per_game
def test_there_are_moves_that_can_be_taken_back(game: AnyGame) -> None:
    states = ((case, state) for case in CASES if case.key == game.key for state in decisions(case, "patient"))
    assert any(free_moves(game, state, seat) for _, state in states for seat in game.to_act(state))
