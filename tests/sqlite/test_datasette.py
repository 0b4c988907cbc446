"""A real Datasette with the package installed offers the functions in SQL."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest
from fake_model import NAME, FakeModel

if importlib.util.find_spec("datasette") is None:
    pytest.skip("datasette is not installed", allow_module_level=True)


def get(url: str) -> dict:
    with urllib.request.urlopen(url, timeout=60) as reply:
        return json.load(reply)


def test_a_question_is_asked_in_the_sql_of_a_page(tmp_path: Path):
    with closing(sqlite3.connect(tmp_path / "sea.db")) as made:
        made.execute("CREATE TABLE ship AS SELECT 1 AS id, 'Ada' AS name")
        made.commit()
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with FakeModel() as model:
        model.default = "SELECT name FROM ship"
        environment = {**os.environ, "NL2SQL_MODEL_URL": model.url, "NL2SQL_MODEL": NAME}
        command = [sys.executable, "-m", "datasette", "sea.db", "--port", str(port),
                   "--setting", "sql_time_limit_ms", "60000"]  # fmt: skip
        served = subprocess.Popen(
            command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True
        )
        try:
            base = f"http://127.0.0.1:{port}"
            wait_for(f"{base}/-/versions.json", served)
            plugins = get(f"{base}/-/plugins.json")
            assert "nl2sql" in json.dumps(plugins)
            sql = urllib.parse.quote(
                "select nl2sql('names?') as x, nl2sql_run('DROP TABLE ship') as y"
            )
            rows = get(f"{base}/sea.json?_shape=array&sql={sql}")
            assert rows[0]["x"] == '[{"name":"Ada"}]'
            assert json.loads(rows[0]["y"])["status"] == "refused"
        finally:
            served.terminate()
            served.communicate(timeout=20)


def wait_for(url: str, served: subprocess.Popen) -> None:
    ends = time.monotonic() + 60
    while True:
        try:
            get(url)
            return
        except (urllib.error.URLError, ConnectionError):
            assert served.poll() is None, served.communicate()[1]
            assert time.monotonic() < ends
            time.sleep(0.2)
