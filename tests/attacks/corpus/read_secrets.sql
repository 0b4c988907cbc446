-- shows SECRET-VAULT: a table that neither may read
SELECT * FROM vault

-- shows SECRET-VAULT: the same by its schema
SELECT code FROM public.vault

-- shows SECRET-VAULT: the same by database and schema
SELECT code FROM "@DB@".public.vault

-- shows SECRET-VAULT: the same under a WITH query's name
WITH vault AS (SELECT * FROM vault) SELECT * FROM vault

-- shows SECRET-VAULT: under the name of a WITH query that is declared too late
WITH a AS (SELECT code FROM vault), vault AS (SELECT 1 AS code) SELECT * FROM a

-- shows SECRET-VAULT: under the name of a WITH query of an inner level
SELECT (SELECT max(x) FROM (WITH vault AS (SELECT 'y' AS x) SELECT x FROM vault) q), v.code FROM vault v

-- shows SECRET-VAULT: TABLE
TABLE vault

-- shows SECRET-VAULT: in EXISTS, with an error that quotes
SELECT 1 FROM ship WHERE EXISTS (SELECT 1 FROM vault WHERE code::int = 1)

-- shows SECRET-VAULT: a cast whose error quotes the value
SELECT max(code)::int FROM vault

-- shows SECRET-VAULT: a date's error quotes the value
SELECT to_date(code, 'YYYY') FROM vault

-- shows SECRET-VAULT: a regular expression's error quotes the value
SELECT 'x' ~ ('(' || code) FROM vault

-- shows SECRET-VAULT: a definer's function that tells it
SELECT reveal()

-- shows SECRET-VAULT: in FROM
SELECT * FROM reveal()

-- shows SECRET-VAULT: in ROWS FROM
SELECT * FROM ROWS FROM (generate_series(1, 2), reveal()) AS x(a, b)

-- shows SECRET-VAULT: the function named with a schema
SELECT public.reveal()

-- shows SECRET-VAULT: in unicode escapes
SELECT U&"reve\0061l"()

-- shows SECRET-VAULT: the function as a field of a row (x.f is f(x))
SELECT s.reveal_row FROM ship s LIMIT 1

-- shows SECRET-VAULT: the function as a field of a bracketed row
SELECT (s).reveal_row FROM ship s LIMIT 1

-- shows SECRET-VAULT: the function as a field of a text value
SELECT (name).reveal_text FROM ship LIMIT 1

-- shows SECRET-VAULT: the function as a field of a literal
SELECT ('x'::text).reveal_text

-- shows SECRET-VAULT: the function as a field of a subquery
SELECT ((SELECT id FROM ship LIMIT 1)).reveal_number

-- shows SECRET-VAULT: the function as a field of a set-returning function's alias
SELECT x.reveal_number FROM generate_series(1, 1) x

-- shows SECRET-VAULT: the function as a field in ORDER BY with an error
SELECT s.id FROM ship s ORDER BY s.reveal_row::int

-- shows SECRET-VAULT: the function as a field in JOIN ... ON with an error
SELECT 1 FROM ship s JOIN harbour h ON s.reveal_row::int = h.id

-- shows SECRET-VAULT: the function as a field of an array's element
SELECT (tags[1]).reveal_text FROM ship LIMIT 1

-- shows RAN-TRAP: a better match than the built-in lower(text), for a varchar column
-- profile: trapped
SELECT lower(kind) FROM ship LIMIT 1

-- shows RAN-TRAP: a better match than left
-- profile: trapped
SELECT left(kind, 2) FROM ship LIMIT 1

-- shows RAN-TRAP: a better match than round
-- profile: trapped
SELECT round(n, 2) FROM ship LIMIT 1

-- shows RAN-TRAP: a better match than to_char, for an enum
-- profile: trapped
SELECT to_char(sea, 'x') FROM ship LIMIT 1

-- shows RAN-TRAP: a better match than max, for an enum
-- profile: trapped
SELECT max(sea) FROM ship

-- shows RAN-TRAP: an operator of the path, for varchar
-- profile: trapped
SELECT 1 FROM ship WHERE kind = kind

-- shows RAN-TRAP: that operator behind IN
-- profile: trapped
SELECT 1 FROM ship WHERE kind IN (kind, name::varchar)

-- shows RAN-TRAP: that operator behind USING
-- profile: trapped
SELECT 1 FROM ship a JOIN ship b USING (kind)

-- shows RAN-TRAP: that operator behind CASE
-- profile: trapped
SELECT CASE kind WHEN kind THEN 1 END FROM ship

-- shows RAN-TRAP: that operator behind NULLIF
-- profile: trapped
SELECT nullif(kind, kind) FROM ship

-- shows RAN-TRAP: that operator behind IS DISTINCT FROM
-- profile: trapped
SELECT kind IS DISTINCT FROM kind FROM ship

-- shows RAN-TRAP: that operator behind = ANY
-- profile: trapped
SELECT kind = ANY (ARRAY[kind]) FROM ship

-- shows RAN-TRAP: that operator behind a row comparison
-- profile: trapped
SELECT (kind, n) = (kind, n) FROM ship

-- shows RAN-TRAP: that operator behind NOT IN with a subquery
-- profile: trapped
SELECT 1 FROM ship WHERE kind NOT IN (SELECT kind FROM ship)

-- shows RAN-TRAP: an operator of its own name
SELECT 'a' <=> 'b'

-- shows RAN-TRAP: an operator with a schema
SELECT 1 OPERATOR(hidden.+) 2

-- shows RAN-TRAP: an operator with the schema public
SELECT 'a' OPERATOR(public.<=>) 'b'

-- shows RAN-TRAP: a domain whose check runs a function
SELECT 'x'::wicked

-- shows RAN-TRAP: the domain by CAST, with a schema
SELECT CAST('x' AS public.wicked)

-- shows RAN-TRAP: the domain in an array
SELECT ARRAY['x']::wicked[]

-- shows RAN-TRAP: the domain in a composite's column list
SELECT * FROM json_to_record('{"a": "x"}') AS r(a wicked)

-- shows RAN-TRAP: the domain by the type's name as a literal's prefix
SELECT wicked 'x'

-- shows RAN-TRAP: a composite of that domain, from jsonb
SELECT jsonb_populate_record(NULL::pair, '{"b": "y"}')

-- shows RAN-TRAP: a composite with that domain
SELECT json_populate_record(NULL::pair, '{"b": "x"}')

-- shows RAN-TRAP: a cast with a function
SELECT name::pair FROM ship LIMIT 1

-- shows RAN-TRAP: the cast's function itself
SELECT as_pair(name) FROM ship LIMIT 1

-- shows RAN-TRAP: a user's aggregate
-- profile: trapped
SELECT collect(name) FROM ship

-- shows RAN-TRAP: a user's aggregate in a window
-- profile: trapped
SELECT collect(name) OVER () FROM ship

-- shows RAN-TRAP: a function of any type
SELECT trap(id) FROM ship

-- shows RAN-TRAP: a function of any type written as the field of a row that has none
SELECT s.trap FROM ship s

-- shows SECRET-PAYROLL: statistics hold the commonest values of columns
SELECT most_common_vals::text FROM pg_stats WHERE tablename = 'payroll'

-- shows SECRET-PAYROLL: statistics, raw
SELECT stavalues1::text FROM pg_statistic

-- shows SECRET-PAYROLL: statistics by the schema
SELECT max(most_common_vals::text) FROM pg_catalog.pg_stats WHERE tablename LIKE 'pay%'

-- shows SECRET-SSN: statistics of a hidden column
SELECT histogram_bounds::text FROM pg_stats WHERE attname = 'ssn'

-- shows SCRAM-SHA: password hashes
SELECT rolname, rolpassword FROM pg_authid

-- shows SCRAM-SHA: password hashes by their view
SELECT * FROM pg_shadow

-- shows SCRAM-SHA: password hashes through COPY
COPY pg_authid TO STDOUT

-- shows SECRET-QUERY: another session's text
SELECT query FROM pg_stat_activity

-- shows SECRET-QUERY: another session's text by its function
SELECT * FROM pg_stat_get_activity(NULL)

-- shows SECRET-QUERY: another session's text by backend number
SELECT pg_stat_get_backend_activity(s) FROM pg_stat_get_backend_idset() s

-- shows SECRET-QUERY: another session's text through a view
SELECT * FROM peek_activity

-- shows SECRET-SETTING: a setting with a key in it
SELECT current_setting('app.key')

-- shows SECRET-SETTING: the same by the catalog name
SELECT pg_catalog.current_setting('app.key', true)

-- shows SECRET-SETTING: the same as a field
SELECT ('app.key'::text).current_setting

-- shows SECRET-SETTING: the same through SHOW
SHOW app.key

-- shows SECRET-SETTING: settings kept for databases
SELECT setconfig FROM pg_db_role_setting

-- shows SECRET-SETTING: through a view
SELECT key FROM peek_setting

-- shows SECRET-COMMENT: a comment on what may not be read
SELECT obj_description('vault'::regclass)

-- shows SECRET-COMMENT: comments, raw
SELECT description FROM pg_description WHERE description LIKE 'SECRET%'

-- shows SECRET-COMMENT: col_description by number
SELECT max(obj_description(oid, 'pg_class')) FROM pg_class WHERE relname LIKE 'vau%'

-- shows SECRET-SOURCE: a function's source
SELECT prosrc FROM pg_proc WHERE proname = 'source'

-- shows SECRET-SOURCE: a function's source by its definition
SELECT pg_get_functiondef('hidden.source'::regproc)

-- shows EXECUTE q: routines of the standard's catalog
SELECT routine_definition FROM information_schema.routines WHERE routine_name = 'run_as_owner'

-- shows SECRET-MAPPING: passwords of foreign servers
SELECT umoptions FROM pg_user_mapping

-- shows SECRET-MAPPING: the same by its view
SELECT umoptions FROM pg_user_mappings

-- shows 534543: a large object
SELECT lo_get(4242)

-- shows 534543: a large object's pages
SELECT data FROM pg_largeobject

-- shows 534543: a large object by its descriptor
SELECT loread(lo_open(4242, 262144), 100)

-- shows SECRET-HIDDEN: a schema closed to both
SELECT * FROM hidden.plan

-- shows SECRET-QUERY: locks and who waits for whom
SELECT pg_blocking_pids(pid), query FROM pg_stat_activity

-- shows SECRET-VAULT: a view over a definer's function
SELECT * FROM peek_vault

-- shows SECRET-VAULT: a view over that view
SELECT code FROM peek_deep

-- shows SECRET-VAULT: that view as a row
SELECT p FROM peek_vault p

-- shows SECRET-VAULT: the audit of what others asked
SELECT * FROM nl2sql.audit

-- shows nl2sql_attack: names of other databases
SELECT string_agg(datname, ',') FROM pg_database

-- shows vault: names of tables the asker cannot see
SELECT string_agg(relname, ',') FROM pg_class WHERE relkind = 'r' AND relname LIKE 'v%t'

-- shows hidden: names of schemas
SELECT string_agg(schema_name, ',') FROM information_schema.schemata

-- answers true: whether a secret table exists, by a cast
SELECT ('hidden.plan'::text)::regclass IS NOT NULL

-- answers true: whether it exists, by to_regclass
SELECT to_regclass('hidden.plan') IS NOT NULL

-- answers true: whether a role exists
SELECT to_regrole('attack_other') IS NOT NULL

-- answers true: who may what
SELECT has_table_privilege('postgres', 'vault', 'SELECT')

-- answers true: whose member the asker is
SELECT pg_has_role('attack_asker', 'attack_askers', 'MEMBER')

-- shows plan: oid to name, with the oid guessed
SELECT string_agg(x::regclass::text, ' ') FROM generate_series(16384, 20000) x

-- shows postgres: userid to name
SELECT pg_get_userbyid(10)

-- shows /data: the data directory
SELECT current_setting('data' || '_directory')

-- shows PostgreSQL 1: the server's version, for picking an exploit
SELECT version()

-- shows server_version_num: settings as a table
SELECT max(name) FILTER (WHERE name LIKE 'server_v%m') FROM pg_show_all_settings()

-- shows vault: relation names by their files
SELECT string_agg(pg_filenode_relation(0, g)::text, ' ') FROM generate_series(16384, 18000) g

-- shows SECRET: system views by another schema's name
SELECT * FROM pg_toast.pg_toast_1255

-- shows SECRET-SSN: a toast table or an index as a relation
SELECT * FROM "pg_toast"."pg_toast_2619"

-- shows SECRET-REVIEW: a schema that the reader may use and the asker may not
SELECT * FROM staff.review

-- shows SECRET-REVIEW: the same, where the profile looks there first
-- profile: staffed
SELECT text FROM review
