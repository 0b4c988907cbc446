-- Two tenants kept apart by row-level security, in three ways, as a demonstration. Idempotent;
-- run by a superuser after roles.sql:
--
--     psql -d mydb -f roles.sql -v schemas=tenancy && psql -d mydb -f rls.sql
--
-- reader   the role that queries run as           (default nl2sql_reader)
-- askers   the group whose members may ask        (default nl2sql_asker)
-- prefix   put before the names of the new roles: tenant_a and tenant_b, who log in
--          themselves, and tenant_pool, one login for both    (default: none)
--
-- way   table             policy reads      profile    cannot be forged because
-- 1     tenancy.invoice   session_user      default    no SQL changes it
-- 2     tenancy.ticket    app.tenant        setting    the guard refuses set_config(), and a
--                                                      query that assigns it anyway gets nothing
-- 3     tenancy.memo      current_user      caller     the guard refuses set_config(); here it
--                                                      is the only thing that does
--
-- Prefer the first. Where one login serves many tenants and becomes them by SET ROLE, write
-- coalesce(nullif(current_setting('role'), 'none'), session_user) in place of session_user:
-- inside the reader's executor the server itself refuses to change the role.

\set ON_ERROR_STOP on
\if :{?reader} \else \set reader nl2sql_reader \endif
\if :{?askers} \else \set askers nl2sql_asker \endif
\if :{?prefix} \else \set prefix '' \endif
SELECT :'prefix' || 'tenant_a' AS a, :'prefix' || 'tenant_b' AS b,
       :'prefix' || 'tenant_pool' AS pool \gset

BEGIN;

SELECT format('CREATE ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOINHERIT', name)
FROM (VALUES (:'a'), (:'b'), (:'pool')) AS wanted(name)
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name) \gexec
ALTER ROLE :"a" INHERIT;
ALTER ROLE :"b" INHERIT;
GRANT :"a", :"b" TO :"pool";
GRANT :"askers" TO :"a", :"b";
SELECT nl2sql.grant_asker(:'pool') AS granted \gset

CREATE SCHEMA IF NOT EXISTS tenancy;
COMMENT ON SCHEMA tenancy IS 'two tenants kept apart by row-level security, in three ways';

-- Who belongs to which tenant. Everybody sees the own line only, the reader included.
CREATE TABLE IF NOT EXISTS tenancy.member (login name PRIMARY KEY, tenant text NOT NULL);
CREATE TABLE IF NOT EXISTS tenancy.invoice (id int PRIMARY KEY, tenant text NOT NULL, customer text, amount numeric(10, 2));
CREATE TABLE IF NOT EXISTS tenancy.ticket (id int PRIMARY KEY, tenant text NOT NULL, subject text);
CREATE TABLE IF NOT EXISTS tenancy.memo (id int PRIMARY KEY, author name NOT NULL, body text);

INSERT INTO tenancy.member VALUES (:'a', 'a'), (:'b', 'b') ON CONFLICT DO NOTHING;
INSERT INTO tenancy.invoice
SELECT n, chr(97 + n % 2), 'customer of ' || chr(97 + n % 2), n * 10.5 FROM generate_series(1, 20) AS n
ON CONFLICT DO NOTHING;
INSERT INTO tenancy.ticket
SELECT n, chr(97 + n % 2), 'trouble of ' || chr(97 + n % 2) FROM generate_series(1, 20) AS n
ON CONFLICT DO NOTHING;
INSERT INTO tenancy.memo
SELECT n, CASE n % 2 WHEN 0 THEN :'a' ELSE :'b' END, 'thought of ' || chr(97 + n % 2)
FROM generate_series(1, 20) AS n
ON CONFLICT DO NOTHING;

-- FORCE: the tables' owner is bound as well.
SELECT format('ALTER TABLE tenancy.%I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', name),
       format('DROP POLICY IF EXISTS own_rows ON tenancy.%I', name)
FROM unnest(ARRAY['member', 'invoice', 'ticket', 'memo']) AS name \gexec

CREATE POLICY own_rows ON tenancy.member USING (login = session_user);
CREATE POLICY own_rows ON tenancy.invoice USING (tenant = (SELECT m.tenant FROM tenancy.member m));
CREATE POLICY own_rows ON tenancy.ticket USING (tenant = current_setting('app.tenant', true));
CREATE POLICY own_rows ON tenancy.memo USING (author = current_user);

GRANT USAGE ON SCHEMA tenancy TO :"reader", :"a", :"b", :"pool";
GRANT SELECT ON ALL TABLES IN SCHEMA tenancy TO :"reader";
GRANT SELECT ON tenancy.invoice, tenancy.ticket, tenancy.memo, tenancy.member TO :"a", :"b";
GRANT SELECT ON tenancy.ticket TO :"pool";

INSERT INTO nl2sql.profile (name, reader, schemas, watch_settings)
VALUES ('setting', :'reader', '{tenancy}', '{app.tenant}')
ON CONFLICT (name) DO UPDATE SET watch_settings = excluded.watch_settings;
INSERT INTO nl2sql.profile (name, schemas, run_as) VALUES ('caller', '{tenancy}', 'caller')
ON CONFLICT (name) DO UPDATE SET run_as = excluded.run_as;

COMMIT;
