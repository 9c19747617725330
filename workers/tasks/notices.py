"""Tells people what they want to know. The one channel so far is the log."""

import structlog

from domain.application.ports import Notice
from workers.parts import WorkerParts

_PAGE = 100
_log = structlog.get_logger()


async def deliver(parts: WorkerParts) -> None:
    """Deliver what is due, at least once each: a notice is marked only after it was told."""
    while claimed := await parts.notices.claim(_PAGE, parts.lease):
        for notice in claimed:
            _tell(notice)
            await parts.notices.sent(notice)


def _tell(notice: Notice) -> None:
    _log.info(
        "notice",
        kind=notice.kind,
        game_id=notice.game_id,
        version=notice.version,
        player_id=notice.player_id,
        seat=notice.seat,
    )
