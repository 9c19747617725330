"""What is stored is all there is: it folds to the very table that the service went on with, and shows the same."""

import msgspec
from msgspec import inspect

from domain.application.folding import blank, fold
from domain.kernel.canonical import canonical
from domain.kernel.codec import to_json
from domain.registry import all_games
from domain.table.state import Over
from tests.conformance.cases import Case, per_case, per_table
from tests.conformance.journeys import positions
from tests.conformance.shapes import leaves
from tests.conformance.stored import stored


@per_table
def test_every_batch_folds_to_what_the_service_kept(case: Case) -> None:
    commits = stored(case, "uniform").commits
    aggregate = blank(commits[0].aggregate.game_id)
    for commit in commits:
        aggregate = fold(all_games(), aggregate, commit.events)
        assert aggregate == commit.aggregate


@per_table
def test_the_whole_stream_folds_to_the_end_of_the_game(case: Case) -> None:
    game = stored(case, "patient")
    last = game.commits[-1].aggregate
    anew = fold(all_games(), blank(last.game_id), game.events)
    assert anew == last
    assert isinstance(anew.table, Over)
    assert isinstance(last.table, Over)
    for viewer in case.viewers:
        views = [msgspec.json.encode(case.game.view(table.position, viewer)) for table in (last.table, anew.table)]
        assert views[0] == views[1]


@per_case
def test_a_view_reads_back_from_its_json(case: Case) -> None:
    for state in positions(case, "uniform")[::3]:
        for viewer in case.viewers:
            view = case.game.view(state, viewer)
            value = to_json(view)
            assert canonical(value)
            assert msgspec.convert(value, type(view)) == view


@per_case
def test_a_view_holds_nothing_whose_order_is_left_to_chance(case: Case) -> None:
    view = type(case.game.view(case.initial(), None))
    unordered = inspect.SetType | inspect.FrozenSetType | inspect.FloatType | inspect.AnyType
    assert [path for path, kind in leaves(view) if isinstance(kind, unordered)] == []
