"""How tests reach the test cluster, and what they do where a part of it is absent."""

from __future__ import annotations

import os

import psycopg
import pytest

REQUIRED = os.environ.get("NL2SQL_REQUIRE_ALL") == "1"
"""Set by `make test`: a missing part is then a failure, not a skip."""


def missing(reason: str) -> None:
    """Skip with the reason, or fail where every part is required."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


def connect(dbname: str, user: str | None = None, **options: object) -> psycopg.Connection:
    """Open an autocommit connection to the test cluster, as the admin unless told otherwise."""
    return psycopg.connect(
        dbname=dbname,
        user=user or os.environ.get("NL2SQL_ADMIN", "postgres"),
        autocommit=True,
        **options,  # type: ignore[arg-type]
    )
