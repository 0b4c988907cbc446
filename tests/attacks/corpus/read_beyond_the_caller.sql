-- shows SECRET-PAYROLL: a table that the reader may read and the caller may not
SELECT iban FROM payroll

-- shows SECRET-PAYROLL: its column by alias
SELECT p.iban FROM payroll AS p

-- shows SECRET-PAYROLL: inside an error
SELECT max(iban)::int FROM payroll

-- shows SECRET-PAYROLL: inside a division's operand, by CASE
SELECT CASE WHEN (SELECT max(iban) FROM payroll) > 'A' THEN (SELECT min(iban) FROM payroll) END

-- shows SECRET-PAYROLL: its materialized total
SELECT iban FROM payroll_total

-- answers 60: how many rows it has
SELECT count(*) FROM payroll

-- answers true: one bit of it
SELECT EXISTS (SELECT FROM payroll WHERE salary > 4000)

-- answers 1: one bit of it, by ONLY
SELECT 1 FROM ONLY payroll LIMIT 1

-- shows SECRET-PAYROLL: by TABLESAMPLE
SELECT iban FROM payroll TABLESAMPLE system (100)

-- shows SECRET-PAYROLL: in LATERAL
SELECT x.* FROM harbour h, LATERAL (SELECT iban FROM payroll LIMIT 1) x

-- shows SECRET-PAYROLL: under a WITH query that shares its name with an honest table
WITH ship AS (SELECT iban AS name FROM payroll) SELECT name FROM ship

-- shows SECRET-PAYROLL: in a recursive WITH
WITH RECURSIVE t AS (SELECT iban, 1 AS n FROM payroll UNION ALL SELECT iban, n + 1 FROM t WHERE n < 2) SELECT iban FROM t

-- shows SECRET-PAYROLL: in the arm of a set operation
SELECT name FROM ship UNION SELECT iban FROM payroll

-- shows SECRET-PAYROLL: in a VALUES list
VALUES ((SELECT max(iban) FROM payroll))

-- shows SECRET-PAYROLL: in JSON syntax
SELECT JSON_ARRAY(SELECT iban FROM payroll)

-- shows SECRET-PAYROLL: in quoted case
SELECT iban FROM "payroll"

-- shows SECRET-PAYROLL: in unicode escapes
SELECT iban FROM U&"p\0061yroll"

-- shows SECRET-PAYROLL: by a cast whose error tells it
SELECT 1 FROM payroll WHERE iban::date > now()

-- shows SECRET-SSN: a column without the right to it
SELECT ssn FROM person

-- shows SECRET-SSN: the star
SELECT * FROM person

-- shows SECRET-SSN: the alias's star
SELECT p.* FROM person p

-- shows SECRET-SSN: TABLE
TABLE person

-- shows SECRET-SSN: columns renamed by the alias
SELECT x.c FROM person AS x(a, b, c, d)

-- shows SECRET-SSN: columns renamed by a WITH query
WITH x(a, b, c, d) AS (SELECT * FROM person) SELECT c FROM x

-- shows SECRET-SSN: columns renamed by a subquery
SELECT c FROM (SELECT * FROM person) AS x(a, b, c, d)

-- shows SECRET-SSN: columns renamed by a join's alias
SELECT j.g FROM (harbour CROSS JOIN person) AS j(a, b, c, d, e, g, h)

-- shows SECRET-SSN: the whole row
SELECT person FROM person

-- shows SECRET-SSN: the whole row by alias, as text
SELECT p::text FROM person p

-- shows SECRET-SSN: the whole row as JSON
SELECT to_jsonb(p) FROM person p

-- shows SECRET-SSN: a field of the whole row
SELECT (p).ssn FROM person p

-- shows SECRET-SSN: a field of the whole row in unicode
SELECT (p).U&"s\0073n" FROM person p

-- shows SECRET-SSN: a whole row inside an array
SELECT array_agg(p) FROM person p

-- shows SECRET-SSN: a whole row in a row
SELECT ROW(p.*, 1) FROM person p

-- shows SECRET-SSN: a key of the row as JSON
SELECT to_jsonb(p) ->> 'ssn' FROM person p

-- shows SECRET-SSN: the row's text by string functions
SELECT concat(p) FROM person p

-- shows SECRET-SSN: the row's text by format
SELECT format('%s', p) FROM person p

-- shows SECRET-SSN: the row's text by string_agg
SELECT string_agg(p::text, ';') FROM person p

-- shows SECRET-SSN: the row in a subquery's alias
SELECT q FROM (SELECT p FROM person p) q

-- shows SECRET-SSN: the star of a subquery's row
SELECT (q.p).* FROM (SELECT p FROM person p) q

-- shows SECRET-SSN: a natural join gives every column
SELECT * FROM person NATURAL JOIN (SELECT 1 AS id) x

-- answers true: a bit of the column by a natural join
SELECT count(*) > 0 FROM person NATURAL JOIN (SELECT 'SECRET-' || 'SSN-1' AS ssn) x

-- answers true: a bit of the column by USING
SELECT count(*) > 0 FROM person JOIN (SELECT 'SECRET-' || 'SSN-1' AS ssn) x USING (ssn)

-- answers true: a bit of the column by a row comparison
SELECT count(*) > 0 FROM person p WHERE p::text LIKE '%SSN-1%'

-- answers true: a bit of the column by WHERE
SELECT count(*) > 0 FROM person WHERE ssn LIKE 'SECRET-SSN-1%'

-- answers Person 9: its order, by ORDER BY
SELECT name FROM person ORDER BY ssn DESC LIMIT 1

-- answers Person 9: its order, by a window
SELECT first_value(name) OVER (ORDER BY ssn DESC) FROM person

-- answers 9: its groups, by GROUP BY
SELECT count(*) FROM (SELECT 1 FROM person GROUP BY ssn) x

-- answers 9: its distinct values, by DISTINCT ON
SELECT count(*) FROM (SELECT DISTINCT ON (ssn) id FROM person) x

-- answers Person 9: whole rows in order
SELECT name FROM person p ORDER BY (p) DESC LIMIT 1

-- answers 9: whole rows compared
SELECT count(*) FROM person p WHERE p = p

-- answers 9: whole rows counted apart
SELECT count(DISTINCT p) FROM person p

-- shows SECRET-SSN: the star of an ordinal's subquery
SELECT * FROM (SELECT * FROM person ORDER BY 3) x LIMIT 1

-- shows SECRET-SSN: max of a row's text
SELECT max(p::text) FROM person p

-- shows SECRET-SSN: unnest of rows
SELECT u.ssn FROM unnest((SELECT array_agg(p) FROM person p)) u

-- shows SECRET-SSN: a row through json_populate_record
SELECT (json_populate_record(p, '{}')).ssn FROM person p

-- shows SECRET-SSN: a row through row_to_json and json_each_text
SELECT value FROM person p, json_each_text(row_to_json(p))

-- shows SECRET-SSN: a self join by a hidden key
SELECT a.name, b.ssn FROM person a JOIN person b ON a.id = b.boss

-- shows SECRET-SSN: a correlated subquery's outer column
SELECT (SELECT p.ssn) FROM person p

-- shows SECRET-SSN: a window's default value
SELECT lag(ssn, 1, ssn) OVER (ORDER BY id) FROM person

-- shows SECRET-SSN: an aggregate's order
SELECT string_agg(name, ',' ORDER BY ssn), mode() WITHIN GROUP (ORDER BY ssn) FROM person

-- shows SECRET-SSN: a VALUES list over the outer row
SELECT v.x FROM person p, LATERAL (VALUES (p.ssn)) AS v(x)

-- shows SECRET-SSN: a value in GROUPING SETS
SELECT ssn FROM person GROUP BY ROLLUP (ssn)

-- shows SECRET-PAYROLL: a temporary view of the caller's, whose function runs as the reader
-- before: CREATE FUNCTION pg_temp.steal() RETURNS text LANGUAGE sql AS $$ SELECT max(iban) FROM public.payroll $$
-- before: CREATE TEMP VIEW mine AS SELECT pg_temp.steal() AS got
-- before: GRANT SELECT ON mine TO PUBLIC
SELECT got FROM mine

-- shows SECRET-PAYROLL: a temporary table whose policy's function runs as the reader
-- before: CREATE FUNCTION pg_temp.steal() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END $$
-- before: CREATE TEMP TABLE mine (id int)
-- before: INSERT INTO mine VALUES (1)
-- before: ALTER TABLE mine ENABLE ROW LEVEL SECURITY
-- before: CREATE POLICY p ON mine USING (pg_temp.steal())
-- before: GRANT SELECT ON mine TO PUBLIC
SELECT id FROM mine

-- shows SECRET-PAYROLL: a temporary table with a type whose cast to json runs as the reader
-- before: CREATE TYPE pg_temp.bait AS ENUM ('x')
-- before: CREATE FUNCTION pg_temp.steal(pg_temp.bait) RETURNS json LANGUAGE sql AS $$ SELECT to_json(max(iban)) FROM public.payroll $$
-- before: CREATE CAST (pg_temp.bait AS json) WITH FUNCTION pg_temp.steal(pg_temp.bait)
-- before: CREATE TEMP TABLE mine (a pg_temp.bait)
-- before: INSERT INTO mine VALUES ('x')
-- before: GRANT SELECT ON mine TO PUBLIC
SELECT a FROM mine

-- shows SECRET-PAYROLL: a temporary function called by its schema
-- before: CREATE FUNCTION pg_temp.steal() RETURNS text LANGUAGE sql AS $$ SELECT max(iban) FROM public.payroll $$
SELECT pg_temp.steal()

-- shows SECRET-PAYROLL: a temporary operator
-- before: CREATE FUNCTION pg_temp.steal(int, int) RETURNS text LANGUAGE sql AS $$ SELECT max(iban) FROM public.payroll $$
-- before: CREATE OPERATOR pg_temp.+ (LEFTARG = int, RIGHTARG = int, FUNCTION = pg_temp.steal)
SELECT id + n FROM ship

-- shows SECRET-PAYROLL: a temporary operator that no schema else has
-- before: CREATE FUNCTION pg_temp.steal(int, int) RETURNS text LANGUAGE sql AS $$ SELECT max(iban) FROM public.payroll $$
-- before: CREATE OPERATOR pg_temp.<+> (LEFTARG = int, RIGHTARG = int, FUNCTION = pg_temp.steal)
SELECT id <+> n FROM ship

-- shows SECRET-PAYROLL: a temporary function as the field of a row
-- before: CREATE FUNCTION pg_temp.steal(public.ship) RETURNS text LANGUAGE sql AS $$ SELECT max(iban) FROM public.payroll $$
SELECT s.steal FROM ship s

-- shows SECRET-PAYROLL: a temporary type as a cast's target
-- before: CREATE FUNCTION pg_temp.steal(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END $$
-- before: CREATE DOMAIN pg_temp.bait AS text CHECK (pg_temp.steal(VALUE))
SELECT 'x'::bait

-- shows SECRET-PAYROLL: a view of the caller's own schema, whose function runs as the reader
-- before: CREATE OR REPLACE FUNCTION desk.steal() RETURNS text LANGUAGE sql AS $$ SELECT max(iban) FROM public.payroll $$
-- before: CREATE OR REPLACE VIEW desk.got AS SELECT desk.steal() AS got
-- before: GRANT SELECT ON desk.got TO PUBLIC
SELECT got FROM desk.got

-- shows SECRET-PAYROLL: a view of the caller's own with a built-in that runs text as the reader
-- before: CREATE OR REPLACE VIEW desk.xml AS SELECT query_to_xml('SELECT max(iban) FROM public.payroll', true, false, '')::text AS got
-- before: GRANT SELECT ON desk.xml TO PUBLIC
SELECT got FROM desk.xml

-- shows SECRET-PAYROLL: a table of the caller's own, whose policy's function runs as the reader
-- before: CREATE OR REPLACE FUNCTION desk.tell() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END $$
-- before: DROP TABLE IF EXISTS desk.note CASCADE
-- before: CREATE TABLE desk.note (id int)
-- before: INSERT INTO desk.note VALUES (1)
-- before: ALTER TABLE desk.note ENABLE ROW LEVEL SECURITY
-- before: CREATE POLICY p ON desk.note USING (desk.tell())
-- before: GRANT SELECT ON desk.note TO PUBLIC
SELECT id FROM desk.note

-- shows SECRET-PAYROLL: a policy of the caller's own with a built-in that runs text as the reader
-- before: DROP TABLE IF EXISTS desk.page CASCADE
-- before: CREATE TABLE desk.page (id int)
-- before: INSERT INTO desk.page VALUES (1)
-- before: ALTER TABLE desk.page ENABLE ROW LEVEL SECURITY
-- before: CREATE POLICY p ON desk.page USING (query_to_xml('SELECT max(iban) FROM public.payroll', true, false, '')::text::int > 0)
-- before: GRANT SELECT ON desk.page TO PUBLIC
SELECT id FROM desk.page

-- shows SECRET-PAYROLL: a subquery of the caller's own policy, which reads as the reader
-- before: DROP TABLE IF EXISTS desk.line CASCADE
-- before: CREATE TABLE desk.line (iban text)
-- before: INSERT INTO desk.line SELECT 'SECRET-PAYROLL-' || g FROM generate_series(0, 9) g
-- before: ALTER TABLE desk.line ENABLE ROW LEVEL SECURITY
-- before: CREATE POLICY p ON desk.line USING (iban IN (SELECT p.iban FROM public.payroll p))
-- before: GRANT SELECT ON desk.line TO PUBLIC
SELECT iban FROM desk.line

-- shows SECRET-PAYROLL: a column of the caller's own type, whose cast to json runs as the reader
-- before: DROP TABLE IF EXISTS desk.bait_box
-- before: DROP TYPE IF EXISTS desk.bait CASCADE
-- before: CREATE TYPE desk.bait AS ENUM ('x')
-- before: CREATE FUNCTION desk.steal(desk.bait) RETURNS json LANGUAGE sql AS $$ SELECT to_json(max(iban)) FROM public.payroll $$
-- before: CREATE CAST (desk.bait AS json) WITH FUNCTION desk.steal(desk.bait)
-- before: CREATE TABLE desk.bait_box (a desk.bait)
-- before: INSERT INTO desk.bait_box VALUES ('x')
-- before: GRANT SELECT ON desk.bait_box TO PUBLIC
SELECT a FROM desk.bait_box

-- shows SECRET-PAYROLL: the same inside an array, a row and JSON
-- before: DROP TABLE IF EXISTS desk.bait_bag
-- before: DROP TYPE IF EXISTS desk.lure CASCADE
-- before: CREATE TYPE desk.lure AS ENUM ('x')
-- before: CREATE FUNCTION desk.steal(desk.lure) RETURNS json LANGUAGE sql AS $$ SELECT to_json(max(iban)) FROM public.payroll $$
-- before: CREATE CAST (desk.lure AS json) WITH FUNCTION desk.steal(desk.lure)
-- before: CREATE TABLE desk.bait_bag (a desk.lure[])
-- before: INSERT INTO desk.bait_bag VALUES ('{x}')
-- before: GRANT SELECT ON desk.bait_bag TO PUBLIC
SELECT to_jsonb(b) FROM desk.bait_bag b

-- shows SECRET-PAYROLL: an implicit cast of the caller's own type, in an allowed function's argument
-- before: DROP TABLE IF EXISTS desk.bait_sum
-- before: DROP TYPE IF EXISTS desk.worm CASCADE
-- before: CREATE TYPE desk.worm AS ENUM ('x')
-- before: CREATE FUNCTION desk.steal(desk.worm) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END $$
-- before: CREATE CAST (desk.worm AS bigint) WITH FUNCTION desk.steal(desk.worm) AS IMPLICIT
-- before: CREATE TABLE desk.bait_sum (a desk.worm)
-- before: INSERT INTO desk.bait_sum VALUES ('x')
-- before: GRANT SELECT ON desk.bait_sum TO PUBLIC
SELECT abs(a) FROM desk.bait_sum

-- shows SECRET-PAYROLL: an explicit cast of the caller's own type to a plain one
-- before: DROP TABLE IF EXISTS desk.bait_cast
-- before: DROP TYPE IF EXISTS desk.fly CASCADE
-- before: CREATE TYPE desk.fly AS ENUM ('x')
-- before: CREATE FUNCTION desk.steal(desk.fly) RETURNS text LANGUAGE sql AS $$ SELECT max(iban) FROM public.payroll $$
-- before: CREATE CAST (desk.fly AS text) WITH FUNCTION desk.steal(desk.fly)
-- before: CREATE TABLE desk.bait_cast (a desk.fly)
-- before: INSERT INTO desk.bait_cast VALUES ('x')
-- before: GRANT SELECT ON desk.bait_cast TO PUBLIC
SELECT a::text FROM desk.bait_cast

-- shows SECRET-PAYROLL: an inherited child of the caller's own, with a policy that is not asked
-- before: CREATE OR REPLACE FUNCTION desk.look() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN IF current_user ~ 'reader' THEN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END IF; RETURN true; END $$
-- before: DROP TABLE IF EXISTS desk.parent CASCADE
-- before: CREATE TABLE desk.parent (id int CHECK (desk.look() OR true))
-- before: GRANT SELECT ON desk.parent TO PUBLIC
SELECT id FROM desk.parent WHERE id > 0

-- shows SECRET-PAYROLL: an index whose expression the planner may run
-- before: DROP TABLE IF EXISTS desk.indexed
-- before: CREATE TABLE desk.indexed (id int)
-- before: CREATE OR REPLACE FUNCTION desk.look(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user ~ 'reader' THEN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END IF; RETURN 1; END $$
-- before: INSERT INTO desk.indexed SELECT generate_series(1, 100)
-- before: CREATE INDEX ON desk.indexed ((desk.look(id)))
-- before: CREATE INDEX indexed_in_part ON desk.indexed (id) WHERE desk.look(1) = 1
-- before: ALTER INDEX desk.indexed_in_part SET (fillfactor = 90)
-- before: GRANT SELECT ON desk.indexed TO PUBLIC
SELECT id FROM desk.indexed WHERE id = 5

-- shows SECRET-PAYROLL: a security_invoker view of the caller's own, for which the reader is the invoker
-- before: CREATE OR REPLACE VIEW desk.mirror WITH (security_invoker = true) AS SELECT iban FROM public.payroll
-- before: GRANT SELECT ON desk.mirror TO PUBLIC
SELECT iban FROM desk.mirror

-- shows SECRET-SSN: such a view of a hidden column
-- before: CREATE OR REPLACE VIEW desk.face WITH (security_invoker = on) AS SELECT id, ssn AS s FROM public.person
-- before: GRANT SELECT ON desk.face TO PUBLIC
SELECT s FROM desk.face

-- shows SECRET-PAYROLL: such a view under another view of his
-- before: CREATE OR REPLACE VIEW desk.mirror WITH (security_invoker = true) AS SELECT iban FROM public.payroll
-- before: CREATE OR REPLACE VIEW desk.mirrors WITH (security_invoker = true) AS SELECT iban AS a FROM desk.mirror
-- before: GRANT SELECT ON desk.mirror, desk.mirrors TO PUBLIC
SELECT a FROM desk.mirrors

-- answers 60: such a view that counts without a column
-- before: CREATE OR REPLACE VIEW desk.tally WITH (security_invoker = 1) AS SELECT count(*) AS n FROM public.payroll
-- before: GRANT SELECT ON desk.tally TO PUBLIC
SELECT n FROM desk.tally

-- shows SECRET-SSN: such a view of whole rows
-- before: CREATE OR REPLACE VIEW desk.whole WITH (security_invoker = true) AS SELECT p::text AS a FROM public.person p
-- before: GRANT SELECT ON desk.whole TO PUBLIC
SELECT a FROM desk.whole

-- shows SECRET-PAYROLL: an enum of the caller's own as a cast's target, with a function
-- before: DROP TYPE IF EXISTS desk.hook CASCADE
-- before: CREATE TYPE desk.hook AS ENUM ('x')
-- before: CREATE OR REPLACE FUNCTION desk.pull(text) RETURNS desk.hook LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END $$
-- before: CREATE CAST (text AS desk.hook) WITH FUNCTION desk.pull(text)
SELECT name::desk.hook FROM ship

-- shows SECRET-PAYROLL: a domain of the caller's own in a row that JSON fills
-- before: DROP TABLE IF EXISTS desk.form
-- before: CREATE OR REPLACE FUNCTION desk.stamp(text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN IF current_user ~ 'reader' THEN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END IF; RETURN true; END $$
-- before: DROP DOMAIN IF EXISTS desk.seal
-- before: CREATE DOMAIN desk.seal AS text CHECK (desk.stamp(VALUE))
-- before: CREATE TABLE desk.form (a desk.seal)
-- before: INSERT INTO desk.form VALUES ('x')
-- before: GRANT SELECT ON desk.form TO PUBLIC
SELECT json_populate_record(f, '{"a": "y"}') FROM desk.form f

-- shows SECRET-PAYROLL: a view of the caller's own over a table of his with a policy
-- before: CREATE OR REPLACE FUNCTION desk.tell() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END $$
-- before: DROP TABLE IF EXISTS desk.under CASCADE
-- before: CREATE TABLE desk.under (id int)
-- before: INSERT INTO desk.under VALUES (1)
-- before: ALTER TABLE desk.under ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY
-- before: CREATE POLICY p ON desk.under USING (desk.tell())
-- before: CREATE OR REPLACE VIEW desk.over AS SELECT id FROM desk.under
-- before: GRANT SELECT ON desk.over TO PUBLIC
SELECT id FROM desk.over

-- shows SECRET-PAYROLL: a child table of the caller's own under a parent of his, with a check
-- before: DROP TABLE IF EXISTS desk.trunk CASCADE
-- before: CREATE OR REPLACE FUNCTION desk.grow(int) RETURNS boolean IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user ~ 'reader' THEN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END IF; RETURN true; END $$
-- before: CREATE TABLE desk.trunk (id int)
-- before: CREATE TABLE desk.branch (CHECK (desk.grow(1) AND id > 0)) INHERITS (desk.trunk)
-- before: GRANT SELECT ON desk.trunk TO PUBLIC
SELECT id FROM desk.trunk WHERE id > 5

-- shows SECRET-PAYROLL: a partition's bound of the caller's own, by a function
-- before: DROP TABLE IF EXISTS desk.cake CASCADE
-- before: CREATE OR REPLACE FUNCTION desk.cut(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user ~ 'reader' THEN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END IF; RETURN 1; END $$
-- before: CREATE TABLE desk.cake (id int) PARTITION BY RANGE ((desk.cut(1) + id))
-- before: CREATE TABLE desk.slice PARTITION OF desk.cake FOR VALUES FROM (0) TO (100)
-- before: GRANT SELECT ON desk.cake TO PUBLIC
SELECT id FROM desk.cake WHERE id < 5

-- shows SECRET-PAYROLL: statistics of the caller's own over a function
-- before: DROP TABLE IF EXISTS desk.counted
-- before: CREATE OR REPLACE FUNCTION desk.tick(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN IF current_user ~ 'reader' THEN RAISE EXCEPTION '%', (SELECT max(iban) FROM public.payroll); END IF; RETURN 1; END $$
-- before: CREATE TABLE desk.counted (id int)
-- before: CREATE STATISTICS desk.counts ON (desk.tick(1) + id), (id * 2) FROM desk.counted
-- before: ANALYZE desk.counted
-- before: GRANT SELECT ON desk.counted TO PUBLIC
SELECT id FROM desk.counted GROUP BY id

-- shows RAN-TRAP: a policy's function, written by whoever owns the table
SELECT * FROM trapped

-- shows SECRET-FILE: a file behind a foreign table that only the reader may read
SELECT line FROM note_file

-- shows SECRET-PAYROLL: a role that the caller has set gains nothing
-- before: SET ROLE attack_askers
SELECT iban FROM payroll

-- shows SECRET-PAYROLL: the caller names himself by a setting
-- before: SELECT set_config('role', 'attack_askers', false)
SELECT max(iban) FROM payroll

-- shows RAN-7: the caller's own temporary function, named like a built-in
-- before: CREATE FUNCTION pg_temp.session_user_name() RETURNS text LANGUAGE sql AS $$ SELECT 'RAN-' || 7 $$
SELECT pg_temp.session_user_name() AS who
