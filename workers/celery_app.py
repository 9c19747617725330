"""The Celery application: transport only. Every job stands in Postgres; a lost task is found by its lease."""

from celery import Celery
from kombu import Queue

POOLS = ("fast", "search", "upkeep", "notices")
"""Classes of work, a queue each, so that cheap work never waits behind dear."""


def queue_of(pool: str) -> str:
    """The queue of a pool."""
    return f"ostraka.{pool}"


_SETTINGS = {
    "task_serializer": "json",
    "accept_content": ["json"],
    "task_ignore_result": True,
    "task_default_queue": queue_of("upkeep"),
    "task_queues": [Queue(queue_of(pool)) for pool in POOLS],
    # A task is forgotten once it is taken: whether it had its effect is asked of Postgres alone.
    "task_acks_late": False,
    "worker_prefetch_multiplier": 1,
    "worker_max_tasks_per_child": 5000,
    "worker_max_memory_per_child": 400_000,
    "worker_cancel_long_running_tasks_on_connection_loss": False,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "worker_redirect_stdouts": False,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "broker_pool_limit": 2,
    "broker_transport_options": {
        # Nothing is redelivered by the broker; the lease in the directory is the only second chance.
        "visibility_timeout": 365 * 24 * 3600,
        "socket_timeout": 2.0,
        "socket_connect_timeout": 2.0,
        "socket_keepalive": True,
        "health_check_interval": 10,
    },
    "beat_schedule": {
        "deliver-notices": {
            "task": "ostraka.notices",
            "schedule": 10.0,
            "options": {"queue": queue_of("notices"), "expires": 10},
        },
        "report-waiting": {
            "task": "ostraka.report",
            "schedule": 60.0,
            "options": {"queue": queue_of("upkeep"), "expires": 60},
        },
    },
}


def create_celery(broker_url: str, *, task_seconds: int) -> Celery:
    """The application for a broker. Unit: `task_seconds` seconds after which a task's process is replaced."""
    app = Celery("ostraka", broker=broker_url, set_as_current=False)
    app.conf.update(_SETTINGS, task_time_limit=task_seconds)
    return app
