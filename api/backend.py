"""Everything the API stands on, handed in by the program."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from api.live.hub import Hub
from domain.application.ports import Accounts, Clock, Directory, Entropy, Readings
from domain.application.reading import GameReader
from domain.application.service import GameService
from domain.kernel.game import AnyGame


@dataclass(frozen=True, kw_only=True)
class Backend:
    """The service as HTTP sees it.

    `token_key` makes the answer to a repeated `POST /players` the same again; `rules` gives a game's rules as Markdown;
    `not_ready` what is in the way of answering, none when all is well; `away` what is missing without being needed.
    """

    games: Mapping[str, AnyGame]
    service: GameService
    reader: GameReader
    accounts: Accounts
    directory: Directory
    readings: Readings
    hub: Hub
    clock: Clock
    entropy: Entropy
    token_key: bytes
    rules: Callable[[str], str]
    not_ready: Callable[[], Awaitable[str | None]]
    away: Callable[[], str | None]
    version: str
