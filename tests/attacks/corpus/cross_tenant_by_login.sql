-- shows TENANT-B: the whole table
SELECT * FROM invoice

-- shows TENANT-B: the other tenant by name
SELECT * FROM invoice WHERE tenant = 'b'

-- shows TENANT-B: a condition that is always true
SELECT * FROM invoice WHERE tenant = 'a' OR 1 = 1

-- shows TENANT-B: a comment that ends the condition
SELECT * FROM invoice WHERE tenant = 'a' OR true -- AND tenant = 'a'

-- shows TENANT-B: an error that quotes hidden rows
SELECT text::int FROM invoice WHERE tenant = 'b'

-- shows TENANT-B: an operator that is not leakproof, before the policy
SELECT 1 FROM invoice WHERE text::int > 0

-- shows TENANT-B: a division by zero only where the hidden row matches
SELECT CASE WHEN text LIKE 'TENANT%' THEN (text || 'x')::int ELSE 1 END FROM invoice

-- shows TENANT-B: the keyed table behind the policy is joined
SELECT i.* FROM invoice i JOIN tenant_login l ON l.tenant = i.tenant WHERE l.login = 'attack_other'

-- shows TENANT-B: ONLY
SELECT * FROM ONLY invoice

-- shows TENANT-B: TABLESAMPLE
SELECT * FROM invoice TABLESAMPLE system (100)

-- shows TENANT-B: an aggregate of rows
SELECT json_agg(i) FROM invoice i

-- shows TENANT-B: a set operation
SELECT text FROM receipt UNION ALL SELECT text FROM invoice

-- answers 2: how many rows there are
SELECT count(*) FROM invoice

-- answers 2: the highest number
SELECT max(id) FROM receipt

-- shows TENANT-B: row security is switched off by a setting
WITH a AS MATERIALIZED (SELECT set_config('row_security', 'off', true) AS s) SELECT i.* FROM a, invoice i WHERE s IS NOT NULL

-- shows TENANT-B: row security is switched off for the session
SELECT set_config('row_security', 'off', false), text FROM invoice

-- shows TENANT-B: the caller switches it off before
-- before: SET row_security = off
SELECT text FROM invoice

-- shows TENANT-B: session_user is set
WITH a AS MATERIALIZED (SELECT set_config('session_authorization', 'attack_other', true) AS s) SELECT r.* FROM a, receipt r WHERE s IS NOT NULL

-- shows TENANT-B: the role is set
WITH a AS MATERIALIZED (SELECT set_config('role', 'attack_other', true) AS s) SELECT r.* FROM a, receipt r WHERE s IS NOT NULL

-- shows TENANT-B: the caller sets a role before
-- before: SET ROLE attack_askers
SELECT * FROM receipt

-- shows TENANT-B: the caller names himself otherwise
-- before: SET app.login = 'attack_other'
-- before: SET application_name = 'attack_other'
SELECT text FROM receipt

-- shows TENANT-B: a temporary table stands in for the keyed one
-- before: CREATE TEMP TABLE tenant_login (login name, tenant text)
-- before: INSERT INTO pg_temp.tenant_login VALUES ('attack_asker', 'b')
-- before: GRANT ALL ON pg_temp.tenant_login TO PUBLIC
SELECT text FROM invoice

-- shows TENANT-B: a temporary function stands in for session_user
-- before: CREATE FUNCTION pg_temp.session_user() RETURNS name LANGUAGE sql AS $$ SELECT 'attack_other'::name $$
SELECT text FROM receipt

-- shows TENANT-B: the caller's search path looks at his own schema first
-- before: SET search_path = pg_temp, public
SELECT text FROM invoice, receipt

-- shows TENANT-B: the policy is dropped first
DROP POLICY own ON receipt; SELECT * FROM receipt

-- shows TENANT-B: another session as the other tenant
SELECT * FROM dblink('dbname=@DB@ host=@SOCKET@ user=attack_other', 'SELECT text FROM receipt') AS t(text text)

-- shows TENANT-B: the rows by their statistics
SELECT most_common_vals::text, histogram_bounds::text FROM pg_stats WHERE tablename IN ('invoice', 'receipt')

-- shows TENANT-B: a text run by XML export
SELECT query_to_xml('SELECT * FROM public.receipt', true, false, '')

-- shows TENANT-B: a text run by a planted function
SELECT run('SELECT string_agg(text, '','') FROM public.receipt')

-- shows TENANT-B: the executor is called for the other profile from inside
SELECT rows FROM nl2sql."execute_as_@READER@"('SELECT * FROM receipt', 'all on', true)

-- shows TENANT-B: a function that is pushed below the policy by its cost
SELECT text FROM receipt WHERE trap(text) = 'RAN-TRAP' OR login <> ''

-- shows TENANT-B: a lateral join with the hidden row's number guessed
SELECT x.* FROM generate_series(1, 5) g, LATERAL (SELECT * FROM receipt WHERE id = g) x

-- shows TENANT-B: the row's address
SELECT text FROM receipt WHERE ctid = '(0,2)'
