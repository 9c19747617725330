"""What may be asked without changing anything."""

import hashlib

import msgspec
import pytest

from domain.application.errors import NoSuchVersion, NotAllowed
from domain.application.ports import StreamNotFound
from domain.application.reading import Note
from domain.application.seeing import WATCHER, Viewer
from domain.kernel.errors import IllegalCommand, InvalidInput
from domain.table.errors import TableRefusal
from domain.table.state import Lobby
from tests.application.process import Process
from tests.table.table import ANN, BOB, CAL
from tests.table.toy import NUMBERS, TOY, Choose, Hush, Pile, Roll, Stack

AUDITOR = Viewer(player="auditor", unredacted=True)
ALONE = [*({"type": "choose", "number": number} for number in NUMBERS), {"type": "stack"}, {"type": "roll"}]


async def chosen(*players: str) -> tuple[Process, str]:
    """A toy game in which these players have chosen 3."""
    process = Process()
    game_id = await process.game()
    await process.choose(game_id, *players, number=3)
    return process, game_id


@pytest.mark.parametrize(
    ("viewer", "seat", "sees"),
    [
        (Viewer(player=ANN), 0, [3, False]),
        (Viewer(player=BOB), 1, [True, False]),
        (Viewer(player=CAL), None, [True, False]),
        (WATCHER, None, [True, False]),
        (AUDITOR, None, [True, False]),
    ],
)
async def test_everybody_sees_his_own_view(viewer: Viewer, seat: int | None, sees: list[int | bool]) -> None:
    process, game_id = await chosen(ANN)
    seen = await process.reader.game(game_id, viewer)
    assert (seen.seat, seen.view["chosen"]) == (seat, sees)


async def test_a_lobby_has_no_view() -> None:
    process = Process()
    seen = await process.reader.game(await process.lobby(), Viewer(player=ANN))
    assert isinstance(seen.aggregate.table, Lobby)
    assert (seen.seat, seen.view) == (0, None)


async def test_a_read_is_never_older_than_an_answered_move() -> None:
    process, game_id = await chosen(ANN)
    await Process(process.store, seed="other").choose(game_id, BOB)
    assert (await process.reader.game(game_id, WATCHER)).view["chosen"] == [True, True]


async def test_a_game_is_shown_as_it_was_at_every_version() -> None:
    process = Process()
    game_id = await process.finished()
    versions = range(1, await process.version(game_id) + 1)
    seen = [await process.reader.game(game_id, Viewer(player=BOB), version) for version in versions]
    assert [one.aggregate.head.version for one in seen] == list(versions)
    boards = [one.view and one.view["chosen"] for one in seen]
    dealt, ann, bob = [False, False], [True, False], [True, 1]
    assert boards == [None, None, dealt, dealt, ann, bob, *[dealt] * 4]


@pytest.mark.parametrize("version", [-1, 0, 6])
async def test_a_version_that_does_not_exist_is_not_shown(version: int) -> None:
    process, game_id = await chosen(ANN)
    with pytest.raises(NoSuchVersion) as refusal:
        await process.reader.game(game_id, WATCHER, version)
    assert refusal.value.version == 5


@pytest.mark.parametrize("viewer", [Viewer(player=BOB), WATCHER, Viewer(player=BOB, unredacted=True)])
@pytest.mark.parametrize("whom", [0, "watcher", "all"])
async def test_while_the_game_runs_nobody_who_plays_or_watches_sees_as_others_see(
    viewer: Viewer, whom: int | str
) -> None:
    process, game_id = await chosen(ANN)
    with pytest.raises(NotAllowed):
        await process.reader.game(game_id, viewer, None, whom)  # type: ignore[arg-type]


async def test_an_auditor_sees_as_anybody_sees() -> None:
    process, game_id = await chosen(ANN, BOB)
    assert (await process.reader.game(game_id, AUDITOR, None, 0)).view["chosen"] == [3, True]
    assert (await process.reader.game(game_id, AUDITOR, 5, 1)).view["chosen"] == [True, False]
    assert (await process.reader.game(game_id, AUDITOR, None, "watcher")).view["chosen"] == [True, True]
    everybody = (await process.reader.game(game_id, AUDITOR, None, "all")).view
    assert everybody["watcher"]["chosen"] == [True, True]
    assert [one["chosen"] for one in everybody["seats"]] == [[3, True], [True, 3]]


async def test_when_the_game_is_over_everybody_sees_as_anybody_saw() -> None:
    process = Process()
    game_id = await process.finished()
    assert (await process.reader.game(game_id, WATCHER, 5, 0)).view["chosen"] == [1, False]
    assert (await process.reader.game(game_id, WATCHER, 5)).view["chosen"] == [True, False]


@pytest.mark.parametrize("seat", [-1, 2])
async def test_a_seat_that_does_not_exist_saw_nothing(seat: int) -> None:
    process = Process()
    game_id = await process.finished()
    with pytest.raises(InvalidInput) as refusal:
        await process.reader.game(game_id, WATCHER, None, seat)
    assert refusal.value.faults[0][0] == "/as"


async def test_a_closed_lobby_shows_that_nobody_saw_anything() -> None:
    process = Process()
    game_id = await process.lobby()
    await process.service.abandon(game_id, ANN)
    seen = await process.reader.game(game_id, WATCHER, None, "all")
    assert seen.view == {"watcher": None, "seats": [None, None]}


async def test_the_legal_moves_come_complete_in_their_order_and_can_be_sent_back() -> None:
    process, game_id = await chosen(ANN)
    listed = await process.reader.moves(game_id, BOB)
    assert (listed.version, listed.seat) == (5, 1)
    assert list(listed.moves) == [*ALONE, {"type": "hush"}, {"type": "pile"}]
    assert len(listed.notes) == len(listed.moves)


async def test_notes_tell_what_could_be_taken_back_and_why_not() -> None:
    process, game_id = await chosen(ANN)
    notes = (await process.reader.moves(game_id, BOB)).notes
    assert notes[0] == Note(undo="barrier", why="A choice stands.", text="Choose")
    assert notes[4:] == (
        Note(undo="free", why=None, text="Stack"),
        Note(undo="barrier", why="The die is seen.", text="Roll"),
        Note(undo="free", why=None, text="Hush"),
        Note(undo="free", why=None, text="Pile"),
    )
    assert (await process.reader.moves(game_id, BOB, "xx")).notes == notes


async def test_who_is_not_to_act_has_no_moves() -> None:
    process, game_id = await chosen(ANN)
    assert (await process.reader.moves(game_id, ANN)).moves == ()
    lobby = await process.lobby()
    assert (await process.reader.moves(lobby, ANN)).moves == ()
    finished = await process.finished()
    assert (await process.reader.moves(finished, ANN)).moves == ()


async def test_who_gave_up_has_no_moves() -> None:
    process = Process()
    game_id = await process.game(BOB, CAL)
    await process.service.resign(game_id, BOB)
    assert (await process.reader.moves(game_id, BOB)).moves == ()


async def test_who_holds_no_seat_has_no_moves_and_rehearses_none() -> None:
    process, game_id = await chosen(ANN)
    for asked in (process.reader.moves(game_id, CAL), process.reader.rehearse(game_id, CAL, Stack())):
        with pytest.raises(TableRefusal) as refusal:
            await asked
        assert refusal.value.reason == "not-your-seat"


async def test_a_free_move_is_rehearsed_to_its_events_as_the_seat_would_see_them() -> None:
    process, game_id = await chosen(ANN)
    rehearsal = await process.reader.rehearse(game_id, BOB, Stack())
    assert (rehearsal.version, rehearsal.note.undo) == (5, "free")
    data = {"seat": 1, "colour": "red", "drawer": {"commitment": None}}
    assert rehearsal.events == ({"type": "toy.stacked", "data": data},)


async def test_own_secrets_are_shown_in_a_rehearsal() -> None:
    process = Process()
    game_id = await process.game(BOB, CAL)
    await process.choose(game_id, BOB, CAL)
    rehearsal = await process.reader.rehearse(game_id, ANN, Stack())
    data = {"seat": 0, "colour": "red", "drawer": "left"}
    assert rehearsal.events == ({"type": "toy.stacked", "data": data},)


@pytest.mark.parametrize("command", [Choose(number=1), Roll()])
async def test_of_a_move_that_could_not_be_taken_back_only_the_note_is_told(command: Choose | Roll) -> None:
    process, game_id = await chosen(ANN)
    rehearsal = await process.reader.rehearse(game_id, BOB, command)
    assert (rehearsal.note.undo, rehearsal.events) == ("barrier", None)


async def test_a_rehearsal_changes_nothing_and_draws_nothing() -> None:
    process, game_id = await chosen(ANN)
    before, stored, rung = await process.newest(game_id), await process.events(game_id), list(process.bell.rung)
    for command in (Stack(), Roll(), Hush(), Choose(number=2)):
        await process.reader.rehearse(game_id, BOB, command)
    assert await process.newest(game_id) == before
    assert (await process.events(game_id), process.bell.rung) == (stored, rung)
    rolled = await process.service.move(game_id, BOB, Roll())
    assert rolled.events[0].meta["draws"] == [1, 1]


async def test_of_a_game_that_takes_a_draw_for_free_a_rehearsal_still_tells_no_draw() -> None:
    careless = msgspec.structs.replace(TOY, barrier=lambda _state, _seat, _command: None)
    process = Process(games={"toy": careless})
    game_id = await process.game()
    assert (await process.reader.rehearse(game_id, BOB, Roll())).events == ()


async def test_an_illegal_move_is_refused_in_a_rehearsal_too() -> None:
    process, game_id = await chosen(ANN)
    with pytest.raises(IllegalCommand):
        await process.reader.rehearse(game_id, BOB, Choose(number=9))
    with pytest.raises(IllegalCommand):
        await process.reader.rehearse(game_id, ANN, Stack())
    with pytest.raises(TableRefusal):
        await process.reader.rehearse(await process.lobby(), ANN, Stack())


async def test_history_comes_in_pages() -> None:
    process, game_id = await chosen(ANN, BOB)
    pages = [await process.reader.history(game_id, WATCHER, after, 4) for after in (0, 4, 6, 9)]
    assert [[event.version for event in page.events] for page in pages] == [[1, 2, 3, 4], [5, 6], [], []]
    assert [(page.version, page.more) for page in pages] == [(6, True), (6, False), (6, False), (6, False)]
    whole = await process.reader.history(game_id, WATCHER)
    assert whole.events == (*pages[0].events, *pages[1].events)
    assert (await process.reader.history(game_id, WATCHER, 0, 0)).events == ()


async def test_history_of_an_unknown_game_is_not_found() -> None:
    with pytest.raises(StreamNotFound):
        await Process().reader.history("018f0000-0000-7000-8000-00000000ffff", WATCHER)


async def test_a_choice_and_the_command_behind_it_are_open_to_their_seat_only() -> None:
    process, game_id = await chosen(ANN)
    own, others = [
        (await process.reader.history(game_id, viewer)).events[-1]
        for viewer in (Viewer(player=ANN), Viewer(player=BOB))
    ]
    assert (own.data, own.meta["command"]) == ({"seat": 0, "number": 3}, {"type": "choose", "number": 3})
    assert (own.redacted, sorted(own.openings)) == (False, ["/data/number", "/meta/command"])
    assert set(others.data["number"]) == set(others.meta["command"]) == {"commitment"}
    assert (others.redacted, others.openings) == (True, {})
    assert own.hash == others.hash


async def test_an_opening_proves_the_value_that_is_hidden_from_others() -> None:
    process, game_id = await chosen(ANN)
    own, hidden = [
        (await process.reader.history(game_id, viewer)).events[-1] for viewer in (Viewer(player=ANN), WATCHER)
    ]
    salted = b"ostraka/field/1" + bytes.fromhex(own.openings["/data/number"]) + b"3"
    assert hidden.data["number"]["commitment"] == hashlib.sha256(salted).hexdigest()


async def test_when_the_game_is_over_everything_is_open_to_everybody() -> None:
    process = Process()
    game_id = await process.finished()
    events = (await process.reader.history(game_id, WATCHER)).events
    assert not any(event.redacted for event in events)
    assert [event.data["number"] for event in events if event.type == "toy.chosen"] == [1, 1]
    assert events[-1].data["secret"] is not None


async def test_an_auditor_reads_a_running_game_unless_he_sits_in_it() -> None:
    process, game_id = await chosen(ANN)
    assert not (await process.reader.history(game_id, AUDITOR)).events[-1].redacted
    playing = Viewer(player=BOB, unredacted=True)
    assert (await process.reader.history(game_id, playing)).events[-1].redacted
    finished = await process.finished()
    assert not any(event.redacted for event in (await process.reader.history(finished, playing)).events)


async def taken_back(process: Process, game_id: str) -> list[int | None]:
    """For each event the version of the undo that took it back."""
    return [event.undone_by for event in (await process.reader.history(game_id, WATCHER)).events]


async def test_all_events_of_a_move_are_taken_back_with_it() -> None:
    process, game_id = await chosen(ANN)
    await process.service.move(game_id, BOB, Pile())
    await process.service.undo(game_id, BOB)
    assert await taken_back(process, game_id) == [None] * 5 + [8, 8, None]
    await process.check(game_id)


async def test_history_tells_which_undo_took_an_event_back() -> None:
    process, game_id = await chosen(ANN)
    for _ in range(2):
        await process.service.move(game_id, BOB, Stack())
    for _ in range(2):
        await process.service.undo(game_id, BOB)
    assert await taken_back(process, game_id) == [None] * 5 + [9, 8, None, None]


async def test_what_others_did_meanwhile_is_not_taken_back() -> None:
    process = Process()
    game_id = await process.game(BOB, CAL)
    await process.service.move(game_id, ANN, Hush())
    await process.service.resign(game_id, CAL)
    await process.service.undo(game_id, ANN)
    undo = await process.version(game_id)
    assert (await taken_back(process, game_id))[-3:] == [undo, None, None]


async def test_undone_events_stay_undone_when_the_game_is_over() -> None:
    process, game_id = await chosen(ANN)
    await process.service.move(game_id, BOB, Stack())
    await process.service.undo(game_id, BOB)
    await process.service.resign(game_id, BOB)
    assert await taken_back(process, game_id) == [None] * 5 + [7, None, None, None, None]


async def test_events_are_shown_as_json_a_client_can_read() -> None:
    process, game_id = await chosen(ANN)
    shown = msgspec.json.decode(msgspec.json.encode((await process.reader.history(game_id, WATCHER)).events[0]))
    assert (shown["type"], shown["version"], shown["position"]) == ("table.opened", 1, 1)
    assert shown["recorded_at"] == "2026-02-02T02:40:00.000000Z"
