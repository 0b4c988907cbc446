CREATE FUNCTION nl2sql._create_executor(name text, security text) RETURNS regprocedure
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    target text := format('nl2sql.%I(text, text, boolean, boolean)', name);
BEGIN
    EXECUTE format($create$
CREATE OR REPLACE FUNCTION nl2sql.%I(
    sql text, profile text, fetch_rows boolean, cells boolean DEFAULT false, OUT header text, OUT rows text[])
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
SET hypopg.enabled = off  -- indexes that are none would be priced as if they were there
AS $python$
    import sys
    for directory in reversed(@NL2SQL_PATH@):
        if directory not in sys.path:
            sys.path.insert(0, directory)
    from nl2sql_fdw.entry import plpython
    return plpython.execute(plpy, sql, profile, fetch_rows, cells=cells)
$python$ $create$, name, security);
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', target);
    EXECUTE format('COMMENT ON FUNCTION %s IS %L', target,
        'runs one guarded SELECT, read-only, within the limits of the profile; with fetch_rows false '
        'only prices it, with null looks for indexes too');
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
