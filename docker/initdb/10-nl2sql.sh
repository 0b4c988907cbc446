#!/usr/bin/env bash
# Make the demo in a new database: the postgres image runs this once, when its data volume is empty.
# Needs POSTGRES_USER, POSTGRES_DB and ANALYST_PASSWORD.
set -euo pipefail

scripts=${NL2SQL_SCRIPTS:-/usr/local/share/nl2sql}
asker=${NL2SQL_ASKER:-analyst}
: "${ANALYST_PASSWORD:?choose the password of the role $asker}"

run() {
    psql -X -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" "$@"
}

run <<SQL
CREATE EXTENSION plpython3u;
CREATE EXTENSION nl2sql;
SQL

run -f "$scripts/demo.sql"

# The password is not an argument, which others on the machine could read.
run -v asker="$asker" <<'SQL'
\getenv password ANALYST_PASSWORD
CREATE ROLE :"asker" LOGIN PASSWORD :'password';
SQL

run -v asker="$asker" -v schemas=shop,warehouse -f "$scripts/roles.sql"

for role in nl2sql_reader "$asker"; do
    run -v role="$role" -f "$scripts/demo_grants.sql"
done
