"""Recorded games fold and are decided again to the same events, by the rules of the time and by a second checker."""

from itertools import groupby

import pytest

from domain.application.folding import blank, fold
from domain.application.verifying import verify
from domain.kernel.chance import SeededChance, bot_seed
from domain.kernel.codec import to_json
from domain.kernel.game import AnyGame
from domain.kernel.messages import type_of
from domain.registry import all_games
from domain.table import events as ev
from domain.table.state import Over, Running
from tests.conformance.cases import GAMES, per_game
from tests.conformance.replays import RESIGNATION, Replay, recorded, replays_of
from tests.conformance.shapes import end_reasons
from tests.kernel import checker

REPLAYS = [(game, replay) for game in GAMES for replay in replays_of(game)]

per_replay = pytest.mark.parametrize(
    ("game", "replay"), REPLAYS, ids=[f"{game.key}-{replay.name}" for game, replay in REPLAYS]
)


@per_replay
def test_a_replay_is_decided_again_to_the_same_hashes(game: AnyGame, replay: Replay) -> None:
    report = verify(all_games(), replay.lines)
    commands = [event for event in replay.events if event.command_ix == 0]
    assert (report.problem, report.redecided) == (None, len(commands))
    assert report.head_hash == replay.events[-1].hash


@per_replay
def test_a_replay_folds_to_its_outcome(game: AnyGame, replay: Replay) -> None:
    last = fold(all_games(), blank(replay.header.game_id), recorded(replay))
    assert isinstance(last.table, Over)
    assert last.table.facts.game is game
    assert last.table.outcome.reason == replay.reason


@per_replay
def test_a_second_checker_accepts_a_replay(game: AnyGame, replay: Replay) -> None:
    assert checker.check(replay.lines()) == len(replay.events)


@per_replay
def test_a_bots_moves_can_be_made_again(game: AnyGame, replay: Replay) -> None:
    """By every bot that is still the one it was then."""
    secret = bytes.fromhex(replay.events[-1].data["secret"])
    before = blank(replay.header.game_id)
    for _, grouped in groupby(recorded(replay), key=lambda event: event.version - event.command_ix):
        batch = tuple(grouped)
        meta, table = batch[0].meta, before.table
        if "bot" in meta and isinstance(table, Running):
            bot, seat = game.bots.get(meta["bot"]["name"]), meta["actor"]["seat"]
            if bot and bot.version == meta["bot"]["version"]:
                chance = SeededChance(bot_seed(secret, before.game_id, before.head.version, seat))
                legal = game.legal(table.position, seat)
                chosen = bot.choose(game.view(table.position, seat), seat, legal, chance)
                assert to_json(chosen) == meta["command"]
        before = fold(all_games(), before, batch)


@per_game
def test_there_is_a_replay_for_each_number_of_seats_and_each_way_to_end(game: AnyGame) -> None:
    replays = replays_of(game)
    assert {replay.seats for replay in replays} == set(game.seats)
    assert {replay.reason for replay in replays} == {*end_reasons(game), RESIGNATION}


@per_game
def test_replays_show_what_happens_at_a_table(game: AnyGame) -> None:
    events = [event for replay in replays_of(game) for event in replay.events]
    resigned, undone = type_of(ev.SeatResigned), type_of(ev.CommandUndone)
    assert {resigned, undone} <= {event.type for event in events}
    assert {event.meta["actor"]["kind"] for event in events} == {"player", "bot", "system"}
    assert any(event.undone_by for event in events)
