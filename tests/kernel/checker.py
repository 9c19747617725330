"""A second implementation of docs/hash-chain.md, from that page alone: the standard library and nothing of ours."""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable
from typing import Any

NO_HASH = "0" * 64


def canonical(value: Any) -> bytes:
    """The bytes under every hash."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256(data: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(data).hexdigest()


def keyed(key: bytes, form: list[Any]) -> bytes:
    """HMAC-SHA-256 of the canonical form."""
    return hmac.new(key, canonical(form), hashlib.sha256).digest()


def event_hash(game_id: str, previous: str, event: dict[str, Any]) -> str:
    """The hash of an event whose secret values have been put back under their commitments."""
    fields = ("type", "schema_version", "recorded_at", "command_id", "command_ix", "data", "meta")
    own = [event[field] for field in fields]
    return sha256(canonical(["ostraka/event/1", game_id, event["version"], previous, *own]))


def field_commitment(value: Any, salt: str) -> str:
    """What stands in place of a secret value."""
    return sha256(b"ostraka/field/1" + bytes.fromhex(salt) + canonical(value))


def field_salt(secret: bytes, game_id: str, version: int, pointer: str) -> str:
    """The salt of a secret value."""
    return keyed(secret, ["salt", game_id, version, pointer])[:16].hex()


def secret_commitment(secret: bytes, game_id: str) -> str:
    """What is published of the secret before the game."""
    return sha256(secret + game_id.encode("ascii"))


def bot_seed(secret: bytes, game_id: str, version: int, seat: int) -> bytes:
    """What a bot gets to draw from."""
    return keyed(secret, ["bot", game_id, version, seat])


def below(bound: int, attempts: Callable[[int], bytes]) -> int:
    """An unbiased integer out of 256 random bits, and more of them where they would favour small numbers."""
    attempt = 0
    while True:
        number = int.from_bytes(attempts(attempt), "big")
        if number < 2**256 - 2**256 % bound:
            return number % bound
        attempt += 1


def draw(secret: bytes, game_id: str, entropy: list[str | None], number: int, bound: int) -> int:
    """One of the numbers that a game draws."""
    return below(bound, lambda attempt: keyed(secret, ["draw", game_id, entropy, number, attempt]))


def seeded(seed: bytes, number: int, bound: int) -> int:
    """One of the numbers that a bot draws."""
    return below(bound, lambda attempt: keyed(seed, ["seeded", number, attempt]))


def pick(counts: list[tuple[Any, int]], number: int) -> Any:
    """The item of a multiset on which the number falls."""
    for item, count in counts:
        if number < count:
            return item
        number -= count
    msg = "the number is beyond the multiset"
    raise ValueError(msg)


def permutation(items: list[Any], numbers: list[int]) -> list[Any]:
    """The items in the order that the numbers make."""
    rest = list(items)
    return [rest.pop(number) for number in numbers] + rest


def check(lines: Iterable[bytes]) -> int:
    """Follow an exported history from its first line; how many events have been checked.

    Raises: AssertionError, with the version, at the first thing that is wrong.
    """
    rows = [json.loads(line) for line in lines]
    header, events = rows[0], rows[1:]
    assert header["format"] == "ostraka-history/1"
    game_id, previous, draws = header["game_id"], NO_HASH, 0
    for version, event in enumerate(events, start=1):
        assert event["version"] == version
        for pointer, salt in event["openings"].items():
            _put_back(event, pointer.split("/")[1:], salt)
        assert event_hash(game_id, previous, event) == event["hash"], version
        previous = event["hash"]
        if "draws" in event["meta"]:
            first, count = event["meta"]["draws"]
            assert first == draws, version
            draws += count
        if event["type"] == "table.secret_revealed" and event["data"]["secret"]:
            _check_secret(bytes.fromhex(event["data"]["secret"]), game_id, events[0], events)
    return len(events)


def _put_back(event: dict[str, Any], path: list[str], salt: str) -> None:
    *way, last = path
    holder: Any = event
    for step in way:
        holder = holder[int(step) if isinstance(holder, list) else step]
    place = int(last) if isinstance(holder, list) else last
    holder[place] = {"commitment": field_commitment(holder[place], salt)}


def _check_secret(secret: bytes, game_id: str, first: dict[str, Any], events: list[dict[str, Any]]) -> None:
    assert secret_commitment(secret, game_id) == first["data"]["commitment"]
    for event in events:
        for pointer, salt in event["openings"].items():
            assert field_salt(secret, game_id, event["version"], pointer) == salt, event["version"]
