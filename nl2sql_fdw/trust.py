"""Whose code runs, and whose rights are used, when the reader reads a relation.

A relation is more than rows. A policy, an index, a check, a cast or a domain of its columns
is code that runs as whoever reads, here the reader: written by the caller it would read for
him what he may not. And a security_invoker view asks for the reader's rights on its tables
where, without us, the caller's own would have been asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.errors import NotPermitted, Refused
from nl2sql_fdw.types import Profile

_HIS = """
SELECT coalesce(array_agg(DISTINCT o.rolname::text), '{}') AS roles
FROM pg_roles who JOIN pg_roles o ON pg_has_role(who.oid, o.oid, 'MEMBER')
WHERE who.rolname IN ($1, session_user) AND NOT who.rolsuper
  AND NOT EXISTS (SELECT FROM pg_roles c WHERE c.rolname = $1
                  AND (c.rolsuper OR pg_has_role(c.oid, current_user, 'MEMBER')))
  AND EXISTS (
      SELECT FROM pg_shdepend s JOIN pg_database b ON b.oid = s.dbid
      WHERE s.refclassid = 'pg_authid'::regclass AND s.refobjid = o.oid AND s.deptype = 'o'
        AND b.datname = current_database()
        AND (s.classid = 'pg_proc'::regclass
             OR s.classid = 'pg_class'::regclass AND EXISTS (
                 SELECT FROM pg_class r WHERE r.oid = s.objid AND r.relrowsecurity)))
"""
"""Roles that the caller's session can act as and that own a function or a table with row
security here: none for a superuser, who needs no trick, nor for a member of the reader, who
could read all that the reader may. Most callers own no code, and the long look is spared."""

_REACHED = """
reached AS (
    SELECT w.oid::oid AS oid FROM unnest($1::text[]) AS w(oid)
    UNION
    SELECT x.oid FROM reached, LATERAL (
        SELECT i.inhrelid AS oid FROM pg_inherits i WHERE i.inhparent = reached.oid
        UNION ALL
        SELECT d.refobjid FROM pg_rewrite r
        JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
         AND d.refclassid = 'pg_class'::regclass
        WHERE r.ev_class = reached.oid AND d.refobjid <> reached.oid AND d.refobjid >= 16384
    ) x
)
"""
"""The relations a statement names, the ones below their views, and their descendants."""

_OWN_CODE = f"""
WITH RECURSIVE {_REACHED}, his AS MATERIALIZED (
    SELECT oid FROM pg_roles WHERE rolname::text = ANY ($2)
), types AS (
    SELECT a.atttypid AS oid FROM reached
    JOIN pg_attribute a ON a.attrelid = reached.oid AND a.atttypid >= 16384
    UNION SELECT c.reltype FROM reached JOIN pg_class c USING (oid)
    UNION SELECT x.oid FROM types JOIN pg_type t USING (oid), LATERAL (
        SELECT t.typelem AS oid UNION ALL SELECT t.typbasetype
        UNION ALL SELECT a.atttypid FROM pg_attribute a WHERE a.attrelid = t.typrelid
        UNION ALL SELECT g.rngsubtype FROM pg_range g WHERE g.rngtypid = t.oid
    ) x WHERE x.oid >= 16384
), parts AS (
    SELECT 'pg_class'::regclass AS class, oid FROM reached
    UNION ALL SELECT 'pg_class'::regclass, i.indexrelid
              FROM reached JOIN pg_index i ON i.indrelid = reached.oid
    UNION ALL SELECT 'pg_constraint'::regclass, k.oid FROM pg_constraint k
              WHERE k.conrelid IN (SELECT oid FROM reached) OR k.contypid IN (SELECT oid FROM types)
    UNION ALL SELECT 'pg_statistic_ext'::regclass, s.oid
              FROM reached JOIN pg_statistic_ext s ON s.stxrelid = reached.oid
    UNION ALL SELECT 'pg_policy'::regclass, p.oid
              FROM reached JOIN pg_policy p ON p.polrelid = reached.oid
), code AS (
    SELECT d.refobjid AS oid FROM parts
    JOIN pg_depend d ON d.classid = parts.class AND d.objid = parts.oid
     AND d.refclassid = 'pg_proc'::regclass
    UNION ALL SELECT k.castfunc FROM pg_cast k
              WHERE EXISTS (SELECT FROM types t WHERE t.oid IN (k.castsource, k.casttarget))
    UNION ALL SELECT unnest(ARRAY[g.rngcanonical::oid, g.rngsubdiff::oid])
              FROM pg_range g WHERE g.rngtypid IN (SELECT oid FROM types)
)
SELECT n.nspname || '.' || p.proname AS name, 'function' AS kind
FROM code JOIN pg_proc p USING (oid) JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE p.proowner IN (SELECT oid FROM his)
UNION
SELECT n.nspname || '.' || c.relname, 'policy'
FROM reached JOIN pg_class c USING (oid) JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relrowsecurity AND c.relowner IN (SELECT oid FROM his)
  AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid)
ORDER BY 2 DESC, 1
"""

_INVOKED = """
WITH RECURSIVE invoked AS (
    SELECT w.oid::oid AS oid, false AS below FROM unnest($1::text[]) AS w(oid)
    UNION
    SELECT d.refobjid, true FROM invoked
    JOIN pg_class v ON v.oid = invoked.oid AND v.relkind = 'v'
    JOIN pg_rewrite r ON r.ev_class = v.oid
    JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
     AND d.refclassid = 'pg_class'::regclass AND d.refobjid <> v.oid
    WHERE EXISTS (SELECT FROM pg_options_to_table(v.reloptions)
                  WHERE option_name = 'security_invoker' AND option_value::boolean)
)
SELECT DISTINCT n.nspname || '.' || c.relname AS name
FROM invoked JOIN pg_class c USING (oid) JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE invoked.below AND NOT has_table_privilege($2, c.oid, 'SELECT')
ORDER BY 1
"""
"""What the security_invoker views below a statement read, and the caller may not. The whole
table is asked for: the catalog does not tell a view of whole rows from one of some columns."""


_ANY_VIEW = """
SELECT EXISTS (SELECT FROM pg_class WHERE oid = ANY ($1::text[]::oid[]) AND relkind = 'v') AS yes
"""


def require(db: Database, oids: Sequence[int], profile: Profile, caller: str) -> None:
    """Raise Refused or NotPermitted where the reader would act for the caller.

    Where queries run as the caller himself there is nothing to gain, and nothing to check.
    """
    if not oids or profile.run_as == "caller":
        return
    touched = [str(oid) for oid in oids]
    views = db.query(_ANY_VIEW, touched)[0]["yes"]
    for row in db.query(_INVOKED, touched, caller) if views else ():
        raise NotPermitted(
            f"Role {caller} may not read {row['name']}.",
            detail="Layer: identity. A security_invoker view asks for the right to its tables.",
            hint="GRANT SELECT on it to the role, or ask about something else.",
        )
    his = db.query(_HIS, caller)[0]["roles"]
    for row in db.query(_OWN_CODE, touched, list(his)) if his else ():
        if row["name"] not in profile.allow_functions + profile.allow_views:
            raise _own_code(row["kind"], row["name"], caller)


def _own_code(kind: str, name: str, caller: str) -> Refused:
    what = f"a policy of {name}" if kind == "policy" else f"the function {name}"
    opened = "allow_views" if kind == "policy" else "allow_functions"
    return Refused(
        f"Refused: {what} is code of {caller}'s own, and would run with the reader's rights.",
        detail="Layer: identity (own code).",
        hint=f"Query it directly, or have the owner of the profile add {name} to {opened}.",
    )
