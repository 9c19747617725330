"""Answers: JSON by msgspec, headers of the contract, games and people in words that clients know."""

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from starlette.responses import Response

from api.backend import Backend
from api.http.shapes import GameBody, MoveAnswer, OutcomeBody, SeatBody
from domain.application.committing import Committed
from domain.application.folding import Aggregate
from domain.application.instants import to_text
from domain.application.reactions import status_of, waiting_for
from domain.application.reading import GameSeen
from domain.application.seeing import Viewer, may_see, see, undone_by
from domain.kernel.codec import to_json
from domain.table.chairs import chairs_json
from domain.table.state import Opened, Over, Running, to_act

PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept-Language"}


def answer(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer that depends on the caller."""
    return Response(msgspec.json.encode(body), status, {**PRIVATE, **(headers or {})}, media_type="application/json")


def replayed(committed: Committed) -> dict[str, str]:
    """The header of an answer that was given before."""
    return {"Idempotency-Replayed": "true"} if committed.replayed else {}


async def game_body(backend: Backend, seen: GameSeen) -> GameBody:
    """A game in the shape of the contract."""
    aggregate, table = seen.aggregate, seen.aggregate.opened
    chairs = chairs_json(table.chairs)
    names = await names_in(backend, [chairs])
    resigned = table.resigned if isinstance(table, Running | Over) else ()
    return GameBody(
        game_id=aggregate.game_id,
        game=table.facts.game.key,
        rules_version=table.facts.rules_version,
        status=status_of(table),
        version=aggregate.head.version,
        seats=seat_bodies(chairs, names, resigned),
        your_seat=seen.seat,
        to_act=to_act(table),
        waiting_for=waiting_for(table),
        deadline=_deadline(table),
        options=to_json(table.facts.options),
        turn_seconds=table.facts.turn_seconds,
        commitment=table.facts.commitment,
        view=seen.view,
        outcome=_outcome(table),
        hash=aggregate.head.hash,
    )


def move_answer(committed: Committed, viewer: Viewer) -> MoveAnswer:
    """What a command caused, as the viewer may see it."""
    aggregate, table = committed.aggregate, committed.aggregate.opened
    allowed = may_see(table, viewer)
    return MoveAnswer(
        version=aggregate.head.version,
        hash=aggregate.head.hash,
        events=tuple(see(event, allowed, undone_by(table, event)) for event in committed.events),
        status=status_of(table),
        to_act=to_act(table),
        waiting_for=waiting_for(table),
    )


async def names_in(backend: Backend, tables: Collection[list[dict[str, Any]]]) -> Mapping[str, str]:
    """The names of everybody who sits at these tables, by account."""
    players = {chair["player"] for chairs in tables for chair in chairs if chair["kind"] == "player"}
    return await backend.accounts.names(players) if players else {}


def seat_bodies(
    chairs: list[dict[str, Any]], names: Mapping[str, str], resigned: Collection[int] = ()
) -> tuple[SeatBody, ...]:
    """Chairs in the shape of the contract."""
    return tuple(
        SeatBody(
            seat=seat,
            kind=chair["kind"],
            name=names.get(chair["player"], "former player") if chair["kind"] == "player" else chair.get("bot"),
            bot=chair.get("bot"),
            resigned=seat in resigned,
        )
        for seat, chair in enumerate(chairs)
    )


def etag_of(aggregate: Aggregate) -> str:
    """The entity tag of a game: its version."""
    return f'"{aggregate.head.version}"'


def _deadline(table: Opened) -> str | None:
    if not isinstance(table, Running) or not table.deadlines:
        return None
    return to_text(min(at for _, at in table.deadlines))


def _outcome(table: Opened) -> OutcomeBody | None:
    if not isinstance(table, Over):
        return None
    outcome = table.outcome
    return OutcomeBody(scores=outcome.scores, winners=outcome.winners, reason=outcome.reason, ranking=outcome.ranking)
