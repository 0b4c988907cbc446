-- shows RAN-42: XML export of a query
SELECT query_to_xml('SELECT ''RAN-'' || 6 * 7', false, false, '')

-- shows RAN-42: XML export with a schema
SELECT query_to_xml_and_xmlschema('SELECT ''RAN-'' || 6 * 7', false, false, '')

-- shows RAN42: the schema of a query's result, which plans the query
SELECT query_to_xmlschema('SELECT 1 AS "' || 'RAN' || 6 * 7 || '"', false, false, 'urn:x')

-- shows SECRET-PAYROLL: XML export of a table
SELECT table_to_xml('payroll', true, false, '')

-- shows SECRET-PAYROLL: XML export of a schema
SELECT schema_to_xml('public', true, false, '')

-- shows SECRET-PAYROLL: XML export of the database
SELECT database_to_xml(true, false, '')

-- shows SECRET-PAYROLL: XML export of a table with its schema
SELECT table_to_xml_and_xmlschema('payroll', true, false, '')

-- shows SECRET-PAYROLL: XML export of a schema with its schema
SELECT schema_to_xml_and_xmlschema('public', true, false, '')

-- shows RowType.nl2sql: the tables of a schema by its XML schema
SELECT schema_to_xmlschema('public', true, false, '')

-- shows RAN-42: XML export of a cursor
SELECT cursor_to_xml('c', 10, true, false, '')

-- shows SECRET-PAYROLL: crosstab runs its text
SELECT * FROM crosstab('SELECT iban, 1, 2 FROM public.payroll LIMIT 1') AS t(a text, b int)

-- shows SECRET-PAYROLL: crosstab with two texts
SELECT * FROM crosstab('SELECT iban, 1, 2 FROM public.payroll', 'SELECT 1') AS t(a text, b int)

-- shows SECRET-PAYROLL: connectby takes a table's name as text
SELECT * FROM connectby('public.payroll', 'iban', 'iban', 'SECRET-' || 'PAYROLL-1', 0) AS t(keyid text, parent_keyid text, level int)

-- shows 60: ts_stat runs its text
SELECT ndoc FROM ts_stat('SELECT to_tsvector(''x'') FROM public.payroll')

-- answers ran: ts_stat with weights
SELECT t.* FROM ts_stat('SELECT ''ran:1a''::tsvector', 'a') AS t

-- shows SECRET-PAYROLL: ts_rewrite runs its text
SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, (''x'' || max(iban))::tsquery FROM public.payroll')

-- shows SECRET-PAYROLL: xpath_table builds a query out of names
SELECT * FROM xpath_table('id', 'iban', 'public.payroll', '/', 'true') AS t(a int, b text)

-- shows RAN-42: a planted function that runs text
SELECT run('SELECT ''RAN-'' || 6 * 7')

-- shows RAN-42: a planted definer's function that runs text
SELECT run_as_owner('SELECT ''RAN-'' || 6 * 7')

-- shows RAN-42: dblink to itself
SELECT * FROM dblink('dbname=@DB@', 'SELECT ''RAN-'' || 6 * 7') AS t(a text)

-- shows RAN-42: dblink asynchronously
SELECT dblink_connect('x', 'dbname=@DB@'), dblink_send_query('x', 'SELECT 1'), (SELECT a FROM dblink_get_result('x') AS t(a text)), 'RAN-' || 6 * 7

-- shows SECRET-PAYROLL: lo_import's cousin, a function by name in a cast
SELECT 'run(text)'::regprocedure, (SELECT table_to_xml('payroll'::regclass, true, false, ''))

-- shows SECRET-PAYROLL: XML export as a field of a name
SELECT ('SELECT iban FROM public.payroll'::text).query_to_xml

-- shows SECRET-PAYROLL: XML export in unicode escapes
SELECT U&"query\005fto\005fxml"('SELECT max(iban) FROM public.payroll', false, false, '')

-- shows SECRET-PAYROLL: XML export by its catalog name in odd spelling
SELECT pg_catalog . "query_to_xml" ( 'SELECT max(iban) FROM public.payroll' , false , false , '' )

-- shows SECRET-PAYROLL: XML export in a FILTER
SELECT count(*) FILTER (WHERE query_to_xml('SELECT max(iban) FROM public.payroll', false, false, '')::text::int > 0) FROM ship

-- shows RAN-42: our own runner, from inside
SELECT nl2sql_run('SELECT ''RAN-'' || 6 * 7')

-- shows RAN-42: our own socket, from inside
SELECT nl2sql._call('run', 'SELECT ''RAN-'' || 6 * 7', 'default')

-- shows SECRET-PAYROLL: our executor, from inside
SELECT nl2sql."execute_as_@READER@"('SELECT iban FROM payroll', '@PROFILE@', true)

-- shows RAN-42: a database function that loads a plan
SELECT pg_catalog.pg_get_expr('RAN-' || 6 * 7, 0), pg_catalog.pg_prepared_statement()

-- shows RAN-42: a DO block
DO $$ BEGIN RAISE NOTICE 'RAN-%', 6 * 7; END $$

-- shows RAN-42: EXECUTE of a statement that the caller prepared
-- before: PREPARE p AS SELECT 'RAN-' || 6 * 7
EXECUTE p

-- shows RAN-42: FETCH from a cursor that the caller left open
-- before: DECLARE c CURSOR WITH HOLD FOR SELECT 'RAN-' || 6 * 7 AS a
FETCH ALL FROM c

-- shows RAN-42: XML export of a cursor that the caller left open
-- before: DECLARE c CURSOR WITH HOLD FOR SELECT 'RAN-' || 6 * 7 AS a
SELECT cursor_to_xml('c', 10, true, false, '')

-- shows RAN-TRAP: a plan of an SQL function's default argument
SELECT trap('x'::text)

-- shows RAN-TRAP: a call in the text of a view that the caller wrote
-- before: CREATE TEMP VIEW mine AS SELECT public.trap(1) AS a
-- before: GRANT SELECT ON pg_temp.mine TO PUBLIC
SELECT a FROM mine
