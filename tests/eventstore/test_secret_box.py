"""Secrets of games, encrypted."""

import itertools
from collections.abc import AsyncIterator

import pytest

from eventstore.connecting import Pool
from eventstore.postgres import CannotDecrypt, PlainBox, PostgresEventStore
from eventstore.secret_box import KEY_BYTES, EncryptingBox
from tests.eventstore.contract import BEGINNING, ONE, OTHER, SECRET, batch
from tests.eventstore.games import pool_of

OLD, NEW, STRANGE = (bytes([number]) * KEY_BYTES for number in (1, 2, 3))

# AES-256-GCM of SECRET with key OLD, nonce 00 to 0b and the id ONE: what is stored must open for ever.
STORED = bytes.fromhex(
    "01000102030405060708090a0b"
    "bba7972524fb007ef663edcf2c64c6acbed77919e184531769d3229bbd9a23ade293968b4a8866cdcc08a81698f24689"
)


@pytest.fixture
async def pool(migrated_url: str) -> AsyncIterator[Pool]:
    async with pool_of(migrated_url) as opened:
        yield opened


def test_a_secret_comes_back() -> None:
    box = EncryptingBox([OLD])
    assert box.open(box.seal(SECRET, ONE), ONE) == SECRET


def test_a_stored_secret_opens_for_ever() -> None:
    assert EncryptingBox([OLD]).open(STORED, ONE) == SECRET


def test_what_is_stored_shows_nothing_and_is_never_the_same_twice() -> None:
    box = EncryptingBox([OLD])
    sealed = {box.seal(SECRET, ONE) for _ in range(100)}
    assert len(sealed) == 100
    assert {one[0] for one in sealed} == {1}
    assert {len(one) for one in sealed} == {1 + 12 + len(SECRET) + 16}
    assert not any(SECRET[:4] in one for one in sealed)


def test_the_first_key_encrypts_and_every_key_decrypts() -> None:
    before, rotated = EncryptingBox([OLD]), EncryptingBox([NEW, OLD])
    assert rotated.open(before.seal(SECRET, ONE), ONE) == SECRET
    assert EncryptingBox([NEW]).open(rotated.seal(SECRET, ONE), ONE) == SECRET
    with pytest.raises(CannotDecrypt):
        before.open(rotated.seal(SECRET, ONE), ONE)


def test_a_wrong_key_is_one_clear_sentence_without_the_secret() -> None:
    sealed = EncryptingBox([OLD]).seal(SECRET, ONE)
    with pytest.raises(CannotDecrypt, match=f"{ONE} opens with none of the keys in OSTRAKA_SECRET_KEYS") as fault:
        EncryptingBox([STRANGE, NEW]).open(sealed, ONE)
    assert not any(key.hex() in str(fault.value) for key in (OLD, NEW, STRANGE, SECRET))


def test_a_process_without_keys_does_not_take_the_stored_form_for_the_secret() -> None:
    with pytest.raises(CannotDecrypt, match=f"{ONE} is encrypted.*OSTRAKA_SECRET_KEYS"):
        PlainBox().open(STORED, ONE)


def test_games_from_before_there_were_keys_go_on() -> None:
    assert PlainBox().open(PlainBox().seal(SECRET, ONE), ONE) == SECRET
    assert EncryptingBox([OLD]).open(PlainBox().seal(SECRET, ONE), ONE) == SECRET


def test_a_secret_is_of_its_game() -> None:
    box = EncryptingBox([OLD])
    with pytest.raises(CannotDecrypt):
        box.open(box.seal(SECRET, ONE), OTHER)


def test_no_byte_can_be_changed_added_or_cut_off() -> None:
    # Bit 0 of the first byte tells an encrypted secret from one that never was.
    for place, bit in itertools.product(range(len(STORED)), (1, 7)):
        changed = bytearray(STORED)
        changed[place] ^= 1 << bit
        refused(bytes(changed))
    for length in range(len(STORED)):
        refused(STORED[:length])
    refused(STORED + b"\0")


def refused(sealed: bytes) -> None:
    with pytest.raises(CannotDecrypt):
        EncryptingBox([OLD, NEW]).open(sealed, ONE)


@pytest.mark.parametrize("keys", [[], [b""], [OLD[:-1]], [OLD, NEW + b"\0"]], ids=len)
def test_keys_have_thirty_two_bytes_and_there_is_one(keys: list[bytes]) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        EncryptingBox(keys)


async def test_the_database_holds_no_secret_that_anybody_could_read(pool: Pool) -> None:
    store = PostgresEventStore(pool, EncryptingBox([OLD]))
    await store.append(batch(BEGINNING, 1, secret=SECRET))
    assert (await store.load(ONE, with_secret=True)).secret == SECRET
    stored: bytes = await pool.fetchval("SELECT secret FROM ostraka.secret")
    assert stored[0] == 1
    assert SECRET not in stored
    assert EncryptingBox([OLD]).open(stored, ONE) == SECRET


async def test_a_process_without_the_key_does_not_take_the_secret_for_lost(pool: Pool) -> None:
    await PostgresEventStore(pool, EncryptingBox([OLD])).append(batch(BEGINNING, 1, secret=SECRET))
    stranger = PostgresEventStore(pool, EncryptingBox([STRANGE]))
    with pytest.raises(CannotDecrypt):
        await stranger.load(ONE, with_secret=True)
    assert len((await stranger.load(ONE)).events) == 1
