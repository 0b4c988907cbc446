-- Real columns. Rows come through the executor as text cells; what runs here, as the caller and
-- over that data alone, is a projection made by entry/columns.py. The reader is gone by then.

CREATE FUNCTION nl2sql._require(outcome json) RETURNS json
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF outcome->>'sqlstate' IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = outcome->>'sqlstate', MESSAGE = outcome->>'message',
                              DETAIL = outcome->>'detail', HINT = outcome->>'hint';
    END IF;
    RETURN outcome;
END
$$;
COMMENT ON FUNCTION nl2sql._require(json) IS 'gives back an outcome, or raises its error';

CREATE FUNCTION @extschema@.nl2sql_rows(sql text, profile text DEFAULT 'default') RETURNS SETOF record
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp SET intervalstyle = 'postgres' SET array_nulls = on
AS $$
DECLARE
    found json := nl2sql._result('rows', sql, profile);
BEGIN
    RETURN QUERY EXECUTE found->>'record' USING found->'rows';
EXCEPTION WHEN datatype_mismatch THEN
    RAISE EXCEPTION USING ERRCODE = 'datatype_mismatch',
        MESSAGE = 'the columns that are asked for are not those of the SQL',
        DETAIL = format('It gives (%s). SQL: %s', found->>'definition', sql),
        HINT = 'Write that list after AS t, or take the whole call from nl2sql_query(). '
               'For a saved question: nl2sql_refresh().';
END
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_rows(text, text) IS
    'The guarded runner with real columns: SELECT * FROM nl2sql_rows(''SELECT ...'') AS t(id integer, name text). '
    'nl2sql_query() writes the call with its column list.';

CREATE FUNCTION @extschema@.nl2sql_query(question text, profile text DEFAULT 'default') RETURNS text
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT format('SELECT %s FROM @extschema@.nl2sql_rows(%L, %L) AS t(%s)',
                  x->>'stars', x->>'sql', profile, x->>'definition')
    FROM nl2sql._result('query', question, profile) AS x
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_query(text, text) IS
    'For psql: SELECT nl2sql_query(''how many ships?'') \gexec. Gives a call of nl2sql_rows() with its column list, '
    'so that guard, reader and limits hold for what is run; runs nothing itself.';

CREATE FUNCTION @extschema@.nl2sql_open(
    question text, name text DEFAULT NULL, profile text DEFAULT 'default') RETURNS refcursor
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    opened refcursor := name;
    found json := nl2sql._result('table', question, profile);
BEGIN
    OPEN opened FOR EXECUTE found->>'select' USING found->'rows';
    RETURN opened;
END
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_open(text, text, text) IS
    'Answers a question in a cursor with real columns: BEGIN; SELECT nl2sql_open(''...'', name => ''c''); FETCH ALL '
    'FROM c. The rows are read before it opens: it holds data, and nothing runs as the reader any more.';

CREATE FUNCTION nl2sql._fit(columns json, target regtype) RETURNS json
LANGUAGE plpython3u VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $python$
    from nl2sql_fdw.entry import plpython  # nl2sql._call has set the path
    return plpython.fit(plpy, columns, target)
$python$;
COMMENT ON FUNCTION nl2sql._fit(json, regtype) IS
    'socket: the projection of an answer''s columns to the fields of a type, or the error that names the column';

CREATE FUNCTION nl2sql._kept(original anyelement, back anyelement, said text) RETURNS boolean
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF original IS DISTINCT FROM back THEN
        RAISE EXCEPTION USING ERRCODE = 'datatype_mismatch', DETAIL = said,
            MESSAGE = format('%L of the answer would be changed by the cast to its field''s type', original),
            HINT = 'Give the field a type that holds every value of the column.';
    END IF;
    RETURN true;
END
$$;
COMMENT ON FUNCTION nl2sql._kept(anyelement, anyelement, text) IS
    'true where a value came back the same from a cast there and back, else an error';

CREATE FUNCTION @extschema@.nl2sql_as(type anyelement, question text, profile text DEFAULT 'default')
RETURNS SETOF anyelement
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp SET intervalstyle = 'postgres' SET array_nulls = on
SET standard_conforming_strings = on
AS $$
DECLARE
    found json := nl2sql._result('table', question, profile);
    fitted json := nl2sql._require(nl2sql._fit(found->'columns', pg_typeof(type)));
BEGIN
    RETURN QUERY EXECUTE fitted->>'select' USING found->'rows';
EXCEPTION WHEN data_exception OR check_violation OR not_null_violation THEN
    RAISE EXCEPTION USING ERRCODE = SQLSTATE, MESSAGE = SQLERRM,
        DETAIL = format('Casts: %s. SQL: %s', fitted->>'casts', found->>'sql'),
        HINT = 'Give the field a type that holds every value of the column.';
END
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_as(anyelement, text, text) IS
    'Answers a question in rows of a type: SELECT * FROM nl2sql_as(NULL::sale, ''sales by city''). Fields take columns '
    'of their name, the rest by position; no value is changed by a cast: what does not fit is an error that names it.';
