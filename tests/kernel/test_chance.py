"""Numbers of chance: repeatable, unbiased, numbered one by one, and from a secret that was committed to."""

from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.bots import RANDOM
from domain.kernel.chance import (
    ChanceRefused,
    CountedChance,
    NoChance,
    SeededChance,
    bot_seed,
    commitment_to_secret,
    keyed,
    permutation,
    pick,
)
from domain.kernel.messages import Command
from tests.kernel import checker
from tests.spec import Loaded
from tests.strategies import digests, game_ids, secrets

GAME_ID = "018f0000-0000-7000-8000-000000000001"
SECRET = bytes(range(32))

HALF_REFUSED = 2**255 + 1
"""A bound of which 256 bits hold one multiple only, so that almost every second attempt is refused."""

bounds = st.integers(1, 10**6) | st.just(HALF_REFUSED) | st.just(2**256)
entropies = st.lists(st.none() | digests, min_size=3, max_size=6).map(tuple)


def counted(first: int = 0, *, secret: bytes = SECRET, game_id: str = GAME_ID, entropy: Any = (None,)) -> CountedChance:
    """A game's draws from a number on."""
    return CountedChance(secret, game_id, entropy, first)


class TestCounted:
    @given(secrets, game_ids, entropies, st.integers(0, 10**5), bounds)
    def test_a_draw_is_what_the_page_says(
        self, secret: bytes, game_id: str, entropy: tuple[str | None, ...], number: int, bound: int
    ) -> None:
        chance = CountedChance(secret, game_id, entropy, number)
        assert chance.below(bound) == checker.draw(secret, game_id, list(entropy), number, bound)

    @given(st.lists(bounds, min_size=1, max_size=8), st.integers(0, 50))
    def test_draws_are_numbered_from_the_first(self, wanted: list[int], first: int) -> None:
        chance = counted(first)
        together = [chance.below(bound) for bound in wanted]
        assert (chance.first, chance.drawn) == (first, len(wanted))
        assert together == [counted(first + place).below(bound) for place, bound in enumerate(wanted)]

    def test_every_part_of_its_origin_changes_a_draw(self) -> None:
        origins = (
            counted(),
            counted(1),
            counted(secret=bytes(32)),
            counted(game_id="018f0000-0000-7000-8000-000000000002"),
            counted(entropy=("ab" * 32,)),
            counted(entropy=(None, None)),
        )
        drawn = {chance.below(2**200) for chance in origins}
        assert len(drawn) == len(origins)


class TestUnbiased:
    @given(secrets, bounds)
    def test_a_number_lies_below_its_bound(self, seed: bytes, bound: int) -> None:
        assert 0 <= SeededChance(seed).below(bound) < bound

    @pytest.mark.parametrize("bound", [0, -1])
    def test_there_is_no_number_below_nothing(self, bound: int) -> None:
        with pytest.raises(ValueError, match="positive"):
            SeededChance(SECRET).below(bound)

    def test_what_would_favour_small_numbers_is_drawn_again(self) -> None:
        """Were no attempt refused, the numbers below 2^255 - 1 would come twice as often as the two above."""
        attempts = Counter[int]()
        for number in range(200):
            attempt = 0
            while (bits := int.from_bytes(keyed(SECRET, ["draw", GAME_ID, [None], number, attempt]))) >= HALF_REFUSED:
                attempt += 1
            attempts[attempt] += 1
            assert counted(number).below(HALF_REFUSED) == bits
        assert 80 < attempts[0] < 120
        assert max(attempts) > 2

    @pytest.mark.parametrize("bound", [2, 6, 7, 50])
    def test_every_number_is_as_likely(self, bound: int) -> None:
        """A chi-squared test, with a limit that chance itself would pass once in some hundred thousand times."""
        expected, chance = 100, SeededChance(b"chi squared")
        seen = Counter(chance.below(bound) for _ in range(expected * bound))
        deviation = sum((seen[number] - expected) ** 2 / expected for number in range(bound))
        assert deviation < bound + 5 * (2 * bound) ** 0.5

    def test_the_same_seed_gives_the_same_numbers(self) -> None:
        one, other, third = SeededChance(b"seed"), SeededChance(b"seed"), SeededChance(b"another")
        numbers = [one.below(1000) for _ in range(20)]
        assert numbers == [other.below(1000) for _ in range(20)]
        assert numbers != [third.below(1000) for _ in range(20)]


class TestPick:
    @given(st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any))
    def test_each_copy_has_its_own_number(self, copies: list[int]) -> None:
        counts = list(enumerate(copies))
        picked = [pick(counts, Loaded(number)) for number in range(sum(copies))]
        assert picked == [item for item, count in counts for _ in range(count)]
        assert picked == [checker.pick(counts, number) for number in range(sum(copies))]

    @pytest.mark.parametrize("counts", [[], [("a", 0), ("b", 0)]])
    def test_nothing_cannot_be_picked_from(self, counts: list[tuple[str, int]]) -> None:
        with pytest.raises(ValueError, match="nothing left"):
            pick(counts, Loaded())

    def test_counts_may_come_one_by_one(self) -> None:
        assert pick(((name, 1) for name in "abc"), Loaded(2)) == "c"


class TestPermutation:
    def test_each_way_to_draw_gives_another_order(self) -> None:
        draws = [(a, b, c) for a in range(4) for b in range(3) for c in range(2)]
        orders = [permutation("abcd", Loaded(*numbers)) for numbers in draws]
        assert sorted(orders) == sorted(permutations("abcd"))
        assert orders == [tuple(checker.permutation(list("abcd"), list(numbers))) for numbers in draws]

    @given(st.lists(st.integers(), max_size=10))
    def test_nothing_is_lost_or_doubled(self, items: list[int]) -> None:
        chance = counted()
        assert Counter(permutation(items, chance)) == Counter(items)
        assert chance.drawn == max(len(items) - 1, 0)

    @pytest.mark.parametrize("items", [(), ("alone",)])
    def test_what_has_one_order_draws_nothing(self, items: tuple[str, ...]) -> None:
        assert permutation(items, NoChance()) == items


def test_no_chance_refuses() -> None:
    with pytest.raises(ChanceRefused, match="below 6"):
        NoChance().below(6)


@given(secrets, game_ids, st.integers(0, 999), st.integers(0, 4))
def test_commitment_and_bot_seed_are_what_the_page_says(secret: bytes, game_id: str, version: int, seat: int) -> None:
    assert commitment_to_secret(secret, game_id) == checker.secret_commitment(secret, game_id)
    assert bot_seed(secret, game_id, version, seat) == checker.bot_seed(secret, game_id, version, seat)


class Left(Command, frozen=True, kw_only=True, tag="left"):
    pass


class Right(Command, frozen=True, kw_only=True, tag="right"):
    pass


def test_the_random_bot_takes_each_move_as_often() -> None:
    chance = SeededChance(b"random bot")
    legal = (Left(), Right())
    taken = Counter(type(RANDOM.choose(None, 0, legal, chance)) for _ in range(400))
    assert taken.keys() == {Left, Right}
    assert min(taken.values()) > 150
