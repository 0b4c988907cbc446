"""Guarded natural-language questions for PostgreSQL and SQLite, on a local model."""

__version__ = "1.0.0"
