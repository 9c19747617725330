"""Accounts in Postgres."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import text

from domain.application.ports import Account, ConcurrencyConflict, StoreUnavailable
from eventstore.accounts import PostgresAccounts
from eventstore.engine import create_engine, reading


@pytest.fixture
async def accounts(shared_migrated_url: str) -> AsyncIterator[PostgresAccounts]:
    engine = create_engine(shared_migrated_url, name="tests")
    yield PostgresAccounts(engine)
    await engine.dispose()


def somebody(name: str = "Nefertari") -> Account:
    return Account(player_id=str(uuid4()), name=name, role="player")


def token(text: str | None = None) -> bytes:
    return sha256((text or str(uuid4())).encode()).digest()


async def test_a_token_leads_to_its_account(accounts: PostgresAccounts) -> None:
    one, key = somebody(), token()
    assert await accounts.create(one, key) == one
    assert await accounts.by_token(key) == one


async def test_an_unknown_token_leads_to_nobody(accounts: PostgresAccounts) -> None:
    assert await accounts.by_token(token()) is None


async def test_a_repeat_gives_the_account_that_is_there(accounts: PostgresAccounts) -> None:
    one, key, other_key = somebody(), token(), token()
    await accounts.create(one, key)
    repeat = Account(player_id=one.player_id, name="Somebody else", role="operator")
    assert await accounts.create(repeat, other_key) == one
    assert await accounts.by_token(other_key) is None


async def test_racing_repeats_make_one_account(accounts: PostgresAccounts) -> None:
    one, key = somebody(), token()
    assert await asyncio.gather(*(accounts.create(one, key) for _ in range(8))) == [one] * 8


async def test_no_two_accounts_share_a_token(accounts: PostgresAccounts) -> None:
    key = token()
    await accounts.create(somebody(), key)
    with pytest.raises(ConcurrencyConflict):
        await accounts.create(somebody(), key)


async def test_names_of_known_accounts_only(accounts: PostgresAccounts) -> None:
    one, other = somebody("Nefertari"), somebody("Ramses")
    for account in (one, other):
        await accounts.create(account, token())
    wanted = [one.player_id, other.player_id, str(uuid4())]
    assert await accounts.names(wanted) == {one.player_id: "Nefertari", other.player_id: "Ramses"}
    assert await accounts.names([]) == {}


async def test_a_statement_that_takes_too_long_is_an_absent_store(shared_migrated_url: str) -> None:
    engine = create_engine(shared_migrated_url, name="tests", statement_seconds=0.05)
    with pytest.raises(StoreUnavailable):
        async with reading(engine) as connection:
            await connection.execute(text("SELECT pg_sleep(5)"))
    await engine.dispose()


async def test_a_server_that_is_away_is_an_absent_store() -> None:
    engine = create_engine("postgresql://nobody@127.0.0.1:1/nothing", name="tests")
    with pytest.raises(StoreUnavailable):
        await PostgresAccounts(engine).by_token(token())
    await engine.dispose()


async def test_a_cut_connection_is_replaced(shared_migrated_url: str) -> None:
    engine = create_engine(shared_migrated_url, name="tests-cut", size=1)
    async with reading(engine) as connection:
        backend = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
        assert (await connection.execute(text("SHOW application_name"))).scalar_one() == "tests-cut"
        adapter = (await connection.get_raw_connection()).driver_connection
    outside = await asyncpg.connect(shared_migrated_url)
    await outside.execute("SELECT pg_terminate_backend($1)", backend)
    await outside.close()
    assert isinstance(adapter, asyncpg.Connection)
    for _ in range(500):
        if adapter.is_closed():
            break
        await asyncio.sleep(0.01)
    async with reading(engine) as connection:
        assert (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one() != backend
    await engine.dispose()
