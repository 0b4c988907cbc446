"""One question, asked wherever people ask: the typed rows are those of the gold, each time."""

from __future__ import annotations

import subprocess
import time
from datetime import date
from decimal import Decimal

import psycopg
import pytest
from cluster import connect
from pooler import PORT as POOLER_PORT
from pooler import pooler
from replica import PORT as REPLICA_PORT
from replica import replica
from shipyard import ASKER, Shipyard

GOLD = "SELECT id, name, tons, built FROM ship WHERE id < 4 ORDER BY id"
QUESTION = "the three oldest ships, with their tons"
ROWS = [(n, f"Ship {n}", Decimal("1.50") * n, date(2020, 1, 1 + n)) for n in (1, 2, 3)]
TEXT = "".join(f"{n}|Ship {n}|{tons}|{built}\n" for n, _, tons, built in ROWS)
FETCH = f"SELECT nl2sql_open('{QUESTION}', name => 'c')"


@pytest.fixture(scope="module")
def yard(shipyard_server: Shipyard) -> Shipyard:
    """The shipyard with the cache on, the question saved as a view, and asked once."""
    shipyard_server.model.clear()
    shipyard_server.profile(cache_minutes=60)
    shipyard_server.admin.execute(f"GRANT CREATE ON SCHEMA public TO {ASKER}")
    shipyard_server.model.enqueue(GOLD)
    with connect(shipyard_server.admin.info.dbname, ASKER) as asker:
        asker.execute("SELECT nl2sql_save('oldest', %s)", [QUESTION])
    return shipyard_server


@pytest.fixture(autouse=True)
def one_call(yard: Shipyard):
    """However it is asked, no model is called a second time."""
    yield
    assert len(yard.model.chats) == 1


@pytest.mark.parametrize(
    "script",
    [
        f"SELECT nl2sql_query('{QUESTION}') \\gexec",
        f"BEGIN; {FETCH} \\gset\nFETCH ALL FROM c; COMMIT;",
        "SELECT * FROM oldest;",
    ],
    ids=["gexec", "cursor", "saved view"],
)
def test_psql(yard, script):
    command = f"psql -X -q -t -A -U {ASKER} -d {yard.admin.info.dbname}"
    done = subprocess.run(command.split(), input=script, capture_output=True, text=True, check=True)
    assert (done.stderr, done.stdout) == ("", TEXT)


def ways(connection: psycopg.Connection, **options: bool) -> None:
    """Ask by each way that a program has."""
    query = connection.execute("SELECT nl2sql_query(%s)", [QUESTION]).fetchone()[0]
    assert connection.execute(query, **options).fetchall() == ROWS
    with connection.transaction():
        connection.execute(FETCH)
        assert connection.execute("FETCH ALL FROM c").fetchall() == ROWS
    assert connection.execute("SELECT * FROM oldest", **options).fetchall() == ROWS


def test_psycopg_with_prepared_statements_and_binary_values(yard):
    with connect(yard.admin.info.dbname, ASKER) as asker:
        ways(asker)
        ways(asker, prepare=True, binary=True)


def test_sqlalchemy_and_pandas(yard):
    import pandas
    import sqlalchemy

    info = yard.admin.info
    url = sqlalchemy.URL.create(
        "postgresql+psycopg", ASKER, database=info.dbname, query={"host": info.host}
    )
    engine = sqlalchemy.create_engine(url, connect_args={"port": info.port})
    try:
        frame = pandas.read_sql_query("SELECT * FROM oldest", engine, coerce_float=False)
        assert list(frame.itertuples(index=False, name=None)) == ROWS
        with engine.begin() as connection:
            asked = sqlalchemy.text("SELECT nl2sql_query(:question)")
            query = connection.execute(asked, {"question": QUESTION}).scalar_one()
            rows = connection.exec_driver_sql(query).fetchall()
        assert [tuple(row) for row in rows] == ROWS
        table = sqlalchemy.Table("oldest", sqlalchemy.MetaData(), autoload_with=engine)
        kinds = [str(column.type) for column in table.columns]
        assert kinds == ["INTEGER", "TEXT", "NUMERIC(10, 2)", "DATE"]
    finally:
        engine.dispose()


def test_pgbouncer_in_transaction_mode(yard):
    with pooler(yard.admin, ASKER) as folder:
        for _ in range(3):
            place = {"host": folder, "port": POOLER_PORT, "prepare_threshold": None}
            with connect(yard.admin.info.dbname, ASKER, **place) as asker:
                ways(asker)


def test_a_hot_standby(yard):
    with replica(yard.admin) as (folder, _):
        place = {"host": str(folder), "port": REPLICA_PORT}
        with connect(yard.admin.info.dbname, ASKER, **place) as asker:
            deadline = time.monotonic() + 20
            while not asker.execute("SELECT to_regclass('oldest')").fetchone()[0]:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            ways(asker)
            assert asker.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)


def test_a_read_only_transaction(yard):
    with connect(yard.admin.info.dbname, ASKER) as asker, asker.transaction():
        asker.execute("SET TRANSACTION READ ONLY")
        ways(asker)
