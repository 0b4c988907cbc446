\echo Use "CREATE EXTENSION nl2sql" to load this file. \quit

-- Front-door functions live in the schema that CREATE EXTENSION is given, internals in nl2sql.
-- Every body is a socket: the machine behind it is the Python package nl2sql_fdw.

SET LOCAL search_path = pg_catalog, pg_temp;

CREATE SCHEMA nl2sql;
COMMENT ON SCHEMA nl2sql IS 'internals of the nl2sql extension: profiles, executors, sockets';
