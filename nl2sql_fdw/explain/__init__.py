"""What can be said of one query from its tree, the schema and its plan; nothing here runs it."""

from nl2sql_fdw import grammar  # noqa: F401  before any module here imports pglast: see there why
