-- counts
SELECT count(*) FROM person

-- qualifies, and ends as people end SQL
SELECT main.person.name FROM main.person ; -- all of them

-- any case
sElEcT NAME frOM PeRsOn ORDER BY PAY desc

-- quoted names of all kinds
SELECT "name", [pay], `id` FROM "person" AS "p" WHERE "p"."id" = 1

-- a name for the result that is no column
SELECT name AS "Full Name" FROM person ORDER BY "Full Name"

-- words of commands in texts, names and comments
SELECT 'please delete; drop' AS "update", replace(name, 'a', 'b') FROM person -- DROP TABLE person

-- joins, groups and limits
SELECT p.name, count(*) AS n FROM person p JOIN sale s ON s.person_id = p.id GROUP BY p.id HAVING n > 1 ORDER BY n DESC LIMIT 2 OFFSET 0

-- an outer join with USING
SELECT * FROM person LEFT JOIN (SELECT person_id AS id, max(at) AS at FROM sale GROUP BY 1) USING (id)

-- a natural and a cross join
SELECT count(*) FROM person NATURAL JOIN person q CROSS JOIN v_pay

-- set operations
SELECT name FROM person UNION SELECT at FROM sale INTERSECT SELECT name FROM person EXCEPT SELECT 'x'

-- VALUES
VALUES (1, 'a'), (2, 'b')

-- a WITH query
WITH rich AS (SELECT * FROM person WHERE pay > 15), few(n) AS (SELECT count(*) FROM rich) SELECT n FROM few

-- a recursion that ends
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT sum(n) FROM r

-- windows
SELECT name, row_number() OVER w, sum(pay) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), lag(pay, 1) OVER w FROM person WINDOW w AS (PARTITION BY pay ORDER BY id)

-- FILTER and DISTINCT in aggregates
SELECT count(*) FILTER (WHERE pay > 15), count(DISTINCT pay), group_concat(name, ', ') FROM person

-- dates
SELECT date('now', 'start of month'), strftime('%Y', '2024-01-01'), julianday('now') - julianday('2024-01-01'), current_date

-- choices and casts
SELECT CASE WHEN pay > 15 THEN 'high' ELSE 'low' END, CAST(pay AS INTEGER), CAST(name AS VARCHAR(10)), coalesce(name, '?'), iif(pay > 1, 1, 0) FROM person

-- operators
SELECT pay % 3, -pay, ~id, id << 1, id | 2, name || '!', pay <> 1, pay != 1, pay == 1, pay IS NOT NULL, NOT pay, pay BETWEEN 1 AND 2, name LIKE 'A%' ESCAPE '\', name GLOB 'A*', name IN ('Ada', 'Bob') FROM person

-- subqueries of all kinds
SELECT name, (SELECT count(*) FROM sale WHERE person_id = person.id) FROM person WHERE EXISTS (SELECT 1 FROM sale WHERE person_id = person.id) AND pay >= (SELECT avg(pay) FROM person) AND id NOT IN (SELECT 99)

-- JSON
SELECT json_extract('{"a": 1}', '$.a'), '{"a": 1}' ->> '$.a', json_group_array(name) FROM person

-- a table-valued function of JSON
SELECT key, value FROM json_each('[1, 2]')

-- a view
SELECT pay FROM v_pay

-- a name that a WITH query takes over
WITH person AS (SELECT 'nobody' AS name) SELECT name FROM person

-- NOCASE
SELECT name FROM person WHERE name = 'ADA' COLLATE NOCASE ORDER BY name COLLATE NOCASE

-- a row id
SELECT rowid, name FROM person WHERE rowid = 1

-- pairs
SELECT name FROM person WHERE (id, name) = (1, 'Ada')

-- a full text, without its operator
SELECT body FROM doc WHERE body LIKE '%long%'
