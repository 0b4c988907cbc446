-- What is remembered beside the audit. Whose it is, is the login and the role it had set, never
-- an argument; askers reach it through the functions here alone, each of which asks for both.

CREATE TABLE nl2sql.example (
    id       uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    login    name NOT NULL,
    caller   name NOT NULL,
    scope    text NOT NULL,
    profile  text NOT NULL,
    shared   boolean NOT NULL,
    question text NOT NULL CHECK (length(question) BETWEEN 1 AND 4000),
    sql      text NOT NULL CHECK (length(sql) BETWEEN 1 AND 8000),
    touched  json NOT NULL
);
CREATE INDEX example_whose ON nl2sql.example (profile, caller, login);
SELECT pg_catalog.pg_extension_config_dump('nl2sql.example', '');
COMMENT ON TABLE nl2sql.example IS
    'Questions with SQL that a person says is right, for whoever taught them, or for all where shared.';

CREATE FUNCTION nl2sql._is_curator(profile text) RETURNS boolean
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT pg_has_role(nl2sql._caller(), e.extowner, 'USAGE') OR EXISTS (
        SELECT FROM nl2sql.profile p JOIN pg_roles r ON r.rolname = ANY (p.curators)
        WHERE p.name = _is_curator.profile AND pg_has_role(nl2sql._caller(), r.oid, 'USAGE'))
    FROM pg_extension e WHERE e.extname = 'nl2sql'
$$;
COMMENT ON FUNCTION nl2sql._is_curator(text) IS 'whether the caller may teach and note for everybody in a profile';

CREATE FUNCTION nl2sql._may_use(profile text) RETURNS boolean
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT EXISTS (
        SELECT FROM nl2sql.profile p WHERE p.name = _may_use.profile AND (p.allowed_roles IS NULL OR EXISTS (
            SELECT FROM pg_roles r
            WHERE r.rolname = ANY (p.allowed_roles) AND pg_has_role(nl2sql._caller(), r.oid, 'USAGE'))))
$$;
COMMENT ON FUNCTION nl2sql._may_use(text) IS 'whether a profile is there and open to the caller';

CREATE FUNCTION nl2sql._may_read(touched json) RETURNS boolean
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT coalesce(bool_and(
        c.oid IS NOT NULL AND has_schema_privilege(nl2sql._caller(), c.relnamespace, 'USAGE')
        AND has_any_column_privilege(nl2sql._caller(), c.oid, 'SELECT')
        AND cardinality(t.columns) = (
            SELECT count(*) FROM pg_attribute a
            WHERE a.attrelid = c.oid AND NOT a.attisdropped AND a.attname = ANY (t.columns)
              AND has_column_privilege(nl2sql._caller(), c.oid, a.attnum, 'SELECT'))), true)
    FROM json_to_recordset(touched) AS t(relation text, columns text[])
    LEFT JOIN pg_class c ON c.oid = to_regclass(t.relation)
$$;
COMMENT ON FUNCTION nl2sql._may_read(json) IS
    'whether all that an example touched is there, and the caller may read it, each column by itself';

CREATE FUNCTION nl2sql._teach(profile text, question text, sql text, touched json, shared boolean) RETURNS uuid
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    own nl2sql.example := (NULL, now(), session_user, nl2sql._caller(), nl2sql._scope($1), $1, $5, $2, $3, $4);
    made uuid;
BEGIN
    IF own.shared AND NOT nl2sql._is_curator(own.profile) THEN
        RAISE EXCEPTION 'only a curator of profile % may teach everybody', own.profile USING ERRCODE = 'N2007';
    END IF;
    PERFORM nl2sql._make_room(own);
    INSERT INTO nl2sql.example (login, caller, scope, profile, shared, question, sql, touched)
    VALUES (own.login, own.caller, own.scope, own.profile, own.shared, own.question, own.sql, own.touched)
    RETURNING id INTO made;
    RETURN made;
END
$$;
COMMENT ON FUNCTION nl2sql._teach(text, text, text, json, boolean) IS
    'socket: keeps one example under the session''s own name, in place of an earlier one for the question';

CREATE FUNCTION nl2sql._make_room(own nl2sql.example) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(own.profile || own.login || own.caller, 7));
    DELETE FROM nl2sql.example e
    WHERE e.profile = own.profile AND e.shared = own.shared AND lower(e.question) = lower(own.question)
      AND (own.shared OR (e.login, e.caller, e.scope) = (own.login, own.caller, own.scope));
    IF (SELECT count(*) FROM nl2sql.example e WHERE e.profile = own.profile AND e.shared = own.shared
        AND (own.shared OR (e.login, e.caller) = (own.login, own.caller))) >= 200 THEN
        RAISE EXCEPTION 'there are 200 examples already' USING ERRCODE = 'N2009';
    END IF;
END
$$;
COMMENT ON FUNCTION nl2sql._make_room(nl2sql.example) IS
    'removes the example that a new one replaces; refuses more than 200 of one person, or shared in one profile';

CREATE FUNCTION nl2sql._examples(profile text)
RETURNS TABLE (id uuid, at timestamptz, own boolean, shared boolean, question text, sql text)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT e.id, e.at, (e.login, e.caller) = (session_user, nl2sql._caller()), e.shared, e.question, e.sql
    FROM nl2sql.example e
    WHERE e.profile = _examples.profile AND nl2sql._may_use(e.profile)
      AND (e.shared OR ((e.login, e.caller) = (session_user, nl2sql._caller())
                        AND e.scope = nl2sql._scope(e.profile)))
      AND nl2sql._may_read(e.touched)
    ORDER BY e.at, e.id
$$;
COMMENT ON FUNCTION nl2sql._examples(text) IS
    'the caller''s own examples and the shared ones, where the caller may read all that they touch';

CREATE FUNCTION nl2sql._unteach(example uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    DELETE FROM nl2sql.example e
    WHERE e.id = example AND CASE WHEN e.shared THEN nl2sql._is_curator(e.profile)
          ELSE (e.login, e.caller, e.scope) = (session_user, nl2sql._caller(), nl2sql._scope(e.profile)) END;
    RETURN FOUND;
END
$$;
COMMENT ON FUNCTION nl2sql._unteach(uuid) IS 'removes an example: one''s own, or as a curator a shared one';

CREATE FUNCTION nl2sql._turn(call uuid)
RETURNS TABLE (profile text, action text, question text, sql text, status text, age interval)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT a.profile, a.action, a.question, a.sql, a.status, clock_timestamp() - a.at FROM nl2sql.audit a
    WHERE a.id = call AND (a.login, a.caller) = (session_user, nl2sql._caller())
      AND a.scope = nl2sql._scope(a.profile) AND a.action IN ('ask', 'sql', 'plan', 'table', 'query', 'save')
$$;
COMMENT ON FUNCTION nl2sql._turn(uuid) IS 'one question of the caller''s own, by its id';

CREATE FUNCTION nl2sql._turns(profile text, thread text, at_most integer)
RETURNS TABLE (question text, sql text)
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT t.question, t.sql FROM (
        SELECT a.at, a.question, a.sql FROM nl2sql.audit a
        WHERE (a.login, a.caller) = (session_user, nl2sql._caller()) AND a.scope = nl2sql._scope($1)
          AND a.profile = $1 AND a.thread = $2 AND a.status = 'answered' AND a.sql IS NOT NULL
          AND a.question IS NOT NULL AND a.action IN ('ask', 'sql', 'plan', 'table', 'query', 'save')
        ORDER BY a.at DESC LIMIT least($3, 10)) t
    ORDER BY t.at
$$;
COMMENT ON FUNCTION nl2sql._turns(text, text, integer) IS
    'the last answered questions of a thread of the caller''s own: another''s thread of that name is another thread';

CREATE FUNCTION nl2sql._rate(call uuid, verdict boolean) RETURNS void
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    UPDATE nl2sql.audit a SET good = verdict
    WHERE a.id = call AND (a.login, a.caller) = (session_user, nl2sql._caller())
      AND a.scope = nl2sql._scope(a.profile)
$$;
COMMENT ON FUNCTION nl2sql._rate(uuid, boolean) IS 'notes on a call of the caller''s own whether its answer was right';
