-- plain
SELECT 1

-- a comment at the end without a newline (cases G6)
SELECT 1 --

-- one semicolon is no second statement (R5)
SELECT 1 ;

-- several empty statements after it
SELECT 1 ; ;

-- a leading comment
/* hi */ SELECT count(*) FROM ship

-- nested comments
/* a /* b */ c */ SELECT name FROM ship -- all ships

-- the words of commands in a literal (A3)
SELECT * FROM ship WHERE name = 'please delete; drop table ship'

-- replace is a function here (A3)
SELECT replace(name, 'a', 'b') FROM ship

-- a column named like a command (A3)
SELECT update_date FROM ship

-- WITH (A4)
WITH a AS (SELECT 1 x), b AS (SELECT x + 1 y FROM a) SELECT y FROM b

-- VALUES (A4)
VALUES (1)

-- VALUES of several rows
VALUES (1, 'a'), (2, 'b') ORDER BY 1

-- TABLE (A4)
TABLE ship

-- set operation of brackets (A4)
(SELECT 1) UNION ALL (SELECT 2)

-- the catalog's name in a literal (A5)
SELECT 'pg_catalog' AS pg_catalog, 'pg_authid' AS x

-- pg_catalog spelled out for an allowed function
SELECT pg_catalog.lower(name) FROM ship

-- operator of pg_catalog
SELECT 1 OPERATOR(pg_catalog.+) 2

-- ordered-set aggregate (A1)
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) FROM ship

-- percentiles in an array
SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY n) FROM ship

-- mode
SELECT mode() WITHIN GROUP (ORDER BY kind) FROM ship

-- hypothetical-set aggregate
SELECT rank(10) WITHIN GROUP (ORDER BY n) FROM ship

-- FILTER (A1)
SELECT count(*) FILTER (WHERE n > 3), sum(price) FILTER (WHERE kind = 'cargo') FROM ship

-- window frame (A1)
SELECT name, sum(n) OVER (PARTITION BY kind ORDER BY built ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM ship

-- range frame with an interval
SELECT avg(amount) OVER (ORDER BY at RANGE BETWEEN '7 days' PRECEDING AND CURRENT ROW) FROM sale

-- groups frame with exclusion
SELECT sum(n) OVER (ORDER BY kind GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM ship

-- named window
SELECT row_number() OVER w, lag(n) OVER w, first_value(name) OVER w FROM ship WINDOW w AS (PARTITION BY port_id ORDER BY n DESC)

-- ranks
SELECT rank() OVER (ORDER BY n), dense_rank() OVER (ORDER BY n), ntile(4) OVER (ORDER BY n), percent_rank() OVER (ORDER BY n), cume_dist() OVER (ORDER BY n) FROM ship

-- lead with offset and default
SELECT lead(n, 2, 0) OVER (ORDER BY id), nth_value(n, 2) OVER (ORDER BY id) FROM ship

-- GROUPING SETS (A1)
SELECT kind, port_id, count(*), grouping(kind, port_id) FROM ship GROUP BY GROUPING SETS ((kind), (port_id), ())

-- ROLLUP
SELECT kind, port_id, sum(n) FROM ship GROUP BY ROLLUP (kind, port_id)

-- CUBE
SELECT kind, port_id, sum(n) FROM ship GROUP BY CUBE (kind, port_id)

-- GROUP BY DISTINCT
SELECT kind, sum(n) FROM ship GROUP BY DISTINCT ROLLUP (kind), ROLLUP (kind)

-- time zones (A7)
SELECT at AT TIME ZONE 'Asia/Tokyo' FROM sale

-- time zone as a function
SELECT timezone('UTC', at) FROM sale

-- json arrows (A7)
SELECT data ->> 'k', data -> 'list' -> 0, data #> '{list,0}', data #>> '{list,0}' FROM ship

-- containment (A7)
SELECT * FROM ship WHERE data @> '{"k": 1}' OR data ? 'k' OR data ?| ARRAY['a'] OR data ?& ARRAY['a']

-- path operators
SELECT * FROM ship WHERE data @? '$.list[*] ? (@ > 1)' AND data @@ '$.k > 1'

-- LATERAL (A7)
SELECT s.name, x.total FROM ship s, LATERAL (SELECT sum(amount) total FROM sale WHERE ship_id = s.id) x

-- LEFT JOIN LATERAL
SELECT s.name, x.amount FROM ship s LEFT JOIN LATERAL (SELECT * FROM sale WHERE ship_id = s.id ORDER BY amount DESC LIMIT 1) x ON true

-- DISTINCT ON (A7)
SELECT DISTINCT ON (port_id) port_id, name FROM ship ORDER BY port_id, n DESC

-- escape string (A7)
SELECT E'a\tb\\c\u0041'

-- dollar quotes (A7)
SELECT $$it's; DROP TABLE ship$$, $tag$ $$ $tag$

-- unicode escapes in a literal and a name
SELECT U&'d\0061ta', U&"n\0061me" FROM ship

-- bit strings
SELECT B'101', X'1F'

-- strings joined over lines
SELECT 'a'
'b'

-- national string
SELECT N'abc'

-- casts of every spelling
SELECT CAST('1' AS int), '1'::numeric(10,2), int '3', date '2024-02-29', '1'::varchar(10)

-- intervals
SELECT interval '1 day', interval '1' day, '2 weeks'::interval, INTERVAL '1-2' YEAR TO MONTH

-- timestamps with precision
SELECT now()::timestamp(0), current_timestamp(2), localtime, localtimestamp(1), current_time

-- arrays of types
SELECT '{1,2}'::int[], ARRAY[1,2]::bigint[], '{a}'::text[][]

-- an enum of the user's own
SELECT * FROM ship WHERE sea = 'calm'::mood

-- an enum with its schema
SELECT 'rough'::public.mood

-- labels of an enum
SELECT unnest(enum_range(NULL::mood))

-- array slices
SELECT tags[1], tags[1:2], tags[:2], tags[2:], (ARRAY[1,2,3])[2] FROM ship

-- ANY and ALL of an array
SELECT * FROM ship WHERE kind = ANY(ARRAY['a','b']) AND n > ALL('{1,2}'::int[])

-- SOME
SELECT * FROM ship WHERE n = SOME(SELECT n FROM ship)

-- IN list
SELECT * FROM ship WHERE kind IN ('a', 'b') AND n NOT IN (1, 2)

-- IN subquery
SELECT * FROM ship WHERE id IN (SELECT ship_id FROM sale) AND id NOT IN (SELECT 1)

-- row IN subquery
SELECT * FROM ship WHERE (id, n) IN (SELECT ship_id, 1 FROM sale)

-- row comparison
SELECT * FROM ship WHERE (id, n) > (1, 2)

-- EXISTS
SELECT * FROM ship s WHERE EXISTS (SELECT 1 FROM sale WHERE ship_id = s.id) AND NOT EXISTS (SELECT 1 FROM port WHERE false)

-- scalar subquery
SELECT (SELECT max(n) FROM ship), ARRAY(SELECT id FROM ship ORDER BY 1)

-- patterns
SELECT * FROM ship WHERE name LIKE 'a%' OR name ILIKE '%B%' OR name NOT LIKE 'x!%' ESCAPE '!' OR name SIMILAR TO '(a|b)%'

-- regular expressions
SELECT * FROM ship WHERE name ~ '^a' OR name !~* 'b$' OR name ~* 'c'

-- BETWEEN of each kind
SELECT * FROM ship WHERE n BETWEEN 1 AND 2 OR n NOT BETWEEN 3 AND 4 OR n BETWEEN SYMMETRIC 5 AND 1 OR n NOT BETWEEN SYMMETRIC 9 AND 7

-- null tests
SELECT * FROM ship WHERE name IS NULL OR name IS NOT NULL OR name ISNULL OR (n > 1) IS TRUE OR (n > 1) IS NOT UNKNOWN

-- IS DISTINCT FROM
SELECT * FROM ship WHERE n IS DISTINCT FROM 1 AND n IS NOT DISTINCT FROM 7

-- CASE of both kinds
SELECT CASE n WHEN 1 THEN 'a' ELSE 'b' END, CASE WHEN n > 1 THEN 'x' END FROM ship

-- COALESCE and its kin
SELECT coalesce(n, 0), nullif(n, 0), greatest(n, 1), least(n, 2) FROM ship

-- EXTRACT and date_part
SELECT extract(year FROM built), extract(epoch FROM at), date_part('dow', built) FROM ship JOIN sale ON ship_id = ship.id

-- date_trunc
SELECT date_trunc('month', at), date_trunc('day', at, 'UTC'), count(*) FROM sale GROUP BY 1, 2

-- date arithmetic
SELECT built + 1, built - date '2000-01-01', now() - interval '1 year', age(built), age(now(), built) FROM ship

-- date_bin
SELECT date_bin('15 minutes', at, timestamptz '2001-01-01') FROM sale

-- OVERLAPS
SELECT (date '2024-01-01', date '2024-02-01') OVERLAPS (date '2024-01-15', interval '1 month')

-- make functions with named arguments
SELECT make_interval(days => 10), make_date(2024, 1, 2), make_timestamp(2024, 1, 2, 3, 4, 5.5)

-- to_char and to_date
SELECT to_char(at, 'YYYY-MM'), to_char(amount, 'FM999,999.00'), to_date('2024', 'YYYY'), to_timestamp(0), to_number('1', '9') FROM sale

-- a month series
SELECT m::date FROM generate_series(date '2024-01-01', date '2024-12-01', interval '1 month') m

-- a number series
SELECT i FROM generate_series(1, 100) AS i

-- a long but bounded series
SELECT count(*) FROM generate_series(1, 1000000)

-- a descending series
SELECT * FROM generate_series(10, 1, -1)

-- WITH ORDINALITY
SELECT t, o FROM unnest(ARRAY['a','b']) WITH ORDINALITY AS x(t, o)

-- unnest of several arrays
SELECT * FROM unnest(ARRAY[1,2], ARRAY['a','b']) AS x(a, b)

-- ROWS FROM
SELECT * FROM ROWS FROM (generate_series(1,2), unnest(ARRAY['a','b'])) AS x(a, b)

-- generate_subscripts
SELECT tags[i] FROM ship, generate_subscripts(tags, 1) AS i

-- a set-returning function in the select list
SELECT id, unnest(tags), regexp_split_to_table(name, ' ') FROM ship

-- string functions
SELECT upper(name), length(name), trim(BOTH 'x' FROM name), ltrim(name), substring(name FROM 1 FOR 2), substring(name FROM '[a-z]+'), position('a' IN name), overlay(name PLACING 'x' FROM 1 FOR 1), left(name, 2), right(name, 2), split_part(name, ' ', 1), initcap(name), reverse(name), strpos(name, 'a') FROM ship

-- padding with a number
SELECT lpad(id::text, 5, '0'), rpad(name, 20), repeat('*', 10) FROM ship

-- a bar chart
SELECT name, repeat('#', least(n / 10, 50)) FROM ship

-- concatenation
SELECT concat(name, ' ', n), concat_ws(', ', name, kind), name || '!', format('%s has %s', name, n), format('%-10s|%2$s', name, kind) FROM ship

-- VARIADIC
SELECT concat(VARIADIC tags), format('%s %s', VARIADIC tags) FROM ship

-- string_agg with order
SELECT string_agg(DISTINCT name, ', ' ORDER BY name), array_agg(name ORDER BY n DESC NULLS LAST) FROM ship

-- regexp functions
SELECT regexp_replace(name, 'a', 'b', 'g'), regexp_match(name, '(a)(b)'), regexp_split_to_array(name, ' '), regexp_matches(name, 'x', 'g') FROM ship

-- regexp functions of version 15
SELECT regexp_count(name, 'a'), regexp_like(name, 'a', 'i'), regexp_substr(name, 'a'), regexp_instr(name, 'p') FROM ship

-- numbers
SELECT round(price, 2), trunc(price), ceil(price), floor(price), abs(n), mod(n, 3), n % 3, power(n, 2), n ^ 2, sqrt(n), |/ 25.0, @ -5, sign(n), ln(n + 1), log(10, 100), exp(1), div(n, 2), gcd(n, 4), width_bucket(n, 0, 100, 10), random(), pi() FROM ship

-- bit arithmetic
SELECT n & 1, n | 2, n # 3, ~ n, n << 1, n >> 1, bit_and(n), bit_or(n), bit_xor(n) FROM ship GROUP BY n

-- statistics
SELECT stddev(n), variance(n), corr(n, speed), regr_slope(n, speed), covar_pop(n, speed), stddev_pop(n), var_samp(n) FROM ship

-- boolean aggregates
SELECT bool_and(n > 0), bool_or(n > 5), every(n > 0) FROM ship

-- json building
SELECT json_build_object('a', n), jsonb_build_array(1, name), to_jsonb(name), json_agg(name), jsonb_object_agg(id, name) FROM ship GROUP BY n, name

-- a whole row as json
SELECT row_to_json(s), to_jsonb(s), (SELECT json_agg(s) FROM ship s) FROM ship s

-- json reading
SELECT k, v FROM ship, jsonb_each(data) AS e(k, v)

-- json array elements
SELECT e FROM ship, jsonb_array_elements(data -> 'list') e

-- json object keys and types
SELECT jsonb_object_keys(data), jsonb_typeof(data), jsonb_pretty(data), jsonb_array_length(data -> 'list') FROM ship

-- a record with a column list
SELECT * FROM json_to_record('{"a": 1, "b": "x"}') AS x(a int, b text)

-- a record set
SELECT * FROM jsonb_to_recordset('[{"a": 1}]') AS x(a numeric(10,2))

-- paths
SELECT jsonb_path_query(data, '$.list[*]'), jsonb_path_exists(data, '$.k'), jsonb_path_query_array(data, '$.list[*] ? (@ > $x)', '{"x": 1}') FROM ship

-- json changes a value, not a table
SELECT jsonb_set(data, '{a}', '1'), data - 'k', data || '{"z": 1}', jsonb_strip_nulls(data), jsonb_insert(data, '{list,0}', '9') FROM ship

-- set functions on arrays
SELECT array_length(tags, 1), cardinality(tags), array_position(tags, 'a'), array_append(tags, 'c'), array_remove(tags, 'a'), array_to_string(tags, ','), array_cat(tags, tags), string_to_array('a,b', ',') FROM ship

-- array operators
SELECT tags && ARRAY['a'], tags @> ARRAY['a'], tags <@ ARRAY['a'], tags || 'c'::text FROM ship

-- array_fill with numbers
SELECT array_fill(0, ARRAY[3, 2])

-- ranges
SELECT int4range(1, 5) && int4range(3, 9), daterange('2024-01-01', '2024-02-01', '[]') @> date '2024-01-05', lower(hours), upper(hours), isempty(hours) FROM ship

-- multiranges
SELECT range_agg(hours), int4multirange(int4range(1, 2)), '{[1,2]}'::int4multirange FROM ship

-- text search
SELECT * FROM ship WHERE to_tsvector('english', name) @@ to_tsquery('english', 'a & b') OR doc @@ plainto_tsquery('x')

-- text search ranks
SELECT ts_rank(doc, websearch_to_tsquery('a or b')), ts_headline('english', name, to_tsquery('a')) FROM ship

-- network
SELECT host(addr), masklen(addr), network(addr), addr << inet '10.0.0.0/8', '10.0.0.1'::inet FROM ship

-- geometry
SELECT place <-> point(0, 0), point '(1,2)', box(point(0,0), point(1,1)) FROM port

-- geometry of a box
SELECT area(area), height(area), center(area) FROM ship

-- bytes
SELECT encode(raw, 'hex'), decode('00ff', 'hex'), length(raw), md5(name), sha256(raw), convert_from(raw, 'UTF8'), '\x00ff'::bytea FROM ship

-- uuids
SELECT gen_random_uuid(), code = '00000000-0000-0000-0000-000000000000'::uuid FROM ship

-- the clock
SELECT now(), clock_timestamp(), statement_timestamp(), transaction_timestamp(), current_date, timeofday()

-- who am I
SELECT current_user, session_user, current_role, user, current_catalog, current_schema, current_database()

-- a name of mixed case (S1)
SELECT h."ShipID", h."user" FROM "HarbourLog" h

-- reserved words as names (S2)
SELECT o."group", o."select" FROM "order" o

-- another schema (S6)
SELECT freight.leg.miles, l.id FROM freight.leg, freight.leg l WHERE leg.id = l.id

-- a view
SELECT * FROM heavy

-- joins of every kind
SELECT * FROM ship s JOIN port p ON s.port_id = p.id LEFT JOIN sale a ON a.ship_id = s.id FULL JOIN freight.leg l ON l.ship_id = s.id RIGHT JOIN crew c ON c.id = s.id CROSS JOIN "order" o

-- USING
SELECT * FROM ship JOIN sale USING (id)

-- USING with an alias
SELECT j.id FROM ship JOIN sale USING (id) AS j

-- NATURAL
SELECT count(*) FROM ship NATURAL JOIN port

-- brackets and an alias around a join
SELECT j.* FROM (ship CROSS JOIN port) AS j

-- renamed columns
SELECT a, b FROM port AS p(a, b)

-- ONLY and descendants
SELECT * FROM ONLY ship, sale *

-- TABLESAMPLE
SELECT * FROM ship TABLESAMPLE bernoulli (10) REPEATABLE (1), sale TABLESAMPLE SYSTEM (5)

-- limit and offset
SELECT * FROM ship ORDER BY n DESC NULLS LAST LIMIT 10 OFFSET 5

-- FETCH FIRST
SELECT * FROM ship ORDER BY n FETCH FIRST 3 ROWS WITH TIES

-- LIMIT ALL
SELECT * FROM ship LIMIT ALL

-- ORDER BY an operator
SELECT * FROM ship ORDER BY n USING >

-- collation
SELECT * FROM ship ORDER BY name COLLATE "C"

-- collation of pg_catalog
SELECT name COLLATE pg_catalog."C" FROM ship

-- set operations
SELECT id FROM ship UNION SELECT id FROM sale INTERSECT SELECT id FROM port EXCEPT ALL SELECT 1 ORDER BY 1 LIMIT 3

-- recursion
WITH RECURSIVE t(id, depth) AS (SELECT id, 0 FROM freight.leg WHERE parent IS NULL UNION ALL SELECT l.id, depth + 1 FROM freight.leg l JOIN t ON l.parent = t.id) SELECT * FROM t

-- recursion with SEARCH and CYCLE
WITH RECURSIVE t(id, parent) AS (SELECT id, parent FROM freight.leg UNION ALL SELECT l.id, l.parent FROM freight.leg l JOIN t ON l.parent = t.id) SEARCH DEPTH FIRST BY id SET o CYCLE id SET c USING p SELECT id, c FROM t ORDER BY o

-- CYCLE with values
WITH RECURSIVE t(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM t WHERE id < 3) CYCLE id SET c TO 'y' DEFAULT 'n' USING p SELECT * FROM t

-- MATERIALIZED
WITH a AS MATERIALIZED (SELECT * FROM ship), b AS NOT MATERIALIZED (SELECT * FROM a) SELECT count(*) FROM b

-- WITH in a subquery
SELECT * FROM (WITH a AS (SELECT 1 AS x) SELECT * FROM a) q

-- WITH on VALUES
WITH a(x) AS (VALUES (1), (2)) TABLE a

-- VALUES in FROM
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(id, label) JOIN ship USING (id)

-- a composite column's field
SELECT (home).city, (c.home).street, (c.home).* FROM crew c

-- a field of a function's row
SELECT (jsonb_each(data)).key FROM ship

-- star of an alias
SELECT s.*, p.name AS port_name FROM ship s JOIN port p ON p.id = s.port_id

-- an output column named xmin (a bounding box)
WITH b AS (SELECT min(n) AS xmin, max(n) AS xmax FROM ship) SELECT b.xmin, b.xmax FROM b

-- duplicates by ctid
SELECT a.ctid FROM ship a JOIN ship b ON a.name = b.name AND a.ctid <> b.ctid

-- the partition a row is in
SELECT tableoid, count(*) FROM ship GROUP BY 1

-- row constructors
SELECT ROW(1, 'a'), (1, 2) = (1, 2), ROW(1, NULL) IS NULL

-- normalization
SELECT normalize(name, NFC), name IS NFC NORMALIZED FROM ship

-- counting nulls
SELECT num_nulls(name, n), num_nonnulls(name, n) FROM ship

-- sizes
SELECT pg_size_pretty(1000000::bigint), pg_column_size(name) FROM ship

-- negative numbers and precedence
SELECT -n, - -1, +n, 2 - -3, NOT true, (1 + 2) * 3 FROM ship

-- quoting
SELECT quote_ident(name), quote_literal(name), quote_nullable(name) FROM ship

-- HAVING
SELECT port_id, avg(price)::numeric(10,2) FROM ship GROUP BY port_id HAVING count(*) > 1 AND max(n) > 3

-- an empty select list
SELECT FROM ship

-- GROUP BY position and alias
SELECT extract(year FROM at) AS y, sum(amount) FROM sale GROUP BY y ORDER BY 2 DESC

-- a long IN list
SELECT * FROM ship WHERE id IN (1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40)

-- sales against the month before
SELECT m, total, total - lag(total) OVER (ORDER BY m) AS diff, round(100.0 * total / sum(total) OVER (), 1) AS share FROM (SELECT date_trunc('month', at) m, sum(amount) total FROM sale GROUP BY 1) x

-- a table called like a function
SELECT count FROM (SELECT count(*) FROM ship) AS count

-- words in other alphabets
SELECT name AS "船の名前", 'café — ✓ 😀' FROM ship

-- an unquoted name that is not ASCII
SELECT n AS größe FROM ship

-- carriage returns, tabs and form feeds
SELECT	1,
	2

-- keywords in mixed case
sElEcT CoUnT(*) fRoM sHiP

-- functions by their types
SELECT date(at), text(1), int4('5'), float8(n) FROM sale, ship

-- jsonb subscripts
SELECT data['k'], data['list'][0] FROM ship

-- a subquery in LIMIT
SELECT * FROM ship LIMIT (SELECT 1 + 1)

-- not a catalog: a column that starts with pg_
SELECT x.pg_rating FROM (SELECT n AS pg_rating FROM ship) x

-- not a large object: columns of the star schema benchmark
SELECT x.lo_revenue FROM (SELECT price AS lo_revenue FROM ship) x

-- a column called date, a column called text
SELECT x.date, x.text, x.name, x.version FROM (SELECT built AS date, name AS text, name, 1 AS version FROM ship) x

-- casts in a chain
SELECT '1'::text::int::numeric::text

-- DEFAULT is a column's name here
SELECT "default" FROM (SELECT 1 AS "default") x

-- comments between the words of one operator
SELECT * FROM ship WHERE n NOT /* in */ BETWEEN 1 AND 2 ORDER BY n DESC NULLS -- at the end
LAST

-- a comment before UESCAPE
SELECT U&"n!0061me" /* x */ UESCAPE '!' FROM ship

-- a literal continued after a comment
SELECT 'a' -- and
'b'

-- comment signs in literals and names
SELECT '/* x */', '-- y', "a--b", "c/*d*/" FROM (SELECT 1 AS "a--b", 2 AS "c/*d*/") x

-- a bar chart with a cast
SELECT name, repeat('#', least(price / 1000, 50)::int) FROM ship

-- numbers put together
SELECT lpad(name, 5 + 5), m FROM ship, generate_series(1, 12 * 2) m

-- growth over years, and a distance on the globe
SELECT price * (1 + 0.05) ^ n, (price / 100) ^ (1.0 / 5) - 1, power(sin(radians(speed) / 2), 2), factorial(5), factorial(least(n, 20)::int) FROM ship

-- subqueries in subqueries, each column used a few times
SELECT a, a / nullif(b, 0) FROM (SELECT a + b AS a, b - a AS b FROM (SELECT sum(n) AS a, count(n) + sum(id) AS b FROM ship GROUP BY port_id) x) y WHERE a > 0 AND b > 0 ORDER BY a + b
