"""The relay: hands due games to the workers, seals the global order, and follows it with projections."""

import asyncio
import signal

import structlog

from eventstore.dues import PostgresDues
from eventstore.notices import NOTICES
from eventstore.projecting import Runner
from eventstore.sealed_log import PostgresSealedLog
from eventstore.sealer import Sealer
from ostraka.hints import RedisHints
from ostraka.logging import set_up_logging
from ostraka.outside import SystemClock
from ostraka.parts.connections import connections, database_url, redis_url
from ostraka.settings import Settings
from workers.broker import BrokerAway, CeleryBroker
from workers.celery_app import create_celery
from workers.dispatcher import Dispatcher

_MICROSECONDS = 1_000_000
_log = structlog.get_logger()
