-- Saved questions. One is a view and its comment, and nothing else: DROP VIEW removes it, pg_dump
-- keeps it, GRANT SELECT shares it. All of it is made as the caller, who needs CREATE there.

CREATE FUNCTION nl2sql._view(target text, replacing boolean, style text, profile text, answer json) RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    start text := CASE WHEN replacing THEN 'CREATE OR REPLACE VIEW ' ELSE 'CREATE VIEW ' END || target;
    names text := (SELECT string_agg(c->>'identifier', ', ' ORDER BY n)
                   FROM json_array_elements(answer->'columns') WITH ORDINALITY AS x(c, n));
BEGIN
    IF style = 'guarded' THEN
        RETURN format('%s AS SELECT %s FROM @extschema@.nl2sql_rows(%L, %L) AS t(%s)', start,
                      coalesce(names, ''), answer->>'sql', profile, answer->>'definition');
    ELSIF style = 'invoker' AND current_setting('server_version_num')::int >= 150000 THEN
        RETURN format(E'%s%s WITH (security_invoker = true) AS SELECT * FROM (\n%s\n) AS q', start,
                      '(' || names || ')', rtrim(answer->>'sql', E'; \n\t'));
    END IF;
    RAISE EXCEPTION 'style % is not guarded, nor invoker, which needs PostgreSQL 15', style
        USING ERRCODE = 'N2010', HINT = 'guarded is right on every server: the view runs the guarded runner.';
END
$$;
COMMENT ON FUNCTION nl2sql._view(text, boolean, text, text, json) IS 'the text that makes a saved question''s view';

CREATE FUNCTION nl2sql._annotate(target text, question text, note jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ BEGIN EXECUTE format('COMMENT ON VIEW %s IS %L', target, question || E'\n\nnl2sql ' || note); END $$;
COMMENT ON FUNCTION nl2sql._annotate(text, text, jsonb) IS
    'the comment of a saved question''s view: the question, and what is needed to refresh it';

CREATE FUNCTION nl2sql._note(version int, style text, profile text, found json, earlier jsonb) RETURNS jsonb
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT jsonb_build_object('version', version, 'style', style, 'profile', profile, 'saved', now(),
                              'sql', found->>'sql', 'relations', found->'relations', 'earlier', earlier)
$$;
COMMENT ON FUNCTION nl2sql._note(int, text, text, json, jsonb) IS 'what a saved question keeps beside the question';

CREATE FUNCTION @extschema@.nl2sql_save(
    name text, question text, style text DEFAULT 'guarded', schema text DEFAULT current_schema(),
    profile text DEFAULT 'default') RETURNS regclass
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    part text[] := parse_ident(name);
    target text := format('%I.%I', CASE cardinality(part) WHEN 1 THEN schema WHEN 2 THEN part[1] END, part[cardinality(part)]);
    found json := nl2sql._result('save', question, profile);
    made text := nl2sql._view(target, false, style, profile, found);
BEGIN
    PERFORM set_config('search_path', found->>'path', true);
    EXECUTE made;
    SET LOCAL search_path = pg_catalog, pg_temp;
    PERFORM nl2sql._annotate(target, question, nl2sql._note(1, style, profile, found, '[]'));
    RETURN target::regclass;
END
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_save(text, text, text, text, text) IS
    'Saves a question as a view with real columns: no model is asked when it is read. style guarded runs the SQL '
    'through guard, reader and limits each time; invoker is the SQL itself in a security_invoker view (PostgreSQL 15).';

CREATE FUNCTION @extschema@.nl2sql_saved(
    OUT view regclass, OUT question text, OUT version integer, OUT style text, OUT profile text,
    OUT saved timestamptz, OUT sql text, OUT status text, OUT detail text) RETURNS SETOF record
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT x.* FROM nl2sql._result('saved', NULL, 'default') AS found, json_to_recordset(found->'saved') AS x(
        view regclass, question text, version int, style text, profile text, saved timestamptz, sql text,
        status text, detail text)
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_saved() IS
    'The saved questions that you may read. status: ok; drifted, where what it reads has changed since; broken, '
    'where its SQL no longer passes; altered, where the view was made anew by hand. No model is asked.';

CREATE FUNCTION nl2sql._replace(view regclass, target text, made text, made_anew text, path text) RETURNS boolean
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    was pg_class;
BEGIN
    SELECT c.* INTO was FROM pg_class c WHERE c.oid = view;
    PERFORM set_config('search_path', path, true);
    BEGIN
        EXECUTE made;
        RETURN false;
    EXCEPTION WHEN invalid_table_definition THEN
        EXECUTE format('DROP VIEW %s', target);
        EXECUTE made_anew;
    END;
    PERFORM nl2sql._grant_again(target, was.relacl, was.relowner);
    RETURN true;
END
$$;
COMMENT ON FUNCTION nl2sql._replace(regclass, text, text, text, text) IS
    'puts a new query into a saved view; where its columns are others the view is dropped and made anew, and its '
    'grants given again: what depends on it is an error, and nothing changes';

CREATE FUNCTION nl2sql._grant_again(target text, acl aclitem[], owner oid) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    one record;
BEGIN
    FOR one IN SELECT * FROM aclexplode(acl) AS a WHERE a.grantee <> owner LOOP
        EXECUTE format('GRANT %s ON %s TO %s', one.privilege_type, target,
            CASE one.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(one.grantee)) END)
            || CASE WHEN one.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END;
    END LOOP;
    EXECUTE format('ALTER VIEW %s OWNER TO %I', target, pg_get_userbyid(owner));
END
$$;
COMMENT ON FUNCTION nl2sql._grant_again(text, aclitem[], oid) IS 'gives a view the grants and the owner that it had';

CREATE FUNCTION @extschema@.nl2sql_refresh(
    view regclass, OUT version integer, OUT sql text, OUT changed boolean, OUT recreated boolean)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    old json := nl2sql._result('saved one', view::oid::text, 'default');
    found json := nl2sql._result('save', old->>'question', old->>'profile');
    target text := old->>'name';
BEGIN
    recreated := nl2sql._replace(view, target,
        nl2sql._view(target, true, old->>'style', old->>'profile', found),
        nl2sql._view(target, false, old->>'style', old->>'profile', found), found->>'path');
    sql := found->>'sql';
    changed := sql <> old->>'sql' OR recreated;
    version := (old->>'version')::int + changed::int;
    PERFORM nl2sql._annotate(target, old->>'question', nl2sql._note(
        version, old->>'style', old->>'profile', found,
        CASE WHEN changed THEN (old->'history')::jsonb ELSE (old->'earlier')::jsonb END));
END
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_refresh(regclass) IS
    'Asks a saved question anew and puts the answer''s SQL into its view; earlier SQL stays in the view''s comment.';

CREATE FUNCTION @extschema@.nl2sql_drop(view regclass) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    EXECUTE format('DROP VIEW %s', nl2sql._result('saved one', view::oid::text, 'default')->>'name');
END
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_drop(regclass) IS
    'Drops a saved question''s view; an error for a relation that is none, and where something depends on it.';
