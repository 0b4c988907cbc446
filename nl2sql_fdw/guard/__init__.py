"""The guard: nothing a model wrote runs before one of these has returned a verdict."""

from nl2sql_fdw.guard.policy import Policy
from nl2sql_fdw.guard.postgres import check, is_bounded

__all__ = ["Policy", "check", "is_bounded"]
