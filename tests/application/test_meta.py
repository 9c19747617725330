"""What is recorded around every event: who, why, how many draws, who is next and until when."""

import pytest

from domain.application.ports import Recorded
from domain.application.recording import as_uuid, command_id
from domain.kernel.visibility import salter
from tests.application.process import ME, Process, bot, wanted
from tests.house import NOON, SECOND
from tests.table.table import ANN, BOB
from tests.table.toy import Choose, Hush, Roll


async def last(process: Process, game_id: str, count: int = 1) -> list[Recorded]:
    """The last events of a game."""
    return list(await process.events(game_id))[-count:]


async def test_the_first_event_of_a_command_holds_the_command_and_the_last_one_what_follows() -> None:
    process = Process()
    game_id = await process.lobby(turn_seconds=60)
    await process.service.sit(game_id, BOB, 1, None)
    first, middle, end = await last(process, game_id, 3)
    ids = {"correlation_id": first.command_id, "causation_id": None, "actor": {"kind": "player", "seat": None}}
    assert first.meta == ids | {
        "command": {"type": "table.sit", "player": BOB, "seat": 1, "entropy": None},
        "undo": False,
        "draws": [0, 1],
    }
    assert middle.meta == ids
    deadline = NOON + 60 * SECOND
    assert end.meta == ids | {"to_act": [0, 1], "deadlines": [[0, deadline], [1, deadline]]}
    assert [event.command_ix for event in (first, middle, end)] == [0, 1, 2]


async def test_a_game_without_a_clock_records_no_deadlines() -> None:
    process = Process()
    game_id = await process.game()
    assert "deadlines" not in (await last(process, game_id))[0].meta


async def test_in_a_game_with_a_clock_it_is_recorded_that_no_clock_runs() -> None:
    process = Process()
    game_id = await process.game(turn_seconds=60)
    await process.choose(game_id, ANN, BOB)
    assert (await last(process, game_id))[0].meta["deadlines"] == []


async def test_a_lobby_and_a_finished_game_wait_for_nobody() -> None:
    process = Process()
    for game_id in (await process.lobby(turn_seconds=60), await process.finished(turn_seconds=60)):
        (end,) = await last(process, game_id)
        assert end.meta["to_act"] == []
        assert "deadlines" not in end.meta


async def test_a_players_move_names_its_seat_and_whether_it_can_be_taken_back() -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Hush())
    (hushed,) = await last(process, game_id)
    assert (hushed.meta["actor"], hushed.meta["undo"]) == ({"kind": "player", "seat": 0}, True)
    await process.service.undo(game_id, ANN)
    (undone,) = await last(process, game_id)
    assert undone.meta["undo"] is False
    assert undone.data == {"seat": 0, "back_to": 4}


async def test_draws_are_recorded_with_the_first_event_of_the_command_that_made_them() -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, BOB, Roll())
    rolled, chosen = await last(process, game_id, 2)
    assert rolled.meta["draws"] == [1, 1]
    assert "draws" not in chosen.meta
    await process.choose(game_id, ANN)
    (chosen,) = await last(process, game_id)
    assert "draws" not in chosen.meta


async def test_a_seats_command_is_hidden_from_all_others_and_an_accounts_is_not() -> None:
    process = Process()
    opened = await process.service.open(ANN, wanted(ME, bot()))
    assert "/meta/command" not in opened.events[0].openings
    done = await process.choose(opened.aggregate.game_id, ANN)
    opening = done.events[0].openings["/meta/command"]
    assert (opening.value, opening.seats) == ({"type": "choose", "number": 1}, (0,))
    assert set(done.events[0].meta["command"]) == {"commitment"}


async def test_every_hidden_value_has_a_salt_of_its_own_from_the_secret() -> None:
    process = Process()
    game_id = await process.game()
    await process.choose(game_id, ANN, BOB)
    secret = (await process.store.load(game_id, with_secret=True)).secret
    assert secret is not None
    salts = []
    for event in await last(process, game_id, 2):
        for pointer in ("/data/number", "/meta/command"):
            salts.append(event.openings[pointer].salt)
            assert salts[-1] == salter(secret, game_id, event.version)(pointer)
    assert len(set(salts)) == 4


async def test_an_event_is_dated_by_the_clock_and_never_before_the_last_one() -> None:
    process = Process()
    game_id = await process.game()
    process.clock.pass_by(-3600)
    await process.choose(game_id, ANN)
    process.clock.pass_by(3600 + 5)
    await process.choose(game_id, BOB)
    assert [event.recorded_at - NOON for event in await last(process, game_id, 2)] == [0, 5 * SECOND]


async def test_deadlines_count_from_the_recorded_time() -> None:
    process = Process()
    game_id = await process.game(turn_seconds=60)
    process.clock.pass_by(-3600)
    await process.service.move(game_id, ANN, Hush())
    assert (await last(process, game_id))[0].meta["deadlines"] == [[0, NOON + 60 * SECOND]]


async def test_all_events_of_a_command_have_its_id() -> None:
    process = Process()
    opened = await process.service.open(ANN, wanted(bot(), bot()), "key")
    game_id = opened.aggregate.game_id
    assert {event.command_id for event in opened.events} == {command_id(game_id, f"player/{ANN}", "key")}


@pytest.mark.parametrize("digest", ["0" * 64, "f" * 64, "0123456789abcdef" * 4])
def test_ids_of_commands_are_uuids_of_a_digest(digest: str) -> None:
    uuid = as_uuid(digest)
    assert [len(part) for part in uuid.split("-")] == [8, 4, 4, 4, 12]
    assert uuid[14] == "8"
    assert uuid[19] in "89ab"
    assert uuid[:8] == digest[:8]
    assert uuid[-12:] == digest[20:32]


async def test_two_moves_without_a_key_have_two_ids() -> None:
    process = Process()
    game_id = await process.game()
    await process.service.move(game_id, ANN, Choose(number=1))
    await process.service.move(game_id, BOB, Choose(number=1))
    one, two = await last(process, game_id, 2)
    assert one.command_id != two.command_id
