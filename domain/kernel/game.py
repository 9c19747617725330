"""The contract of a game: a frozen record of functions and facts. There is no base class to inherit from."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from domain.kernel.bots import Bot
from domain.kernel.chance import Chance
from domain.kernel.messages import Command, Event, Seat
from domain.kernel.outcome import Outcome
from domain.kernel.upcasting import Upcasters
from domain.kernel.words import Words

S = TypeVar("S")
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - options
V = TypeVar("V", bound=msgspec.Struct)
C = TypeVar("C", bound=Command)
E = TypeVar("E", bound=Event)


class Game(msgspec.Struct, Generic[S, O, V, C, E], frozen=True, kw_only=True):
    """Everything shared code may know of a game: state S, options O, view V, unions of commands C and events E.

    Identity
        `key` is the folder's name and the prefix of every event type; `seats` are the allowed numbers of seats.
        `rules_version` is written into the first event of a new table and pins it: `initial` puts it into the state,
        and `decide` asks the state where a rule has changed since.
    Messages
        `player_commands`, `system_commands` and `events` are closed unions; `upcasters` lead old events to new shapes.
    The fold
        `initial(seats, options, rules_version)` is the state before any event; `setup(state, chance)` gives the opening
        events; `evolve(state, event)` folds one and computes no rule.
    Decisions
        `decide(state, seat, command, chance)` gives the events of a command or raises IllegalCommand; `seat` is None
        for a system command. A system command that has had its effect already gives no events; a player's gives at
        least one. The order of refusals is part of the contract.
        `to_act(state)`: who must answer, ascending; empty while the service must act and when the game is over.
        `legal(state, seat)`: every legal command of the seat, in a fixed order; the first is the idle move that is made
        for an absent seat. Empty when the seat is not in `to_act`.
        `barrier(state, seat, command)`: the name of the reason why a legal command could not be taken back, judged by
        what the seat knows; None where it draws nothing, shows nothing new and leaves the seat alone to act.
        `upkeep(state)`: the system command the rules now want, or None. While there is one, `to_act` is empty.
        `outcome(state)`: the result once the game is over, else None.
    Knowledge
        `view(state, seat)`: what a seat, or a watcher (None), may see, built up from nothing.
        `resample(view, seat, chance)`: a full state that fits everything the viewer knows. It proves that `view` leaks
        nothing, and is what a searching bot samples from.
        `components(state)`: how many of each physical component are anywhere in the state; the same at every version.
    Bots and words
        `bots` by name, `random` among them; `text` by language tag, `en` among them.
    """

    key: str
    title: str
    seats: tuple[int, ...]
    rules_version: int
    options: type[O]
    presets: Mapping[str, O]
    player_commands: tuple[type[Command], ...]
    system_commands: tuple[type[Command], ...]
    events: tuple[type[Event], ...]
    upcasters: Upcasters
    initial: Callable[[int, O, int], S]
    setup: Callable[[S, Chance], tuple[E, ...]]
    evolve: Callable[[S, E], S]
    decide: Callable[[S, Seat | None, C, Chance], tuple[E, ...]]
    to_act: Callable[[S], tuple[Seat, ...]]
    legal: Callable[[S, Seat], tuple[C, ...]]
    barrier: Callable[[S, Seat, C], str | None]
    upkeep: Callable[[S], C | None]
    outcome: Callable[[S], Outcome | None]
    view: Callable[[S, Seat | None], V]
    resample: Callable[[V, Seat | None, Chance], S]
    components: Callable[[S], Mapping[str, int]]
    bots: Mapping[str, Bot]
    text: Mapping[str, Words]


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
"""A game whose types are erased on purpose: what the registry holds and shared code handles."""
