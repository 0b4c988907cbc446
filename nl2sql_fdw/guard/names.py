"""Rules on names: functions, operators, types, relations, columns, and what follows a dot."""

from __future__ import annotations

from typing import Any

from nl2sql_fdw.guard import lists
from nl2sql_fdw.guard.findings import Findings
from nl2sql_fdw.guard.policy import Policy, Refusal

CATALOG = "pg_catalog"
CLOSED_SCHEMAS = frozenset({CATALOG, "information_schema", "nl2sql"})
SYSTEM_COLUMNS = frozenset({"xmin", "xmax", "cmin", "cmax"})


def parts(names: Any) -> tuple[str, ...]:
    """Return the decoded words of a dotted name."""
    return tuple(name.sval for name in names)


def is_closed_schema(schema: str) -> bool:
    """Tell whether a schema is the server's own or ours."""
    return schema in CLOSED_SCHEMAS or schema.startswith("pg_")


def check_schema(schema: str, what: str, policy: Policy) -> None:
    """Refuse a schema that is the server's own, or that the profile leaves out."""
    if is_closed_schema(schema):
        raise Refusal(
            "relation",
            f"{what} belongs to the system schema {schema}.",
            "Ask about your own tables.",
        )
    if policy.schemas is not None and schema not in policy.schemas:
        raise Refusal(
            "relation",
            f"{what} is in the schema {schema}, which this profile does not open.",
            f"Open schemas: {', '.join(policy.schemas) or 'none'}.",
        )


def check_relation(node: Any, found: Findings) -> None:
    """Refuse system catalogs, other databases and closed schemas; note the rest."""
    schema, name = node.schemaname, node.relname
    if node.catalogname is not None:
        raise Refusal(
            "relation",
            f"{node.catalogname}.{schema}.{name} names a database.",
            "Leave the database's name out.",
        )
    if schema is not None:
        check_schema(schema, f"{schema}.{name}", found.policy)
    if name.startswith("pg_"):  # extensions put pg_stat_statements and its like anywhere
        raise Refusal("relation", f"{name} is a system catalog.", "Ask about your own tables.")
    found.relations[(schema, name)] = None


def check_function(
    words: tuple[str, ...], count: int, found: Findings, variadic: bool = False
) -> None:
    """Refuse a function that neither the reviewed list nor the profile allows."""
    schema, name = _split(words, "function", "function")
    opened = found.policy.functions
    counts = lists.functions().get(name) if schema in (None, CATALOG) else None
    if not _is_opened(schema, name, opened):
        if counts is None:
            raise Refusal(
                "function",
                f"The function {'.'.join(words)} is not on the list of allowed functions.",
                "Use another function, or let the database's owner add it to the profile.",
            )
        if not (counts.allow(count) or variadic) or (variadic and not counts.variadic):
            raise Refusal(
                "function", f"The allowed function {name} does not take {count} arguments."
            )
    found.functions[(schema, name, count)] = None


def _is_opened(schema: str | None, name: str, opened: tuple[str, ...]) -> bool:
    if schema is None:
        return any(entry.rpartition(".")[2] == name for entry in opened)
    return f"{schema}.{name}" in opened or (schema == CATALOG and name in opened)


def _split(words: tuple[str, ...], layer: str, what: str) -> tuple[str | None, str]:
    if len(words) > 2:
        raise Refusal(layer, f"The {what} {'.'.join(words)} names a database.")
    return (words[0] if len(words) == 2 else None), words[-1]


def check_operator(words: tuple[str, ...], found: Findings) -> None:
    """Refuse an operator written with a schema that is not pg_catalog or the profile's."""
    schema, name = _split(words, "operator", "operator")
    if schema not in (None, CATALOG) and schema not in found.policy.operator_schemas:
        raise Refusal(
            "operator",
            f"The operator {schema}.{name} is not one of the server's own.",
            f"Write {name} alone.",
        )
    found.operators[(schema, name)] = None


def check_type(words: tuple[str, ...], found: Findings) -> None:
    """Refuse a type of pg_catalog that is not on the list; hand a user's type on, by name.

    A listed one needs no look: pg_catalog comes first in the search path.
    """
    schema, name = _split(words, "type", "type")
    base = name[1:] if name.startswith("_") else name
    allowed, refused = lists.types()
    is_known = base in allowed if schema in (None, CATALOG) else False
    if is_known:
        return
    if not (name in found.policy.types or ".".join(words) in found.policy.types):
        is_catalog = schema == CATALOG or (schema is None and _is_catalog_type(base, refused))
        if is_catalog or (schema is not None and is_closed_schema(schema)):
            raise Refusal(
                "type",
                f"The type {'.'.join(words)} is not on the list of allowed types.",
                "Cast to an ordinary type such as text, numeric or date.",
            )
        if schema is not None:
            check_schema(schema, f"The type {schema}.{name}", found.policy)
    found.types[(schema, name)] = None


def _is_catalog_type(base: str, refused: frozenset[str]) -> bool:
    return base in refused or base.startswith(("pg_", "reg"))


def check_column(words: tuple[str, ...], found: Findings) -> None:
    """Note a column reference; refuse another database's, and a call in the form x.f."""
    if len(words) > 3:
        raise Refusal("column", f"The column {'.'.join(words)} names a database.")
    found.columns.add(words[-1])
    if len(words) == 1:
        found.single_names.add(words[0])
    else:
        check_attribute(words[-1], found)


def check_attribute(name: str, found: Findings) -> None:
    """Refuse a name after a dot that PostgreSQL would call as a function: x.f is f(x)."""
    names, prefixes = lists.closed_attributes()
    if name in names or name.startswith(prefixes):
        raise Refusal(
            "function",
            f"PostgreSQL would run .{name} as the function {name}, which is not allowed.",
            "Use another column name.",
        )
    found.attributes.add(name)


def check_system_columns(found: Findings) -> None:
    """Refuse the columns that hold transaction numbers, unless the query names its own so."""
    hidden = (found.columns & SYSTEM_COLUMNS) - found.output_names
    if hidden:
        raise Refusal(
            "column",
            f"The system column {min(hidden)} is not for questions.",
            "Leave it out.",
        )
