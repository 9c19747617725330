"""The tables as they are now. Migrations lead here; a test compares the two.

Partitions, triggers and roles are declared in `eventstore.append_only`, since SQLAlchemy has no words for them.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    DateTime,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.types import UserDefinedType

SCHEMA = "ostraka"

metadata = MetaData(
    schema=SCHEMA,
    naming_convention={"pk": "%(table_name)s_pkey", "uq": "%(table_name)s_%(column_0_N_name)s_key"},
)


class Xid8(UserDefinedType[str]):
    """A transaction id that never wraps around."""

    cache_ok = True

    def get_col_spec(self, **_options: object) -> str:
        """The type's name in DDL."""
        return "xid8"


_now = text("clock_timestamp()")
_moment = DateTime(timezone=True)

event = Table(
    "event",
    metadata,
    Column("game_id", Uuid, primary_key=True),
    Column("version", Integer, primary_key=True),
    # The order in which numbers were taken, used by the sealer alone. The CASE gives the transaction its id before
    # the number, so that a sealer who sees a later id has seen every smaller number that is still to commit.
    Column(
        "ticket",
        BigInteger,
        nullable=False,
        server_default=text(
            f"CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('{SCHEMA}.event_ticket'::regclass) END"
        ),
    ),
    Column("type", Text, nullable=False),
    Column("schema_version", SmallInteger, nullable=False),
    Column("data", JSONB, nullable=False),
    Column("secret", JSONB),
    Column("meta", JSONB, nullable=False),
    Column("command_id", Uuid, nullable=False),
    Column("command_ix", SmallInteger, nullable=False),
    Column("recorded_at", _moment, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    CheckConstraint("version > 0", name="event_version_check"),
    CheckConstraint("octet_length(hash) = 32", name="event_hash_check"),
    Index("event_by_command", "game_id", "command_id", unique=True, postgresql_where=text("command_ix = 0")),
    Index("event_by_ticket", "ticket"),
    postgresql_partition_by="HASH (game_id)",
)

secret = Table(
    "secret",
    metadata,
    Column("game_id", Uuid, primary_key=True),
    Column("secret", LargeBinary, nullable=False),
)

log = Table(
    "log",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("game_id", Uuid, nullable=False),
    Column("version", Integer, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("sealed_at", _moment, nullable=False, server_default=_now),
    UniqueConstraint("game_id", "version"),
)

sealer = Table(
    "sealer",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("low", BigInteger, nullable=False),
    Column("high", BigInteger, nullable=False),
    Column("fence", Xid8, nullable=False),
    CheckConstraint("id = 0", name="sealer_id_check"),
)

directory = Table(
    "directory",
    metadata,
    Column("game_id", Uuid, primary_key=True),
    Column("game", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("opener", Uuid, nullable=False),
    Column("chairs", JSONB, nullable=False),
    Column("to_act", ARRAY(SmallInteger), nullable=False),
    # What the game waits for: null, or a turn, upkeep or a clock, for a pool of workers, from a time on.
    Column("due", Text),
    Column("due_pool", Text),
    Column("due_seat", SmallInteger),
    Column("due_at", _moment),
    Column("urgent", Boolean, nullable=False, server_default=text("false")),
    Column("tries", SmallInteger, nullable=False, server_default=text("0")),
    # Why the game was set aside after too many tries; null while it runs.
    Column("parked", Text),
    Column("opened_at", _moment, nullable=False),
    Column("moved_at", _moment, nullable=False),
    Index(
        "directory_due",
        "due_pool",
        text("urgent DESC"),
        "due_at",
        postgresql_where=text("due IS NOT NULL AND parked IS NULL"),
    ),
    Index("directory_newest", text("opened_at DESC"), text("game_id DESC")),
    # Lobbies and set-aside games are few among many: what a move changes is in neither, so it costs moves nothing.
    Index(
        "directory_lobby",
        text("opened_at DESC"),
        text("game_id DESC"),
        postgresql_where=text("status = 'lobby'"),
    ),
    Index("directory_parked", "game_id", postgresql_where=text("parked IS NOT NULL")),
    postgresql_with={"fillfactor": "70"},
)

seat = Table(
    "seat",
    metadata,
    Column("player_id", Uuid, primary_key=True),
    Column("game_id", Uuid, primary_key=True),
    Column("seat", SmallInteger, nullable=False),
    Index("seat_by_game", "game_id"),
)

checkpoint = Table(
    "checkpoint",
    metadata,
    Column("projection", Text, primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("seq", BigInteger, nullable=False),
    Column("moved_at", _moment, nullable=False, server_default=_now),
    postgresql_with={"fillfactor": "50"},
)

notice = Table(
    "notice",
    metadata,
    Column("game_id", Uuid, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("player_id", Uuid, primary_key=True),
    Column("seat", SmallInteger),
    Column("due_at", _moment, nullable=False, server_default=_now),
    Column("tries", SmallInteger, nullable=False, server_default=text("0")),
    Column("sent_at", _moment),
    Index("notice_due", "due_at", postgresql_where=text("sent_at IS NULL")),
)

player = Table(
    "player",
    metadata,
    Column("player_id", Uuid, primary_key=True),
    Column("name", Text, nullable=False),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("joined_at", _moment, nullable=False, server_default=_now),
)

reading = Table(
    "reading",
    metadata,
    Column("id", BigInteger, primary_key=True),
    Column("game_id", Uuid, nullable=False),
    Column("player_id", Uuid, nullable=False),
    Column("version", Integer, nullable=False),
    Column("route", Text, nullable=False),
    Column("read_at", _moment, nullable=False, server_default=_now),
    Index("reading_by_game", "game_id", "player_id"),
)
