"""A toy game for what the real games do not have: seats that act at once, hidden choices, moves that are free.

Each round every seat chooses a number in secret, all at once; a seat that is alone to act may also stack pebbles, which
is free, or roll a die. The service tallies the round: the die that it rolls goes to whoever chose highest.
"""

from typing import Any, cast

import msgspec

from domain.kernel.bots import RANDOM, Bot
from domain.kernel.chance import Chance
from domain.kernel.errors import IllegalCommand
from domain.kernel.game import Game
from domain.kernel.messages import Audience, Command, Event, Seat
from domain.kernel.outcome import Outcome
from domain.kernel.words import Words

NUMBERS = range(4)


class Choose(Command, frozen=True, kw_only=True, tag="choose"):
    number: int


class Stack(Command, frozen=True, kw_only=True, tag="stack"):
    pass


class Roll(Command, frozen=True, kw_only=True, tag="roll"):
    pass


class Hush(Command, frozen=True, kw_only=True, tag="hush"):
    """Makes the seat the only one to act, until it has chosen."""


class Pile(Command, frozen=True, kw_only=True, tag="pile"):
    """Two pebbles at once."""


class Tally(Command, frozen=True, kw_only=True, tag="tally"):
    round: int


class Dealt(Event, frozen=True, kw_only=True, tag="toy.dealt"):
    die: int


class Chosen(Event, frozen=True, kw_only=True, tag="toy.chosen"):
    seat: Seat
    number: int

    def secrets(self) -> dict[str, Audience]:
        return {"number": frozenset({self.seat})}


class Stacked(Event, frozen=True, kw_only=True, tag="toy.stacked"):
    seat: Seat
    colour: str
    drawer: str

    def secrets(self) -> dict[str, Audience]:
        return {"drawer": frozenset({0})}


class Rolled(Event, frozen=True, kw_only=True, tag="toy.rolled"):
    seat: Seat
    die: int


class Hushed(Event, frozen=True, kw_only=True, tag="toy.hushed"):
    seat: Seat


class Tallied(Event, frozen=True, kw_only=True, tag="toy.tallied"):
    scores: tuple[int, ...]
    die: int


class Ended(Event, frozen=True, kw_only=True, tag="toy.ended"):
    winners: tuple[Seat, ...]
    ranking: tuple[tuple[Seat, ...], ...]


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rounds: int = 2


class State(msgspec.Struct, frozen=True, kw_only=True):
    options: Options
    chosen: tuple[int | None, ...]
    scores: tuple[int, ...]
    pebbles: int = 0
    die: int = 0
    round: int = 1
    alone: Seat | None = None
    outcome: Outcome | None = None


class View(msgspec.Struct, frozen=True, kw_only=True):
    chosen: tuple[int | bool, ...]
    scores: tuple[int, ...]
    pebbles: int
    die: int
    round: int


def initial(seats: int, options: Options, _rules_version: int) -> State:
    return State(options=options, chosen=(None,) * seats, scores=(0,) * seats)


def decide(state: State, seat: Seat | None, command: Command, chance: Chance) -> tuple[Event, ...]:
    match command:
        case Tally(round=number) if seat is None:
            return _tally(state, chance) if number == state.round and upkeep(state) else ()
        case _ if seat is None or seat not in to_act(state):
            raise IllegalCommand("TOY-1", "not_your_turn", "Wait until you are asked.")
        case Choose(number=number) if number in NUMBERS:
            return (Chosen(seat=seat, number=number),)
        case Stack():
            return (Stacked(seat=seat, colour="red", drawer="left"),)
        case Pile():
            return (Stacked(seat=seat, colour="red", drawer="left"), Stacked(seat=seat, colour="blue", drawer="right"))
        case Roll():
            return (Rolled(seat=seat, die=chance.below(6)), Chosen(seat=seat, number=0))
        case Hush():
            return (Hushed(seat=seat),)
        case _:
            raise IllegalCommand("TOY-2", "no_such_number", "Choose one of the numbers.")


def _tally(state: State, chance: Chance) -> tuple[Event, ...]:
    die, best = chance.below(6), max(number or 0 for number in state.chosen)
    gains = (die if number == best else 0 for number in state.chosen)
    scores = tuple(score + gain for score, gain in zip(state.scores, gains, strict=True))
    tallied = Tallied(scores=scores, die=die)
    if state.round < state.options.rounds:
        return (tallied,)
    groups = tuple(
        tuple(seat for seat, one in enumerate(scores) if one == score) for score in sorted(set(scores), reverse=True)
    )
    return tallied, Ended(winners=groups[0], ranking=groups)


def evolve(state: State, event: Event) -> State:
    match event:
        case Dealt(die=die):
            return msgspec.structs.replace(state, die=die)
        case Chosen(seat=seat, number=number):
            chosen = (*state.chosen[:seat], number, *state.chosen[seat + 1 :])
            return msgspec.structs.replace(state, chosen=chosen, alone=None)
        case Stacked():
            return msgspec.structs.replace(state, pebbles=state.pebbles + 1)
        case Rolled(die=die):
            return msgspec.structs.replace(state, die=die)
        case Hushed(seat=seat):
            return msgspec.structs.replace(state, alone=seat)
        case Tallied(scores=scores, die=die):
            nobody: tuple[int | None, ...] = (None,) * len(scores)
            return msgspec.structs.replace(state, scores=scores, die=die, chosen=nobody, round=state.round + 1)
        case Ended(winners=winners, ranking=ranking):
            outcome = Outcome(scores=state.scores, winners=winners, ranking=ranking, reason="rounds")
            return msgspec.structs.replace(state, outcome=outcome)
        case _:
            raise AssertionError(event)


def to_act(state: State) -> tuple[Seat, ...]:
    if state.outcome is not None:
        return ()
    waiting = tuple(seat for seat, number in enumerate(state.chosen) if number is None)
    return waiting if state.alone is None else (state.alone,)


def legal(state: State, seat: Seat) -> tuple[Command, ...]:
    if seat not in to_act(state):
        return ()
    return (*(Choose(number=number) for number in NUMBERS), Stack(), Roll(), Hush(), Pile())


def barrier(state: State, seat: Seat, command: Command) -> str | None:
    if isinstance(command, Choose):
        return "is_a_choice"
    if isinstance(command, Roll):
        return "rolls_the_die"
    return None if isinstance(command, Hush) or to_act(state) == (seat,) else "others_act"


def upkeep(state: State) -> Tally | None:
    return Tally(round=state.round) if state.outcome is None and None not in state.chosen else None


def view(state: State, seat: Seat | None) -> View:
    chosen = tuple(
        number if owner == seat and number is not None else number is not None
        for owner, number in enumerate(state.chosen)
    )
    return View(chosen=chosen, scores=state.scores, pebbles=state.pebbles, die=state.die, round=state.round)


def _first(_view: Any, _seat: Seat, moves: Any, _chance: Chance) -> Command:
    return cast(Command, moves[0])


def _last_choice(_view: Any, _seat: Seat, moves: Any, _chance: Chance) -> Command:
    return cast(Command, moves[len(NUMBERS) - 1])


FIRST = Bot(name="first", version=3, cost="fast", description="The lowest number.", choose=_first)
DEEP = Bot(name="deep", version=7, cost="search", description="The highest number.", choose=_last_choice)
WORDS = Words(
    move=lambda command: type(command).__name__,
    event=lambda name, _fields: name,
    reasons={},
    barriers={"is_a_choice": "A choice stands.", "rolls_the_die": "The die is seen.", "others_act": "Others act too."},
)

TOY: Game[State, Options, View, Command, Event] = Game(
    key="toy",
    title="Toy",
    seats=(2, 3, 4),
    rules_version=1,
    options=Options,
    presets={"usual": Options()},
    player_commands=(Choose, Stack, Roll, Hush, Pile),
    system_commands=(Tally,),
    events=(Dealt, Chosen, Stacked, Rolled, Hushed, Tallied, Ended),
    upcasters={},
    initial=initial,
    setup=lambda _state, chance: (Dealt(die=chance.below(6)),),
    evolve=evolve,
    decide=decide,
    to_act=to_act,
    legal=legal,
    barrier=barrier,
    upkeep=upkeep,
    outcome=lambda state: state.outcome,
    view=view,
    resample=lambda _view, _seat, _chance: initial(2, Options(), 1),
    components=lambda _state: {},
    bots={RANDOM.name: RANDOM, FIRST.name: FIRST, DEEP.name: DEEP},
    text={"en": WORDS},
)
