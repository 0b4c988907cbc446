\echo Use "CREATE EXTENSION nl2sql" to load this file. \quit

-- Front-door functions live in the schema that CREATE EXTENSION is given, internals in nl2sql.
-- Every body is a socket: the machine behind it is the Python package nl2sql_fdw.

SET LOCAL search_path = pg_catalog, pg_temp;

CREATE SCHEMA nl2sql;
COMMENT ON SCHEMA nl2sql IS 'internals of the nl2sql extension: profiles, executors, sockets';

CREATE TABLE nl2sql.profile (
    name               text PRIMARY KEY,
    reader             text NOT NULL DEFAULT 'nl2sql_reader',
    run_as             text NOT NULL DEFAULT 'reader' CHECK (run_as IN ('reader', 'caller')),
    schemas            text[],
    allowed_roles      text[],
    model_provider     text NOT NULL DEFAULT 'openai' CHECK (model_provider IN ('openai', 'ollama')),
    model_url          text NOT NULL DEFAULT 'http://127.0.0.1:8642/v1',
    model_name         text NOT NULL DEFAULT 'qwen2.5-coder-1.5b',
    model_key_file     text,
    model_keep_alive   text NOT NULL DEFAULT '30m',
    context_tokens     integer NOT NULL DEFAULT 8192 CHECK (context_tokens BETWEEN 1024 AND 1048576),
    max_output_tokens  integer NOT NULL DEFAULT 512 CHECK (max_output_tokens BETWEEN 16 AND 16384),
    load_timeout_ms    integer NOT NULL DEFAULT 180000 CHECK (load_timeout_ms > 0),
    answer_timeout_ms  integer NOT NULL DEFAULT 120000 CHECK (answer_timeout_ms > 0),
    retries            integer NOT NULL DEFAULT 1 CHECK (retries BETWEEN 0 AND 5),
    max_question_bytes integer NOT NULL DEFAULT 4000 CHECK (max_question_bytes > 0),
    time_limit_ms      integer NOT NULL DEFAULT 10000 CHECK (time_limit_ms > 0),
    max_rows           integer NOT NULL DEFAULT 1000 CHECK (max_rows > 0),
    max_bytes          integer NOT NULL DEFAULT 8000000 CHECK (max_bytes > 0),
    max_cell_bytes     integer NOT NULL DEFAULT 1000000 CHECK (max_cell_bytes > 0),
    max_memory_bytes   bigint NOT NULL DEFAULT 256000000 CHECK (max_memory_bytes >= 64000000),
    max_cost           double precision NOT NULL DEFAULT 1000000 CHECK (max_cost > 0),
    max_plan_rows      double precision NOT NULL DEFAULT 100000000 CHECK (max_plan_rows > 0),
    truncate           boolean NOT NULL DEFAULT false,
    allow_functions    text[] NOT NULL DEFAULT '{}',
    allow_views        text[] NOT NULL DEFAULT '{}',
    watch_settings     text[] NOT NULL DEFAULT '{}',
    audit              boolean NOT NULL DEFAULT true,
    audit_days         integer NOT NULL DEFAULT 90 CHECK (audit_days >= 0),
    values             boolean NOT NULL DEFAULT false,
    values_limit_ms    integer NOT NULL DEFAULT 300 CHECK (values_limit_ms > 0),
    redact             text[] NOT NULL DEFAULT '{email,mail,phone,mobile,fax,ssn,social,passw,pwd,secret,token,'
        'apikey,iban,card,cvv,account,passport,licen,taxid,nationalid,birth,address,street,login,username,'
        'salary,diagnos}' CHECK (array_position(redact, NULL) IS NULL)
);
SELECT pg_catalog.pg_extension_config_dump('nl2sql.profile', '');

COMMENT ON TABLE nl2sql.profile IS
    'What may be asked, how the model is reached, and every limit. Only the owner writes it: '
    'settings that protect are never GUCs, which any role can SET.';
COMMENT ON COLUMN nl2sql.profile.reader IS
    'the role every query runs as; nl2sql.create_executor() makes its executor';
COMMENT ON COLUMN nl2sql.profile.run_as IS
    'reader, or caller: queries then run as whoever asks, for policies on current_user; there the '
    'guard alone keeps a query from changing role, so it is for databases that need it';
COMMENT ON COLUMN nl2sql.profile.schemas IS
    'schemas that may be asked about, in search order; NULL: all that reader and caller may use';
COMMENT ON COLUMN nl2sql.profile.allowed_roles IS
    'roles whose members may use the profile; NULL: everyone with EXECUTE';
COMMENT ON COLUMN nl2sql.profile.model_key_file IS
    'file, readable by the server, with the model server''s key; the key itself is never stored here';
COMMENT ON COLUMN nl2sql.profile.model_keep_alive IS
    'how long Ollama keeps the model loaded: seconds, or a duration such as 30m';
COMMENT ON COLUMN nl2sql.profile.context_tokens IS 'the context size sent to the model server';
COMMENT ON COLUMN nl2sql.profile.time_limit_ms IS 'a query that runs longer is cancelled (N2003)';
COMMENT ON COLUMN nl2sql.profile.max_memory_bytes IS
    'memory that a query may take beside what its session has; more is an error (N2009)';
COMMENT ON COLUMN nl2sql.profile.max_cost IS 'planner cost above which a query is not run (N2002)';
COMMENT ON COLUMN nl2sql.profile.truncate IS
    'true: a result over max_rows or max_bytes is cut and flagged; false: it is an error (N2009)';
COMMENT ON COLUMN nl2sql.profile.allow_functions IS
    'functions allowed beside the reviewed built-ins, as schema.name';
COMMENT ON COLUMN nl2sql.profile.allow_views IS
    'views and partitions, as schema.name, allowed though they call what is not on the lists or '
    'pass row-level security by';
COMMENT ON COLUMN nl2sql.profile.watch_settings IS
    'settings that policies read, such as app.tenant: a query that assigns one is refused, its '
    'result void and the setting put back';
COMMENT ON COLUMN nl2sql.profile.audit IS 'false: calls leave no row in nl2sql.audit and no line in the log';
COMMENT ON COLUMN nl2sql.profile.audit_days IS 'age in days at which rows of nl2sql.audit are removed';
COMMENT ON COLUMN nl2sql.profile.values IS
    'true: words of the question, and texts in the model''s SQL, are looked up in the columns that reader and '
    'caller may read; what a value says in the words of the question is told to the model';
COMMENT ON COLUMN nl2sql.profile.values_limit_ms IS 'a lookup of values that takes longer is given up';
COMMENT ON COLUMN nl2sql.profile.redact IS
    'columns whose values are never looked up: schema.table.column, where * stands for anything, or a part '
    'of a column''s name, whatever its case and underscores';

CREATE TABLE nl2sql.audit (
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
    attempts  json
);
CREATE INDEX audit_at ON nl2sql.audit (at);
SELECT pg_catalog.pg_extension_config_dump('nl2sql.audit', '');
COMMENT ON TABLE nl2sql.audit IS
    'One row per question or SQL text: who, what, the verdict and its layer, sizes, milliseconds by stage, '
    'tokens, failed attempts; never a row of a result. The owner''s alone. A raised error takes its row back: '
    'errors, and all calls in a read-only transaction or on a standby, are lines "nl2sql audit:" in the server log.';

-- Sockets ----------------------------------------------------------------------------------

CREATE FUNCTION nl2sql._call(action text, subject text, profile text) RETURNS json
LANGUAGE plpython3u VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $python$
    import sys
    for directory in reversed(@NL2SQL_PATH@):
        if directory not in sys.path:
            sys.path.insert(0, directory)
    try:
        from nl2sql_fdw.entry import plpython
    except Exception as missing:
        import json
        return json.dumps({
            "status": "bad_setup", "sqlstate": "N2010",
            "message": f"The server's Python cannot import nl2sql_fdw: {missing}.",
            "detail": f"Python {sys.version.split()[0]} at {sys.prefix}, path {sys.path}.",
            "hint": "Run `nl2sql pg install` with that Python's version, then `nl2sql doctor`."})
    return plpython.call(plpy, action, subject, profile)
$python$;
COMMENT ON FUNCTION nl2sql._call(text, text, text) IS
    'socket: hands one call to the Python package, returns its outcome as JSON, never raises for it';

CREATE FUNCTION nl2sql._result(action text, subject text, profile text) RETURNS json
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    outcome json := nl2sql._call(action, subject, profile);
BEGIN
    IF outcome->>'sqlstate' IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = outcome->>'sqlstate', MESSAGE = outcome->>'message',
                              DETAIL = outcome->>'detail', HINT = outcome->>'hint';
    END IF;
    RETURN outcome;
END
$$;
COMMENT ON FUNCTION nl2sql._result(text, text, text) IS
    'nl2sql._call with its error, if any, raised: message, DETAIL and HINT, and no traceback';

CREATE FUNCTION nl2sql._create_executor(name text, security text) RETURNS regprocedure
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    target text := format('nl2sql.%I(text, text, boolean)', name);
BEGIN
    EXECUTE format($create$
CREATE OR REPLACE FUNCTION nl2sql.%I(sql text, profile text, fetch_rows boolean, OUT header text, OUT rows text[])
LANGUAGE plpython3u VOLATILE PARALLEL UNSAFE SECURITY %s
SET search_path = pg_catalog, pg_temp SET transaction_read_only = on SET row_security = on
-- A text means the same to the server as to the guard, a value the same to every caller.
SET standard_conforming_strings = on SET backslash_quote = safe_encoding SET transform_null_equals = off
SET datestyle = 'ISO' SET intervalstyle = 'postgres' SET bytea_output = 'hex' SET extra_float_digits = 1
-- Bounds that the caller's session cannot widen. No worker adds its own memory, and the plan
-- that is priced is the plan that a cursor runs.
SET work_mem = '16MB' SET hash_mem_multiplier FROM CURRENT SET temp_tablespaces = '' SET lock_timeout = '5s'
SET max_parallel_workers_per_gather = 0 SET cursor_tuple_fraction = 1 SET jit = off
SET geqo FROM CURRENT SET geqo_threshold FROM CURRENT SET geqo_effort FROM CURRENT
SET join_collapse_limit FROM CURRENT SET from_collapse_limit FROM CURRENT
-- The planner's prices: with all of them at zero every query would pass the cost gate.
SET seq_page_cost FROM CURRENT SET random_page_cost FROM CURRENT SET cpu_tuple_cost FROM CURRENT
SET cpu_index_tuple_cost FROM CURRENT SET cpu_operator_cost FROM CURRENT SET effective_cache_size FROM CURRENT
AS $python$
    import sys
    for directory in reversed(@NL2SQL_PATH@):
        if directory not in sys.path:
            sys.path.insert(0, directory)
    from nl2sql_fdw.entry import plpython
    return plpython.execute(plpy, sql, profile, fetch_rows)
$python$ $create$, name, security);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', target);
    EXECUTE format('COMMENT ON FUNCTION %s IS %L', target,
        'runs one guarded SELECT, read-only, within the limits of the profile');
    RETURN target::regprocedure;
END
$$;
COMMENT ON FUNCTION nl2sql._create_executor(text, text) IS
    'makes an executor: the door''s function with every setting that the caller must not choose; '
    'FROM CURRENT are the server''s own values in the session that makes it';

SELECT nl2sql._create_executor('execute_as_caller', 'INVOKER');

CREATE FUNCTION nl2sql.create_executor(reader name) RETURNS regprocedure
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    target regprocedure;
BEGIN
    IF reader = 'caller' OR NOT EXISTS (
            SELECT FROM pg_roles WHERE rolname = reader AND NOT rolcanlogin
            AND NOT rolsuper AND NOT rolbypassrls AND NOT rolcreaterole) THEN
        RAISE EXCEPTION 'role % is missing, too powerful to be a reader, or named caller', reader USING
            ERRCODE = 'N2010', HINT = 'CREATE ROLE ... NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE';
    END IF;
    target := nl2sql._create_executor('execute_as_' || reader, 'DEFINER');
    EXECUTE format('ALTER FUNCTION %s OWNER TO %I', target, reader);
    PERFORM nl2sql._limit_temp_files(target, reader);
    EXECUTE format('GRANT USAGE ON SCHEMA nl2sql TO %I', reader);
    EXECUTE format('GRANT SELECT ON nl2sql.profile TO %I', reader);
    RETURN target;
END
$$;
COMMENT ON FUNCTION nl2sql.create_executor(name) IS
    'makes, or makes anew, the function through which queries run as this reader; superuser only';

CREATE FUNCTION nl2sql._limit_temp_files(executor regprocedure, reader name) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF current_setting('server_version_num')::int >= 150000
       AND (SELECT setting::bigint NOT BETWEEN 0 AND 1048576 FROM pg_settings
            WHERE name = 'temp_file_limit') THEN
        EXECUTE format('GRANT SET ON PARAMETER temp_file_limit TO %I', reader);
        EXECUTE format('ALTER FUNCTION %s SET temp_file_limit = ''1GB'' ', executor);
    END IF;
END
$$;
COMMENT ON FUNCTION nl2sql._limit_temp_files(regprocedure, name) IS
    'bounds an executor''s temporary files to 1 GB where the server sets no lower limit; needs '
    'PostgreSQL 15, before which temp_file_limit in postgresql.conf does it';

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

CREATE FUNCTION nl2sql._record(entry json) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    INSERT INTO nl2sql.audit
    SELECT clock_timestamp(), session_user, coalesce(nullif(current_setting('role'), 'none'), session_user),
           e.action, e.profile, left(e.question, 20010), left(e.sql, 20010), e.status, e.layer, e.sqlstate,
           e.row_count, e.bytes, e.timings, e.tokens, e.attempts
    FROM json_to_record(entry) AS e(action text, profile text, question text, sql text, status text, layer text,
        sqlstate text, row_count int, bytes bigint, timings json, tokens json, attempts json);
    IF (entry->>'prune')::boolean AND current_setting('transaction_isolation') = 'read committed' THEN
        PERFORM nl2sql.prune_audit(1000);
    END IF;
END
$$;
COMMENT ON FUNCTION nl2sql._record(json) IS
    'socket: adds a row to nl2sql.audit under the session''s own name, which the entry cannot choose';

-- The front door ---------------------------------------------------------------------------

CREATE FUNCTION @extschema@.nl2sql(question text, profile text DEFAULT 'default') RETURNS SETOF json
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT json_array_elements(nl2sql._result('ask', question, profile)->'rows') $$;
COMMENT ON FUNCTION @extschema@.nl2sql(text, text) IS
    'Answers a question in plain language: one JSON object per row, column order and duplicate names kept. '
    'Raises N2001 to N2011 with the SQL in DETAIL and what to do in HINT.';

CREATE FUNCTION @extschema@.nl2sql_sql(question text, profile text DEFAULT 'default') RETURNS text
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT nl2sql._result('sql', question, profile)->>'sql' $$;
COMMENT ON FUNCTION @extschema@.nl2sql_sql(text, text) IS
    'The SQL for a question, guarded and priced, never run. Raises as nl2sql() does.';

CREATE FUNCTION @extschema@.nl2sql_ask(
    question text, profile text DEFAULT 'default',
    OUT status text, OUT sql text, OUT columns json, OUT rows json, OUT row_count integer,
    OUT truncated boolean, OUT message text, OUT detail text, OUT hint text, OUT sqlstate text,
    OUT timings json, OUT tokens json, OUT attempts json, OUT notes json)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT * FROM json_to_record(nl2sql._call('ask', question, profile)) AS x(
        status text, sql text, columns json, rows json, row_count integer, truncated boolean,
        message text, detail text, hint text, sqlstate text, timings json, tokens json,
        attempts json, notes json)
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_ask(text, text) IS
    'Answers a question in one row: status (answered, refused, ...), the SQL, columns, rows as a JSON array, '
    'timings in milliseconds by stage, tokens and every attempt. Never raises for what the model did.';

CREATE FUNCTION @extschema@.nl2sql_run(sql text, profile text DEFAULT 'default') RETURNS SETOF json
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT json_array_elements(nl2sql._result('run', sql, profile)->'rows') $$;
COMMENT ON FUNCTION @extschema@.nl2sql_run(text, text) IS
    'Runs somebody else''s SQL through the same door as the model''s: guard, reader, cost gate, limits.';

CREATE FUNCTION @extschema@.nl2sql_check(
    sql text, profile text DEFAULT 'default',
    OUT allowed boolean, OUT message text, OUT detail text, OUT hint text, OUT sqlstate text,
    OUT cost double precision, OUT plan_rows double precision)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT x.sqlstate IS NULL, x.message, x.detail, x.hint, x.sqlstate, x.cost, x.plan_rows
    FROM json_to_record(nl2sql._call('check', sql, profile)) AS x(
        message text, detail text, hint text, sqlstate text, cost float8, plan_rows float8)
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_check(text, text) IS
    'The door''s verdict on a SQL text: allowed or not and by which layer, with the planner''s estimates. Never runs it.';

CREATE FUNCTION @extschema@.nl2sql_prompt(question text, profile text DEFAULT 'default') RETURNS text
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT nl2sql._result('prompt', question, profile)->>'prompt' $$;
COMMENT ON FUNCTION @extschema@.nl2sql_prompt(text, text) IS
    'The exact text that the model would be sent for a question. No model is called.';

CREATE FUNCTION @extschema@.nl2sql_status(
    profile text DEFAULT 'default',
    OUT component text, OUT status text, OUT detail text, OUT hint text) RETURNS SETOF record
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    outcome json := nl2sql._call('status', NULL, profile);
BEGIN
    IF outcome->>'sqlstate' IS NOT NULL THEN
        RETURN QUERY SELECT 'python'::text, 'missing'::text,
            concat_ws(' ', outcome->>'message', outcome->>'detail'), outcome->>'hint';
        RETURN;
    END IF;
    RETURN QUERY SELECT x.component, x.status, x.detail, x.hint
    FROM json_to_recordset(outcome->'checks') AS x(component text, status text, detail text, hint text);
END
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_status(text) IS
    'Health, one row per part: interpreter, packages, profile, reader, executor, what can be read, model server.';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nl2sql FROM PUBLIC;
REVOKE ALL ON FUNCTION @extschema@.nl2sql(text, text), @extschema@.nl2sql_sql(text, text),
    @extschema@.nl2sql_ask(text, text), @extschema@.nl2sql_run(text, text),
    @extschema@.nl2sql_check(text, text), @extschema@.nl2sql_prompt(text, text),
    @extschema@.nl2sql_status(text) FROM PUBLIC;

CREATE FUNCTION nl2sql.grant_asker(asker name) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    fn regprocedure;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA nl2sql TO %I', asker);
    EXECUTE format('GRANT SELECT ON nl2sql.profile TO %I', asker);
    FOR fn IN SELECT p.oid FROM pg_proc p
              WHERE (p.pronamespace = 'nl2sql'::regnamespace
                     AND (p.proname IN ('_call', '_result', '_record') OR p.proname ^@ 'execute_as_'))
                 OR (p.pronamespace = '@extschema@'::regnamespace
                     AND p.proname ~ '^nl2sql(_sql|_ask|_run|_check|_prompt|_status)?$') LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', fn, asker);
    END LOOP;
END
$$;
COMMENT ON FUNCTION nl2sql.grant_asker(name) IS
    'lets a role ask: EXECUTE on the front door, the sockets and the executors; superuser only';
REVOKE ALL ON FUNCTION nl2sql.grant_asker(name) FROM PUBLIC;
