"""Checks an exported history without trusting who exported it: chain, commitments, draws, and every decision again."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from typing import Any

import msgspec

from domain.application.folding import Aggregate, advanced, blank
from domain.application.instants import from_text
from domain.application.ports import Recorded
from domain.application.recording import Cause, record
from domain.application.seeing import SeenEvent
from domain.kernel.chain import GENESIS, event_hash
from domain.kernel.chance import commitment_to_secret
from domain.kernel.codec import Codec, convert
from domain.kernel.errors import DomainError, InvalidInput
from domain.kernel.messages import Command
from domain.kernel.visibility import Document, commitment, replaced, value_at
from domain.table.commands import TABLE_COMMANDS
from domain.table.decide import Asked, Setting, decide
from domain.table.events import SecretRevealed
from domain.table.evolve import Games

FORMAT = "ostraka-history/1"


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an exported history."""

    format: str
    game_id: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a check found.

    `problem` is the first thing that is wrong, with the version it stands at, or None; `redecided` how many commands
    were decided again to the same events, None when the secret is not revealed yet.
    """

    game_id: str
    events: int
    head_hash: str
    openings: int
    redecided: int | None
    problem: str | None


class _Broken(Exception):
    """The history is not what it claims to be."""


@contextmanager
def _blaming(version: int) -> Iterator[None]:
    """Nothing in a history can be trusted to have the right shape; whatever breaks is its fault."""
    try:
        yield
    except _Broken:
        raise
    except Exception as fault:
        msg = f"version {version}: malformed: {type(fault).__name__}: {fault}"
        raise _Broken(msg) from fault


Lines = Callable[[], Iterator[bytes]]
"""Opens the file anew: it is read twice, and never held whole."""


def verify(games: Games, lines: Lines) -> Report:
    """Check one exported history.

    Raises: InvalidInput when the file is not an exported history at all, with the line at fault.
    """
    header, seen = _read(lines)
    chain = _Chain(header.game_id)
    try:
        for event in seen:
            with _blaming(event.version):
                chain.link(event)
        redecided = _decide_again(games, header.game_id, chain.secret, _read(lines)[1]) if chain.secret else None
    except _Broken as fault:
        return chain.report(None, str(fault))
    return chain.report(redecided, None)


class _Chain:
    """Follows the hashes, and the commitments within them, from the first event on."""

    def __init__(self, game_id: str) -> None:
        self._game_id = game_id
        self._events = 0
        self._openings = 0
        self._hash = GENESIS
        self._commitment: str | None = None
        self.secret: bytes | None = None

    def link(self, event: SeenEvent) -> None:
        """Take one event further, or raise _Broken."""
        if event.version != self._events + 1:
            msg = f"version {event.version} stands where {self._events + 1} should"
            raise _Broken(msg)
        document = _concealed(event)
        found = event_hash(
            game_id=self._game_id,
            version=event.version,
            previous=self._hash,
            type=event.type,
            schema_version=event.schema_version,
            recorded_at=event.recorded_at,
            command_id=event.command_id,
            command_ix=event.command_ix,
            data=document["data"],
            meta=document["meta"],
        )
        if found != event.hash:
            msg = f"version {event.version}: the hash should be {found}, the history says {event.hash}"
            raise _Broken(msg)
        self._events, self._hash = event.version, found
        self._openings += len(event.openings)
        self._watch_commitment(event)

    def _watch_commitment(self, event: SeenEvent) -> None:
        if event.version == 1:
            self._commitment = event.data.get("commitment")
        if event.type == SecretRevealed.__struct_config__.tag and event.data["secret"] is not None:
            secret = bytes.fromhex(event.data["secret"])
            if commitment_to_secret(secret, self._game_id) != self._commitment:
                msg = f"version {event.version}: the revealed secret is not the one that was committed to"
                raise _Broken(msg)
            self.secret = secret

    def report(self, redecided: int | None, problem: str | None) -> Report:
        """What was found up to here."""
        return Report(
            game_id=self._game_id,
            events=self._events,
            head_hash=self._hash,
            openings=self._openings,
            redecided=redecided,
            problem=problem,
        )


def _read(lines: Lines) -> tuple[Header, Iterator[SeenEvent]]:
    numbered = enumerate(lines(), start=1)
    _, first = next(numbered, (1, b""))
    header = _line(1, first, Header)
    if header.format != FORMAT:
        raise InvalidInput((("/format", f"expected {FORMAT}, found {header.format}"),))
    return header, (_line(number, line, SeenEvent) for number, line in numbered if line.strip())


def _line(number: int, line: bytes, into: type[Any]) -> Any:
    try:
        return convert(msgspec.json.decode(line), into)
    except msgspec.DecodeError as fault:
        raise InvalidInput(((f"/{number}", f"not a JSON line: {fault}"),)) from fault
    except InvalidInput as fault:
        raise InvalidInput(tuple((f"/{number}{pointer}", words) for pointer, words in fault.faults)) from fault


def _concealed(event: SeenEvent) -> Document:
    """The hashed form: each opened value back under its commitment."""
    document: Document = {"data": event.data, "meta": event.meta}
    for pointer, salt in event.openings.items():
        try:
            hidden = commitment(value_at(document, pointer), salt)
        except (KeyError, IndexError, TypeError) as fault:
            msg = f"version {event.version}: there is nothing to open at {pointer}"
            raise _Broken(msg) from fault
        document = replaced(document, pointer, {"commitment": hidden})
    return document


def _decide_again(games: Games, game_id: str, secret: bytes, events: Iterable[SeenEvent]) -> int:
    """Decide every command again from the revealed secret; the number of commands."""
    aggregate = blank(game_id)
    commands = 0
    for _, batch in groupby(events, key=lambda event: event.version - event.command_ix):
        told = tuple(batch)
        with _blaming(told[0].version):
            aggregate = _decide_one(games, aggregate, secret, told)
        commands += 1
    return commands


def _decide_one(games: Games, aggregate: Aggregate, secret: bytes, batch: tuple[SeenEvent, ...]) -> Aggregate:
    first = batch[0]
    now = from_text(first.recorded_at)
    asked = _asked(games, aggregate, first)
    setting = Setting(games=games, game_id=aggregate.game_id, secret=secret, version=aggregate.head.version, now=now)
    try:
        decision = decide(aggregate.table, asked, setting)
    except DomainError as refusal:
        msg = f"version {first.version}: {asked.command} would be refused: {refusal}"
        raise _Broken(msg) from refusal
    recorded = record(aggregate, asked, decision, _cause(first), secret=secret, now=now)
    _compare(batch, recorded)
    return advanced(aggregate, decision.after, recorded[-1])


def _compare(batch: tuple[SeenEvent, ...], recorded: tuple[Recorded, ...]) -> None:
    for told, found in zip(batch, recorded, strict=False):
        if told.hash != found.hash:
            rules, history = f"{found.type} {found.data}", f"{told.type} {told.data}"
            msg = f"version {told.version}: the rules give {rules}, the history says {history}"
            raise _Broken(msg)
    if len(batch) != len(recorded):
        msg = f"version {batch[0].version}: the rules give {len(recorded)} events, the history has {len(batch)}"
        raise _Broken(msg)


def _asked(games: Games, aggregate: Aggregate, first: SeenEvent) -> Asked:
    actor = first.meta["actor"]
    command = _commands(games, aggregate, first).decode(first.meta["command"])
    return Asked(command=command, seat=actor["seat"], mover=actor["kind"])


def _commands(games: Games, aggregate: Aggregate, first: SeenEvent) -> Codec[Command]:
    key = first.data.get("game") if aggregate.head.version == 0 else aggregate.opened.facts.game.key
    game = games.get(str(key))
    if game is None:
        msg = f"version {first.version}: the game {key} is not known here"
        raise _Broken(msg)
    return Codec((*TABLE_COMMANDS, *game.player_commands, *game.system_commands))


def _cause(first: SeenEvent) -> Cause:
    known = {"actor", "command", "undo", "draws", "to_act", "deadlines", "correlation_id", "causation_id"}
    return Cause(
        command_id=first.command_id,
        correlation_id=first.meta["correlation_id"],
        causation_id=first.meta["causation_id"],
        extra={key: value for key, value in first.meta.items() if key not in known},
    )
