-- Who asks and who reads. Idempotent; run by a superuser in each database that has the extension:
--
--     psql -d mydb -f roles.sql -v asker=analyst -v schemas=public,sales
--
-- reader   the role that every query runs as           (default nl2sql_reader)
-- askers   the group whose members may ask             (default nl2sql_asker)
-- asker    a login role to put into that group         (default: none)
-- schemas  what the reader may read, comma-separated   (default: public);
--          where given, also the schemas of the default profile, in search order
--
-- A caller still sees only what the caller itself may SELECT: reader AND caller.

\set ON_ERROR_STOP on
\if :{?reader} \else \set reader nl2sql_reader \endif
\if :{?askers} \else \set askers nl2sql_asker \endif
\set listed NULL
\if :{?schemas}
    SELECT quote_literal(string_to_array(replace(:'schemas', ' ', ''), ',')) AS listed \gset
\else
    \set schemas public
\endif

BEGIN;

SELECT format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOINHERIT', name)
FROM (VALUES (:'reader'), (:'askers')) AS wanted(name)
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name) \gexec

SELECT format('GRANT USAGE ON SCHEMA %1$I TO %2$I', trim(name), :'reader'),
       format('GRANT SELECT ON ALL TABLES IN SCHEMA %1$I TO %2$I', trim(name), :'reader')
FROM string_to_table(:'schemas', ',') AS name \gexec

INSERT INTO nl2sql.profile (name, reader, schemas) VALUES ('default', :'reader', :listed)
ON CONFLICT (name) DO UPDATE SET schemas = coalesce(excluded.schemas, profile.schemas);
SELECT nl2sql.create_executor(:'reader') AS executor;
SELECT nl2sql.grant_asker(:'askers') AS granted \gset

\if :{?asker}
SELECT format('GRANT %I TO %I', :'askers', :'asker') \gexec
\endif

COMMIT;
