"""A table from its opening to the start."""

import hashlib

import pytest

from domain.games.ra import GAME as RA
from domain.games.ra.events import EpochStarted, SunsDealt
from domain.games.ra.material import PRESETS
from domain.kernel.errors import InvalidInput
from domain.table import commands as cm
from domain.table import events as ev
from domain.table.chairs import BotChair, PlayerChair
from domain.table.state import Closed, Lobby, Running, to_act
from tests.table.table import ANN, BOB, CAL, GAME_ID, OPEN, SECRET, bot, nothing_yet, opened, opening, people, sit
from tests.table.toy import Dealt

COMMITMENT = hashlib.sha256(SECRET + GAME_ID.encode()).hexdigest()


def test_a_table_with_open_seats_waits_and_everything_fixed_for_good_stands_in_its_first_event() -> None:
    wish = opening(*people(ANN), OPEN, turn_seconds=60, absent="resign", resigned="idle")
    standing = (
        nothing_yet()
        .when(wish)
        .then(
            ev.Opened(
                game="toy",
                rules_version=1,
                chairs=(PlayerChair(player=ANN), OPEN),
                options={"rounds": 2},
                turn_seconds=60,
                start="auto",
                absent="resign",
                resigned="idle",
                opener=ANN,
                commitment=COMMITMENT,
            )
        )
    )
    assert standing.lobby.facts.commitment == COMMITMENT
    assert to_act(standing.table) == ()


def test_a_table_of_bots_starts_at_once() -> None:
    decision = nothing_yet().when(opening(bot(), bot())).decision()
    assert [type(event) for event in decision.events] == [ev.Opened, ev.Started, Dealt]
    assert decision.events[1] == ev.Started(entropy=(None, None, None))
    assert decision.draws == (0, 1)


def test_a_table_of_bots_that_starts_by_hand_waits() -> None:
    assert isinstance(opened(bot(), bot(), start="manual").table, Lobby)


def test_a_game_of_ra_begins_with_its_own_setup() -> None:
    decision = nothing_yet().when(opening(bot("random"), bot("random"), game=RA)).decision()
    assert [type(event) for event in decision.events] == [ev.Opened, ev.Started, SunsDealt, EpochStarted]


def test_a_game_takes_only_its_own_numbers_of_seats() -> None:
    with pytest.raises(InvalidInput) as refusal:
        nothing_yet().when(opening(*people(ANN))).decision()
    assert refusal.value.faults == (("/seats", "Toy takes 2, 3, 4 seats, not 1"),)


def test_a_table_is_opened_once() -> None:
    opened(*people(ANN), OPEN).when(opening(*people(ANN), OPEN)).then_refused("already-started")


def test_whoever_sits_down_gets_the_seat_he_asks_for() -> None:
    standing = opened(*people(ANN), OPEN, OPEN).when(sit(BOB, 2)).then(ev.SeatTaken(seat=2, player=BOB, entropy=None))
    assert standing.lobby.chairs == (PlayerChair(player=ANN), OPEN, PlayerChair(player=BOB))


def test_whoever_does_not_mind_gets_the_first_open_seat() -> None:
    opened(*people(ANN), OPEN, OPEN).when(sit(BOB)).then(ev.SeatTaken(seat=1, player=BOB, entropy=None))


def test_the_last_to_sit_down_starts_the_game() -> None:
    standing = opened(*people(ANN), OPEN, OPEN).when(sit(CAL, 2, "dd")).done()
    decision = standing.when(sit(BOB, None, "ee")).decision()
    assert decision.events[:2] == (
        ev.SeatTaken(seat=1, player=BOB, entropy="ee"),
        ev.Started(entropy=(None, "ee", "dd", None)),
    )
    assert isinstance(decision.events[2], Dealt)
    assert isinstance(decision.after, Running)


def test_nobody_sits_on_two_chairs() -> None:
    refusal = opened(*people(ANN), OPEN).when(sit(ANN)).then_refused("seat-taken")
    assert "You already hold seat 0" in refusal.detail


def test_a_seat_that_is_taken_stays_taken() -> None:
    refusal = opened(*people(ANN), OPEN).when(sit(BOB, 0)).then_refused("seat-taken")
    assert refusal.detail == "Seat 0 is taken."


def test_a_bot_keeps_its_seat() -> None:
    opened(bot(), OPEN).when(sit(BOB, 0)).then_refused("seat-taken")


@pytest.mark.parametrize("seat", [None, 1])
def test_a_full_table_that_has_not_started_takes_nobody(seat: int | None) -> None:
    refusal = opened(*people(ANN, BOB), start="manual").when(sit(CAL, seat)).then_refused("seat-taken")
    assert refusal.detail == "No seat is open at this table."


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_the_table_does_not_have_cannot_be_taken(seat: int) -> None:
    with pytest.raises(InvalidInput) as refusal:
        opened(*people(ANN), OPEN).when(sit(BOB, seat)).decision()
    assert refusal.value.faults == (("/seat", "this table has the seats 0 to 1"),)


def test_whoever_leaves_opens_his_seat_and_takes_his_entropy_with_him() -> None:
    standing = opened(*people(ANN), OPEN, OPEN).when(sit(BOB, 1, "ee")).done()
    assert standing.lobby.entropy == (None, "ee", None)
    left = standing.when(cm.Leave(player=BOB, seat=1)).then(ev.SeatLeft(seat=1))
    assert left.lobby.chairs == (PlayerChair(player=ANN), OPEN, OPEN)
    assert left.lobby.entropy == (None, None, None)


def test_the_opener_may_leave_and_come_back() -> None:
    left = opened(*people(ANN), OPEN).when(cm.Leave(player=ANN, seat=0)).done()
    left.when(sit(ANN, 0)).then(ev.SeatTaken(seat=0, player=ANN, entropy=None))


@pytest.mark.parametrize(("player", "seat"), [(BOB, 0), (ANN, 1), (CAL, 1)])
def test_nobody_gives_back_a_seat_that_is_not_his(player: str, seat: int) -> None:
    opened(*people(ANN), OPEN).when(cm.Leave(player=player, seat=seat)).then_refused("not-your-seat")


def test_whoever_opened_a_table_starts_it_by_hand_and_may_add_entropy() -> None:
    standing = opened(*people(ANN, BOB), start="manual")
    decision = standing.when(cm.Start(player=ANN, entropy="aa")).decision()
    assert decision.events[0] == ev.Started(entropy=(None, None, "aa"))
    assert isinstance(decision.events[1], Dealt)
    assert decision.draws == (0, 1)


def test_nobody_else_starts_a_table() -> None:
    opened(*people(ANN, BOB), start="manual").when(cm.Start(player=BOB, entropy=None)).then_refused("forbidden")


def test_a_table_with_an_open_seat_does_not_start() -> None:
    opened(*people(ANN), OPEN, start="manual").when(cm.Start(player=ANN, entropy=None)).then_refused("seats-open")


def test_the_last_to_sit_down_does_not_start_a_table_that_starts_by_hand() -> None:
    opened(*people(ANN), OPEN, start="manual").when(sit(BOB)).then(ev.SeatTaken(seat=1, player=BOB, entropy=None))


def test_whoever_opened_a_lobby_closes_it_and_its_secret_is_shown() -> None:
    closed = (
        opened(*people(ANN), OPEN)
        .when(cm.Abandon(player=ANN))
        .then(ev.Abandoned(), ev.SecretRevealed(secret=SECRET.hex()))
    )
    assert isinstance(closed.table, Closed)


def test_nobody_else_closes_a_lobby() -> None:
    opened(*people(ANN), OPEN).when(cm.Abandon(player=BOB)).then_refused("forbidden")


LOBBY_ONLY = [
    sit(CAL),
    cm.Leave(player=BOB, seat=1),
    cm.Start(player=ANN, entropy=None),
    cm.Abandon(player=ANN),
]


@pytest.mark.parametrize("command", LOBBY_ONLY)
def test_once_the_game_has_started_nobody_sits_leaves_starts_or_closes(command: cm.TableCommand) -> None:
    opened(*people(ANN, BOB)).when(command).then_refused("already-started")


@pytest.mark.parametrize("command", LOBBY_ONLY)
def test_nothing_is_asked_of_a_closed_table(command: cm.TableCommand) -> None:
    closed = opened(*people(ANN), OPEN).when(cm.Abandon(player=ANN)).done()
    closed.when(command).then_refused("game-not-running")


def test_options_of_the_game_are_kept_as_its_own_type() -> None:
    standing = opened(*people(ANN), OPEN, game=RA, options=PRESETS["official"])
    assert standing.lobby.facts.options == PRESETS["official"]


def test_a_chair_of_a_bot_names_its_level() -> None:
    assert opened(bot("deep"), OPEN).lobby.chairs == (BotChair(bot="deep"), OPEN)
