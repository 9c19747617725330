"""Events as each viewer gets them: a hidden value leaves nothing behind but a commitment, and every hash verifies."""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from domain.application.ports import Recorded
from domain.application.recording import COMMAND_POINTER, hash_of
from domain.application.seeing import MaySee, see
from domain.application.verifying import FORMAT, Header, Report, verify
from domain.kernel.canonical import canonical
from domain.kernel.chain import GENESIS
from domain.kernel.visibility import FIELD_TAG, SALT_BYTES, commitment, replaced, to_everyone, to_seat
from domain.registry import all_games
from tests.conformance.cases import Case, Viewer, per_table
from tests.conformance.stored import Stored, stored


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """The JSON pointers at which two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from differences(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (item, another) in enumerate(zip(one, other, strict=True)):
            yield from differences(item, another, f"{path}/{place}")
    elif one != other:
        yield path


def with_another_secret(event: Recorded, pointer: str, value: Any) -> Recorded:
    """The event as it would be stored, had the value at the pointer been another one."""
    opening = msgspec.structs.replace(event.openings[pointer], value=value)
    document = {"data": event.data, "meta": event.meta}
    public = replaced(document, pointer, {"commitment": commitment(value, opening.salt)})
    changed = msgspec.structs.replace(
        event, data=public["data"], meta=public["meta"], openings={**event.openings, pointer: opening}
    )
    return msgspec.structs.replace(changed, hash=hash_of(changed, GENESIS))


def export(game: Stored, events: Iterable[Recorded], allowed: MaySee) -> list[bytes]:
    """The lines of a history as one viewer may download it."""
    header = Header(format=FORMAT, game_id=game.commits[0].aggregate.game_id)
    return [msgspec.json.encode(one) for one in (header, *(see(event, allowed) for event in events))]


def checked(lines: list[bytes]) -> Report:
    """What a check of the history finds."""
    return verify(all_games(), lambda: iter(lines))


def while_running(game: Stored) -> tuple[Recorded, ...]:
    """The stream without the command that ended the game and so revealed everything."""
    return tuple(event for commit in game.commits[:-1] for event in commit.events)


def visible(events: Iterable[Recorded], viewer: Viewer) -> int:
    """How many secret values the viewer may see."""
    return sum(viewer in opening.seats for event in events for opening in event.openings.values())


@per_table
def test_another_secret_changes_nothing_but_commitments_and_hashes(case: Case) -> None:
    for event in stored(case, "uniform").events:
        for pointer, opening in event.openings.items():
            other = with_another_secret(event, pointer, ["something", {"longer": [1, 2, 3]}])
            for viewer in case.viewers:
                mine, theirs = (msgspec.to_builtins(see(one, to_seat(viewer))) for one in (event, other))
                only_hidden = set(differences(mine, theirs)) == {"/hash", f"{pointer}/commitment"}
                assert only_hidden == (viewer not in opening.seats)


@per_table
def test_what_a_seat_asked_for_is_open_to_that_seat_alone(case: Case) -> None:
    for event in stored(case, "uniform").events:
        asked = event.openings.get(COMMAND_POINTER)
        seat = event.meta["actor"]["seat"]
        if event.command_ix == 0 and seat is not None:
            assert asked is not None
            assert asked.seats == (seat,)
        else:
            assert asked is None


@per_table
def test_every_viewers_history_of_a_running_game_verifies(case: Case) -> None:
    game = stored(case, "uniform")
    events = while_running(game)
    for viewer in case.viewers:
        report = checked(export(game, events, to_seat(viewer)))
        assert (report.problem, report.redecided) == (None, None)
        assert (report.events, report.head_hash) == (len(events), events[-1].hash)
        assert report.openings == visible(events, viewer)


@per_table
def test_the_history_of_a_finished_game_is_decided_again(case: Case) -> None:
    game = stored(case, "eager")
    report = checked(export(game, game.events, to_everyone))
    assert (report.problem, report.redecided) == (None, len(game.commits))


@per_table
def test_a_forged_value_does_not_verify(case: Case) -> None:
    game = stored(case, "uniform")
    number, forged = next((place, event) for place, event in enumerate(game.events) if event.openings)
    pointer = min(forged.openings)
    lines = export(game, game.events, to_everyone)
    seen = msgspec.json.decode(lines[number + 1])
    lines[number + 1] = msgspec.json.encode(replaced(seen, pointer, "forged"))
    assert str(checked(lines).problem).startswith(f"version {forged.version}: ")


@per_table
def test_equal_secrets_look_different(case: Case) -> None:
    openings = [opening for event in stored(case, "uniform").events for opening in event.openings.values()]
    assert len({opening.salt for opening in openings}) == len(openings)
    assert len({commitment(opening.value, opening.salt) for opening in openings}) == len(openings)
    assert {len(bytes.fromhex(opening.salt)) for opening in openings} == {SALT_BYTES}


@per_table
def test_no_secret_is_found_by_trying_all_that_it_could_be(case: Case) -> None:
    """Not by hashing bare values, nor with the salts of other values that the one who tries may see."""
    events = while_running(stored(case, "uniform"))
    openings = [opening for event in events for opening in event.openings.values()]
    values = {canonical(opening.value) for opening in openings}
    for viewer in case.viewers:
        known = [bytes.fromhex(opening.salt) for opening in openings if viewer in opening.seats]
        salts = [b"", bytes(SALT_BYTES), *known]
        tried = {hashlib.sha256(tag + salt + value) for tag in (b"", FIELD_TAG) for salt in salts for value in values}
        hidden = {commitment(one.value, one.salt) for one in openings if viewer not in one.seats}
        assert hidden.isdisjoint(attempt.hexdigest() for attempt in tried)


@per_table
def test_no_text_of_a_client_is_stored(case: Case) -> None:
    game = stored(case, "uniform")
    texts = [msgspec.json.encode(msgspec.to_builtins(event)).decode() for event in game.events]
    assert [text for text in texts if "entropy of" in text or "the client" in text] == []
    assert "00000000-0000-4000-8000" in texts[0]
