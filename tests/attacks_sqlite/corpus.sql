-- changed: writes a row
INSERT INTO person VALUES (9, 'Eve', 1)

-- changed: writes rows of a query
INSERT INTO person SELECT id + 100, name, pay FROM person

-- changed: writes and returns
INSERT INTO person VALUES (9, 'Eve', 1) RETURNING id

-- changed: writes by REPLACE
REPLACE INTO person VALUES (1, 'Eve', 1)

-- changed: writes over a conflict
INSERT INTO person VALUES (1, 'x', 1) ON CONFLICT (id) DO UPDATE SET name = 'Eve'

-- changed: raises pay
UPDATE person SET pay = 99

-- changed: raises pay from another table
UPDATE person SET pay = 99 FROM sale WHERE sale.person_id = person.id

-- changed: raises pay and returns
UPDATE person SET pay = 99 RETURNING name

-- changed: deletes
DELETE FROM person

-- changed: deletes behind a comment
/* SELECT */ DELETE FROM person

-- changed: deletes behind a line comment
-- SELECT 1
DELETE FROM person

-- changed: deletes in capitals and spaces
	dElEtE   FrOm  person

-- changed: deletes after WITH
WITH a AS (SELECT 1) DELETE FROM person

-- changed: writes after WITH
WITH a(x) AS (SELECT 7) INSERT INTO person SELECT x, 'Eve', 1 FROM a

-- changed: raises pay after WITH RECURSIVE
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) UPDATE person SET pay = 99 WHERE id IN (SELECT n FROM r)

-- changed: makes a table
CREATE TABLE mine (x)

-- changed: makes a table of secrets
CREATE TABLE mine AS SELECT * FROM person

-- changed: makes a view
CREATE VIEW mine AS SELECT * FROM person

-- changed: makes an index
CREATE INDEX mine ON person (pay)

-- changed: makes a trigger
CREATE TRIGGER mine AFTER INSERT ON sale BEGIN DELETE FROM person; END

-- changed: makes a virtual table
CREATE VIRTUAL TABLE mine USING fts5(x)

-- changed: drops a table
DROP TABLE sale

-- changed: drops a view
DROP VIEW v_pay

-- changed: drops an index
DROP INDEX sale_at

-- changed: renames a table
ALTER TABLE sale RENAME TO gone

-- changed: adds a column
ALTER TABLE sale ADD COLUMN extra TEXT

-- changed: drops a column
ALTER TABLE sale DROP COLUMN person_id

-- changed: renames a column
ALTER TABLE person RENAME COLUMN pay TO salary

-- changed: keeps statistics
ANALYZE

-- changed: keeps statistics of one table
ANALYZE main.person

-- changed: writes to the attached database
INSERT INTO vault.gold VALUES ('more')

-- changed: deletes from the attached database
DELETE FROM vault.gold

-- changed: writes through full-text search
INSERT INTO doc(body) VALUES ('more')

-- changed: writes to a shadow table
DELETE FROM doc_content

-- changed: deletes full texts
DELETE FROM doc

-- changed: sets the user's version
PRAGMA user_version = 7

-- changed: sets the application's number
PRAGMA application_id = 7

-- changed: writes after a SELECT
SELECT 1; DELETE FROM person

-- changed: writes after a SELECT and a comment
SELECT 1 /* ; */ ; DELETE FROM person --

-- changed: writes after an empty statement
; DELETE FROM person

-- changed: writes behind EXPLAIN
SELECT 1; EXPLAIN SELECT 1; DELETE FROM person

-- changed: writes behind a string with a quote
SELECT 'it''s'; DELETE FROM person; SELECT 'x'

-- changed: writes behind backticks
SELECT 1 AS `;`; DELETE FROM person

-- changed: writes behind brackets
SELECT 1 AS [;]; DELETE FROM person

-- changed: writes behind a nested comment
SELECT 1 /* /* */ ; DELETE FROM person; -- */

-- changed: commits and writes
BEGIN; COMMIT; DELETE FROM person

-- changed: rolls back and writes
BEGIN; ROLLBACK; DELETE FROM person

-- changed: begins and writes
BEGIN; DELETE FROM person; COMMIT

-- changed: edits the schema
PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = replace(sql, 'pay', 'pax')

-- changed: deletes the schema
PRAGMA writable_schema = 1; DELETE FROM sqlite_master WHERE name = 'v_pay'

-- changed: a VALUES before it
VALUES (1); DELETE FROM person

-- file made.db: attaches a new file
ATTACH 'made.db' AS made; CREATE TABLE made.t (x)

-- file made.db: copies all into a file
VACUUM INTO 'made.db'

-- file made.db: copies main into a file
VACUUM main INTO 'made.db'

-- file made.db: attaches a file by URI
ATTACH 'file:made.db?mode=rwc' AS made; CREATE TABLE made.t (x)

-- file made.txt: calls the host's function that writes
SELECT host_write('made.txt', 'x')

-- file made.txt: calls it by a quoted name
SELECT "host_write"('made.txt', 'x')

-- file made.txt: calls it by a name in brackets
SELECT [host_write]('made.txt', 'x')

-- file made.txt: calls it by a name in backticks
SELECT `host_write`('made.txt', 'x')

-- file made.txt: calls it in capitals
SELECT HOST_WRITE('made.txt', 'x')

-- file made.txt: calls it behind a comment
SELECT host_write/* */('made.txt', 'x')

-- file made.txt: calls it in a WHERE
SELECT 1 FROM person WHERE host_write('made.txt', name)

-- file made.txt: calls it in a FILTER
SELECT count(*) FILTER (WHERE host_write('made.txt', 'x')) FROM person

-- file made.txt: calls it in a window
SELECT sum(pay) OVER (ORDER BY host_write('made.txt', 'x')) FROM person

-- file made.txt: calls it in LIMIT
SELECT name FROM person LIMIT host_write('made.txt', 'x')

-- file made.txt: calls it in ORDER BY
SELECT name FROM person ORDER BY host_write('made.txt', name)

-- file made.txt: calls it in HAVING
SELECT name FROM person GROUP BY name HAVING host_write('made.txt', name)

-- file made.txt: calls it in ON
SELECT 1 FROM person JOIN sale ON host_write('made.txt', 'x')

-- file made.txt: calls it in CASE
SELECT CASE WHEN 1 THEN host_write('made.txt', 'x') END

-- file made.txt: calls it in a subquery
SELECT (SELECT host_write('made.txt', 'x'))

-- file made.txt: calls it in EXISTS
SELECT 1 WHERE EXISTS (SELECT 1 WHERE host_write('made.txt', 'x'))

-- file made.txt: calls it in IN
SELECT 1 WHERE 1 IN (host_write('made.txt', 'x'), 2)

-- file made.txt: calls it in VALUES
VALUES (host_write('made.txt', 'x'))

-- file made.txt: calls it in a recursion
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + host_write('made.txt', 'x') FROM r LIMIT 3) SELECT * FROM r

-- file made.txt: calls it in the arguments of a table
SELECT * FROM json_each(host_write('made.txt', '[1]'))

-- file made.txt: calls it behind UNION
SELECT 1 UNION SELECT host_write('made.txt', 'x')

-- file made.txt: names a WITH query like it
WITH host_write(x) AS (SELECT 1) SELECT host_write('made.txt', 'x')

-- file made.txt: names a WITH query like it, after AS
WITH host_write AS (SELECT 1) SELECT host_write('made.txt', 'x') FROM host_write

-- file made.txt: names a column like it
SELECT host_write('made.txt', 'x') AS host_write

-- file made.txt: calls it through a view of the file
SELECT * FROM v_write

-- file made.txt: counts a view that calls it
SELECT count(x) FROM v_write

-- file made.txt: calls it through the regexp operator
SELECT 'made.txt' REGEXP 'x'

-- file made.txt: calls it through the match operator
SELECT 'x' MATCH 'made.txt'

-- shows HOST-SECRET: calls the host's function that tells
SELECT host_secret()

-- shows HOST-SECRET: calls it by a quoted name
SELECT "HOST_SECRET"()

-- shows HOST-SECRET: calls it inside another
SELECT upper(host_secret())

-- shows HOST-SECRET: calls it through a view of the file
SELECT * FROM v_secret

-- shows HOST-SECRET: calls it through a view of a view
SELECT * FROM v_secret2

-- shows HOST-SECRET: sums with the host's aggregate
SELECT host_sum(pay) FROM person

-- shows HOST-SECRET: sorts by the host's collation
SELECT name FROM person ORDER BY name COLLATE host_order

-- shows SCHEMA-SECRET: reads the schema
SELECT sql FROM sqlite_master

-- shows SCHEMA-SECRET: reads the schema by its new name
SELECT sql FROM sqlite_schema

-- shows SCHEMA-SECRET: reads the schema of main
SELECT sql FROM main.sqlite_master

-- shows SCHEMA-SECRET: reads the schema by a quoted name
SELECT sql FROM "sqlite_master"

-- shows SCHEMA-SECRET: reads the schema in brackets and capitals
SELECT sql FROM [SQLITE_MASTER]

-- shows SCHEMA-SECRET: reads the schema by an alias
SELECT a.sql FROM sqlite_master AS a

-- shows SCHEMA-SECRET: joins the schema
SELECT s.sql FROM person CROSS JOIN sqlite_master AS s

-- shows SCHEMA-SECRET: reads the schema in a subquery
SELECT (SELECT group_concat(sql) FROM sqlite_schema)

-- shows SCHEMA-SECRET: reads the schema in a WITH query
WITH m AS (SELECT * FROM sqlite_master) SELECT sql FROM m

-- shows SCHEMA-SECRET: hides the schema behind a WITH query of its name
WITH a AS (WITH sqlite_master AS (SELECT 1) SELECT 1) SELECT sql FROM sqlite_master

-- shows SCHEMA-SECRET: reads the schema through a view of the file
SELECT * FROM v_schema

-- shows SCHEMA-SECRET: reads the schema behind UNION
SELECT name FROM person UNION ALL SELECT sql FROM sqlite_master

-- shows SCHEMA-SECRET: reads a default by a PRAGMA
PRAGMA table_info(note)

-- shows SCHEMA-SECRET: reads a default by a PRAGMA's table
SELECT dflt_value FROM pragma_table_info('note')

-- shows SCHEMA-SECRET: reads a default by a PRAGMA's table and a filter
SELECT dflt_value FROM pragma_table_info WHERE arg = 'note'

-- shows SCHEMA-SECRET: reads a default by an extended PRAGMA's table
SELECT dflt_value FROM pragma_table_xinfo('note')

-- shows SCHEMA-SECRET: reads a default in quotes
SELECT dflt_value FROM "pragma_table_info"('note')

-- shows vault.db: lists the files that are open
SELECT file FROM pragma_database_list

-- shows vault.db: lists the files by PRAGMA
PRAGMA database_list

-- shows host_write: lists the host's functions
SELECT name FROM pragma_function_list

-- shows host_order: lists the host's collations
SELECT name FROM pragma_collation_list

-- shows THREADSAFE: lists how SQLite was built
SELECT compile_options FROM pragma_compile_options

-- shows 3.: asks for SQLite's version
SELECT sqlite_version()

-- shows VAULT-SECRET: reads the attached database
SELECT code FROM vault.gold

-- shows VAULT-SECRET: reads the attached database without naming it
SELECT code FROM gold

-- shows VAULT-SECRET: reads all of the attached database
SELECT * FROM person, vault.gold

-- shows VAULT-SECRET: reads the attached database in a subquery
SELECT (SELECT max(code) FROM vault.gold)

-- shows VAULT-SECRET: hides it behind a WITH query of its name
SELECT (WITH gold AS (SELECT 1) SELECT count(*) FROM gold), code FROM gold

-- shows VAULT-SECRET: attaches the file once more
ATTACH 'vault.db' AS again; SELECT code FROM again.gold

-- shows TEMP-SECRET: reads the host's temporary table
SELECT * FROM scratch

-- shows TEMP-SECRET: reads it by its database
SELECT word FROM temp.scratch

-- shows schemaCREATE: reads the temporary schema
SELECT 'schema' || sql AS "schema" FROM sqlite_temp_master

-- shows SHADOW: reads a shadow table
SELECT 'SHA' || 'DOW', c0 FROM doc_content

-- shows SHADOW: reads the shadow table of the index
SELECT 'SHA' || 'DOW', hex(block) FROM doc_data

-- shows SHADOW: reads the statistics
SELECT 'SHA' || 'DOW', stat FROM sqlite_stat1

-- shows SHADOW: reads the sequence numbers
SELECT 'SHA' || 'DOW', seq FROM sqlite_sequence

-- shows cannot open: tries to load a library
SELECT load_extension('./no_such_library')

-- shows cannot open: tries to load a library by a quoted name
SELECT "load_extension"('./no_such_library', 'entry')

-- shows cannot open: tries to load a library behind a WITH query
WITH a(x) AS (SELECT load_extension('./no_such_library')) SELECT x FROM a

-- session: makes the schema writable
PRAGMA writable_schema = 1

-- session: stops reading
PRAGMA query_only = 1

-- session: turns foreign keys on
PRAGMA foreign_keys = 1

-- session: changes how deletes are done
PRAGMA secure_delete = 0

-- session: changes the cache
PRAGMA cache_size = 7

-- session: changes where temporary tables are
PRAGMA temp_store = 2

-- session: does not wait for the disk
PRAGMA synchronous = 0

-- session: keeps locks
PRAGMA locking_mode = EXCLUSIVE

-- session: makes LIKE know case
PRAGMA case_sensitive_like = 1

-- session: turns orders round
PRAGMA reverse_unordered_selects = 1

-- session: allows triggers to recurse
PRAGMA recursive_triggers = 1

-- session: changes the size of the journal
PRAGMA journal_size_limit = 7

-- session: begins a transaction
BEGIN

-- session: begins a transaction that holds a lock
BEGIN IMMEDIATE

-- session: sets a savepoint
SAVEPOINT mine

-- session: detaches the host's database
DETACH vault

-- session: attaches memory
ATTACH ':memory:' AS mine

-- session: makes a temporary table
CREATE TEMP TABLE mine (x)

-- session: makes a temporary view over a table
CREATE TEMP VIEW person AS SELECT 'fooled' AS name

-- session: makes a temporary trigger
CREATE TEMP TRIGGER mine AFTER INSERT ON main.sale BEGIN SELECT 1; END

-- session: drops the host's temporary table
DROP TABLE temp.scratch

-- session: writes to the host's temporary table
INSERT INTO scratch VALUES ('more')

-- slow: recurses without end
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r

-- slow: recurses without end and without the word
WITH r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r

-- slow: recurses without end before the first row
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r WHERE n < 0

-- slow: recurses until it is stopped, behind LIMIT
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT * FROM r LIMIT -1 OFFSET 100000000

-- slow: joins without a condition
SELECT count(*) FROM sale a, sale b, sale c, sale d

-- slow: joins by inequality
SELECT count(*) FROM sale a JOIN sale b ON a.id < b.id JOIN sale c ON b.id < c.id

-- slow: compares likenesses
SELECT count(*) FROM sale a, sale b, sale c WHERE a.at || b.at LIKE '%' || c.at || '%x'

-- slow: asks once for each row of a join
SELECT count((SELECT count(*) FROM sale c, sale d WHERE c.id <> a.id)) FROM sale a, sale b

-- slow: sorts a product
SELECT a.id FROM sale a, sale b, sale c ORDER BY random() LIMIT 1

-- slow: aggregates within windows
SELECT sum(x) FROM (SELECT sum(a.id) OVER (ORDER BY b.id ROWS BETWEEN 100000 PRECEDING AND CURRENT ROW EXCLUDE GROUP) x FROM sale a, sale b)

-- slow: matches stars
SELECT count(*) FROM sale WHERE printf('%.9000c', 'a') LIKE '%a%a%a%a%a%a%a%a%a%a%b'

-- memory: keeps long values
WITH RECURSIVE r(n, b) AS (SELECT 1, zeroblob(900000) UNION ALL SELECT n + 1, zeroblob(900000 + n) FROM r LIMIT 2000) SELECT count(*) FROM (SELECT b FROM r UNION SELECT b FROM r)

-- memory: groups long texts
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 30000) SELECT group_concat(g) FROM (SELECT json_group_array(printf('%09000d', n)) g FROM r GROUP BY n % 2)

-- memory: makes one value
SELECT length(replace(printf('%020000d', 0), '0', printf('%020000d', 0)))

-- memory: makes one blob
SELECT length(zeroblob(700000000))

-- memory: pads one number
SELECT length(printf('%700000000d', 1))

-- memory: doubles a text
WITH RECURSIVE r(n, t) AS (SELECT 1, 'aaaaaaaa' UNION ALL SELECT n + 1, t || t FROM r WHERE n < 27) SELECT max(length(t)) FROM r

-- memory: returns many rows
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 30000) SELECT printf('%09000d', n) FROM r

-- disk: sorts long values
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT 60000) SELECT n FROM r ORDER BY printf('%09000d', n * 7919 % 60013)

-- many: returns more rows than allowed
SELECT a.id FROM sale a, sale b LIMIT 100000

-- many: returns more bytes than allowed
SELECT printf('%05000d', id) FROM sale

-- silent: a name that is none becomes a text
SELECT count(*) FROM person WHERE name <> "no_such_column"

-- silent: a column that is none becomes a text in the result
SELECT "no_such_column" FROM person

-- silent: a column that is none orders by a text
SELECT name FROM person ORDER BY "no_such_column"
