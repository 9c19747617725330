"""What SQLAlchemy has no words for: partitions, the ticket sequence, triggers against every change, roles."""

from eventstore.schema import SCHEMA

PARTITIONS = 16

SERVICE_ROLE = "ostraka_service"
"""May play, read and seal; may not change or remove an event."""

APPEND_ONLY = ("event", "log", "secret", "reading")
"""Tables whose rows stand for good."""

BEFORE_TABLES = (
    f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}",
    f"CREATE SEQUENCE {SCHEMA}.event_ticket AS bigint CACHE 1",
    f"""
    CREATE FUNCTION {SCHEMA}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'OS001';
    END $$
    """,
)


def partition(number: int) -> str:
    """The name of one partition of the events."""
    return f"event_{number:02d}"


def _partitions() -> tuple[str, ...]:
    return tuple(
        f"CREATE TABLE {SCHEMA}.{partition(number)} PARTITION OF {SCHEMA}.event "
        f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number}) "
        "WITH (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02)"
        for number in range(PARTITIONS)
    )


def _triggers() -> tuple[str, ...]:
    """Row triggers pass from the parent to its partitions, a trigger on TRUNCATE does not: each needs its own."""
    rows = tuple(
        f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {SCHEMA}.{table} "
        f"FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.refuse_change()"
        for table in APPEND_ONLY
    )
    truncated = (*APPEND_ONLY, *(partition(number) for number in range(PARTITIONS)))
    whole = tuple(
        f"CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON {SCHEMA}.{table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {SCHEMA}.refuse_change()"
        for table in truncated
    )
    return (*rows, *whole)


def _grants() -> tuple[str, ...]:
    return (
        f"""
        DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{SERVICE_ROLE}') THEN
                CREATE ROLE {SERVICE_ROLE} NOLOGIN;
            END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- another database of this server was migrated at the same moment
        END $$
        """,
        f"GRANT USAGE ON SCHEMA {SCHEMA} TO {SERVICE_ROLE}",
        f"GRANT USAGE ON SEQUENCE {SCHEMA}.event_ticket, {SCHEMA}.reading_id_seq TO {SERVICE_ROLE}",
        f"GRANT SELECT, INSERT ON {SCHEMA}.event, {SCHEMA}.secret, {SCHEMA}.log, {SCHEMA}.reading TO {SERVICE_ROLE}",
        f"GRANT SELECT, UPDATE ON {SCHEMA}.sealer TO {SERVICE_ROLE}",
        *(
            f"GRANT SELECT, INSERT, UPDATE, DELETE ON {SCHEMA}.{table} TO {SERVICE_ROLE}"
            for table in ("directory", "seat", "checkpoint", "notice", "player")
        ),
    )


AFTER_TABLES = (
    *_partitions(),
    *_triggers(),
    "INSERT INTO ostraka.sealer (id, last_seq, low, high, fence) VALUES (0, 0, 0, 0, '0')",
    *_grants(),
)
