"""The tasks by name. Each names a game and a version, and does nothing once the game has moved on."""

from celery import Celery, signals

from workers.parts import OpenParts
from workers.runtime import Runtime
from workers.tasks.games import run_clock, run_turns, run_upkeep
from workers.tasks.notices import deliver
from workers.tasks.report import report


def register(app: Celery, open_parts: OpenParts) -> None:
    """Make the tasks known to the application, each run on the process's own loop."""
    runtime = Runtime(open_parts)
    signals.worker_process_init.connect(lambda **_: runtime.start(), weak=False)
    signals.worker_process_shutdown.connect(lambda **_: runtime.stop(), weak=False)

    @app.task(name="ostraka.turn")
    def turn(game_id: str, version: int, seat: int, pool: str, tries: int) -> None:
        runtime.run(lambda parts: run_turns(parts, game_id, version, seat, pool, tries))

    @app.task(name="ostraka.upkeep")
    def upkeep(game_id: str, version: int, tries: int) -> None:
        runtime.run(lambda parts: run_upkeep(parts, game_id, version, tries))

    @app.task(name="ostraka.clock")
    def clock(game_id: str, version: int, tries: int) -> None:
        runtime.run(lambda parts: run_clock(parts, game_id, version, tries))

    @app.task(name="ostraka.notices")
    def notices() -> None:
        runtime.run(deliver)

    @app.task(name="ostraka.report")
    def waiting() -> None:
        runtime.run(report)
