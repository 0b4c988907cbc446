CREATE FUNCTION @extschema@.nl2sql_explain(
    subject text, profile text DEFAULT 'default',
    OUT sql text, OUT words text, OUT safety integer, OUT scores json, OUT joins json,
    OUT findings json, OUT indexes json, OUT cost double precision, OUT plan_rows double precision,
    OUT message text, OUT detail text, OUT hint text, OUT sqlstate text)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT x.* FROM json_to_record(nl2sql._call('explain', subject, profile)) AS x(
        sql text, words text, safety integer, scores json, joins json, findings json,
        indexes json, cost float8, plan_rows float8,
        message text, detail text, hint text, sqlstate text)
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_explain(text, text) IS
    'A SQL text, or the SQL for a question, in plain words, with a safety score (security, syntax, logic, '
    'performance, each with its reasons), the joins and the keys behind them, and indexes that would help. '
    'Never runs it; what would not run has message and sqlstate.';
