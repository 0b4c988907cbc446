"""dbt-sqlite loads the extension by its `extensions` setting, and a model asks a question."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path

import loading
import pytest
from cluster import missing

DBT = loading.ROOT / ".local" / "dbt" / "bin" / "dbt"

PROJECT = "name: shop\nversion: '1.0'\nprofile: shop\nmodels: {+materialized: table}\n"
PROFILE = """
shop:
  target: dev
  outputs:
    dev:
      type: sqlite
      threads: 1
      database: shop
      schema: main
      schemas_and_paths: {{main: '{folder}/shop.db'}}
      schema_directory: '{folder}'
      extensions: ['{library}']
"""
MODEL = "SELECT row ->> '$.n' AS n FROM nl2sql_rows('sql: SELECT count(*) AS n FROM customer')\n"


@pytest.fixture
def project(tmp_path: Path, library: Path) -> Path:
    if not DBT.exists():
        missing("no dbt: run `make dbt`")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "customers.sql").write_text(MODEL)
    (tmp_path / "dbt_project.yml").write_text(PROJECT)
    (tmp_path / "profiles.yml").write_text(PROFILE.format(folder=tmp_path, library=library))
    with sqlite3.connect(tmp_path / "shop.db") as connection:
        connection.executescript(loading.SHOP)
    connection.close()
    return tmp_path


def test_a_model_is_built_from_a_question(project: Path):
    quiet = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DBT_USE_COLORS": "false"}
    done = subprocess.run(
        [DBT, "run", "--profiles-dir", project],
        cwd=project,
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    built = sqlite3.connect(project / "shop.db")
    assert built.execute("SELECT n FROM customers").fetchall() == [(3,)]
    built.close()
