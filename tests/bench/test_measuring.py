"""The figures that measurements print are what they say."""

import pytest

from bench.measuring import percentile, spread, wilson


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (480, 600, 0.7661, 0.8301)],
)
def test_the_interval_of_a_rate(hits: int, tries: int, low: float, high: float) -> None:
    assert wilson(hits, tries) == pytest.approx((low, high), abs=1e-4)


def test_a_percentile_is_one_of_the_values() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    assert [percentile(values, share) for share in (0.0, 0.2, 0.5, 0.95, 1.0)] == [1.0, 1.0, 3.0, 5.0, 5.0]


def test_a_spread_is_told_in_three_digits() -> None:
    assert spread([1234.5, 0.12345, 77.77]) == {"min": 0.123, "median": 77.8, "max": 1230.0}
