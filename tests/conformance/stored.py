"""Random games, played through the service on a store in memory."""

import asyncio
from functools import cache
from typing import NamedTuple

from domain.application.committing import Committed
from domain.application.folding import Aggregate
from domain.application.ports import Recorded
from domain.table.state import Running
from tests.conformance.cases import Case
from tests.conformance.journeys import chooser
from tests.house import House

TURN_SECONDS = 3600
THINKING_SECONDS = 7


class Stored(NamedTuple):
    """A whole stream and the commands that made it. The last seat belongs to a bot."""

    case: Case
    commits: tuple[Committed, ...]

    @property
    def events(self) -> tuple[Recorded, ...]:
        """The stream as it is stored."""
        return tuple(event for commit in self.commits for event in commit.events)

    @property
    def running(self) -> tuple[tuple[Aggregate, Running], ...]:
        """The game after each command, as long as it lasts."""
        after = [commit.aggregate for commit in self.commits]
        return tuple((one, one.table) for one in after if isinstance(one.table, Running))


@cache
def stored(case: Case, style: str) -> Stored:
    """A game against the clock between people and one bot."""
    return asyncio.run(_stored(case, style))


async def _stored(case: Case, style: str) -> Stored:
    house = House(f"{case}/{style}")
    last = case.seats - 1
    commits = await house.open(
        case.game,
        case.seats,
        case.options_json(),
        bots=[(last, "random")],
        turn_seconds=TURN_SECONDS,
        entropy="entropy of seat ",
    )
    async for done in house.play(commits[-1].aggregate, chooser(style, str(case))):
        house.clock.pass_by(THINKING_SECONDS)
        commits = (*commits, done)
    return Stored(case, commits)
