-- Let a role read the demo's data, but no e-mail address or phone number. Idempotent:
--
--     psql -d demo -v role=analyst -f demo_grants.sql
--
-- Run it for whoever asks and for the reader, after roles.sql (which grants whole tables).

\set ON_ERROR_STOP on

BEGIN;
GRANT USAGE ON SCHEMA shop, warehouse TO :"role";
GRANT SELECT ON ALL TABLES IN SCHEMA shop, warehouse TO :"role";
REVOKE SELECT ON shop.customer FROM :"role";
GRANT SELECT (id, first_name, last_name, city, country_code, "group", newsletter, joined_on)
    ON shop.customer TO :"role";
COMMIT;
