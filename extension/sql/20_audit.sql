CREATE TABLE nl2sql.audit (
    id        uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    at        timestamptz NOT NULL DEFAULT clock_timestamp(),
    login     name NOT NULL,
    caller    name NOT NULL,
    action    text NOT NULL,
    profile   text NOT NULL,
    question  text,
    sql       text,
    status    text NOT NULL,
    layer     text,
    sqlstate  text,
    row_count integer,
    bytes     bigint,
    timings   json,
    tokens    json,
    attempts  json,
    cached    boolean NOT NULL DEFAULT false,
    thread    text,
    scope     text NOT NULL DEFAULT '',
    good      boolean
);
CREATE INDEX audit_at ON nl2sql.audit (at);
CREATE INDEX audit_whose ON nl2sql.audit (caller, login, at);
SELECT pg_catalog.pg_extension_config_dump('nl2sql.audit', '');
COMMENT ON TABLE nl2sql.audit IS
    'One row per question or SQL text: who, what, the verdict and its layer, sizes, milliseconds by stage, '
    'tokens, failed attempts; never a row of a result. The owner''s alone. A raised error takes its row back: '
    'errors, and all calls in a read-only transaction or on a standby, are lines "nl2sql audit:" in the server log.';

CREATE FUNCTION nl2sql.prune_audit(at_most bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    gone bigint;
BEGIN
    DELETE FROM nl2sql.audit WHERE ctid = ANY (ARRAY(
        SELECT a.ctid FROM nl2sql.audit a LEFT JOIN nl2sql.profile p ON p.name = a.profile
        WHERE a.at < now() - make_interval(days => coalesce(p.audit_days, 90))
          AND a.at < now() - make_interval(days => (SELECT least(90, min(audit_days)) FROM nl2sql.profile))
        LIMIT at_most FOR UPDATE OF a SKIP LOCKED));
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
END
$$;
COMMENT ON FUNCTION nl2sql.prune_audit(bigint) IS
    'Removes audit rows older than audit_days of their profile (90 where it is gone); returns how many. '
    'The first call of each session removes up to 1,000.';

CREATE FUNCTION nl2sql._caller() RETURNS name
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ BEGIN RETURN coalesce(nullif(current_setting('role'), 'none'), session_user); END $$;
COMMENT ON FUNCTION nl2sql._caller() IS
    'the role that asks, what SET ROLE made it, else the login; no function that runs as another changes it';

CREATE FUNCTION nl2sql._scope(profile text) RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    watched text[] := p.watch_settings FROM nl2sql.profile p WHERE p.name = _scope.profile;
BEGIN
    IF watched = '{}' THEN
        RETURN '';
    END IF;
    RETURN coalesce(string_agg(format('%s=%s', s, current_setting(s, true)), E'\n' ORDER BY s), '')
        FROM unnest(watched) AS s;
END
$$;
COMMENT ON FUNCTION nl2sql._scope(text) IS
    'the settings that policies read, as they are: what is remembered of one tenant is not told to another';

CREATE FUNCTION nl2sql._record(entry json) RETURNS uuid
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    made uuid;
BEGIN
    INSERT INTO nl2sql.audit (login, caller, action, profile, question, sql, status, layer, sqlstate,
        row_count, bytes, timings, tokens, attempts, cached, thread, scope)
    SELECT session_user, nl2sql._caller(), e.action, e.profile, left(e.question, 20010), left(e.sql, 20010),
           e.status, e.layer, e.sqlstate, e.row_count, e.bytes, e.timings, e.tokens, e.attempts,
           coalesce(e.cached, false), left(e.thread, 200), nl2sql._scope(e.profile)
    FROM json_to_record(entry) AS e(action text, profile text, question text, sql text, status text, layer text,
        sqlstate text, row_count int, bytes bigint, timings json, tokens json, attempts json, cached boolean,
        thread text)
    RETURNING id INTO made;
    IF (entry->>'prune')::boolean AND current_setting('transaction_isolation') = 'read committed' THEN
        PERFORM nl2sql.prune_audit(1000);
    END IF;
    RETURN made;
END
$$;
COMMENT ON FUNCTION nl2sql._record(json) IS
    'socket: adds a row to nl2sql.audit under the session''s own name, which the entry cannot choose';
