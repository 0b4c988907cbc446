#!/usr/bin/env bash
# Make .local/dbt, the environment that the tests of the dbt package use: dbt's own dependencies
# stay apart from ours, as they would on a user's machine.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

wanted='dbt-core~=1.10.0 dbt-postgres~=1.9.0 dbt-sqlite~=1.10.0'
stamp=.local/dbt/wanted
if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    echo "dbt, in an environment of its own ..."
    .local/venv/bin/python -m venv .local/dbt
    # shellcheck disable=SC2086 # one word per package
    .local/dbt/bin/pip install -q --disable-pip-version-check $wanted
    echo "$wanted" > "$stamp"
fi
