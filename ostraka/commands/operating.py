"""`token`, `parked`, `retry`: for whoever runs the service, straight on its database."""

import asyncio
import secrets
import uuid
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from typing import Annotated, TypeVar, get_args

import typer
from rich.table import Table

from domain.application.ports import Account, Dues, Parked, Role
from ostraka.commands.serving import sentences, settings_of
from ostraka.commands.telling import fail, out

T = TypeVar("T")


def token(
    name: Annotated[str, typer.Argument(help="What the account is called.")],
    role: Annotated[str, typer.Option(help="player, auditor or operator.")] = "player",
) -> None:
    """Make an account and print its token, once."""
    roles: tuple[Role, ...] = get_args(Role)
    chosen = next((one for one in roles if one == role), None)
    if chosen is None:
        fail(f"There is no role {role}; there are {', '.join(roles)}.")
    shown = secrets.token_urlsafe(32)
    account = Account(player_id=str(uuid.uuid4()), name=name, role=chosen)

    async def create() -> None:
        from eventstore.accounts import PostgresAccounts
        from eventstore.engine import create_engine
        from ostraka.parts.connections import database_url

        engine = create_engine(database_url(settings_of()), name="ostraka token")
        try:
            await PostgresAccounts(engine).create(account, sha256(shown.encode()).digest())
        finally:
            await engine.dispose()

    with sentences():
        asyncio.run(create())
    out.print(f"{account.player_id} {role} {shown}", markup=False, highlight=False, soft_wrap=True)


def parked() -> None:
    """List the games that were set aside because their workers failed."""
    table = Table("game", "version", "reason")
    listed: Sequence[Parked] = _with_dues(lambda dues: dues.parked())
    for game in listed:
        table.add_row(game.game_id, str(game.version), game.reason)
    out.print(table)


def retry(game_id: Annotated[str, typer.Argument(help="The game's id.")]) -> None:
    """Let workers take up a game again that was set aside."""
    if not _with_dues(lambda dues: dues.retry(game_id)):
        fail(f"The game {game_id} is not set aside.")
    out.print("It is due again.")


def _with_dues(act: Callable[[Dues], Awaitable[T]]) -> T:
    async def acted() -> T:
        from eventstore.connecting import open_pool
        from eventstore.dues import PostgresDues
        from ostraka.parts.connections import database_url

        pool = await open_pool(database_url(settings_of()), name="ostraka operator", size=1)
        try:
            return await act(PostgresDues(pool))
        finally:
            pool.terminate()

    with sentences():
        return asyncio.run(acted())


COMMANDS = {"token": token, "parked": parked, "retry": retry}
