-- Nothing is open to everyone: who may ask is named, by nl2sql.grant_asker().

CREATE FUNCTION nl2sql._front_door() RETURNS SETOF regprocedure
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT p.oid::regprocedure FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
    WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
      AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'nl2sql')
      AND p.pronamespace <> 'nl2sql'::regnamespace
$$;
COMMENT ON FUNCTION nl2sql._front_door() IS
    'the functions of the extension that people call: those outside schema nl2sql';

CREATE FUNCTION nl2sql._sockets() RETURNS text[]
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT ARRAY[
    '_annotate', '_approved', '_call', '_caller', '_examples', '_fit',
    '_forget', '_grant_again', '_kept', '_note', '_rate', '_recall',
    '_record', '_remember', '_replace', '_require', '_result', '_teach',
    '_turn', '_turns', '_unteach', '_view'
] $$;
COMMENT ON FUNCTION nl2sql._sockets() IS
    'the internals that the front door calls as whoever asks, who therefore may call them too';

CREATE FUNCTION nl2sql.grant_asker(asker name) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    fn regprocedure;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA nl2sql TO %I', asker);
    EXECUTE format('GRANT SELECT ON nl2sql.profile TO %I', asker);
    FOR fn IN SELECT nl2sql._front_door() UNION ALL
              SELECT p.oid FROM pg_proc p WHERE p.pronamespace = 'nl2sql'::regnamespace
              AND (p.proname ^@ 'execute_as_' OR p.proname = ANY (nl2sql._sockets())) LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', fn, asker);
    END LOOP;
END
$$;
COMMENT ON FUNCTION nl2sql.grant_asker(name) IS
    'lets a role ask: EXECUTE on the front door, the sockets and the executors; superuser only';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA nl2sql FROM PUBLIC;
DO $$
DECLARE
    fn regprocedure;
BEGIN
    FOR fn IN SELECT nl2sql._front_door() LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', fn);
    END LOOP;
END
$$;
