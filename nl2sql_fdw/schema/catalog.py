"""Read what the reader role and the caller may both select, in one query."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from nl2sql_fdw.database.protocol import Database
from nl2sql_fdw.database.row_security import REACH
from nl2sql_fdw.errors import BadSetup, CannotAnswer
from nl2sql_fdw.types import Column, ForeignKey, Profile, Relation, Schema

_KINDS = {
    "r": "table",
    "p": "table",
    "v": "view",
    "m": "materialized view",
    "f": "foreign table",
}

_CALLER = "coalesce(nullif(current_setting('role'), 'none'), session_user)"
"""Inside a SECURITY DEFINER function current_user is the definer; these two are not."""

_RELATIONS = f"""
WITH RECURSIVE who AS MATERIALIZED (
    SELECT (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = $1) AS reader,
           (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = {_CALLER}) AS caller
),
space AS MATERIALIZED (
    SELECT n.oid, n.nspname
    FROM pg_catalog.pg_namespace n, who
    WHERE ($2::text[] IS NULL OR n.nspname = ANY ($2::text[]))
      AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'nl2sql')
      AND n.nspname !~ '^pg_(toast|temp)'
      AND has_schema_privilege(who.reader, n.oid, 'USAGE')
      AND has_schema_privilege(who.caller, n.oid, 'USAGE')
),
readable AS MATERIALIZED (
    SELECT c.oid, c.relname, c.relkind, c.relrowsecurity, c.relispartition,
           c.reltuples::bigint AS reltuples, space.nspname, who.reader, who.caller,
           has_table_privilege(who.reader, c.oid, 'SELECT')
               AND has_table_privilege(who.caller, c.oid, 'SELECT') AS whole
    FROM space
    JOIN pg_catalog.pg_class c ON c.relnamespace = space.oid, who
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
      AND has_any_column_privilege(who.reader, c.oid, 'SELECT')
      AND has_any_column_privilege(who.caller, c.oid, 'SELECT')
      AND NOT EXISTS (
          SELECT FROM pg_catalog.pg_depend d
          WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid
            AND d.deptype = 'e')
),
shown AS MATERIALIZED (
    SELECT * FROM readable c
    WHERE NOT c.relispartition
       OR NOT EXISTS (
          SELECT FROM pg_catalog.pg_partition_ancestors(c.oid) a
          JOIN readable parent ON parent.oid = a.relid AND parent.oid <> c.oid)
),
{REACH}
SELECT s.oid::bigint AS oid, s.nspname::text AS schema, s.relname::text AS name,
       s.relkind::text AS kind, s.reltuples AS row_estimate, s.relrowsecurity AS row_security,
       EXISTS (SELECT FROM reach WHERE reach.oid = s.oid AND reach.bypasses) AS bypasses,
       (SELECT note.description FROM pg_catalog.pg_description note
        WHERE note.classoid = 'pg_catalog.pg_class'::regclass
          AND note.objoid = s.oid AND note.objsubid = 0) AS comment,
       (SELECT json_agg(json_build_array(
                   a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                   note.description, a.atttypid::bigint) ORDER BY a.attnum)::text
        FROM pg_catalog.pg_attribute a
        LEFT JOIN pg_catalog.pg_description note
          ON note.classoid = 'pg_catalog.pg_class'::regclass
         AND note.objoid = a.attrelid AND note.objsubid = a.attnum
        WHERE a.attrelid = s.oid AND a.attnum > 0 AND NOT a.attisdropped
          AND (s.whole OR (has_column_privilege(s.reader, s.oid, a.attnum, 'SELECT')
                           AND has_column_privilege(s.caller, s.oid, a.attnum, 'SELECT')))
       ) AS columns,
       (SELECT json_agg(json_build_array(k.contype, k.conkey, k.confrelid::bigint, k.confkey)
                   ORDER BY k.conname, k.oid)::text
        FROM pg_catalog.pg_constraint k
        WHERE k.conrelid = s.oid AND k.contype IN ('p', 'f')
       ) AS keys
FROM shown s
ORDER BY s.nspname COLLATE "C", s.relname COLLATE "C"
"""

_LABELS = """
-- Every type that ends in an enum: the enum, arrays of it, domains over those.
WITH RECURSIVE enum AS (
    SELECT t.oid, t.oid AS base, t.typarray FROM pg_catalog.pg_type t WHERE t.typtype = 'e'
    UNION
    SELECT t.oid, enum.base, t.typarray
    FROM enum JOIN pg_catalog.pg_type t ON t.oid = enum.typarray OR t.typbasetype = enum.oid
)
SELECT enum.oid::bigint AS oid, (
    SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder)::text
    FROM pg_catalog.pg_enum e WHERE e.enumtypid = enum.base) AS labels
FROM enum
"""

_WHO = f"""
SELECT {_CALLER} AS caller, EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = $1) AS reader
"""


def read(db: Database, profile: Profile) -> Schema:
    """Return the relations and columns that both the reader and the caller may SELECT.

    The caller is the `role` setting, or session_user where that is none. Partitions are
    folded into a readable parent; keys with a hidden end are left out. The search path is
    the profile's, less the schemas that show nothing. Raises CannotAnswer where nothing is
    readable, BadSetup where the reader is no role.
    """
    listed = None if profile.schemas is None else list(profile.schemas)
    rows = db.query(_RELATIONS, profile.reader, listed)
    if not rows:
        raise _nothing_readable(db, profile)
    labels = {row["oid"]: tuple(json.loads(row["labels"] or "[]")) for row in db.query(_LABELS)}
    found = {row["oid"]: _Found(row, labels) for row in rows}
    relations = tuple(each.relation(found) for each in found.values())
    shown = {relation.schema for relation in relations}
    return Schema(relations, tuple(name for name in profile.search_path if name in shown))


class _Found:
    """One row of the catalog, its column names by number: keys are pairs of numbers."""

    def __init__(self, row: Mapping[str, Any], labels: Mapping[int, tuple[str, ...]]) -> None:
        self.row = row
        self.names: dict[int, str] = {}
        columns = []
        for number, name, type_, not_null, comment, type_oid in json.loads(row["columns"] or "[]"):
            self.names[number] = name
            columns.append(Column(name, type_, not_null, comment, labels.get(type_oid, ())))
        self.columns = tuple(columns)

    def relation(self, found: Mapping[int, _Found]) -> Relation:
        primary, foreign = self._keys(found)
        return Relation(
            oid=self.row["oid"],
            schema=self.row["schema"],
            name=self.row["name"],
            kind=_KINDS[self.row["kind"]],
            columns=self.columns,
            primary_key=primary,
            foreign_keys=foreign,
            comment=self.row["comment"],
            row_estimate=self.row["row_estimate"],
            row_security=self.row["row_security"],
            bypasses_row_security=self.row["bypasses"],
        )

    def _keys(self, found: Mapping[int, _Found]) -> tuple[tuple[str, ...], tuple[ForeignKey, ...]]:
        """Return the keys whose every column, at both ends, is shown."""
        primary: tuple[str, ...] = ()
        foreign: dict[ForeignKey, None] = {}  # ordered, and free of doubles
        for kind, own, target_oid, theirs in json.loads(self.row["keys"] or "[]"):
            target = found.get(target_oid)
            if not self.names.keys() >= set(own):
                continue
            columns = tuple(self.names[number] for number in own)
            if kind == "p":
                primary = columns
            elif target and target.names.keys() >= set(theirs):
                there = tuple(target.names[number] for number in theirs)
                key = ForeignKey(columns, target.row["schema"], target.row["name"], there)
                foreign[key] = None
        return primary, tuple(foreign)


def _nothing_readable(db: Database, profile: Profile) -> Exception:
    who = db.query(_WHO, profile.reader)[0]
    if not who["reader"]:
        return BadSetup(
            f'The reader role "{profile.reader}" of profile "{profile.name}" does not exist.',
            hint="Run roles.sql as a superuser, or name another role in nl2sql.profile.",
        )
    scope = "this database" if profile.schemas is None else "schema " + ", ".join(profile.schemas)
    return CannotAnswer(
        f'No table in {scope} can be read by both the reader role "{profile.reader}" '
        f'and the caller "{who["caller"]}".',
        hint="Both need USAGE on the schema and SELECT on the table: "
        f'GRANT USAGE ON SCHEMA ... TO "{profile.reader}"; '
        f'GRANT SELECT ON ... TO "{profile.reader}"; and the same for "{who["caller"]}".',
    )
