-- setting: the search path, for the session
SELECT set_config('search_path', 'evil', false)

-- setting: the search path in a WITH query nobody reads
WITH a AS MATERIALIZED (SELECT set_config('search_path', 'evil', false)) SELECT * FROM a

-- setting: row security off
SELECT set_config('row_security', 'off', false)

-- setting: a time zone
SELECT set_config('TimeZone', 'Asia/Tokyo', false)

-- setting: work_mem
SELECT set_config('work_mem', '2GB', false)

-- setting: standard_conforming_strings, so that the next literal reads otherwise
SELECT set_config('standard_conforming_strings', 'off', false)

-- setting: the notices' level
SELECT set_config('client_min_messages', 'debug5', false)

-- setting: our own preference
SELECT set_config('nl2sql.verbose', 'on', false)

-- setting: an application's setting
SELECT set_config('app.tenant', 'b', false)

-- setting: as a statement
SET search_path = evil

-- setting: as a second statement
SELECT 1; SET work_mem = '2GB'

-- setting: RESET
RESET ALL

-- setting: DISCARD
DISCARD ALL

-- setting: set_config by a call with names
SELECT set_config(setting_name => 'work_mem', new_value => '1GB', is_local => false)

-- setting: in a lateral subquery
SELECT * FROM ship, LATERAL (SELECT set_config('app.tenant', 'b' || id, false)) x

-- setting: in a CASE that is always taken
SELECT CASE WHEN 1 = 1 THEN set_config('work_mem', '1GB', false) END FROM ship

-- setting: written as a schema's function
SELECT "pg_catalog"."set_config"('work_mem', '1GB', false)

-- setting: through UPDATE of the view that shows settings
UPDATE pg_settings SET setting = '1GB' WHERE name = 'work_mem'

-- setting: setseed as a field
SELECT (0.5::float8).setseed, set_config('work_mem', '1GB', false)

-- leftover: a temporary table
CREATE TEMP TABLE mine AS SELECT 1

-- leftover: SELECT INTO TEMP
SELECT * INTO TEMP mine FROM ship

-- leftover: a prepared statement
PREPARE q AS SELECT 1

-- leftover: a cursor
DECLARE c CURSOR WITH HOLD FOR SELECT * FROM ship

-- leftover: a cursor behind an honest statement
SELECT 1; DECLARE c CURSOR FOR SELECT 1

-- leftover: connectby and crosstab leave what they made
SELECT * FROM crosstab('CREATE TEMP TABLE mine AS SELECT 1') AS t(a int, b int)

-- leftover: a savepoint is left open
SAVEPOINT a

-- setting: transaction mode
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE

-- setting: characteristics of the session
SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY

-- setting: a setting changed in a loop over rows
SELECT (SELECT set_config('statement_timeout', '0', false)) FROM ship

-- leftover: lo_open leaves a descriptor and a snapshot
SELECT lo_creat(-1), lo_open(4242, 262144)

-- setting: search_path is turned to a hostile schema, for later calls of the caller
-- before: CREATE TEMP TABLE ship (id text)
-- before: INSERT INTO pg_temp.ship VALUES ('x')
SELECT set_config('search_path', 'pg_temp, public', false), id::text FROM ship
