-- escaped: SET ROLE as a statement
SET ROLE postgres

-- escaped: RESET ROLE, back to the caller
RESET ROLE

-- escaped: SET SESSION AUTHORIZATION
SET SESSION AUTHORIZATION postgres

-- escaped: the role setting to none leaves a SET LOCAL ROLE (why the executor is a definer function)
WITH a AS MATERIALIZED (SELECT set_config('role', 'none', true) AS s) SELECT current_user AS who FROM a WHERE s IS NOT NULL

-- escaped: the role setting, for the session
WITH a AS MATERIALIZED (SELECT set_config('role', 'none', false) AS s) SELECT current_user AS who FROM a WHERE s IS NOT NULL

-- escaped: the role setting to a superuser
WITH a AS MATERIALIZED (SELECT set_config('role', 'postgres', true) AS s) SELECT current_user AS who FROM a WHERE s IS NOT NULL

-- escaped: the role setting in odd case
WITH a AS MATERIALIZED (SELECT set_config('ROLE', 'postgres', true) AS s) SELECT current_user AS who FROM a WHERE s IS NOT NULL

-- escaped: session_authorization as a setting
WITH a AS MATERIALIZED (SELECT set_config('session_authorization', 'postgres', false) AS s) SELECT current_user AS who FROM a WHERE s IS NOT NULL

-- escaped: set_config with its name in unicode escapes
SELECT U&"set\005fconfig"('role', 'none', false)

-- escaped: set_config in the WHERE of a table, once a row
SELECT current_user AS who FROM ship WHERE set_config('role', 'none', true) IS NOT NULL

-- escaped: a planted function that changes the session's role
SELECT become('postgres') AS who

-- escaped: set_config through a function that runs text
SELECT run('SELECT set_config(''role'', ''none'', false)') AS who

-- escaped: the executor's definer function is asked who it is after a reset inside
SELECT run('RESET ROLE; SELECT current_user') AS who

-- changed roles: the asker made a superuser
ALTER ROLE attack_asker SUPERUSER

-- changed roles: the same by a definer's function that runs text
SELECT run_as_owner('ALTER ROLE attack_asker SUPERUSER')

-- changed roles: the same over dblink
SELECT dblink_exec('dbname=@DB@ host=@SOCKET@ user=postgres', 'ALTER ROLE attack_asker SUPERUSER')

-- changed roles: the same over dblink with a made-up password
SELECT dblink_exec('dbname=@DB@ host=@SOCKET@ user=postgres password=x', 'ALTER ROLE attack_asker SUPERUSER')

-- changed roles: the same over dblink, unprivileged form
SELECT dblink_connect_u('c', 'dbname=@DB@ host=@SOCKET@ user=postgres'), dblink_exec('c', 'ALTER ROLE attack_asker SUPERUSER')

-- changed members: membership in a group
GRANT pg_read_server_files TO attack_asker

-- changed roles: a password is set
ALTER USER attack_other PASSWORD 'x'

-- changed roles: a role is made
CREATE ROLE attack_new SUPERUSER LOGIN

-- changed: rights by default
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC

-- changed: a table changes hands
ALTER TABLE vault OWNER TO attack_asker

-- changed: a policy is dropped
DROP POLICY own ON invoice

-- changed: a function is made a definer's
ALTER FUNCTION run(text) SECURITY DEFINER

-- changed: an executor of his own making, as the owner of the machine
CREATE FUNCTION nl2sql.execute_as_postgres(sql text, profile text, fetch_rows boolean, OUT header text, OUT rows text[]) LANGUAGE sql SECURITY DEFINER AS 'SELECT 1, 2'

-- changed: a profile with a superuser as its reader
-- direct: yes
INSERT INTO nl2sql.profile (name, reader) VALUES ('mine', 'postgres')

-- shows "who": a profile whose reader is not the executor's
-- direct: yes
SELECT rows FROM nl2sql."execute_as_@READER@"('SELECT current_user AS who', 'no such profile', true)

-- escaped: an untrusted language, if only the guard let a DO through
DO LANGUAGE plpython3u $$ plpy.execute("reset role") $$

-- escaped: a library is loaded
LOAD '$libdir/plpython3'

-- changed: an extension is made
CREATE EXTENSION pg_buffercache

-- changed: an event trigger
CREATE EVENT TRIGGER e ON ddl_command_end EXECUTE FUNCTION tell()

-- changed settings: a setting for everybody
ALTER DATABASE "@DB@" SET search_path = hidden

-- changed: the server's configuration
ALTER SYSTEM SET shared_preload_libraries = 'x'

-- escaped: a definer's function redefines itself
CREATE OR REPLACE FUNCTION reveal() RETURNS text LANGUAGE sql AS $$ SELECT 'x' $$

-- escaped: the caller is another role, and so is the caller's name
-- before: SET ROLE attack_askers
SELECT current_user AS who, session_user FROM harbour

-- changed roles: a profile closed to the caller
-- profile: closed
SELECT run_as_owner('ALTER ROLE attack_asker SUPERUSER')

-- shows Ship 1": a profile that is open to others only
-- profile: closed
SELECT name FROM ship WHERE id = 1

-- escaped: a query_to_xml that sets the role
SELECT query_to_xml('SELECT set_config(''role'',''none'',false)', true, false, ''), current_user AS who
