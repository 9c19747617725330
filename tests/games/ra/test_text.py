"""Ra in words: every language has words for everything, and says what happened and to whom."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import msgspec
import pytest

from domain.games.ra import GAME
from domain.games.ra.commands import Bid, DiscardTiles, Draw, Invoke, Pass, ScoreEpoch, UseGods
from domain.games.ra.events import EpochScored, ScoreLine
from domain.games.ra.legal import barrier
from domain.games.ra.material import TILES
from domain.games.ra.text import da, en, zh_hans, zh_hant
from domain.games.ra.text.wording import CASES
from domain.kernel.codec import event_data
from domain.kernel.messages import Command, Event, type_of
from domain.kernel.visibility import audiences_of, conceal, salter
from domain.kernel.words import Words
from tests.architecture.source import GAMES, strings

LANGUAGES = {"en": en, "da": da, "zh-Hant": zh_hant, "zh-Hans": zh_hans}
EXAMPLES = Path(__file__).parent / "events"

COMMANDS: tuple[Command, ...] = (
    Draw(),
    Invoke(),
    UseGods(slots=(0, 3)),
    Pass(),
    Bid(sun=9),
    DiscardTiles(civilisations=("civ:art", "civ:art")),
    DiscardTiles(monuments=("mon:sphinx", "mon:temple")),
    ScoreEpoch(epoch=2),
)

LINE = ScoreLine(gods=2, gold=0, niles=0, civilisations=-5, pharaohs=0, monuments=0, suns=0, net=-3, before=5, after=2)

per_language = pytest.mark.parametrize("language", LANGUAGES)


def words_in(language: str) -> Words:
    """The words that the game offers under the tag."""
    return GAME.text[language]


def reasons_in_the_rules() -> set[str]:
    """What the game refuses by: the second argument of every refusal in its source."""
    calls = (
        node
        for path in (GAMES / GAME.key).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "IllegalCommand"
    )
    return {str(ast.literal_eval(call.args[1])) for call in calls}


def barriers_in_the_rules() -> set[str]:
    """What `barrier` may answer: the strings in its source."""
    tree = ast.parse((GAMES / GAME.key / "legal.py").read_text())
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == barrier.__name__)
    return {value for _, value in strings(function)}


def happened() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every event, with every value of the field that decides between sentences."""
    for path in sorted(EXAMPLES.glob("*.json")):
        example = msgspec.json.decode(path.read_bytes())
        name, data = example["type"], example["data"]
        yield name, data
        if name in CASES:
            (kind,) = (event for event in GAME.events if type_of(event) == name)
            (field,) = (one for one in msgspec.structs.fields(kind) if one.name == CASES[name])
            for value in (False, True) if field.type is bool else get_args(field.type):
                yield name, {**data, field.name: value}


def as_a_watcher_sees(event: Event) -> dict[str, Any]:
    """The event's fields, with commitments for what only some may see."""
    public, _ = conceal({"data": event_data(event)}, audiences_of(event), salter(b"secret", "game", 1))
    data: dict[str, Any] = public["data"]
    return data


def test_the_languages_of_the_game() -> None:
    assert list(GAME.text) == list(LANGUAGES)


@per_language
def test_every_command_has_words(language: str) -> None:
    assert {type(command) for command in COMMANDS} == {*GAME.player_commands, *GAME.system_commands}
    said = [words_in(language).move(command) for command in COMMANDS]
    assert len(set(said)) == len(COMMANDS)
    assert "{" not in "".join(said)


@per_language
def test_every_event_has_words(language: str) -> None:
    told = list(happened())
    assert {name for name, _ in told} == {type_of(event) for event in GAME.events}
    for name, fields in told:
        sentence = words_in(language).event(name, fields)
        assert sentence[-1] in ".。"
        assert "{" not in sentence
        assert "commitment" not in sentence


@per_language
def test_every_reason_and_every_barrier_has_words(language: str) -> None:
    assert words_in(language).reasons.keys() == reasons_in_the_rules()
    assert words_in(language).barriers.keys() == barriers_in_the_rules()
    assert all(words_in(language).reasons.values())
    assert all(words_in(language).barriers.values())


@per_language
def test_a_language_has_a_name_for_every_tile_and_source_of_points(language: str) -> None:
    vocabulary = LANGUAGES[language]
    assert tuple(vocabulary.TILES) == TILES
    assert len(set(vocabulary.TILES.values())) == len(TILES)
    assert {*vocabulary.POINTS, "net", "before", "after"} == set(ScoreLine.__struct_fields__)


@per_language
def test_all_languages_tell_the_same_facts(language: str) -> None:
    vocabulary = LANGUAGES[language]
    assert facts_told(vocabulary.MOVES) == facts_told(en.MOVES)
    assert facts_told(vocabulary.EVENTS) == facts_told(en.EVENTS)


def facts_told(sentences: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that each sentence names."""
    return {
        key: facts_told(one) if isinstance(one, Mapping) else {name for _, name, *_ in Formatter().parse(one) if name}
        for key, one in sentences.items()
    }


def test_equal_tiles_are_counted_and_no_tiles_are_nothing() -> None:
    event = words_in("en").event
    lot = {"seat": 1, "sun": 9, "received_sun": 1, "tiles": ["nile", "nile"], "disasters": ["dis:funeral"]}
    won = "Seat 1 wins with sun 9, gets sun 1 from the centre and takes:"
    assert event("ra.auction_won", lot) == f"{won} Nile ×2, funeral."
    assert event("ra.auction_won", {**lot, "tiles": [], "disasters": []}) == f"{won} nothing."


@per_language
def test_a_hidden_score_is_told_to_its_owner_only(language: str) -> None:
    scored = EpochScored(epoch=1, seats=(LINE, LINE), private=True)
    owner = event_data(scored)
    owner["seats"][1] = as_a_watcher_sees(scored)["seats"][1]
    hidden = {"en": "hidden", "da": "skjult", "zh-Hant": "未公開", "zh-Hans": "未公开"}[language]
    for fields, times in ((event_data(scored), 0), (owner, 1), (as_a_watcher_sees(scored), 2)):
        sentence = words_in(language).event("ra.epoch_scored", fields)
        assert sentence.count(hidden) == times
        assert sentence.count("-3") == 2 - times


def test_any_hidden_field_is_told_as_hidden() -> None:
    assert words_in("en").event("ra.bid_placed", {"seat": 1, "sun": {"commitment": "ab"}}) == "Seat 1 bids sun hidden."


def test_a_score_is_told_by_its_sources() -> None:
    public = EpochScored(
        epoch=1, seats=(LINE, msgspec.structs.replace(LINE, gods=0, civilisations=0, net=0, after=5)), private=False
    )
    sentence = words_in("en").event("ra.epoch_scored", event_data(public))
    assert sentence == "Epoch 1 is scored: seat 0 (-3 to 2: gods +2, civilisations -5), seat 1 (+0 to 5: nothing)."
