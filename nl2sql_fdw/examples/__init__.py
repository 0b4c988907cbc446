"""Examples of questions with their SQL: a small bank of our own, and the pairs people taught."""

from nl2sql_fdw.examples.bank import bank
from nl2sql_fdw.examples.choice import choose

__all__ = ["bank", "choose"]
