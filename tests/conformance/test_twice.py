"""Whatever is sent twice happens once."""

import pytest

from domain.application.committing import Committed
from domain.application.ports import Recorded
from domain.application.recording import command_json
from domain.kernel.codec import Codec
from tests.conformance.cases import Case, per_table
from tests.conformance.journeys import chooser
from tests.house import House, account

EVERY = 30
"""Which commands of a player are repeated: one in so many, for each answer is folded from the beginning."""


async def repeat(house: House, case: Case, done: Committed) -> Committed | None:
    """The same command once more, in the way in which it came."""
    first = done.events[0]
    game_id, version, seat = done.aggregate.game_id, first.version - 1, first.meta["actor"]["seat"]
    if first.meta["actor"]["kind"] == "player":
        command = Codec(case.game.player_commands).decode(command_json(first))
        return await house.service.move(game_id, account(seat), command, key=f"the client's {version}")
    if seat is None:
        return await house.worker.upkeep(game_id, version)
    return await house.worker.turn(game_id, version, seat)


@per_table
@pytest.mark.parametrize("restarted", [False, True], ids=["same process", "another process"])
async def test_a_command_sent_twice_has_one_effect(case: Case, restarted: bool) -> None:
    house = House(f"twice/{case}")
    last = case.seats - 1
    opening = await house.open(case.game, case.seats, case.options_json(), bots=[(last, "random")])
    count = 0
    async for done in house.play(opening[-1].aggregate, chooser("uniform", f"twice/{case}")):
        by_player = done.events[0].meta["actor"]["kind"] == "player"
        count += by_player
        if by_player and count % EVERY:
            continue
        if restarted:
            house.restart()
        again = await repeat(house, case, done)
        if by_player:
            assert again is not None
            assert again.replayed
            assert (hashes(again.events), again.aggregate) == (hashes(done.events), done.aggregate)
        else:
            assert again is None
        assert len(await house.events(done.aggregate.game_id)) == done.aggregate.head.version


def hashes(events: tuple[Recorded, ...]) -> list[str]:
    """What identifies stored events; their places in the global log are given later."""
    return [event.hash for event in events]
