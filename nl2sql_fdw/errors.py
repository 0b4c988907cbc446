"""The errors a person may meet: a message, a SQLSTATE of class N2, a detail and a hint.

They are raised anywhere, and turned into a database error or an exit status once,
at the edge (nl2sql_fdw.entry).
"""

from __future__ import annotations

from typing import ClassVar


class Nl2sqlError(Exception):
    """Base of all: `str(error)` is the message, one sentence for a person."""

    sqlstate: ClassVar[str] = "N2000"
    status: ClassVar[str] = "error"

    def __init__(self, message: str, detail: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.hint = hint


class Refused(Nl2sqlError):
    """The guard, or a layer behind it, said no.

    `mendable` tells whether the same question may have an allowed answer: a function
    that is not on the list can be done without, a DELETE cannot.
    """

    sqlstate = "N2001"
    status = "refused"

    def __init__(
        self, message: str, detail: str = "", hint: str = "", mendable: bool = False
    ) -> None:
        super().__init__(message, detail, hint)
        self.mendable = mendable


class TooExpensive(Nl2sqlError):
    """The planner's estimate is over the profile's limit."""

    sqlstate = "N2002"
    status = "too_expensive"


class TimeLimit(Nl2sqlError):
    """The query ran past the profile's time limit and was cancelled."""

    sqlstate = "N2003"
    status = "time_limit"


class ModelUnavailable(Nl2sqlError):
    """No usable reply: server down, model missing, loading too long, hanging, or broken."""

    sqlstate = "N2004"
    status = "model_unavailable"


class NoValidSql(Nl2sqlError):
    """The model's SQL did not survive; the detail has the last SQL and the server's reason.

    `server_sqlstate` is the SQLSTATE the server gave for the SQL, where it gave one.
    """

    sqlstate = "N2005"
    status = "no_valid_sql"

    def __init__(
        self, message: str, detail: str = "", hint: str = "", server_sqlstate: str = ""
    ) -> None:
        super().__init__(message, detail, hint)
        self.server_sqlstate = server_sqlstate


class NeedsClarification(Nl2sqlError):
    """The question has several readings; the message asks which one."""

    sqlstate = "N2006"
    status = "needs_clarification"


class NotPermitted(Nl2sqlError):
    """The caller, or the reader, lacks a privilege that the SQL needs."""

    sqlstate = "N2007"
    status = "not_permitted"


class CannotAnswer(Nl2sqlError):
    """The database does not hold what the question asks for."""

    sqlstate = "N2008"
    status = "cannot_answer"


class CapReached(Nl2sqlError):
    """More rows or bytes than the profile allows, and it does not allow a partial result."""

    sqlstate = "N2009"
    status = "cap_reached"


class MemoryLimit(CapReached):
    """The query took more memory than the profile allows; for the asker it is a cap (N2009)."""


class BadSetup(Nl2sqlError):
    """Something is not installed or configured: unknown profile, no executor, no module."""

    sqlstate = "N2010"
    status = "bad_setup"


class BadQuestion(Nl2sqlError):
    """The question is empty, too long, or holds characters no question needs."""

    sqlstate = "N2011"
    status = "bad_question"


BY_SQLSTATE: dict[str, type[Nl2sqlError]] = {
    cls.sqlstate: cls
    for cls in (
        Refused, TooExpensive, TimeLimit, ModelUnavailable, NoValidSql, NeedsClarification,
        NotPermitted, CannotAnswer, CapReached, BadSetup, BadQuestion,
    )
}  # fmt: skip


class ServerError(Exception):
    """An error of the database server itself, in one form for SPI, psycopg and sqlite3.

    `canceled` errors (SQLSTATE 57014) end the whole call and are never repaired.
    `position` is the 1-based character of the statement the server points at, or 0.
    """

    def __init__(
        self, message: str, sqlstate: str, detail: str = "", hint: str = "", position: int = 0
    ) -> None:
        super().__init__(message)
        self.message = message
        self.sqlstate = sqlstate
        self.detail = detail
        self.hint = hint
        self.position = position

    @property
    def canceled(self) -> bool:
        return self.sqlstate == "57014"


_PASSED_ON = ("08", "40", "53", "57", "58", "XX")
"""SQLSTATE classes that say nothing of the SQL: lost connection, rollback, resources, cancel."""


def blame(error: ServerError, sql: str) -> Exception:
    """Return what an error of the server means for the SQL that met it."""
    detail = f"Layer: server ({error.sqlstate}). {error.detail} SQL: {sql}".replace("  ", " ")
    if error.sqlstate == "42501":
        return NotPermitted(
            f"The reader may not: {error.message}.", detail, "GRANT SELECT on it to the reader."
        )
    if error.sqlstate == "25006":
        return Refused(
            f"Refused: {error.message}.", detail, "Only reading is possible, whatever is asked."
        )
    if error.sqlstate[:2] in _PASSED_ON:
        return error
    return NoValidSql(error.message, detail, error.hint, error.sqlstate)
