-- shows TENANT-B: the setting is changed in a WITH query that runs first
WITH a AS MATERIALIZED (SELECT set_config('app.tenant', 'b', true) AS s) SELECT t.* FROM a, ticket t WHERE s IS NOT NULL

-- shows TENANT-B: for the session
WITH a AS MATERIALIZED (SELECT set_config('app.tenant', 'b', false) AS s) SELECT t.* FROM a CROSS JOIN ticket t WHERE s IS NOT NULL

-- shows TENANT-B: in the select list, a row at a time
SELECT set_config('app.tenant', 'b', true), text FROM ticket

-- shows TENANT-B: in a scalar subquery before the scan
SELECT text FROM ticket WHERE (SELECT set_config('app.tenant', 'b', true)) = 'b'

-- shows TENANT-B: in LATERAL before the scan
SELECT t.text FROM (SELECT set_config('app.tenant', 'b', true) AS s OFFSET 0) x, LATERAL (SELECT text FROM ticket WHERE x.s = 'b') t

-- shows TENANT-B: and set back in the same query
WITH a AS MATERIALIZED (SELECT set_config('app.tenant', 'b', true) AS s), t AS MATERIALIZED (SELECT t.text FROM a, ticket t WHERE s = 'b'), z AS MATERIALIZED (SELECT count(*) AS n FROM t) SELECT t.text, set_config('app.tenant', 'a', true) FROM z, t WHERE n > 0

-- shows TENANT-B: through a planted function that runs text
SELECT run('SELECT string_agg(t.text, '','') FROM (SELECT set_config(''app.tenant'', ''b'', true) AS s OFFSET 0) x, LATERAL (SELECT text FROM public.ticket WHERE x.s IS NOT NULL) t')

-- shows TENANT-B: through XML export
SELECT query_to_xml('SELECT set_config(''app.tenant'', ''b'', true), text FROM public.ticket', true, false, '')

-- shows TENANT-B: as a statement before
SET app.tenant = 'b'; SELECT * FROM ticket

-- shows TENANT-B: SET LOCAL as a statement before
SET LOCAL "app.tenant" = 'b'; SELECT * FROM ticket

-- shows TENANT-B: the name in other case
WITH a AS MATERIALIZED (SELECT set_config('APP.Tenant', 'b', true) AS s) SELECT t.* FROM a, ticket t WHERE s IS NOT NULL

-- shows TENANT-B: the function's name in unicode
WITH a AS MATERIALIZED (SELECT U&"set\005fconfig"('app.tenant', 'b', true) AS s) SELECT t.* FROM a, ticket t WHERE s IS NOT NULL

-- shows TENANT-B: the plain table
SELECT * FROM ticket

-- shows TENANT-B: the plain table with an error
SELECT text::int FROM ticket WHERE tenant = 'b'

-- shows TENANT-B: the setting is changed by a call with names
SELECT set_config(setting_name => 'app.tenant', new_value => 'b', is_local => true), t.text FROM ticket t

-- shows TENANT-B: the setting is changed through the view of settings
UPDATE pg_settings SET setting = 'b' WHERE name = 'app.tenant'; SELECT * FROM ticket

-- shows TENANT-B: a first question changes the setting for a second
SELECT set_config('app.tenant', 'b', false); SELECT * FROM ticket

-- shows TENANT-B: in FROM, ahead of the table
SELECT t.text FROM set_config('app.tenant', 'b', true) s, LATERAL (SELECT text FROM ticket WHERE s = 'b' OFFSET 0) t
