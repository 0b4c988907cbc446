#!/usr/bin/env bash
# Ask a sample file three questions in the sqlite3 shell. Run by `make demo-sqlite`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

file=.local/demo.db
library=$(cd .local && python -c 'import nl2sql_fdw; print(nl2sql_fdw.__path__[0])')/extension/nl2sql0
rm -f "$file"
sqlite3 "$file" <scripts/demo-sqlite.sql

asked=$(mktemp)
trap 'rm -f "$asked"' EXIT
cat >"$asked" <<SQL
.load $library
.bail on
.print 'How many customers are there in each country?'
SELECT nl2sql_sql('how many customers are there in each country?');
SELECT row FROM nl2sql_rows('how many customers are there in each country?');
.print
.print 'Which 3 products are the most expensive?'
SELECT row FROM nl2sql_rows('which 3 products are the most expensive?');
.print
.print 'How many orders are there of each status?'
.mode box
CREATE VIRTUAL TABLE temp.answer USING nl2sql('how many orders are there of each status?');
SELECT * FROM answer;
SQL
sqlite3 "$file" <"$asked"
echo
echo "Ask your own:  . .local/env.sh && sqlite3 $file"
echo "               .load $library"
echo "               SELECT row FROM nl2sql_rows('...');"
