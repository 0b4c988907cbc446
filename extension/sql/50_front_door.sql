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
    question text, profile text DEFAULT 'default', thread text DEFAULT NULL, run boolean DEFAULT true,
    OUT status text, OUT sql text, OUT columns json, OUT rows json, OUT row_count integer,
    OUT truncated boolean, OUT message text, OUT detail text, OUT hint text, OUT sqlstate text,
    OUT timings json, OUT tokens json, OUT attempts json, OUT notes json,
    OUT id uuid, OUT cost double precision, OUT plan_rows double precision, OUT touched json,
    OUT confidence double precision)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT * FROM json_to_record(nl2sql._call(CASE WHEN run THEN 'ask' ELSE 'plan' END, question, profile,
                                              json_build_object('thread', thread))) AS x(
        status text, sql text, columns json, rows json, row_count integer, truncated boolean,
        message text, detail text, hint text, sqlstate text, timings json, tokens json,
        attempts json, notes json, id uuid, cost float8, plan_rows float8, touched json,
        confidence float8)
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_ask(text, text, text, boolean) IS
    'Answers a question in one row: status (answered, refused, ...), the SQL, columns, rows as a JSON array, '
    'timings in milliseconds by stage, tokens, every attempt, and how sure it is (confidence, 0 to 1). Never '
    'raises for what the model did. With a thread, any text of yours, it follows up on your earlier questions there. With run => false nothing is run: '
    'SQL, cost and what is touched are shown, and nl2sql_approve(id) runs it.';

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
