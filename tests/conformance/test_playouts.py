"""Random games come to an end, keep every component, and never leave it open who has to do what."""

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.errors import IllegalCommand
from domain.registry import all_games
from tests.conformance.cases import Case, per_case
from tests.conformance.journeys import decisions, journey, per_run, positions
from tests.conformance.shapes import end_reasons


@per_run
def test_every_component_is_there_at_every_version(case: Case, style: str) -> None:
    first, *others = positions(case, style)
    all_there = case.game.components(first)
    assert min(all_there.values()) >= 0
    assert [version for version, state in enumerate(others) if case.game.components(state) != all_there] == []


@per_run
def test_a_game_has_its_outcome_at_its_end_only(case: Case, style: str) -> None:
    *before, last = positions(case, style)
    outcome = case.game.outcome(last)
    assert outcome is not None
    assert [state for state in before if case.game.outcome(state) is not None] == []
    assert len(outcome.scores) == case.seats
    assert sorted(seat for group in outcome.ranking for seat in group) == list(range(case.seats))
    assert outcome.winners == outcome.ranking[0]
    assert outcome.reason in end_reasons(case.game)


@per_run
def test_seats_act_unless_the_service_must_or_the_game_is_over(case: Case, style: str) -> None:
    game = case.game
    for state in decisions(case, style):
        seats = game.to_act(state)
        assert tuple(sorted(set(seats))) == seats
        assert set(seats) <= set(range(case.seats))
        waits = [bool(seats), game.upkeep(state) is not None, game.outcome(state) is not None]
        assert waits.count(True) == 1


@per_run
def test_the_list_of_legal_moves_is_for_those_who_act(case: Case, style: str) -> None:
    game = case.game
    for state in positions(case, style):
        acting = game.to_act(state)
        for seat in range(case.seats):
            legal = game.legal(state, seat)
            assert bool(legal) == (seat in acting)
            assert len(set(legal)) == len(legal)
            assert legal == game.legal(state, seat)


@per_run
def test_a_legal_move_is_accepted_and_has_an_effect(case: Case, style: str) -> None:
    game = case.game
    for state in decisions(case, style):
        for seat in game.to_act(state):
            for command in game.legal(state, seat):
                events = game.decide(state, seat, command, SeededChance(b"same"))
                assert events
                assert events == game.decide(state, seat, command, SeededChance(b"same"))


@per_case
def test_what_the_rules_want_happens_once(case: Case) -> None:
    game = case.game
    for step in journey(case, "uniform"):
        if step.seat is None and step.command is not None:
            assert step.events
            assert game.upkeep(step.after) != step.command
            assert game.decide(step.after, None, step.command, SeededChance(b"")) == ()


@per_case
def test_what_the_rules_want_is_nobodys_to_command(case: Case) -> None:
    game = case.game
    for step in journey(case, "uniform"):
        if step.seat is None and step.command is not None:
            for seat in range(case.seats):
                with pytest.raises(IllegalCommand):
                    game.decide(step.before, seat, step.command, SeededChance(b""))


@per_case
def test_the_service_makes_no_moves_of_its_own(case: Case) -> None:
    game = case.game
    for step in journey(case, "uniform"):
        if step.seat is not None and step.command is not None:
            with pytest.raises(IllegalCommand):
                game.decide(step.before, None, step.command, SeededChance(b""))


def test_there_are_games() -> None:
    assert all_games()
