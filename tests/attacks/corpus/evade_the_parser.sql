-- changed: a nested comment that the server ends elsewhere than a scanner might
SELECT 1 /* /* */ ; DELETE FROM ship; -- */ */

-- changed: a comment that looks ended
SELECT 1 /* -- */ ; DELETE FROM ship

-- changed: a quote that a backslash ends, where standard_conforming_strings is off
-- before: SET standard_conforming_strings = off
-- before: SET backslash_quote = on
SELECT '\'; DELETE FROM ship; --'

-- shows SECRET-SETTING: a call hidden in a literal that a backslash ends
-- before: SET standard_conforming_strings = off
SELECT '\' || current_setting('app.key') || '\'

-- changed: an E literal with a quote
SELECT E'\''; DELETE FROM ship; --'

-- changed: dollar quotes inside dollar quotes
SELECT $a$ $b$ $a$; DELETE FROM ship; -- $b$

-- changed: a dollar tag that is none
SELECT $1a$; DELETE FROM ship; --$1a$

-- changed: a unicode literal with a quote
SELECT U&'\0027; DELETE FROM ship; --'

-- changed: a unicode name with a semicolon
SELECT 1 AS U&"a\003b"; DELETE FROM ship

-- changed: a carriage return ends a line comment
SELECT 1 -- x<CR>; DELETE FROM ship

-- changed: a form feed and a vertical tab between words
SELECT<FF>1;<VT>DELETE<FF>FROM ship

-- changed: a no-break space between words
SELECT 1;<NBSP>DELETE<NBSP>FROM<NBSP>ship

-- changed: a byte order mark before the verb
<BOM>DELETE FROM ship

-- changed: a zero-width space in the verb
DEL<ZWSP>ETE FROM ship

-- changed: text that reads from right to left
SELECT 1 <RLO>; DELETE FROM ship

-- changed: fullwidth letters
ＤＥＬＥＴＥ ＦＲＯＭ ship

-- changed: a fullwidth semicolon
SELECT 1； DELETE FROM ship

-- endless: a dotless i in a function's name, which some locales fold
SELECT pg_sleep(60), LIMİT(1)

-- endless: a name in a Turkish capital
SELECT PG_SLEEP(60)

-- endless: a name cut at 63 bytes to another one
SELECT pg_sleep_____________________________________________________________________________(60)

-- shows SECRET-VAULT: a quoted name cut at 63 bytes
SELECT * FROM "vault                                                                          "

-- shows SECRET-SETTING: a name with a quote in it
SELECT "current_setting" ('app.key'), """"

-- shows SECRET-SETTING: unicode names with their own escape
SELECT U&"current!005fsetting" UESCAPE '!' ('app.key')

-- shows SECRET-SETTING: unicode names, six digits
SELECT U&"\+000063urrent_setting"('app.key')

-- shows SECRET-SETTING: a comment between name and bracket
SELECT current_setting/**/('app.key')

-- shows SECRET-SETTING: a comment inside a schema's name
SELECT pg_catalog/**/./**/current_setting('app.key')

-- shows SECRET-SETTING: the call as a default in JSON syntax
SELECT JSON_VALUE('{}', '$.a' DEFAULT current_setting('app.key') ON EMPTY)

-- shows SECRET-SETTING: the call as a named argument
SELECT current_setting(setting_name => 'app.key', missing_ok => true)

-- shows SECRET-SETTING: the call as VARIADIC
SELECT concat(VARIADIC ARRAY[current_setting('app.key')])

-- shows SECRET-SETTING: the call within a string aggregate's order
SELECT string_agg(name, '' ORDER BY current_setting('app.key')::int) FROM ship

-- shows SECRET-SETTING: the call in a window's PARTITION BY
SELECT count(*) OVER (PARTITION BY current_setting('app.key')::int) FROM ship

-- shows SECRET-SETTING: the call in a named window
SELECT count(*) OVER w FROM ship WINDOW w AS (ORDER BY current_setting('app.key')::int)

-- shows SECRET-SETTING: the call in OFFSET
SELECT 1 FROM ship OFFSET current_setting('app.key')::int

-- shows SECRET-SETTING: the call in FETCH FIRST
SELECT 1 FROM ship FETCH FIRST (current_setting('app.key')::int) ROWS ONLY

-- shows SECRET-SETTING: the call in ROWS FROM with a column list
SELECT * FROM ROWS FROM (current_setting('app.key'), generate_series(1, 2)) WITH ORDINALITY

-- shows SECRET-SETTING: the call in JOIN ... ON
SELECT 1 FROM ship a LEFT JOIN ship b ON current_setting('app.key')::int = 1

-- shows SECRET-SETTING: the call in a VALUES row of a FROM
SELECT * FROM (VALUES (current_setting('app.key'))) v

-- shows SECRET-SETTING: the call in a subscript's slice
SELECT tags[1:current_setting('app.key')::int] FROM ship

-- shows SECRET-SETTING: the call in a CYCLE's mark
WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) CYCLE n SET c TO current_setting('app.key') DEFAULT 'n' USING p SELECT * FROM t

-- shows SECRET-SETTING: the call in an EXTRACT
SELECT extract(year FROM current_setting('app.key')::date)

-- shows SECRET-SETTING: the call in AT TIME ZONE
SELECT now() AT TIME ZONE current_setting('app.key')

-- shows SECRET-SETTING: the call in OVERLAPS
SELECT (now(), current_setting('app.key')::interval) OVERLAPS (now(), now())

-- shows SECRET-SETTING: the call in a collation's operand
SELECT current_setting('app.key') COLLATE "C"

-- shows SECRET-SETTING: the call in IS JSON, where the parser is newer than the server
SELECT current_setting('app.key') IS JSON OR true, current_setting('app.key')

-- shows SECRET-SETTING: the call in XMLTABLE
SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS b text DEFAULT current_setting('app.key'))

-- shows SECRET-SETTING: the call in XMLELEMENT
SELECT XMLELEMENT(NAME a, current_setting('app.key'))

-- shows SECRET-SETTING: the call in XMLSERIALIZE
SELECT XMLSERIALIZE(CONTENT current_setting('app.key')::xml AS text)

-- shows SECRET-SETTING: the call in GROUPING SETS
SELECT current_setting('app.key') FROM ship GROUP BY CUBE (current_setting('app.key'))

-- shows SECRET-SETTING: the call in TABLESAMPLE ... REPEATABLE
SELECT 1 FROM ship TABLESAMPLE system (1) REPEATABLE (current_setting('app.key')::int)

-- changed: a statement longer than the guard reads
SELECT 1 /*<60000 * x>*/; DELETE FROM ship

-- changed: five thousand brackets
SELECT <5000 * (>1<5000 * )>; DELETE FROM ship

-- changed: five thousand brackets without an end
SELECT <5000 * (>1

-- changed: five thousand array brackets
SELECT <5000 * ARRAY[>1<5000 * ]>

-- changed: five thousand NOTs
SELECT <5000 * NOT >true

-- changed: thousands of signs
SELECT 1 <9000 * +>1

-- changed: minus signs with spaces
SELECT <9000 * - >1

-- changed: thousands of CASEs
SELECT <3000 * CASE WHEN true THEN >1<3000 *  END>

-- changed: thousands of subqueries
SELECT <3000 * (SELECT >1<3000 * )>

-- changed: thousands of UNIONs
SELECT 1<6000 *  UNION SELECT 1>

-- changed: thousands of joins
SELECT 1 FROM ship<3000 * , ship x>

-- changed: thousands of casts
SELECT 1<8000 * ::int>

-- changed: thousands of fields
SELECT a<8000 * .b>

-- changed: thousands of subscripts
SELECT tags<6000 * [1]> FROM ship

-- changed: thousands of ANDs
SELECT true<6000 *  AND true>

-- changed: thousands of WITH queries
WITH a AS (SELECT 1)<2500 * , a AS (SELECT 1)> SELECT 1

-- changed: thousands of concatenations
SELECT 'a'<5000 *  || 'a'>

-- changed: thousands of rows
VALUES (1)<8000 * , (1)>

-- changed: a name of sixty thousand letters
SELECT <60000 * x>

-- changed: a number of thirty thousand digits
SELECT <30000 * 9>

-- changed: nested comments by the thousand
SELECT <8000 * /*>1<8000 * */>

-- changed: nested row types by the thousand
SELECT <3000 * ROW(>1<3000 * )>

-- changed: statement ends by the thousand
SELECT 1<9000 * ;>DELETE FROM ship

-- changed: an empty statement before the write
;;; DELETE FROM ship

-- changed: psql's commands
\g
DELETE FROM ship

-- changed: a copy of psql's \gexec
SELECT 'DELETE FROM ship' \gexec

-- changed: other dialects' GO
SELECT 1
GO
DELETE FROM ship

-- changed: MySQL's conditional comment
SELECT 1 /*! ; DELETE FROM ship */

-- changed: a hint for the planner
/*+ Set(transaction_read_only off) */ DELETE FROM ship

-- changed: an EXPLAIN inside brackets
SELECT * FROM (EXPLAIN ANALYZE DELETE FROM ship) x

-- changed: a WITH query that holds a utility statement
WITH a AS (VACUUM) SELECT 1

-- changed: SELECT with a row mark in an unread WITH query
WITH a AS (SELECT 1 INTO pwn) SELECT 1
