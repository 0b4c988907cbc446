-- bloated: one long text
-- profile: long
SELECT length(repeat('x', 1000000000))

-- bloated: a long text whose length is no constant
-- profile: long
SELECT length(repeat('x', n * 30000000)) FROM ship WHERE id = 30

-- bloated: lpad
-- profile: long
SELECT length(lpad('x', 900000000))

-- bloated: rpad with a column's length
-- profile: long
SELECT length(rpad('x', n * 20000000)) FROM ship WHERE id = 40

-- bloated: format's width
-- profile: long
SELECT length(format('%900000000s', 'x'))

-- bloated: format's width by an argument
-- profile: long
SELECT length(format('%*s', 900000000, 'x'))

-- bloated: replace that multiplies
-- profile: long
SELECT length(replace(repeat('a', 10000), 'a', repeat('b', 10000)))

-- bloated: replace of replace
-- profile: long
SELECT length(replace(replace(repeat('a', 9000), 'a', repeat('b', 900)), 'b', repeat('c', 90)))

-- bloated: a regular expression that multiplies
-- profile: long
SELECT length(regexp_replace(repeat('a', 10000), 'a', repeat('b', 9999), 'g'))

-- bloated: doubling by WITH queries
-- profile: long
WITH a AS MATERIALIZED (SELECT repeat('x', 10000) AS t), b AS MATERIALIZED (SELECT t || t || t || t || t || t || t || t AS t FROM a), c AS MATERIALIZED (SELECT t || t || t || t || t || t || t || t AS t FROM b), d AS MATERIALIZED (SELECT t || t || t || t || t || t || t || t AS t FROM c), e AS MATERIALIZED (SELECT t || t || t || t || t || t || t || t AS t FROM d), f AS MATERIALIZED (SELECT t || t || t || t || t || t || t || t AS t FROM e) SELECT length(t) FROM f

-- bloated: doubling by recursion
-- profile: long
WITH RECURSIVE t(x) AS (SELECT 'xxxxxxxxxxxxxxxx' UNION ALL SELECT x || x FROM t WHERE length(x) < 500000000) SELECT max(length(x)) FROM t

-- bloated: text collected from many rows
-- profile: long
SELECT length(string_agg(repeat('x', 10000), '')) FROM sale a, sale b

-- bloated: numbers collected from many rows
-- profile: long
SELECT cardinality(array_agg(a * b)) FROM generate_series(1, 100000) a, generate_series(1, 1000) b

-- bloated: JSON collected from many rows
-- profile: long
SELECT length(json_agg(repeat('x', 10000))::text) FROM sale a, sale b

-- bloated: JSON objects collected
-- profile: long
SELECT count(*) FROM (SELECT jsonb_object_agg(a.id || '/' || b.id, repeat('x', 300)) FROM sale a, sale b) x

-- bloated: an array filled
-- profile: long
SELECT cardinality(array_fill(0::bigint, ARRAY[100000000]))

-- bloated: an array filled in several dimensions
-- profile: long
SELECT cardinality(array_fill('x'::text, ARRAY[1000, 1000, 100]))

-- bloated: a text split into very many parts
-- profile: long
SELECT cardinality(string_to_array(repeat(',', 10000) || (SELECT string_agg(repeat(',', 9000), '') FROM sale), ','))

-- bloated: a hash of very many groups
-- profile: long
SELECT count(*) FROM (SELECT a.id, b.id, count(*) FROM sale a, sale b, generate_series(1, 3) g GROUP BY a.id, b.id, g) x

-- bloated: a hash of very many groups, by the caller's settings
-- profile: long
-- before: SET hash_mem_multiplier = 1000
-- before: SET enable_sort = off
SELECT count(*) FROM (SELECT DISTINCT a.id * 10000 + b.id, md5(a.id::text) || md5(b.id::text) FROM sale a, sale b) x

-- bloated: distinct values collected in an aggregate
-- profile: long
SELECT count(DISTINCT a.id::text || b.id::text || repeat('x', 200)) FROM sale a, sale b

-- bloated: percentiles of everything
-- profile: long
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY repeat('x', 500) || a.id || b.id) FROM sale a, sale b

-- bloated: a window over everything, collected for each row
-- profile: long
SELECT sum(length(w)) FROM (SELECT string_agg(repeat('x', 9000), '') OVER (ORDER BY id) AS w FROM sale) x

-- bloated: arrays of arrays in a recursion
-- profile: long
WITH RECURSIVE t(a) AS (SELECT ARRAY[1,2,3,4,5,6,7,8] UNION ALL SELECT a || a FROM t WHERE cardinality(a) < 200000000) SELECT max(cardinality(a)) FROM t

-- bloated: a numeric with very many digits
-- profile: long
SELECT length(string_agg((9.9::numeric ^ 90000)::text, '')) FROM sale

-- bloated: a bit string
-- profile: long
SELECT length(repeat('1', 10000)::bit(80000000)::text)

-- bloated: a long varchar's padding
-- profile: long
SELECT octet_length('x'::char(10000000)), array_agg('x'::char(10485760)) FROM ship

-- bloated: rows that are huge, cut only after they are made
-- profile: long
SELECT (SELECT string_agg(repeat('x', 10000), '') FROM sale a, sale b WHERE a.id < 50) AS t

-- bloated: one row of many huge columns
-- profile: long
SELECT t AS a, t AS b, t AS c, t AS d, t AS e, t AS f FROM (SELECT string_agg(repeat('x', 10000), '') AS t FROM sale, generate_series(1, 5)) x

-- bloated: JSON escapes multiply what it holds
-- profile: long
SELECT to_json(t) FROM (SELECT string_agg(repeat(chr(1), 10000), '') AS t FROM sale, generate_series(1, 4)) x

-- bloated: text search vectors
-- profile: long
SELECT to_tsvector(string_agg(md5(a.id::text || b.id::text), ' ')) FROM sale a, sale b WHERE b.id < 400

-- bloated: ranges collected
-- profile: long
SELECT length(range_agg(int8range(a.id * 1000000 + b.id * 10, a.id * 1000000 + b.id * 10 + 1))::text) FROM sale a, sale b

-- bloated: a large object by one call
-- profile: long
SELECT length(lo_get(lo_from_bytea(0, repeat('x', 100000000)::bytea)))

-- bloated: encode multiplies by two, again and again
-- profile: long
WITH RECURSIVE t(b, i) AS (SELECT decode(repeat('ff', 5000), 'hex'), 0 UNION ALL SELECT convert_to(encode(b, 'hex'), 'UTF8'), i + 1 FROM t WHERE i < 16) SELECT max(length(b)) FROM t

-- bloated: translate and quote multiply by two
-- profile: long
WITH RECURSIVE t(b, i) AS (SELECT repeat('''', 5000), 0 UNION ALL SELECT quote_literal(b), i + 1 FROM t WHERE i < 17) SELECT max(length(b)) FROM t

-- flooded: more rows than the profile allows
SELECT * FROM sale

-- flooded: more rows by a series
SELECT g FROM generate_series(1, 100000) g

-- flooded: more bytes than the profile allows
SELECT repeat('x', 10000) FROM sale LIMIT 150

-- flooded: one value larger than a cell may be
SELECT string_agg(repeat('x', 1000), '') FROM sale

-- flooded: very many columns
SELECT repeat('x', 5000), repeat('x', 5000), repeat('x', 5000), repeat('x', 5000), repeat('x', 5000), repeat('x', 5000) FROM ship, generate_series(1, 3)

-- flooded: wide characters, four bytes each
SELECT repeat('😀', 9000) FROM ship
