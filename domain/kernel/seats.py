"""Order around the table."""

from collections.abc import Callable, Iterator

from domain.kernel.messages import Seat


def clockwise(after: Seat, count: int) -> Iterator[Seat]:
    """Every seat once, starting left of `after` and ending with `after` itself."""
    return ((after + step) % count for step in range(1, count + 1))


def next_seat(after: Seat, count: int, fits: Callable[[Seat], bool]) -> Seat | None:
    """The first seat clockwise after `after` that fits, `after` itself last; None when none does."""
    return next((seat for seat in clockwise(after, count) if fits(seat)), None)
