"""From the vocabulary and the sentences of a language to its words; the same for every language."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from domain.games.ra.commands import DiscardTiles, UseGods
from domain.kernel.codec import to_json
from domain.kernel.messages import Command, type_of
from domain.kernel.words import Words

Fields: TypeAlias = Mapping[str, Any]
"""Fields of an event or command as JSON values; `Any` because each has its own, and a hidden one its commitment."""

CASES: Final[Mapping[str, str]] = {
    "ra.auction_started": "kind",
    "ra.passed": "forced",
    "ra.epoch_ended": "reason",
    "ra.game_ended": "reason",
}
"""The events that have a sentence for each value of this field."""

Sentences: TypeAlias = Mapping[str, str | Mapping[str | bool, str]]
"""By type of event; where `CASES` says so, by type and value of a field."""


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """What a language calls things, and its sentences, in which `{name}` stands for the field of that name.

    Shape: `tiles` by id; `points` by the fields of a score line; `moves` by type; `copies` with {count} and {tile},
    `owner` with {seat} and {what}, `demand` with {count} and {disaster}, `score` with {net}, {after} and {points}.
    """

    tiles: Mapping[str, str]
    points: Mapping[str, str]
    moves: Mapping[str, str]
    events: Sentences
    comma: str
    copies: str
    owner: str
    demand: str
    score: str
    nothing: str
    hidden: str
    reasons: Mapping[str, str]
    barriers: Mapping[str, str]


def words(language: Language) -> Words:
    """The words of the game in the language."""
    return Words(
        move=lambda command: _move(language, command),
        event=lambda name, fields: _event(language, name, fields),
        reasons=language.reasons,
        barriers=language.barriers,
    )


def _move(language: Language, command: Command) -> str:
    sentence = language.moves[type_of(type(command))]
    match command:
        case UseGods(slots=slots):
            return sentence.format(slots=language.comma.join(map(str, slots)))
        case DiscardTiles(civilisations=civilisations, monuments=monuments):
            return sentence.format(tiles=_tiles(language, (*civilisations, *monuments)))
        case _:
            return sentence.format_map(to_json(command))


def _event(language: Language, name: str, fields: Fields) -> str:
    sentence = language.events[name]
    if not isinstance(sentence, str):
        sentence = sentence[fields[CASES[name]]]
    spoken = {field: _spoken(language, field, value) for field, value in fields.items()}
    if "disasters" in fields:
        spoken["lot"] = _tiles(language, (*fields["tiles"], *fields["disasters"]))
    return sentence.format_map(spoken)


def _spoken(language: Language, field: str, value: Any) -> str:  # a JSON value
    """A field of an event in words."""
    match field, value:
        case _, {"commitment": _}:
            return language.hidden
        case (("tile" | "disaster"), str()):
            return language.tiles[value]
        case "due", [*demands]:
            return language.comma.join(
                language.demand.format(count=due["count"], disaster=language.tiles[due["disaster"]]) for due in demands
            )
        case "seats", [*lines]:
            return _by_seat(language, (_score(language, line) for line in lines))
        case "scores", [*points]:
            return _by_seat(language, map(str, points))
        case "suns", [*hands]:
            return _by_seat(language, (_numbers(language, hand) for hand in hands))
        case "tiles", [[*_], *_] as lots:
            return _by_seat(language, (_tiles(language, lot) for lot in lots))
        case (("tiles" | "disasters" | "removed"), [*lot]):
            return _tiles(language, lot)
        case (("slots" | "order" | "winners"), [*numbers]):
            return _numbers(language, numbers)
        case _:
            return str(value)


def _numbers(language: Language, numbers: Iterable[int]) -> str:
    return language.comma.join(map(str, numbers))


def _tiles(language: Language, tiles: Sequence[str]) -> str:
    """The tiles by name, equal ones counted."""
    names = (
        language.copies.format(count=count, tile=language.tiles[tile]) if count > 1 else language.tiles[tile]
        for tile, count in Counter(tiles).items()
    )
    return language.comma.join(names) or language.nothing


def _by_seat(language: Language, entries: Iterable[str]) -> str:
    return language.comma.join(language.owner.format(seat=seat, what=what) for seat, what in enumerate(entries))


def _score(language: Language, line: Mapping[str, Any]) -> str:
    if "commitment" in line:
        return language.hidden
    points = (f"{name} {line[field]:+}" for field, name in language.points.items() if line[field])
    return language.score.format(
        net=f"{line['net']:+}", after=line["after"], points=language.comma.join(points) or language.nothing
    )
