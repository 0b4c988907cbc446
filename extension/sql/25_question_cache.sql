-- The SQL that a question got, so that a second look at it asks no model. Own rows only: what is
-- here under a name was put here under that name, and steers nobody else.

CREATE TABLE nl2sql.question_cache (
    at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    login   name NOT NULL,
    caller  name NOT NULL,
    profile text NOT NULL,
    key     text NOT NULL,
    sql     text NOT NULL CHECK (octet_length(sql) <= 100000)
);
CREATE INDEX question_cache_key ON nl2sql.question_cache (login, caller, key, at);
COMMENT ON TABLE nl2sql.question_cache IS
    'SQL by question, under the login and role that asked it and a hash of the prompt and the profile. No rows '
    'of results. The owner''s alone: others reach their own entries through functions.';

CREATE FUNCTION nl2sql._recall(profile text, key text) RETURNS text
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT c.sql FROM nl2sql.question_cache c JOIN nl2sql.profile p ON p.name = c.profile
    WHERE c.login = session_user AND c.caller = nl2sql._caller()
      AND c.profile = _recall.profile AND c.key = _recall.key
      AND c.at > clock_timestamp() - make_interval(mins => p.cache_minutes)
    ORDER BY c.at DESC LIMIT 1
$$;
COMMENT ON FUNCTION nl2sql._recall(text, text) IS
    'socket: the SQL that this login and role got for a question, while the profile lets it be used';

CREATE FUNCTION nl2sql._remember(profile text, key text, sql text) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RETURN;  -- elsewhere a second writer could fail the caller's transaction
    END IF;
    INSERT INTO nl2sql.question_cache (login, caller, profile, key, sql)
    VALUES (session_user, nl2sql._caller(), profile, key, sql);
    DELETE FROM nl2sql.question_cache WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM nl2sql.question_cache c
        WHERE c.login = session_user AND c.caller = nl2sql._caller()
        ORDER BY c.at DESC OFFSET 200 FOR UPDATE SKIP LOCKED));
    DELETE FROM nl2sql.question_cache WHERE ctid = ANY (ARRAY(
        SELECT c.ctid FROM nl2sql.question_cache c LEFT JOIN nl2sql.profile p ON p.name = c.profile
        WHERE c.at < clock_timestamp() - make_interval(mins => coalesce(p.cache_minutes, 0))
        LIMIT 200 FOR UPDATE OF c SKIP LOCKED));
END
$$;
COMMENT ON FUNCTION nl2sql._remember(text, text, text) IS
    'socket: keeps the SQL for a question under the session''s own login and role, which the caller cannot '
    'choose; at most 200 for each, and none that is too old';

CREATE FUNCTION nl2sql._forget(key text) RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    WITH gone AS (
        DELETE FROM nl2sql.question_cache c
        WHERE c.login = session_user AND c.caller = nl2sql._caller()
          AND (_forget.key IS NULL OR c.key = _forget.key) RETURNING 1)
    SELECT count(*) FROM gone
$$;
COMMENT ON FUNCTION nl2sql._forget(text) IS
    'socket: removes what this login and role has in the cache: one question, or all';

CREATE FUNCTION @extschema@.nl2sql_forget() RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT (nl2sql._result('forget', NULL, 'default')->>'forgotten')::bigint $$;
COMMENT ON FUNCTION @extschema@.nl2sql_forget() IS
    'Forgets the SQL kept for your questions, so that each asks the model again; gives how many were in the table. '
    'Another session''s own memory holds them until cache_minutes are over.';
