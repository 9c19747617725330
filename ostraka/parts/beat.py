"""Beat: sends what is done at intervals. One replica; a second one would only do harmless work twice."""

import tempfile
from pathlib import Path

from celery.apps.beat import Beat

from ostraka.logging import set_up_logging
from ostraka.parts.connections import redis_url
from ostraka.settings import Settings
from workers.celery_app import create_celery


def run_beat(settings: Settings) -> None:
    """Send until told to stop.

    Raises: NotConfigured.
    """
    app = create_celery(redis_url(settings), task_seconds=settings.task_seconds)
    set_up_logging(settings, "beat")
    with tempfile.TemporaryDirectory(prefix="ostraka-beat-") as folder:
        # When it last sent what is not worth keeping: after a restart everything is simply due again.
        schedule = str(Path(folder) / "schedule")
        Beat(app=app, schedule=schedule, quiet=True, loglevel=settings.log_level, redirect_stdouts=False).run()
