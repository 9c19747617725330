"""Who may come in, in Postgres."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from domain.application.ports import Account
from eventstore.engine import reading
from eventstore.schema import player

_ACCOUNT = (player.c.player_id, player.c.name, player.c.role)


class PostgresAccounts:
    """Accounts in one table; tokens as their SHA-256."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def create(self, account: Account, token_hash: bytes) -> Account:
        """Add an account; if its id is there already, give the one that is.

        Raises: StoreUnavailable; ConcurrencyConflict when the token is another account's.
        """
        added = (
            insert(player)
            .values(player_id=account.player_id, name=account.name, role=account.role, token_hash=token_hash)
            .on_conflict_do_nothing(index_elements=[player.c.player_id])
            .returning(*_ACCOUNT)
        )
        async with reading(self._engine) as connection:
            row = (await connection.execute(added)).one_or_none()
            if row is None:
                known = select(*_ACCOUNT).where(player.c.player_id == account.player_id)
                row = (await connection.execute(known)).one()
        return _account(row)

    async def by_token(self, token_hash: bytes) -> Account | None:
        """Whose token this is.

        Raises: StoreUnavailable.
        """
        async with reading(self._engine) as connection:
            row = (await connection.execute(select(*_ACCOUNT).where(player.c.token_hash == token_hash))).one_or_none()
        return None if row is None else _account(row)

    async def names(self, players: Collection[str]) -> Mapping[str, str]:
        """The names of accounts by id; those that are unknown are left out.

        Raises: StoreUnavailable.
        """
        if not players:
            return {}
        wanted = select(player.c.player_id, player.c.name).where(player.c.player_id.in_(players))
        async with reading(self._engine) as connection:
            rows = await connection.execute(wanted)
            return {str(row.player_id): row.name for row in rows}


def _account(row: Row[Any, Any, Any]) -> Account:
    return Account(player_id=str(row.player_id), name=row.name, role=row.role)
