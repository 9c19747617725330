"""What waits, for whoever reads the logs."""

import structlog

from workers.parts import WorkerParts

_log = structlog.get_logger()


async def report(parts: WorkerParts) -> None:
    """Log how many games wait for each pool, since when, and how many were set aside."""
    for pool in await parts.dues.waiting():
        _log.info("games_waiting", pool=pool.pool, count=pool.count, oldest_seconds=pool.oldest_seconds)
    for parked in await parts.dues.parked():
        _log.warning("game_set_aside", game_id=parked.game_id, version=parked.version, reason=parked.reason)
