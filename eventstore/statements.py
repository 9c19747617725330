"""The hot statements, each one round trip. Parameters 1 to 18 mean the same in all three appends.

1 game, 2 version it stands on, 3 hash of that version, 4 command, 5 time; 6 to 11 one array per column of the events:
type, schema version, data, openings, meta, hash; 12 status, 13 seats to act, 14 to 18 what is due: kind, pool, seat,
time, urgency.
"""

_ADDED = """
    INSERT INTO ostraka.event (game_id, version, type, schema_version, data, secret, meta, command_id, command_ix,
                               recorded_at, hash)
    SELECT $1::uuid, $2::int + n::int, t, sv, d::jsonb, s::jsonb, m::jsonb, $4::uuid, (n - 1)::smallint,
           $5::timestamptz, h
    FROM unnest($6::text[], $7::smallint[], $8::text[], $9::text[], $10::text[], $11::bytea[])
         WITH ORDINALITY AS e (t, sv, d, s, m, h, n)
"""

_ON_HEAD = "WHERE EXISTS (SELECT FROM ostraka.event p WHERE p.game_id = $1 AND p.version = $2 AND p.hash = $3)"

_MOVED = """
    UPDATE ostraka.directory SET
        version = $2::int + cardinality($6::text[]), status = $12::text, to_act = $13::smallint[],
        due = $14::text, due_pool = $15::text, due_seat = $16::smallint, due_at = $17::timestamptz,
        urgent = $18::boolean, tries = 0, parked = NULL, moved_at = $5::timestamptz{more}
    WHERE game_id = $1::uuid AND EXISTS (SELECT FROM added)
"""

_SEATED = """
    INSERT INTO ostraka.seat (player_id, game_id, seat)
    SELECT p, $1::uuid, s FROM unnest($22::uuid[], $23::smallint[]) AS sitting (p, s) WHERE EXISTS (SELECT FROM added)
    ON CONFLICT (player_id, game_id) DO UPDATE SET seat = excluded.seat
"""

APPEND = f"""
WITH added AS ({_ADDED} {_ON_HEAD} RETURNING version),
moved AS ({_MOVED.format(more="")})
SELECT count(*) FROM added
"""
"""While a game runs: nobody comes or goes."""

RESEAT = f"""
WITH added AS ({_ADDED} {_ON_HEAD} RETURNING version),
moved AS ({_MOVED.format(more=", chairs = $21::jsonb")}),
gone AS (DELETE FROM ostraka.seat
         WHERE game_id = $1::uuid AND player_id <> ALL ($22::uuid[]) AND EXISTS (SELECT FROM added)),
seated AS ({_SEATED})
SELECT count(*) FROM added WHERE $19::text IS NOT NULL AND $20::uuid IS NOT NULL
"""
"""In a lobby. 19 game, 20 opener, 21 chairs, 22 and 23 who sits where."""

OPEN = f"""
WITH added AS ({_ADDED} WHERE $2::int = 0 AND $3::bytea IS NOT NULL RETURNING version),
listed AS (
    INSERT INTO ostraka.directory (game_id, game, status, version, opener, chairs, to_act, due, due_pool, due_seat,
                                   due_at, urgent, opened_at, moved_at)
    VALUES ($1::uuid, $19::text, $12::text, cardinality($6::text[]), $20::uuid, $21::jsonb, $13::smallint[], $14::text,
            $15::text, $16::smallint, $17::timestamptz, $18::boolean, $5::timestamptz, $5::timestamptz)),
seated AS ({_SEATED}),
kept AS (INSERT INTO ostraka.secret (game_id, secret) SELECT $1::uuid, $24::bytea WHERE $24::bytea IS NOT NULL)
SELECT count(*) FROM added
"""
"""The first events of a game. 24 the secret."""

_COLUMNS = "version, type, schema_version, data, secret, meta, command_id, command_ix, recorded_at, hash"

LOAD = f"""
SELECT {_COLUMNS} FROM ostraka.event e
WHERE game_id = $1 AND version BETWEEN $2 AND $3 ORDER BY version
"""

BY_COMMAND = f"""
WITH first AS (
    SELECT version AS v FROM ostraka.event WHERE game_id = $1 AND command_id = $2 AND command_ix = 0),
following AS (
    SELECT min(n.version) AS v FROM ostraka.event n, first
    WHERE n.game_id = $1 AND n.version > first.v AND n.command_ix = 0)
SELECT {_COLUMNS} FROM ostraka.event e, first, following
WHERE game_id = $1 AND version >= first.v AND version < coalesce(following.v, 2147483647) ORDER BY version
"""

SECRET = "SELECT secret FROM ostraka.secret WHERE game_id = $1"  # noqa: S105 - a statement, not a password
