"""Order around the table."""

from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.seats import clockwise, next_seat

tables = st.integers(1, 6).flatmap(lambda count: st.tuples(st.just(count), st.integers(0, count - 1)))


@given(tables)
def test_everybody_comes_once_and_whoever_begins_comes_last(table: tuple[int, int]) -> None:
    count, after = table
    seats = list(clockwise(after, count))
    assert sorted(seats) == list(range(count))
    assert seats[-1] == after
    assert all((one + 1) % count == other for one, other in zip([after, *seats], seats, strict=False))


@given(tables, st.frozensets(st.integers(0, 5)))
def test_the_next_seat_is_the_first_that_fits(table: tuple[int, int], fitting: frozenset[int]) -> None:
    count, after = table
    found = next_seat(after, count, fitting.__contains__)
    order = [seat for seat in clockwise(after, count) if seat in fitting]
    assert found == (order[0] if order else None)
