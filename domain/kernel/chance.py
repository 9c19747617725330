"""Chance that can be checked: draws counted by the game, each an HMAC of a committed secret.

Draw `n` depends on the secret, the game id, the entropy digests and `n` only. Versions, retries, undo and added events
do not move it, so nobody can shop for a better one.
"""

import hashlib
import hmac
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Protocol, TypeVar

from domain.kernel.canonical import Json, canonical

T = TypeVar("T")

_SPAN = 1 << 256


class Chance(Protocol):
    """A source of unbiased integers."""

    def below(self, bound: int) -> int:
        """An integer in [0, bound), each equally likely."""
        ...


class CountedChance:
    """The game's own draws: number `first`, `first` + 1, and so on; `drawn` says how many were taken."""

    def __init__(self, secret: bytes, game_id: str, entropy: tuple[str | None, ...], first: int) -> None:
        self._secret = secret
        self._game_id = game_id
        self._entropy = entropy
        self.first = first
        self.drawn = 0

    def below(self, bound: int) -> int:
        """The next draw, in [0, bound)."""
        number = self.first + self.drawn
        self.drawn += 1
        return _unbiased(
            bound,
            lambda attempt: keyed(self._secret, ["draw", self._game_id, self._entropy, number, attempt]),
        )


class SeededChance:
    """Repeatable chance from a seed, for bots, resampling and tests; never for the game's own draws."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._count = 0

    def below(self, bound: int) -> int:
        """The next number, in [0, bound)."""
        number = self._count
        self._count += 1
        return _unbiased(bound, lambda attempt: keyed(self._seed, ["seeded", number, attempt]))


class ChanceRefused(Exception):
    """A draw was asked for where none may happen."""


class NoChance:
    """Refuses every draw: for dry runs and commands that are declared to draw nothing."""

    def below(self, bound: int) -> int:
        """Never returns.

        Raises: ChanceRefused.
        """
        msg = f"a draw below {bound} where none may happen"
        raise ChanceRefused(msg)


def keyed(secret: bytes, form: Json) -> bytes:
    """HMAC-SHA-256 of the canonical JSON of `form`, 32 bytes."""
    return hmac.digest(secret, canonical(form), hashlib.sha256)


def commitment_to_secret(secret: bytes, game_id: str) -> str:
    """What is published before the game: SHA-256(secret followed by the ASCII game id), in hex."""
    return hashlib.sha256(secret + game_id.encode()).hexdigest()


def bot_seed(secret: bytes, game_id: str, version: int, seat: int) -> bytes:
    """What a bot gets in place of the secret: HMAC(secret, ["bot", game id, version, seat])."""
    return keyed(secret, ["bot", game_id, version, seat])


def pick(counts: Iterable[tuple[T, int]], chance: Chance) -> T:
    """One item of a multiset: a number below its size, walked along `counts` in their order until it falls within one.

    Raises: ValueError when the multiset is empty.
    """
    listed = tuple(counts)
    ends = tuple(accumulate(count for _, count in listed))
    if not ends or ends[-1] < 1:
        msg = "nothing left to pick from"
        raise ValueError(msg)
    return listed[bisect_right(ends, chance.below(ends[-1]))][0]


def permutation(items: Sequence[T], chance: Chance) -> tuple[T, ...]:
    """The items in an order where each is equally likely: one draw per item but the last, taken out from the front."""
    rest = list(items)
    taken = []
    while len(rest) > 1:
        taken.append(rest.pop(chance.below(len(rest))))
    return (*taken, *rest)


def _unbiased(bound: int, bits: Callable[[int], bytes]) -> int:
    if bound < 1:
        msg = f"bound must be positive: {bound}"
        raise ValueError(msg)
    ceiling = _SPAN - _SPAN % bound
    attempt = 0
    while True:
        value = int.from_bytes(bits(attempt))
        if value < ceiling:
            return value % bound
        attempt += 1
