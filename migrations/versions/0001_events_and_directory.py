"""Events, log, directory and everything the first release keeps.

Compatible with: nothing before it.
"""

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

PARTITIONS = tuple(f"event_{number:02d}" for number in range(16))
APPEND_ONLY = ("event", "log", "secret", "reading")

BEFORE_TABLES = (
    "CREATE SCHEMA IF NOT EXISTS ostraka",
    "CREATE SEQUENCE ostraka.event_ticket AS bigint CACHE 1",
    """
    CREATE FUNCTION ostraka.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'OS001';
    END $$
    """,
)

TABLES = (
    """
    CREATE TABLE ostraka.checkpoint (
        projection TEXT NOT NULL,
        revision INTEGER NOT NULL,
        seq BIGINT NOT NULL,
        moved_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
        CONSTRAINT checkpoint_pkey PRIMARY KEY (projection, revision)
    )
     WITH (fillfactor = 50)
    """,
    """
    CREATE TABLE ostraka.directory (
        game_id UUID NOT NULL,
        game TEXT NOT NULL,
        status TEXT NOT NULL,
        version INTEGER NOT NULL,
        opener UUID NOT NULL,
        chairs JSONB NOT NULL,
        to_act SMALLINT[] NOT NULL,
        due TEXT,
        due_pool TEXT,
        due_seat SMALLINT,
        due_at TIMESTAMP WITH TIME ZONE,
        urgent BOOLEAN DEFAULT false NOT NULL,
        tries SMALLINT DEFAULT 0 NOT NULL,
        parked TEXT,
        opened_at TIMESTAMP WITH TIME ZONE NOT NULL,
        moved_at TIMESTAMP WITH TIME ZONE NOT NULL,
        CONSTRAINT directory_pkey PRIMARY KEY (game_id)
    )
     WITH (fillfactor = 70)
    """,
    """
    CREATE INDEX directory_due ON ostraka.directory (due_pool, urgent DESC, due_at)
        WHERE due IS NOT NULL AND parked IS NULL
    """,
    "CREATE INDEX directory_newest ON ostraka.directory (opened_at DESC, game_id DESC)",
    "CREATE INDEX directory_lobby ON ostraka.directory (opened_at DESC, game_id DESC) WHERE status = 'lobby'",
    "CREATE INDEX directory_parked ON ostraka.directory (game_id) WHERE parked IS NOT NULL",
    """
    CREATE TABLE ostraka.event (
        game_id UUID NOT NULL,
        version INTEGER NOT NULL,
        ticket BIGINT NOT NULL
            DEFAULT CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('ostraka.event_ticket'::regclass) END,
        type TEXT NOT NULL,
        schema_version SMALLINT NOT NULL,
        data JSONB NOT NULL,
        secret JSONB,
        meta JSONB NOT NULL,
        command_id UUID NOT NULL,
        command_ix SMALLINT NOT NULL,
        recorded_at TIMESTAMP WITH TIME ZONE NOT NULL,
        hash BYTEA NOT NULL,
        CONSTRAINT event_pkey PRIMARY KEY (game_id, version),
        CONSTRAINT event_version_check CHECK (version > 0),
        CONSTRAINT event_hash_check CHECK (octet_length(hash) = 32)
    )
     PARTITION BY HASH (game_id)
    """,
    "CREATE UNIQUE INDEX event_by_command ON ostraka.event (game_id, command_id) WHERE command_ix = 0",
    "CREATE INDEX event_by_ticket ON ostraka.event (ticket)",
    """
    CREATE TABLE ostraka.log (
        seq BIGINT NOT NULL,
        game_id UUID NOT NULL,
        version INTEGER NOT NULL,
        hash BYTEA NOT NULL,
        sealed_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
        CONSTRAINT log_pkey PRIMARY KEY (seq),
        CONSTRAINT log_game_id_version_key UNIQUE (game_id, version)
    )
    """,
    """
    CREATE TABLE ostraka.notice (
        game_id UUID NOT NULL,
        version INTEGER NOT NULL,
        kind TEXT NOT NULL,
        player_id UUID NOT NULL,
        seat SMALLINT,
        due_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
        tries SMALLINT DEFAULT 0 NOT NULL,
        sent_at TIMESTAMP WITH TIME ZONE,
        CONSTRAINT notice_pkey PRIMARY KEY (game_id, version, kind, player_id)
    )
    """,
    "CREATE INDEX notice_due ON ostraka.notice (due_at) WHERE sent_at IS NULL",
    """
    CREATE TABLE ostraka.player (
        player_id UUID NOT NULL,
        name TEXT NOT NULL,
        token_hash BYTEA NOT NULL,
        role TEXT NOT NULL,
        joined_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
        CONSTRAINT player_pkey PRIMARY KEY (player_id),
        CONSTRAINT player_token_hash_key UNIQUE (token_hash)
    )
    """,
    """
    CREATE TABLE ostraka.reading (
        id BIGSERIAL NOT NULL,
        game_id UUID NOT NULL,
        player_id UUID NOT NULL,
        version INTEGER NOT NULL,
        route TEXT NOT NULL,
        read_at TIMESTAMP WITH TIME ZONE DEFAULT clock_timestamp() NOT NULL,
        CONSTRAINT reading_pkey PRIMARY KEY (id)
    )
    """,
    "CREATE INDEX reading_by_game ON ostraka.reading (game_id, player_id)",
    """
    CREATE TABLE ostraka.sealer (
        id INTEGER NOT NULL,
        last_seq BIGINT NOT NULL,
        low BIGINT NOT NULL,
        high BIGINT NOT NULL,
        fence xid8 NOT NULL,
        CONSTRAINT sealer_pkey PRIMARY KEY (id),
        CONSTRAINT sealer_id_check CHECK (id = 0)
    )
    """,
    """
    CREATE TABLE ostraka.seat (
        player_id UUID NOT NULL,
        game_id UUID NOT NULL,
        seat SMALLINT NOT NULL,
        CONSTRAINT seat_pkey PRIMARY KEY (player_id, game_id)
    )
    """,
    "CREATE INDEX seat_by_game ON ostraka.seat (game_id)",
    """
    CREATE TABLE ostraka.secret (
        game_id UUID NOT NULL,
        secret BYTEA NOT NULL,
        CONSTRAINT secret_pkey PRIMARY KEY (game_id)
    )
    """,
)


GRANTS = (
    """
    DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ostraka_service') THEN
            CREATE ROLE ostraka_service NOLOGIN;
        END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- another database of this server was migrated at the same moment
    END $$
    """,
    "GRANT USAGE ON SCHEMA ostraka TO ostraka_service",
    "GRANT USAGE ON SEQUENCE ostraka.event_ticket, ostraka.reading_id_seq TO ostraka_service",
    "GRANT SELECT, INSERT ON ostraka.event, ostraka.secret, ostraka.log, ostraka.reading TO ostraka_service",
    "GRANT SELECT, UPDATE ON ostraka.sealer TO ostraka_service",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ostraka.directory TO ostraka_service",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ostraka.seat TO ostraka_service",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ostraka.checkpoint TO ostraka_service",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ostraka.notice TO ostraka_service",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ostraka.player TO ostraka_service",
    # For the service is ready only on the schema of its release.
    "GRANT SELECT ON ostraka_migration TO ostraka_service",
)


def upgrade() -> None:
    """Create everything."""
    for statement in (*BEFORE_TABLES, *TABLES):
        op.execute(statement)
    for number, name in enumerate(PARTITIONS):
        op.execute(
            f"CREATE TABLE ostraka.{name} PARTITION OF ostraka.event FOR VALUES WITH (MODULUS 16, REMAINDER {number}) "
            "WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)"
        )
    for name in APPEND_ONLY:
        op.execute(
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ostraka.{name} "
            "FOR EACH ROW EXECUTE FUNCTION ostraka.refuse_change()"
        )
    # A trigger on TRUNCATE does not pass from a table to its partitions.
    for name in (*APPEND_ONLY, *PARTITIONS):
        op.execute(
            f"CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON ostraka.{name} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ostraka.refuse_change()"
        )
    op.execute("INSERT INTO ostraka.sealer (id, last_seq, low, high, fence) VALUES (0, 0, 0, 0, '0')")
    for statement in GRANTS:
        op.execute(statement)


def downgrade() -> None:
    """Remove everything, histories included; the role stays, for it belongs to the server."""
    op.execute("DROP SCHEMA ostraka CASCADE")
