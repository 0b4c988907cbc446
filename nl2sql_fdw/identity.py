"""Reader AND caller: what a guarded statement touches, resolved in the catalog by OID.

The guard proved what the text says; this stage asks the server what its names mean
under the search path in force, and refuses what the caller could not read itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import NotPermitted, Refused
from nl2sql_fdw.types import Profile, Touched, Verdict

_RELATIONS = """
SELECT DISTINCT ON (w.schema, w.name) c.oid::bigint AS oid, n.nspname::text AS schema,
       c.relname::text AS name, c.relkind::text AS kind,
       n.nspname ~ '^(pg_|information_schema$|nl2sql$)' AS system,
       has_schema_privilege($4, n.oid, 'USAGE') AS may_use,
       has_table_privilege($4, c.oid, 'SELECT') AS whole,
       has_any_column_privilege($4, c.oid, 'SELECT') AS part,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND NOT a.attisdropped
               AND NOT has_column_privilege($4, c.oid, a.attnum, 'SELECT')) AS hidden
FROM unnest($1::text[], $2::text[]) AS w(schema, name)
JOIN pg_class c ON c.relname = w.name
JOIN pg_namespace n ON n.oid = c.relnamespace AND CASE WHEN w.schema IS NOT NULL
     THEN n.nspname = w.schema ELSE n.oid = pg_my_temp_schema() OR (n.nspname = ANY ($3::text[])
          AND has_schema_privilege(n.oid, 'USAGE')) END  -- what is closed is passed by
ORDER BY w.schema, w.name, array_position($3::text[], n.nspname::text)
"""

_TOUCHED = """
SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name,
       ARRAY(SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = c.oid AND NOT a.attisdropped AND a.attnum > 0
               AND ($3 OR a.attname = ANY ($2::text[])) ORDER BY a.attnum) AS columns
FROM unnest($1::text[]::oid[]) WITH ORDINALITY AS w(oid, place)
JOIN pg_class c USING (oid) JOIN pg_namespace n ON n.oid = c.relnamespace
ORDER BY w.place
"""

_SHADOWS = """
SELECT DISTINCT n.nspname || '.' || x.name AS shadow
FROM (SELECT 'pg_proc'::regclass AS class, p.oid, p.proname::text AS name, p.pronamespace AS space
      FROM pg_proc p WHERE p.proname = ANY ($1::text[])
      UNION ALL
      SELECT 'pg_operator'::regclass, o.oid, o.oprname::text, o.oprnamespace
      FROM pg_operator o WHERE o.oprname = ANY ($2::text[])) x
JOIN pg_namespace n ON n.oid = x.space
WHERE n.nspname = ANY ($3::text[])
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = x.class AND d.objid = x.oid
                  AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e')
"""

_ATTRIBUTES = """
SELECT DISTINCT n.nspname || '.' || p.proname AS name
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.proname = ANY ($1::text[]) AND n.nspname = ANY ($2::text[])
  AND p.oid >= 16384  -- below are the server's own, which the guard has reviewed
  AND (p.pronargs - p.pronargdefaults <= 1 OR p.provariadic <> 0) AND p.pronargs >= 1
"""

_TYPES = """
SELECT DISTINCT ON (w.schema, w.name) t.typname::text AS name, n.nspname::text AS schema,
       t.typtype = 'e' AND n.nspname !~ '^pg_' AND NOT EXISTS (  -- a cast's function is code
           SELECT FROM pg_cast k WHERE k.castfunc <> 0 AND t.oid IN (k.castsource, k.casttarget)
       ) AS plain
FROM unnest($1::text[], $2::text[]) AS w(schema, name)
JOIN pg_type t ON t.typname = w.name
JOIN pg_namespace n ON n.oid = t.typnamespace AND CASE WHEN w.schema IS NOT NULL
     THEN n.nspname = w.schema ELSE n.oid = pg_my_temp_schema() OR (n.nspname = ANY ($3::text[])
          AND has_schema_privilege(n.oid, 'USAGE')) END
ORDER BY w.schema, w.name, array_position($3::text[], n.nspname::text)
"""

_READABLE_KINDS = frozenset("rpvmf")


def require(db: Database, verdict: Verdict, profile: Profile, caller: str) -> tuple[int, ...]:
    """Return the OIDs of the relations that the statement names.

    Raises NotPermitted or Refused unless every name means something the caller may read.
    A name that does not exist passes: the server's own error is the better message.
    """
    path = ["pg_catalog", *profile.search_path, "pg_temp"]
    relations = _resolve(db, _RELATIONS, verdict.relations, path, caller)
    for relation in relations:
        _require_relation(relation, verdict, profile, caller)
    for found in _resolve(db, _TYPES, verdict.types, path):
        if not found["plain"]:
            raise _refused("type", f"type {found['schema']}.{found['name']} is not a plain enum")
    _require_no_shadow(db, verdict, profile)
    _require_no_hidden_call(db, verdict, profile, path)
    return tuple(relation["oid"] for relation in relations)


def touched(db: Database, verdict: Verdict, oids: Sequence[int]) -> tuple[Touched, ...]:
    """Return the relations that a judged statement reads, with those columns that it may name."""
    rows = db.query(_TOUCHED, [str(oid) for oid in oids], list(verdict.columns), verdict.whole_rows)
    return tuple(Touched(row["name"], tuple(row["columns"])) for row in rows)


def require_role(db: Database, profile: Profile, caller: str) -> None:
    """Raise NotPermitted unless the profile is open to the caller."""
    if profile.allowed_roles is None:
        return
    member = db.query(
        "SELECT coalesce(bool_or(pg_has_role($1, r.oid, 'USAGE')), false) AS yes"
        " FROM pg_roles r WHERE r.rolname::text = ANY ($2)",
        caller,
        list(profile.allowed_roles),
    )
    if not member[0]["yes"]:
        raise NotPermitted(
            f"Role {caller} may not use profile {profile.name}.",
            detail="Layer: identity. The profile's allowed_roles name others.",
            hint="Ask the owner of the profile to add your role, or name another profile.",
        )


def require_bound(db: Database, profile: Profile, caller: str) -> None:
    """Raise NotPermitted where queries run as a caller whom row security does not bind.

    Nor may the caller's session be able to become such a role.
    """
    if profile.run_as != "caller":
        return
    above = db.query(
        "SELECT r.rolname::text AS name FROM pg_roles r WHERE (r.rolsuper OR r.rolbypassrls)"
        " AND (pg_has_role($1, r.oid, 'MEMBER') OR pg_has_role(session_user, r.oid, 'MEMBER'))"
        " ORDER BY 1 LIMIT 1",
        caller,
    )
    if above:
        raise NotPermitted(
            f"Role {caller} may not ask through profile {profile.name}: it runs as the caller, "
            f"who is or may become {above[0]['name']}.",
            detail="Layer: identity. A superuser or a role with BYPASSRLS passes policies by.",
            hint="Ask as an ordinary role, or through a profile that runs as a reader.",
        )


def enter_path(db: Database, profile: Profile) -> None:
    """Make the profile's schemas the search path, for as long as the door is open.

    pg_temp comes last by name: unnamed, it would be searched first.
    """
    schemas = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}"' for name in profile.search_path)
    db.query("SELECT set_config('search_path', $1, true)", f"pg_catalog, {schemas}, pg_temp")


def _resolve(
    db: Database, sql: str, names: Sequence[tuple[str | None, str]], *more: object
) -> Sequence[Mapping[str, Any]]:
    if not names:
        return ()
    schemas, plain = zip(*names, strict=True)
    return db.query(sql, list(schemas), list(plain), *more)


def _require_relation(
    found: Mapping[str, Any], verdict: Verdict, profile: Profile, caller: str
) -> None:
    full = f"{found['schema']}.{found['name']}"
    outside = profile.schemas is not None and found["schema"] not in profile.schemas
    if found["system"] or outside or found["kind"] not in _READABLE_KINDS:
        raise _refused(
            "relation", f"{full} is not among the tables and views that may be asked about"
        )
    if not found["may_use"] or not found["part"]:
        raise _denied(caller, full)
    if not found["whole"]:
        touched = set(found["hidden"]) & set(verdict.columns)
        if touched or verdict.whole_rows:
            raise _denied(caller, f"{full} ({', '.join(sorted(touched or found['hidden']))})")


def _require_no_shadow(db: Database, verdict: Verdict, profile: Profile) -> None:
    functions = [name for schema, name, _ in verdict.functions if schema is None]
    operators = [name for schema, name in verdict.operators if schema is None]
    rows = db.query(_SHADOWS, functions, operators, list(profile.search_path))
    for name in sorted(row["shadow"] for row in rows):
        if name not in profile.allow_functions:
            raise _refused("function", f"{name} could stand in for the built-in of that name")


def _require_no_hidden_call(
    db: Database, verdict: Verdict, profile: Profile, path: list[str]
) -> None:
    """Refuse x.f where a user's function f could take x: without a column f it is a call."""
    if not verdict.attributes:
        return
    for row in db.query(_ATTRIBUTES, list(verdict.attributes), path):
        if row["name"] not in profile.allow_functions:
            raise _refused("function", f".{row['name'].split('.')[1]} could call {row['name']}")


def _refused(layer: str, reason: str) -> Refused:
    return Refused(
        f"Refused: {reason}.",
        detail=f"Layer: identity ({layer}).",
        hint="Only what the profile allows may be asked about; see nl2sql_status().",
    )


def _denied(caller: str, what: str) -> NotPermitted:
    return NotPermitted(
        f"Role {caller} may not read {what}.",
        detail="Layer: identity. Both the reader and the caller need SELECT.",
        hint="GRANT SELECT on it to the role, or ask about something else.",
    )
