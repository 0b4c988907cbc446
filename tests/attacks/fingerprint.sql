-- What of the whole database an attack might have changed, as one row to compare.
-- xmin tells of any insert or update; a count, of a delete. The audit is meant to be written.

CREATE SCHEMA harness;

CREATE FUNCTION harness.rows(OUT state text) LANGUAGE plpgsql AS $$
DECLARE
    part record; found text;
BEGIN
    state := '';
    FOR part IN SELECT c.oid::regclass AS name FROM pg_class c
                WHERE relkind IN ('r', 'm') AND relpersistence <> 't' AND oid > 16383
                  AND c.oid::regclass::text <> 'nl2sql.audit' ORDER BY 1 LOOP
        EXECUTE format('SELECT count(*) || %L || coalesce(sum(xmin::text::bigint), 0) FROM %s',
                       '/', part.name) INTO found;
        state := state || part.name || '=' || found || ' ';
    END LOOP;
END $$;

CREATE FUNCTION harness.fingerprint() RETURNS jsonb LANGUAGE sql AS $$
SELECT jsonb_build_object(
    'rows', harness.rows(),
    'sequences', (SELECT string_agg(sequencename || last_value, ' ') FROM pg_sequences),
    'objects', (SELECT count(*) || '/' || sum(xmin::text::bigint) FROM pg_class
                WHERE relpersistence <> 't' AND oid > 16383 AND relnamespace <> 'pg_toast'::regnamespace),
    'functions', (SELECT count(*) || '/' || sum(xmin::text::bigint) FROM pg_proc
                  WHERE pronamespace::regnamespace::text !~ '^pg_temp'),
    'comments', (SELECT count(*) || '/' || sum(xmin::text::bigint) FROM pg_description),
    'policies', (SELECT count(*) || '/' || sum(xmin::text::bigint) FROM pg_policy
                 WHERE polrelid IN (SELECT oid FROM pg_class WHERE relpersistence <> 't')),
    'schemas', (SELECT count(*) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'),
    'extensions', (SELECT count(*) FROM pg_extension),
    'large objects', (SELECT count(*) || '/' || sum(xmin::text::bigint) FROM pg_largeobject_metadata),
    'large object bytes', (SELECT count(*) || '/' || sum(length(data)) FROM pg_largeobject),
    'roles', (SELECT string_agg(r.rolname || r.rolsuper || r.rolcanlogin || r.rolbypassrls
                || r.rolcreaterole || (r.rolpassword IS NULL), ' ' ORDER BY rolname)
              FROM pg_authid r WHERE rolname ~ '^attack_' AND rolname !~ '^attack_reader'),
    'members', (SELECT string_agg(roleid::regrole || '<' || member::regrole, ' ' ORDER BY 1)
                FROM (SELECT DISTINCT roleid, member FROM pg_auth_members) m
                WHERE member::regrole::text ~ '^attack_'),
    'settings', (SELECT count(*) || '/' || sum(xmin::text::bigint) FROM pg_db_role_setting
                 WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())),
    'slots', (SELECT count(*) FROM pg_replication_slots),
    'prepared', (SELECT count(*) FROM pg_prepared_xacts))
$$;
