"""docs/hash-chain.md tells the truth: its vectors hold here and in a second implementation, made from that page."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from domain.application.service import entropy_digest
from domain.kernel.canonical import canonical, digest
from domain.kernel.chain import EVENT_TAG, GENESIS, event_hash
from domain.kernel.chance import CountedChance, SeededChance, bot_seed, commitment_to_secret, keyed, permutation, pick
from domain.kernel.visibility import FIELD_TAG, commitment, salter
from tests.kernel import checker
from tests.spec import Loaded

PAGE = (Path(__file__).parents[2] / "docs" / "hash-chain.md").read_text()

Vector = dict[str, Any]
Maker = Callable[[Vector], Any]

VECTORS: list[Vector] = [
    json.loads(block) for block in re.findall(r"^```json vector\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
]

RESULTS: Mapping[str, str] = {
    "canonical": "bytes",
    "event": "hash",
    "field": "commitment",
    "salt": "salt",
    "secret": "commitment",
    "entropy": "digest",
    "draw": "drawn",
    "pick": "picked",
    "permutation": "order",
    "bot": "seed",
    "seeded": "drawn",
}
"""Which field of each kind of vector is what comes out."""


def secret_of(vector: Vector) -> bytes:
    """The secret that a vector gives."""
    return bytes.fromhex(vector["secret"])


def last_seeded(vector: Vector) -> int:
    """Our numbers from a seed come one after the other."""
    chance = SeededChance(bytes.fromhex(vector["seed"]))
    return [chance.below(vector["bound"]) for _ in range(vector["number"] + 1)][-1]


OURS: Mapping[str, Maker] = {
    "canonical": lambda v: canonical(v["value"]).hex(),
    "event": lambda v: event_hash(game_id=v["game_id"], previous=v["previous"], **v["event"]),
    "field": lambda v: commitment(v["value"], v["salt"]),
    "salt": lambda v: salter(secret_of(v), v["game_id"], v["version"])(v["pointer"]),
    "secret": lambda v: commitment_to_secret(secret_of(v), v["game_id"]),
    "entropy": lambda v: entropy_digest(v["text"]),
    "draw": lambda v: str(
        CountedChance(secret_of(v), v["game_id"], tuple(v["entropy"]), v["number"]).below(int(v["bound"]))
    ),
    "pick": lambda v: pick([(item, count) for item, count in v["counts"]], Loaded(v["number"])),
    "permutation": lambda v: list(permutation(v["items"], Loaded(*v["numbers"]))),
    "bot": lambda v: bot_seed(secret_of(v), v["game_id"], v["version"], v["seat"]).hex(),
    "seeded": last_seeded,
}

SECOND: Mapping[str, Maker] = {
    "canonical": lambda v: checker.canonical(v["value"]).hex(),
    "event": lambda v: checker.event_hash(v["game_id"], v["previous"], v["event"]),
    "field": lambda v: checker.field_commitment(v["value"], v["salt"]),
    "salt": lambda v: checker.field_salt(secret_of(v), v["game_id"], v["version"], v["pointer"]),
    "secret": lambda v: checker.secret_commitment(secret_of(v), v["game_id"]),
    "entropy": lambda v: checker.sha256(v["text"].encode()),
    "draw": lambda v: str(checker.draw(secret_of(v), v["game_id"], v["entropy"], v["number"], int(v["bound"]))),
    "pick": lambda v: checker.pick([(item, count) for item, count in v["counts"]], v["number"]),
    "permutation": lambda v: checker.permutation(v["items"], v["numbers"]),
    "bot": lambda v: checker.bot_seed(secret_of(v), v["game_id"], v["version"], v["seat"]).hex(),
    "seeded": lambda v: checker.seeded(bytes.fromhex(v["seed"]), v["number"], v["bound"]),
}


@pytest.mark.parametrize("makers", [OURS, SECOND], ids=["kernel", "second implementation"])
@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["vector"])
def test_a_vector_holds(vector: Vector, makers: Mapping[str, Maker]) -> None:
    kind = vector["vector"]
    assert makers[kind](vector) == vector[RESULTS[kind]]


def test_every_kind_has_a_vector() -> None:
    assert {vector["vector"] for vector in VECTORS} == RESULTS.keys()


def test_the_digest_of_a_value_is_that_of_its_bytes() -> None:
    (vector,) = (vector for vector in VECTORS if vector["vector"] == "canonical")
    assert digest(vector["value"]) == vector["sha256"]


def test_the_attempts_of_a_draw_are_as_shown() -> None:
    draws = [vector for vector in VECTORS if vector["vector"] == "draw"]
    for vector in draws:
        for attempt, shown in enumerate(vector["attempts"]):
            form = ["draw", vector["game_id"], vector["entropy"], vector["number"], attempt]
            assert keyed(secret_of(vector), form).hex() == shown
    assert max(len(vector["attempts"]) for vector in draws) > 1


def test_the_page_names_the_tags() -> None:
    assert EVENT_TAG in PAGE
    assert FIELD_TAG.decode() in PAGE
    assert GENESIS == checker.NO_HASH
