"""RULES.md RA-1.6: the options."""

import pytest
from msgspec.structs import replace

from domain.games.ra import GAME
from domain.kernel.errors import InvalidInput
from domain.kernel.options import resolve, schema
from tests.games.ra.table import OFFICIAL, SEED


def test_the_seed_rules_are_the_default() -> None:
    """RA-1.6."""
    assert resolve(GAME.presets, {}) == SEED
    assert (SEED.starting_points, SEED.full_track) == (5, "auto")


def test_the_official_rules_are_a_preset() -> None:
    """RA-1.6."""
    assert resolve(GAME.presets, {"preset": "official"}) == OFFICIAL
    assert replace(SEED, starting_points=10, full_track="on_turn") == OFFICIAL


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("starting_points", 0),
        ("starting_points", 100),
        ("full_track", "on_turn"),
        ("all_equal", "both"),
        ("score_floor", None),
        ("hide_scores", True),
        ("assign_suns", "seat"),
    ],
)
def test_each_point_can_be_chosen_by_itself(key: str, value: object) -> None:
    """RA-1.6."""
    chosen = resolve(GAME.presets, {key: value})
    assert getattr(chosen, key) == value
    assert replace(chosen, **{key: getattr(SEED, key)}) == SEED


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("starting_points", -1),
        ("starting_points", 101),
        ("starting_points", "5"),
        ("full_track", "never"),
        ("all_equal", None),
        ("score_floor", 1),
        ("hide_scores", 1),
        ("assign_suns", "highest"),
        ("preset", "rio"),
        ("epochs", 2),
    ],
)
def test_anything_else_is_refused(key: str, value: object) -> None:
    """RA-1.6."""
    with pytest.raises(InvalidInput):
        resolve(GAME.presets, {key: value})


def test_every_option_is_described() -> None:
    """RA-1.6."""
    assert set(schema(GAME.presets)["properties"]) == {"preset", *SEED.__struct_fields__}
