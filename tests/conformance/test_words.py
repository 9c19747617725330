"""Every language of a game has words for all that can be done, happens, or is refused."""

from functools import cache

import pytest

from domain.kernel.chance import SeededChance
from domain.kernel.codec import event_data
from domain.kernel.errors import IllegalCommand
from domain.kernel.game import AnyGame
from domain.kernel.messages import type_of
from domain.kernel.visibility import audiences_of, replaced
from domain.kernel.words import Words
from tests.conformance.cases import GAMES, TABLES, per_game, support_of
from tests.conformance.examples import steps_of
from tests.conformance.journeys import decisions, positions, runs_of

per_language = pytest.mark.parametrize(
    ("game", "words"),
    [pytest.param(game, words, id=f"{game.key}-{tag}") for game in GAMES for tag, words in game.text.items()],
)
HIDDEN = {"commitment": "ab" * 32}


def is_a_text(words: str) -> bool:
    """Whether something is said, and nothing of the machine shows."""
    return words == words.strip() != "" and not set("{}<>") & set(words)


@per_game
def test_a_game_speaks_english(game: AnyGame) -> None:
    assert "en" in game.text


@per_language
def test_moves_are_told_apart_by_their_words(game: AnyGame, words: Words) -> None:
    for case in (case for case in TABLES if case.key == game.key):
        for state in decisions(case, "patient")[::3]:
            for seat in game.to_act(state):
                told = [words.move(command) for command in game.legal(state, seat)]
                assert all(map(is_a_text, told))
                assert len(set(told)) == len(told)


@per_language
def test_there_are_words_for_each_barrier(game: AnyGame, words: Words) -> None:
    names = {
        game.barrier(state, seat, command)
        for case, style in runs_of(game.key)
        for state in decisions(case, style)[::3]
        for seat in game.to_act(state)
        for command in game.legal(state, seat)
    }
    assert names - {None} <= words.barriers.keys()
    assert all(map(is_a_text, words.barriers.values()))


@per_language
def test_there_are_words_for_each_event_also_where_values_are_hidden(game: AnyGame, words: Words) -> None:
    for event in {event for step in steps_of(game) for event in step.events}:
        name, data = type_of(type(event)), event_data(event)
        assert is_a_text(words.event(name, data))
        for pointer in audiences_of(event):
            data = replaced({"data": data}, pointer, HIDDEN)["data"]
            assert is_a_text(words.event(name, data))


@cache
def refusals(key: str) -> frozenset[tuple[str, str, str]]:
    """Rule, reason and sentence of whatever was refused in some random games."""
    found = set()
    for case in (case for case in TABLES if case.key == key):
        for state in positions(case, "patient")[::80]:
            for seat in range(case.seats):
                for command in support_of(case.game, "candidates").candidates(state, seat):
                    try:
                        case.game.decide(state, seat, command, SeededChance(b"words"))
                    except IllegalCommand as refused:
                        found.add((refused.rule, refused.reason, refused.detail))
    return frozenset(found)


@per_language
def test_there_are_words_for_each_refusal(game: AnyGame, words: Words) -> None:
    assert {reason for _, reason, _ in refusals(game.key)} <= words.reasons.keys()
    assert all(map(is_a_text, words.reasons.values()))


@per_game
def test_a_refusal_is_a_sentence_and_names_a_rule_of_the_game(game: AnyGame) -> None:
    for rule, _, detail in refusals(game.key):
        assert rule.startswith(f"{game.key.upper()}-")
        assert is_a_text(detail)
        assert detail[0].isupper()
        assert detail[-1] == "."
