-- SQL to keep: for clients, dbt first, that ask once and run the answer from then on.

CREATE FUNCTION @extschema@.nl2sql_freeze(
    question text, profile text DEFAULT 'default',
    OUT status text, OUT sql text, OUT reads json,
    OUT message text, OUT detail text, OUT hint text, OUT sqlstate text)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT * FROM json_to_record(nl2sql._call('freeze', question, profile)) AS x(
        status text, sql text, reads json, message text, detail text, hint text, sqlstate text)
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_freeze(text, text) IS
    'The SQL for a question, to keep: guarded and priced, never run, every table with its schema, and the tables and '
    'columns that it reads (columns null: all of them). Never raises for what the model did.';
