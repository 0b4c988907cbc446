-- endless: sleep
SELECT pg_sleep(60)

-- endless: sleep as an interval
SELECT pg_sleep_for('1 hour')

-- endless: sleep until a time
SELECT pg_sleep_until(now() + interval '1 hour')

-- endless: sleep as a field of a number
SELECT (60::float8).pg_sleep

-- endless: sleep in unicode
SELECT U&"pg\005fsleep"(60)

-- endless: sleep in a view
SELECT * FROM peek_sleep

-- endless: sleep for each row
SELECT pg_sleep(1) FROM ship

-- endless: sleep through XML export
SELECT query_to_xml('SELECT pg_sleep(60)', false, false, '')

-- endless: sleep in another session
SELECT * FROM dblink('dbname=@DB@', 'SELECT pg_sleep(60)::text') AS t(a text)

-- endless: a series without end
SELECT count(*) FROM generate_series(1, 10000000000)

-- endless: a series whose end is not a constant
SELECT count(*) FROM generate_series(1, (SELECT 10000000000))

-- endless: a series whose end is a column
SELECT count(*) FROM ship, generate_series(1, n::bigint * 1000000000)

-- endless: a series of numerics
SELECT count(*) FROM generate_series(1::numeric, (SELECT 1e12), 1)

-- endless: a series of times
SELECT count(*) FROM generate_series(timestamp '2000-01-01', (SELECT max(at)::timestamp FROM sale), (SELECT interval '1 microsecond'))

-- endless: a series with a step of nearly nothing
SELECT count(*) FROM generate_series(0::numeric, 1, (SELECT 0.000000000001))

-- endless: series multiplied
SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b

-- endless: series multiplied, past the cost gate
-- profile: loose
SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b

-- endless: tables multiplied
SELECT count(*) FROM sale a, sale b, sale c

-- endless: tables multiplied, past the cost gate
-- profile: loose
SELECT count(*) FROM sale a, sale b, sale c

-- endless: tables multiplied behind a LIMIT that the planner trusts
SELECT * FROM sale a, sale b, sale c WHERE a.amount + b.amount + c.amount < 0 LIMIT 1

-- endless: tables multiplied in EXISTS
SELECT 1 WHERE EXISTS (SELECT 1 FROM sale a, sale b, sale c WHERE a.amount + b.amount < c.amount - 100000)

-- endless: a recursion without end
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t

-- endless: a recursion without end that returns its rows
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t WHERE n < 0

-- endless: a recursion that doubles
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n FROM t, (VALUES (1), (2)) v) SELECT max(n) FROM t

-- endless: a recursion with an UNION that meets nothing twice
WITH RECURSIVE t(n) AS (SELECT 1::numeric UNION SELECT n * 2 FROM t) SELECT count(*) FROM t

-- endless: a recursion over a cycle of rows
WITH RECURSIVE t(id) AS (SELECT id FROM person UNION ALL SELECT p.id FROM person p JOIN t ON p.boss >= 0) SELECT count(*) FROM t

-- endless: the Mandelbrot set
WITH RECURSIVE x(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM x WHERE i < 1000), z(ix, iy, x, y, i) AS (SELECT a.i, b.i, 0::float8, 0::float8, 0 FROM x a, x b UNION ALL SELECT ix, iy, x * x - y * y, 2 * x * y, i + 1 FROM z WHERE i < 1000) SELECT count(*) FROM z

-- endless: a regular expression that backtracks
SELECT repeat('a', 5000) ~ '^(a*)*(a*)*(a*)*b\1$'

-- endless: a regular expression with back references over rows
SELECT count(*) FROM sale WHERE repeat('ab', 2000) ~ '(a?b?)+(a?b?)+\1\2c'

-- endless: a regular expression with large bounds
SELECT repeat('x', 10000) ~ '((x{0,255}){0,255}){0,255}y'

-- endless: a regular expression that replaces
SELECT regexp_replace(repeat('a', 10000), '(.*)(.*)(.*)(.*)\4\3\2\1x', 'y', 'g')

-- endless: SIMILAR TO
SELECT repeat('a', 9000) SIMILAR TO '(a*)*(a*)*(a*)*b'

-- endless: LIKE with many signs
SELECT repeat('a', 10000) LIKE '%' || repeat('a%', 3000) || 'b'

-- endless: a large power
SELECT length((9.99999::numeric ^ 99999)::text)

-- endless: powers of powers
SELECT exp((2::numeric ^ 12)::numeric) ^ 30

-- endless: a factorial
SELECT length(factorial(200000)::text)

-- endless: a logarithm with many digits
SELECT ln((repeat('9', 10000) || '.' || repeat('9', 5000))::numeric)

-- endless: a greatest common divisor of huge numbers
SELECT gcd((repeat('9', 10000) || '1')::numeric, (repeat('8', 10000) || '3')::numeric)

-- endless: a division with many digits
SELECT sum(div((repeat('9', 10000))::numeric, (repeat('7', 5000))::numeric)) FROM sale a, sale b LIMIT 1

-- endless: JSON paths that backtrack
SELECT count(*) FROM sale, jsonb_path_query('[1,2,3,4,5,6,7,8,9]', '$[*] ? (@ like_regex "(a*)*b")')

-- endless: JSON paths, all descendants of all descendants
SELECT jsonb_path_query_array((repeat('[', 90) || '1' || repeat(']', 90))::jsonb, '$.**.**.**.**.**')

-- endless: all subsets of an array by recursion
WITH RECURSIVE s(a, i) AS (SELECT ARRAY[]::int[], 0 UNION ALL SELECT CASE WHEN b THEN a || i ELSE a END, i + 1 FROM s, (VALUES (true), (false)) v(b) WHERE i < 40) SELECT count(*) FROM s

-- endless: an ordering of every pair
-- profile: loose
SELECT a.id FROM sale a, sale b, sale c ORDER BY md5(a.id::text || b.id::text || c.id::text) LIMIT 1

-- endless: text search of a long text
SELECT count(*) FROM sale a, LATERAL (SELECT to_tsvector('english', repeat('lorem ipsum dolor sit amet ', 400) || a.id)) x(v) WHERE ts_headline('english', repeat('lorem ipsum ', 800), to_tsquery('lorem & zzz')) <> ''

-- endless: planning many tables in every order, by the caller's settings
-- before: SET join_collapse_limit = 100
-- before: SET from_collapse_limit = 100
-- before: SET geqo = off
SELECT 1 FROM ship a JOIN ship b ON a.id = b.n JOIN ship c ON b.id = c.n JOIN ship d ON c.id = d.n JOIN ship e ON d.id = e.n JOIN ship f ON e.id = f.n JOIN ship g ON f.id = g.n JOIN ship h ON g.id = h.n JOIN ship i ON a.id = i.n JOIN ship j ON b.id = j.n JOIN ship k ON c.id = k.n JOIN ship l ON d.id = l.n JOIN ship m ON a.n = m.n JOIN ship o ON a.n = o.n JOIN ship p ON a.n = p.n JOIN ship q ON a.n = q.n

-- endless: costs set to nothing by the caller
-- before: SET seq_page_cost = 0
-- before: SET cpu_tuple_cost = 0
-- before: SET cpu_operator_cost = 0
SELECT count(*) FROM sale a, sale b, sale c

-- endless: the same while checking only, when constants are folded
-- direct: yes
SELECT * FROM nl2sql_check($q$SELECT regexp_replace(repeat('a', 10000), '(.*)(.*)(.*)(.*)\4\3\2\1x', 'y', 'g')$q$, '@PROFILE@')

-- endless: a constant that the planner computes before any limit runs
SELECT 1 FROM ship WHERE name = regexp_replace(repeat('a', 10000), '(.*)(.*)(.*)(.*)\4\3\2\1x', 'y', 'g')

-- endless: a stable function that the planner computes for its estimate
SELECT 1 FROM ship WHERE name < to_char(now(), repeat('YYYY', 2400)) AND name ~ (repeat('(a*)*', 60) || 'b')

-- endless: a sleep in the caller's own function, in his own operator
-- before: CREATE FUNCTION pg_temp.nap(int, int) RETURNS int LANGUAGE sql AS $$ SELECT 1 FROM pg_sleep(60) $$
-- before: CREATE OPERATOR pg_temp.% (LEFTARG = int, RIGHTARG = int, FUNCTION = pg_temp.nap)
SELECT id % n FROM ship

-- endless: the time limit is taken off by the caller's settings
-- before: SET lock_timeout = 0
-- before: SET idle_in_transaction_session_timeout = 0
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT sum(n) FROM t

-- endless: waiting for a lock that somebody holds (a timeout belongs to the executor)
SELECT pg_advisory_lock(99), pg_sleep(60)

-- endless: a dozen powers in one row, which nothing interrupts between
SELECT 1 <12 * , length((9.99999::numeric ^ 99999)::text)>

-- endless: a dozen powers of a column, in one row
SELECT 1 <12 * , length(((n + 1.00001) ^ 90000)::text)> FROM ship WHERE id = 8

-- endless: powers in the arms of a CASE that the planner folds
SELECT CASE WHEN <12 * length((9.99999::numeric ^ 99999)::text) > 1 AND >true THEN 1 END

-- endless: powers in a long IN list
SELECT 1 FROM ship WHERE price IN (0 <12 * , length((9.99999::numeric ^ 99999)::text)>)

-- endless: hashes of long texts, a dozen in one row
SELECT 1 <12 * , length(sha512(repeat('x', 10000)::bytea))>

-- endless: long divisions, a dozen in one row
SELECT 1 <12 * , length(((repeat('9', 10000))::numeric / (repeat('7', 4999))::numeric)::text)>

-- endless: regular expressions, a dozen in one row
SELECT 1 <12 * , repeat('a', 2000) ~ '(a*)*(a*)*b$'>

-- endless: powers through the guard's other doors, power() and pow()
SELECT 1 <12 * , length(power(9.99999::numeric, 99999)::text), length(pow(9.99998::numeric, 99998)::text)>

-- endless: large products of large powers
SELECT 1 <12 * , length(((9.9::numeric ^ 65000) * (9.9::numeric ^ 65000))::text)>

-- endless: greatest common divisors, a dozen in one row
SELECT 1 <12 * , gcd(repeat('9', 9000)::numeric, repeat('8', 8999)::numeric)>

-- endless: products of a number that an aggregate made long
SELECT 1 <50 * , length((x * x)::text)> FROM (SELECT string_agg(repeat('9', 9000), '')::numeric AS x FROM generate_series(1, 7)) q

-- endless: a number made long by its exponent, as a text
SELECT 1 <50 * , length(((x + 1) * (x + 1))::text)> FROM (SELECT '1e60000'::numeric AS x) q

-- endless: subqueries that double, which the planner pulls up
SELECT length(a) FROM <40 * (SELECT a || a AS a FROM >(SELECT 'x' || n AS a FROM ship) z<40 * ) y>

