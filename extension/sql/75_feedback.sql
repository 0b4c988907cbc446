CREATE FUNCTION @extschema@.nl2sql_teach(
    question text, sql text, profile text DEFAULT 'default', shared boolean DEFAULT false) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT (nl2sql._result('teach', question, profile,
                           json_build_object('sql', sql, 'shared', shared))->>'id')::uuid
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_teach(text, text, text, boolean) IS
    'Keeps a question with SQL that is right, to be shown to the model for questions like it; returns its id. The '
    'SQL must pass the door. For yourself alone; shared => true, for everybody, is for curators of the profile.';

CREATE FUNCTION @extschema@.nl2sql_examples(
    profile text DEFAULT 'default', OUT id uuid, OUT at timestamptz, OUT own boolean, OUT shared boolean,
    OUT question text, OUT sql text) RETURNS SETOF record
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT e.id, e.at, e.own, e.shared, e.question, e.sql FROM nl2sql._examples(profile) e $$;
COMMENT ON FUNCTION @extschema@.nl2sql_examples(text) IS
    'The examples that may be shown for your questions: your own, and the shared ones whose tables you may read.';

CREATE FUNCTION @extschema@.nl2sql_unteach(id uuid) RETURNS boolean
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$ SELECT nl2sql._unteach(id) $$;
COMMENT ON FUNCTION @extschema@.nl2sql_unteach(uuid) IS
    'Removes an example by its id, your own or, as a curator, a shared one; false where there is none such.';

CREATE FUNCTION @extschema@.nl2sql_feedback(id uuid, good boolean, sql text DEFAULT NULL) RETURNS uuid
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT (nl2sql._result('feedback', t.question, coalesce(t.profile, 'default'),
                           json_build_object('id', x.id, 'good', good, 'sql', nl2sql_feedback.sql))->>'id')::uuid
    FROM (SELECT nl2sql_feedback.id) AS x LEFT JOIN nl2sql._turn(x.id) AS t ON true
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_feedback(uuid, boolean, text) IS
    'Says whether an answer of yours was right, by the id from nl2sql_ask() or nl2sql_history(). SQL that is '
    'right, given or confirmed, is an example from then on, for you alone; returns that example''s id.';

CREATE FUNCTION @extschema@.nl2sql_history(
    at_most integer DEFAULT 20, OUT id uuid, OUT at timestamptz, OUT profile text, OUT thread text,
    OUT question text, OUT sql text, OUT status text, OUT row_count integer, OUT good boolean) RETURNS SETOF record
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT a.id, a.at, a.profile, a.thread, a.question, a.sql, a.status, a.row_count, a.good FROM nl2sql.audit a
    WHERE (a.login, a.caller) = (session_user, nl2sql._caller()) AND a.scope = nl2sql._scope(a.profile)
      AND a.action IN ('ask', 'sql', 'plan', 'table', 'query', 'save')
    ORDER BY a.at DESC LIMIT greatest(at_most, 0)
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_history(integer) IS
    'Your own questions, the latest first, as long as the audit keeps them; never those of another role or login.';

CREATE FUNCTION nl2sql._approved(call uuid, OUT profile text, OUT sql text)
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    SELECT t.profile, t.sql INTO profile, sql
    FROM nl2sql._turn(call) t JOIN nl2sql.profile p ON p.name = t.profile
    WHERE t.action = 'plan' AND t.status = 'answered' AND length(t.sql) <= 20000
      AND t.age < make_interval(mins => p.approve_minutes);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'There is no plan % of yours that may still be run.', call USING ERRCODE = 'N2010',
            DETAIL = 'Layer: approval. Plans are run by whoever asked, within approve_minutes of the profile.',
            HINT = 'Ask again with nl2sql_ask(question, run => false), and approve the id it gives.';
    END IF;
END
$$;
COMMENT ON FUNCTION nl2sql._approved(uuid) IS 'the SQL of a plan of the caller''s own that has not expired';

CREATE FUNCTION @extschema@.nl2sql_approve(id uuid) RETURNS SETOF json
LANGUAGE sql VOLATILE PARALLEL UNSAFE SECURITY INVOKER
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT json_array_elements(nl2sql._result('approve', a.sql, a.profile)->'rows') FROM nl2sql._approved(id) a
$$;
COMMENT ON FUNCTION @extschema@.nl2sql_approve(uuid) IS
    'Runs exactly the SQL that nl2sql_ask(question, run => false) showed you, through the door as it is now.';
