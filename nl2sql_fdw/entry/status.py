"""Health, one row per part, for nl2sql_status() and the doctor."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import nl2sql_fdw
from nl2sql_fdw import pipeline
from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import Nl2sqlError
from nl2sql_fdw.schema import catalog
from nl2sql_fdw.types import Profile

Check = dict[str, str]


def checks(db: Database, profile: Profile) -> list[Check]:
    """Return (component, status, detail, hint) rows; status is ok, warning or missing."""
    return [*_python(), *_reader(db, profile), *_schema(db, profile), *_model(profile)]


def _row(component: str, status: str, detail: str, hint: str = "") -> Check:
    return {"component": component, "status": status, "detail": detail, "hint": hint}


def _python() -> Iterator[Check]:
    yield _row("interpreter", "ok", f"Python {sys.version.split()[0]} at {sys.prefix}")
    yield _row("sys.path", "ok", ":".join(sys.path))
    where = Path(nl2sql_fdw.__file__).parent
    yield _row("nl2sql_fdw", "ok", f"{nl2sql_fdw.__version__} at {where}")
    for package in ("pglast", "ollama", "numpy"):
        try:
            yield _row(package, "ok", version(package))
        except PackageNotFoundError:
            yield _row(package, "missing", "not importable", f"pip install {package}")


def _reader(db: Database, profile: Profile) -> Iterator[Check]:
    caller = db.caller()
    yield _row("caller", "ok", caller)
    schemas = ", ".join(profile.schemas) if profile.schemas else "all readable"
    yield _row(
        "profile",
        "ok",
        f"{profile.name}: reader {profile.reader}, schemas {schemas}, {profile.time_limit_ms} ms, "
        f"{profile.max_rows} rows, cost {profile.max_cost:.0f}",
    )
    yield from _caller_mode(db) if profile.run_as == "caller" else _reader_mode(db, profile)


def _reader_mode(db: Database, profile: Profile) -> Iterator[Check]:
    roles = db.query(
        "SELECT rolsuper OR rolbypassrls OR rolcanlogin AS unsafe FROM pg_roles WHERE rolname = $1",
        profile.reader,
    )
    mend = "Run sql/roles.sql as a superuser."
    if not roles:
        yield _row("reader", "missing", f"no role {profile.reader}", mend)
    elif roles[0]["unsafe"]:
        yield _row("reader", "warning", f"{profile.reader} can log in or bypass security", mend)
    else:
        yield _row("reader", "ok", profile.reader)
    executor = _executor(db, f"execute_as_{profile.reader}")
    if executor and executor["definer"] and executor["owner"] == profile.reader:
        yield _row("executor", "ok", f"nl2sql.execute_as_{profile.reader}")
    else:
        yield _row("executor", "missing", "absent, or not owned by the reader", mend)
    if not (executor and executor["bounds_files"]):
        yield from _temp_files(db)


def _caller_mode(db: Database) -> Iterator[Check]:
    executor = _executor(db, "execute_as_caller")
    if executor and not executor["definer"]:
        yield _row("executor", "ok", "nl2sql.execute_as_caller: queries run as whoever asks")
    else:
        mend = "DROP EXTENSION nl2sql CASCADE, then CREATE EXTENSION nl2sql."
        yield _row("executor", "missing", "execute_as_caller is absent, or SECURITY DEFINER", mend)
    yield from _temp_files(db)


def _executor(db: Database, name: str) -> Mapping[str, Any] | None:
    rows = db.query(
        "SELECT p.prosecdef AS definer, pg_get_userbyid(p.proowner)::text AS owner,"
        " coalesce(p.proconfig::text LIKE '%temp_file_limit=%', false) AS bounds_files"
        " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
        " WHERE n.nspname = 'nl2sql' AND p.proname = $1",
        name,
    )
    return rows[0] if rows else None


def _temp_files(db: Database) -> Iterator[Check]:
    limit = db.query("SELECT current_setting('temp_file_limit') AS value")[0]["value"]
    if limit == "-1":
        mend = "Set temp_file_limit in postgresql.conf, to 1GB for example."
        yield _row("temporary files", "warning", "a query's temporary files are not limited", mend)


def _schema(db: Database, profile: Profile) -> Iterator[Check]:
    try:
        schema = catalog.read(db, profile)
    except Nl2sqlError as error:
        yield _row("readable", "missing", f"{error.message} {error.detail}", error.hint)
        return
    yield _row("readable", "ok", f"{len(schema.relations)} tables and views")
    for denial in pipeline.denied(db, profile, schema):
        yield _row(
            "row security" if denial.bypasses else "view",
            "warning",
            f"{denial.name} {denial.reason}; it is left out",
            f"Mend the view, or add {denial.name} to allow_views of profile {profile.name}.",
        )


def _model(profile: Profile) -> Iterator[Check]:
    from nl2sql_fdw.model.probe import probe

    name = f"{profile.model_provider} {profile.model_name} at {profile.model_url}"
    try:
        probe(profile)
    except Nl2sqlError as error:
        yield _row("model", "missing", f"{name}: {error.message}", error.hint)
        return
    yield _row("model", "ok", name)
