"""What an account asks of a table before the game starts."""

import hashlib

import msgspec
import pytest

from domain.application.ports import Batch, Listing, StreamNotFound
from domain.application.service import LONGEST_TURN, SeatWanted, TableWanted, entropy_digest
from domain.kernel.errors import InvalidInput
from domain.table.errors import TableRefusal
from domain.table.state import Closed, Lobby, Running
from eventstore.memory import MemoryEventStore
from tests.application.process import FREE, ME, Process, Switch, bot, wanted
from tests.house import NOON
from tests.table.table import ANN, BOB, CAL
from tests.table.toy import Choose


async def test_a_table_is_opened_in_a_stream_of_its_own() -> None:
    process = Process()
    opened = await process.service.open(ANN, wanted())
    aggregate = opened.aggregate
    assert (aggregate.head.version, opened.replayed) == (1, False)
    assert isinstance(aggregate.table, Lobby)
    assert [event.type for event in await process.events(aggregate.game_id)] == ["table.opened"]
    await process.check(aggregate.game_id)


async def test_ids_of_games_are_time_ordered_uuids() -> None:
    process = Process()
    first, second = await process.lobby(), await process.lobby()
    assert first != second
    for game_id in (first, second):
        assert game_id.replace("-", "")[:12] == f"{NOON // 1000:012x}"
        assert (game_id[14], len(game_id)) == ("7", 36)
        assert game_id[19] in "89ab"


async def test_the_secret_was_committed_to_and_is_not_among_the_events() -> None:
    process = Process()
    game_id = await process.lobby()
    secret = (await process.store.load(game_id, with_secret=True)).secret
    assert secret is not None
    assert len(secret) == 32
    (opened,) = await process.events(game_id)
    assert opened.data["commitment"] == hashlib.sha256(secret + game_id.encode()).hexdigest()
    assert secret.hex().encode() not in msgspec.json.encode(opened)


async def test_two_games_have_two_secrets() -> None:
    process = Process()
    secrets = {(await process.store.load(await process.lobby(), with_secret=True)).secret for _ in range(2)}
    assert len(secrets) == 2


async def test_a_new_table_stands_in_the_directory() -> None:
    process = Process()
    game_id = await process.lobby()
    assert process.memory.directory[game_id] == Listing(
        game="toy",
        status="lobby",
        chairs=[{"kind": "player", "player": ANN}, {"kind": "open"}],
        opener=ANN,
        to_act=(),
        due=None,
    )


async def test_the_last_to_sit_down_starts_the_game() -> None:
    process = Process()
    game_id = await process.lobby()
    sat = await process.service.sit(game_id, BOB, 1, None)
    assert [event.type for event in sat.events] == ["table.seat_taken", "table.started", "toy.dealt"]
    assert isinstance(await process.table(game_id), Running)
    await process.check(game_id)


async def test_a_table_of_bots_only_starts_at_once() -> None:
    process = Process()
    opened = await process.service.open(ANN, wanted(bot(), bot("deep")))
    assert isinstance(opened.aggregate.table, Running)
    await process.check(opened.aggregate.game_id)


async def test_a_table_is_started_by_hand_by_its_opener() -> None:
    process = Process()
    game_id = await process.game(start="manual")
    await process.service.start(game_id, ANN, "my dice")
    started = (await process.events(game_id))[-2]
    assert (started.type, started.data["entropy"]) == ("table.started", [None, None, entropy_digest("my dice")])
    await process.check(game_id)


async def test_a_seat_is_given_back() -> None:
    process = Process()
    game_id = await process.game(start="manual")
    await process.service.leave(game_id, BOB, 1)
    await process.service.sit(game_id, CAL, 1, None)
    assert [chair["kind"] for chair in process.memory.directory[game_id].chairs] == ["player", "player"]
    await process.check(game_id)


async def test_a_lobby_is_closed_by_its_opener() -> None:
    process = Process()
    game_id = await process.lobby()
    await process.service.abandon(game_id, ANN)
    assert isinstance(await process.table(game_id), Closed)
    assert process.memory.directory[game_id].status == "abandoned"
    await process.check(game_id)


async def test_nothing_a_client_typed_is_stored() -> None:
    process = Process()
    opened = await process.service.open(ANN, wanted(start="manual"), "typed key 1")
    game_id = opened.aggregate.game_id
    await process.service.sit(game_id, BOB, 1, "typed entropy 1", "typed key 2")
    await process.service.start(game_id, ANN, "typed entropy 2", "typed key 3")
    await process.service.move(game_id, ANN, Choose(number=1), "typed key 4")
    stored = msgspec.json.encode([await process.events(game_id), process.memory.directory[game_id]])
    assert b"typed" not in stored
    assert str(entropy_digest("typed entropy 1")).encode() in stored


def test_of_entropy_only_its_digest_is_kept() -> None:
    assert entropy_digest(None) is None
    assert entropy_digest("ä") == hashlib.sha256("ä".encode()).hexdigest()


FAULTS: list[tuple[TableWanted, str]] = [
    (wanted(game="senet"), "/game"),
    (wanted(ME), "/seats"),
    (wanted(ME, FREE, ME), "/seats/2"),
    (wanted(ME, bot("oracle")), "/seats/1/bot"),
    (wanted(ME, SeatWanted(kind="bot")), "/seats/1/bot"),
    (wanted(ME, SeatWanted(kind="open", bot="first")), "/seats/1/bot"),
    (wanted(options={"rounds": "many"}), "/options/rounds"),
    (wanted(options={"speed": 1}), "/options/speed"),
    (wanted(options={"preset": "rare"}), "/options/preset"),
    (wanted(turn_seconds=0), "/turn_seconds"),
    (wanted(turn_seconds=-60), "/turn_seconds"),
    (wanted(turn_seconds=LONGEST_TURN + 1), "/turn_seconds"),
]


@pytest.mark.parametrize(("wish", "pointer"), FAULTS)
async def test_a_wish_that_cannot_be_met_says_where(wish: TableWanted, pointer: str) -> None:
    process = Process()
    with pytest.raises(InvalidInput) as refusal:
        await process.service.open(ANN, wish)
    assert [where for where, _ in refusal.value.faults] == [pointer]
    assert process.memory.directory == {}


async def test_the_game_and_the_seat_of_an_account_are_told() -> None:
    process = Process()
    game_id = await process.game()
    assert await process.service.seat(game_id, BOB) == ((await process.running(game_id)).facts.game, 1)
    with pytest.raises(TableRefusal) as refusal:
        await process.service.seat(game_id, CAL)
    assert refusal.value.reason == "not-your-seat"


async def test_a_seat_that_was_taken_in_another_process_is_told() -> None:
    process = Process()
    other = Process(process.store, seed="other")
    game_id = await process.lobby()
    await other.service.sit(game_id, BOB, 1, None)
    assert (await process.service.seat(game_id, BOB))[1] == 1


async def test_whoever_holds_no_seat_moves_nothing() -> None:
    process = Process()
    game_id = await process.game()
    for refused in (
        process.service.move(game_id, CAL, Choose(number=1)),
        process.service.undo(game_id, CAL),
        process.service.resign(game_id, CAL),
    ):
        with pytest.raises(TableRefusal) as refusal:
            await refused
        assert refusal.value.reason == "not-your-seat"


async def test_a_game_that_does_not_exist_is_not_found() -> None:
    process = Process()
    nowhere = "018f0000-0000-7000-8000-00000000ffff"
    for asked in (
        process.service.sit(nowhere, ANN, None, None),
        process.service.seat(nowhere, ANN),
        process.service.move(nowhere, ANN, Choose(number=1), "key"),
    ):
        with pytest.raises(StreamNotFound):
            await asked


class Watched(Switch):
    """A store that remembers who was said to sit where."""

    def __init__(self) -> None:
        super().__init__(MemoryEventStore())
        self.seated: list[tuple[tuple[str, int], ...] | None] = []

    async def append(self, batch: Batch) -> None:
        self.seated.append(batch.seated)
        await super().append(batch)


async def test_the_store_is_told_who_sits_where_until_the_game_has_begun() -> None:
    store = Watched()
    process = Process(store)
    game_id = (await process.service.open(ANN, wanted(FREE, ME, bot()))).aggregate.game_id
    await process.service.leave(game_id, ANN, 1)
    await process.service.sit(game_id, BOB, 0, None)
    await process.service.sit(game_id, CAL, 1, None)
    await process.choose(game_id, BOB)
    assert store.seated == [((ANN, 1),), (), ((BOB, 0),), ((BOB, 0), (CAL, 1)), None]
