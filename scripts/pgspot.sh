#!/usr/bin/env bash
# Look for search_path holes in the extension script. pgspot pins an older pglast than ours, so
# it has an environment of its own.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

tool=.local/pgspot/bin/pgspot
if [ ! -x "$tool" ]; then
    .local/venv/bin/python -m venv .local/pgspot
    .local/pgspot/bin/pip install -q --disable-pip-version-check 'pgspot>=0.9'
fi
# @extschema@ is no SQL until CREATE EXTENSION has put a schema in its place.
cat extension/sql/*.sql | sed 's/@extschema@/public/g' > .local/pgspot/script.sql
"$tool" --ignore-lang plpython3u .local/pgspot/script.sql > .local/pgspot/found || true
grep -q 'Errors: 0 Warnings: 0 Unknown: 0' .local/pgspot/found || { cat .local/pgspot/found; exit 1; }
