-- spilled: a series kept on disk
-- profile: long
SELECT count(*) FROM generate_series(1, (SELECT 100000000)) a

-- spilled: two series joined by hash
-- profile: long
SELECT count(*) FROM generate_series(1, 1000000) a JOIN generate_series(1, 1000000) b ON a = b JOIN generate_series(1, 1000000) c ON c = b

-- spilled: a sort of very many rows
-- profile: long
SELECT a.id FROM sale a, sale b ORDER BY md5(a.id::text || b.id::text), repeat('x', 100) OFFSET 3999999

-- spilled: a sort of wide rows
-- profile: long
SELECT x FROM (SELECT md5(a.id::text || b.id::text) || repeat('x', 1000) AS x FROM sale a, sale b) q ORDER BY x OFFSET 3999999

-- spilled: a materialized WITH query
-- profile: long
WITH a AS MATERIALIZED (SELECT a.id, repeat('x', 1000) AS x FROM sale a, sale b) SELECT count(*) FROM a, a b WHERE a.id = -1

-- spilled: a recursion's working table
-- profile: long
WITH RECURSIVE t(n, x) AS (SELECT 1, repeat('x', 1000) UNION ALL SELECT n + 1, x FROM t WHERE n < 1000000) SELECT count(*) FROM t a, t b WHERE b.n < 0

-- spilled: distinct rows
-- profile: long
SELECT count(*) FROM (SELECT DISTINCT a.id, b.id, repeat('x', 500) || a.id || b.id FROM sale a, sale b) x

-- spilled: a set difference
-- profile: long
SELECT count(*) FROM (SELECT a.id, b.id, repeat('x', 300) || b.id FROM sale a, sale b EXCEPT SELECT 1, 2, 'x') x

-- spilled: a window that keeps its frame
-- profile: long
SELECT max(c) FROM (SELECT count(*) OVER (PARTITION BY 1 ORDER BY a.id, b.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS c, repeat('x', 500) || b.id AS x FROM sale a, sale b) q WHERE length(x) > 0

-- spilled: a cursor that is held
DECLARE c CURSOR WITH HOLD FOR SELECT repeat('x', 1000) FROM sale a, sale b

-- spilled: a table made of much
CREATE TABLE much AS SELECT repeat('x', 1000) FROM sale a, sale b

-- spilled: a temporary table made of much
SELECT repeat(md5(a.id::text), 30) AS x INTO TEMP much FROM sale a, sale b

-- spilled: a large object
-- profile: long
SELECT lo_from_bytea(0, decode(repeat('ff', 200000000), 'hex'))

-- spilled: the write-ahead log
-- profile: long
SELECT pg_logical_emit_message(false, 'x', repeat('x', 100000000)), pg_switch_wal()

-- spilled: the server's log
-- profile: long
SELECT pg_log_backend_memory_contexts(pg_backend_pid()) FROM sale

-- spilled: unnest of much
-- profile: long
SELECT count(*) FROM (SELECT unnest(array_agg(a.id)) u, unnest(array_agg(repeat('x', 300) || b.id)) v FROM sale a, sale b WHERE b.id < 1000) x ORDER BY 1
