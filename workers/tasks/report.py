"""What waits, for whoever reads the logs."""

import structlog

from workers.parts import WorkerParts

_log = structlog.get_logger()


async def report(parts: WorkerParts) -> None:
    """Log how many games wait for each pool, since when, and how many were set aside."""
    for pool in await parts.dues.waiting():
        _log.info("games_waiting", pool=pool.pool, games=pool.games, oldest_ms=pool.oldest // 1000)
    for game in await parts.dues.parked():
        _log.warning("game_set_aside", game_id=game.game_id, version=game.version, tries=game.tries, reason=game.reason)
