"""Which relations hand out rows that the policies of row-level security would hide."""

from __future__ import annotations

REACH = """-- From tables with row security up through the views over them. A view whose owner the
-- policies do not bind, every materialized view, and a partition or child without row
-- security of its own hand out rows that the policies would hide.
reach AS (
    SELECT c.oid, c.relowner, c.relkind, c.relforcerowsecurity AS forced, false AS bypasses
    FROM pg_catalog.pg_class c WHERE c.relrowsecurity
    UNION
    SELECT v.oid, v.relowner, v.relkind, false,
           reach.bypasses OR v.relkind = 'm' OR up.child
           OR (reach.relkind IN ('r', 'p', 'f') AND NOT invoker.yes
               AND (o.rolsuper OR o.rolbypassrls
                    OR (NOT reach.forced AND pg_has_role(v.relowner, reach.relowner, 'USAGE'))
                    OR EXISTS (SELECT FROM pg_catalog.pg_policy p  -- chosen by the view's owner
                               WHERE p.polrelid = reach.oid AND p.polroles <> '{0}')))
    FROM reach
    CROSS JOIN LATERAL (
        SELECT r.ev_class AS oid, false AS child
        FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_rewrite r ON r.oid = d.objid
        WHERE d.refclassid = 'pg_catalog.pg_class'::regclass AND d.refobjid = reach.oid
          AND d.classid = 'pg_catalog.pg_rewrite'::regclass
        UNION ALL
        SELECT i.inhrelid, true FROM pg_catalog.pg_inherits i WHERE i.inhparent = reach.oid) up
    JOIN pg_catalog.pg_class v
      ON v.oid = up.oid AND v.oid <> reach.oid
     AND CASE WHEN up.child THEN NOT v.relrowsecurity ELSE v.relkind IN ('v', 'm') END
    JOIN pg_catalog.pg_roles o ON o.oid = v.relowner
    CROSS JOIN LATERAL (
        SELECT coalesce(bool_or(option_value::boolean), false) AS yes
        FROM pg_options_to_table(v.reloptions)
        WHERE option_name = 'security_invoker') invoker
)"""
"""A term for WITH RECURSIVE: `oid`, and `bypasses` where a relation leaks; rows may repeat."""
