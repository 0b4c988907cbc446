-- locked: an advisory lock for the session
SELECT pg_advisory_lock(1)

-- locked: an advisory lock for the transaction
SELECT pg_advisory_xact_lock(1)

-- locked: an advisory lock by trying
SELECT pg_try_advisory_lock(2)

-- locked: an advisory lock of two numbers
SELECT pg_try_advisory_lock(1, 2)

-- locked: a shared advisory lock
SELECT pg_advisory_lock_shared(3)

-- locked: an advisory lock for each row (a hundred thousand would fill the server's table)
SELECT pg_try_advisory_lock(g) FROM generate_series(1, 150) g

-- locked: an advisory lock as a field
SELECT (4::bigint).pg_advisory_lock

-- locked: an advisory lock through a view
SELECT * FROM peek_lock

-- locked: an advisory lock in a WITH query
WITH a AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(5) AS l) SELECT * FROM a

-- locked: row locks
SELECT * FROM ship FOR UPDATE

-- locked: row locks in a subquery
SELECT * FROM (SELECT * FROM ship FOR SHARE) x

-- locked: row locks in a WITH query
WITH a AS (SELECT * FROM ship FOR NO KEY UPDATE) SELECT * FROM a

-- locked: row locks in EXISTS
SELECT 1 WHERE EXISTS (SELECT 1 FROM ship FOR KEY SHARE)

-- locked: row locks of TABLE
TABLE ship FOR UPDATE SKIP LOCKED

-- locked: a table lock
LOCK TABLE ship IN ACCESS EXCLUSIVE MODE

-- locked: a table lock as a second statement
SELECT 1; LOCK TABLE ship

-- locked: a table lock by TRUNCATE that fails later
TRUNCATE ship; SELECT 1 / 0

-- changed slots: a replication slot
SELECT pg_create_physical_replication_slot('pwn', true)

-- changed slots: a logical slot
SELECT pg_create_logical_replication_slot('pwn', 'pgoutput')

-- changed prepared: a prepared transaction
PREPARE TRANSACTION 'pwn'

-- endless: another session is ended
-- before: SET application_name = 'target'
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()

-- endless: another session is cancelled
SELECT pg_cancel_backend(pid) FROM pg_stat_activity

-- endless: its own session is ended
SELECT pg_terminate_backend(pg_backend_pid())

-- endless: its own session is cancelled
SELECT pg_cancel_backend(pg_backend_pid())

-- connected: connections until none is left
SELECT dblink_connect('c' || g, 'host=127.0.0.1 port=@PORT@ user=x password=y connect_timeout=1') FROM generate_series(1, 50) g

-- connected: connections to this server
SELECT dblink_connect('c' || g, 'dbname=@DB@ host=127.0.0.1 port=@PORT@ password=x') FROM generate_series(1, 50) g

-- locked: predicate locks of a serializable transaction outlive it
SELECT set_config('transaction_isolation', 'serializable', true), pg_try_advisory_lock(9)

-- locked: a lock through a planted function
SELECT run('SELECT pg_advisory_lock(10)')

-- locked: a lock through XML export
SELECT query_to_xml('SELECT pg_advisory_lock(11)', true, false, '')

-- locked: a lock as the argument of a TABLESAMPLE
SELECT * FROM ship TABLESAMPLE bernoulli ((SELECT CASE WHEN pg_try_advisory_lock(12) THEN 1 ELSE 2 END))

-- changed: parallel workers and background jobs
SELECT pg_stat_reset(), pg_stat_reset_shared('bgwriter')
