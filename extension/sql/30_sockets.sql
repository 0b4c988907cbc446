CREATE FUNCTION nl2sql._call(action text, subject text, profile text, arguments json DEFAULT NULL) RETURNS json
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
    return plpython.call(plpy, action, subject, profile, arguments)
$python$;
COMMENT ON FUNCTION nl2sql._call(text, text, text, json) IS
    'socket: hands one call to the Python package, returns its outcome as JSON, never raises for it';

CREATE FUNCTION nl2sql._result(action text, subject text, profile text, arguments json DEFAULT NULL) RETURNS json
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    outcome json := nl2sql._call(action, subject, profile, arguments);
BEGIN
    IF outcome->>'sqlstate' IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = outcome->>'sqlstate', MESSAGE = outcome->>'message',
                              DETAIL = outcome->>'detail', HINT = outcome->>'hint';
    END IF;
    RETURN outcome;
END
$$;
COMMENT ON FUNCTION nl2sql._result(text, text, text, json) IS
    'nl2sql._call with its error, if any, raised: message, DETAIL and HINT, and no traceback';
