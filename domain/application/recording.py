"""From a decision to the events that are stored: meta, secrets as commitments, hash chain."""

from typing import Any

import msgspec

from domain.application.folding import Aggregate
from domain.application.instants import to_text
from domain.application.ports import Head, Recorded
from domain.kernel.canonical import digest
from domain.kernel.chain import event_hash
from domain.kernel.codec import event_data, to_json
from domain.kernel.messages import Audience, type_of
from domain.kernel.visibility import Document, audiences_of, conceal, salter
from domain.table.decide import Asked, Decision
from domain.table.state import Running, to_act

COMMAND_POINTER = "/meta/command"


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Where a command comes from.

    `command_id` is unique in its game for ever; `causation_id` the command this one answers, None for a person's;
    `extra` what else the first event's meta records, such as a bot's level.
    """

    command_id: str
    correlation_id: str
    causation_id: str | None
    extra: dict[str, Any] = {}


def record(
    aggregate: Aggregate, asked: Asked, decision: Decision, cause: Cause, *, secret: bytes, now: int
) -> tuple[Recorded, ...]:
    """The events of a decision as they will be stored, chained to the aggregate's head.

    Unit: `now` microseconds since 1970 UTC, never before the stream's last event.
    """
    stored: list[Recorded] = []
    head = aggregate.head
    for place, event in enumerate(decision.events):
        document: Document = {"data": event_data(event), "meta": _meta(asked, decision, cause, place)}
        audiences = {**audiences_of(event), **_command_audience(asked, place)}
        public, openings = conceal(document, audiences, salter(secret, aggregate.game_id, head.version + 1))
        unhashed = Recorded(
            game_id=aggregate.game_id,
            version=head.version + 1,
            type=type_of(type(event)),
            schema_version=type(event).schema_version,
            data=public["data"],
            meta=public["meta"],
            openings=openings,
            command_id=cause.command_id,
            command_ix=place,
            recorded_at=now,
            hash="",
        )
        stored.append(msgspec.structs.replace(unhashed, hash=hash_of(unhashed, head.hash)))
        head = Head(version=stored[-1].version, hash=stored[-1].hash)
    return tuple(stored)


def hash_of(recorded: Recorded, previous: str) -> str:
    """The hash an event must have after the one before it."""
    return event_hash(
        game_id=recorded.game_id,
        version=recorded.version,
        previous=previous,
        type=recorded.type,
        schema_version=recorded.schema_version,
        recorded_at=to_text(recorded.recorded_at),
        command_id=recorded.command_id,
        command_ix=recorded.command_ix,
        data=recorded.data,
        meta=recorded.meta,
    )


def command_id(game_id: str, actor: str, key: str) -> str:
    """The id of a command, from the game, who gives it and their key, as a UUID: two players' keys never meet."""
    return as_uuid(digest(["ostraka/command/1", game_id, actor, key]))


def as_uuid(hex_digest: str) -> str:
    """The first 128 bits of a digest in the form of a custom UUID (version 8, RFC 9562)."""
    bits = hex_digest[:12] + "8" + hex_digest[13:16] + "89ab"[int(hex_digest[16], 16) % 4] + hex_digest[17:32]
    return f"{bits[:8]}-{bits[8:12]}-{bits[12:16]}-{bits[16:20]}-{bits[20:]}"


def command_json(recorded: Recorded) -> dict[str, Any]:
    """The command behind a batch, from its first event."""
    opening = recorded.openings.get(COMMAND_POINTER)
    command: dict[str, Any] = opening.value if opening else recorded.meta["command"]
    return command


def _meta(asked: Asked, decision: Decision, cause: Cause, place: int) -> dict[str, Any]:
    meta: dict[str, Any] = {
        "actor": {"kind": asked.mover, "seat": asked.seat},
        "correlation_id": cause.correlation_id,
        "causation_id": cause.causation_id,
    }
    if place == 0:
        meta |= {"command": to_json(asked.command), "undo": decision.undoable, **cause.extra}
        if decision.draws:
            meta["draws"] = list(decision.draws)
    if place == len(decision.events) - 1:
        meta["to_act"] = list(to_act(decision.after))
        if isinstance(decision.after, Running) and decision.after.facts.turn_seconds is not None:
            meta["deadlines"] = [list(one) for one in decision.deadlines]
    return meta


def _command_audience(asked: Asked, place: int) -> dict[str, Audience]:
    """A seat's command is open to that seat alone; what the service or an account without a seat asks is public."""
    return {} if place or asked.seat is None else {COMMAND_POINTER: frozenset({asked.seat})}
