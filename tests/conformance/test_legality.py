"""The list of legal moves is exactly what `decide` accepts out of everything that a seat could think of."""

from collections.abc import Iterator

from domain.kernel.chance import SeededChance
from domain.kernel.errors import IllegalCommand
from domain.kernel.game import AnyGame
from domain.kernel.messages import Command, Seat
from tests.conformance.cases import Case, per_table, support_of
from tests.conformance.journeys import decisions, per_run, positions


def varied(case: Case, style: str) -> Iterator[tuple[object, Seat]]:
    """Positions with a seat to act, one of each kind, by the types and roughly by the number of the legal moves.

    Not all of them: each is tried with several hundred commands.
    """
    game, seen = case.game, set[object]()
    for state in decisions(case, style):
        for seat in game.to_act(state):
            legal = game.legal(state, seat)
            kind = (frozenset(map(type, legal)), len(legal).bit_length())
            if kind not in seen:
                seen.add(kind)
                yield state, seat


def accepted(game: AnyGame, state: object, seat: Seat) -> list[Command]:
    """The candidates that `decide` does not refuse; each is spelled as the list of legal moves would spell it."""
    passed = []
    for command in support_of(game, "candidates").candidates(state, seat):
        try:
            game.decide(state, seat, command, SeededChance(b"brute force"))
        except IllegalCommand:
            continue
        passed.append(command)
    return passed


@per_run
def test_what_is_legal_is_what_is_accepted(case: Case, style: str) -> None:
    game = case.game
    for state, seat in varied(case, style):
        by_force, listed = accepted(game, state, seat), game.legal(state, seat)
        assert len(by_force) == len(set(by_force))
        assert set(by_force) == set(listed)


@per_table
def test_a_seat_that_is_not_to_act_can_do_nothing(case: Case) -> None:
    game = case.game
    for state in positions(case, "uniform")[::40]:
        for seat in range(case.seats):
            if seat not in game.to_act(state):
                assert accepted(game, state, seat) == []
