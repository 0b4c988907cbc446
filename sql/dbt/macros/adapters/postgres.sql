{% macro postgres___ask(question, profile) %}
    {%- set door = dbt_nl2sql._door() -%}
    {%- set answer = dbt_nl2sql._one('select row_to_json(f)::text from ' ~ door ~ '.nl2sql_freeze('
        ~ dbt_nl2sql._text(question) ~ ', ' ~ dbt_nl2sql._text(profile) ~ ') as f') -%}
    {%- if answer.status != 'answered' -%}
        {{- return({'failure': 'has no answer (' ~ answer.sqlstate ~ '): ' ~ answer.message
            ~ '\n  detail: ' ~ answer.detail ~ '\n  hint: ' ~ answer.hint}) -}}
    {%- endif -%}
    {{- return(answer) -}}
{% endmacro %}

{% macro postgres___refusal(sql, profile) %}
    {%- set door = dbt_nl2sql._door() -%}
    {%- set verdict = dbt_nl2sql._one('select row_to_json(c)::text from ' ~ door ~ '.nl2sql_check('
        ~ dbt_nl2sql._text(sql) ~ ', ' ~ dbt_nl2sql._text(profile) ~ ') as c') -%}
    {%- if verdict.allowed -%}{{- return('') -}}{%- endif -%}
    {{- return('has a frozen answer that the door does not let through (' ~ verdict.sqlstate ~ '): '
        ~ verdict.message ~ '\n  detail: ' ~ verdict.detail ~ '\n ') -}}
{% endmacro %}

{% macro postgres___columns(reads) %}
    {{- return(dbt_nl2sql._one("
        select coalesce(json_agg((
            select json_object_agg(a.attname, case
                when t.typnamespace = 'pg_catalog'::regnamespace then format_type(a.atttypid, a.atttypmod)
                else quote_ident(s.nspname) || '.' || quote_ident(t.typname) end order by a.attnum)
            from pg_catalog.pg_attribute a
            join pg_catalog.pg_type t on t.oid = a.atttypid
            join pg_catalog.pg_namespace s on s.oid = t.typnamespace
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) order by w.n), '[]')::text
        from rows from (json_to_recordset(" ~ dbt_nl2sql._text(tojson(dbt_nl2sql._names(reads))) ~ ")
            as (schema text, name text)) with ordinality as w(schema, name, n)
        left join pg_catalog.pg_namespace n on n.nspname = w.schema
        left join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = w.name")) -}}
{% endmacro %}

{% macro _names(reads) %}
    {%- set names = [] -%}
    {%- for read in reads %}{% do names.append({'schema': read.schema, 'name': read.name}) %}{% endfor -%}
    {{- return(names) -}}
{% endmacro %}

{#- A string literal that reads the same whatever standard_conforming_strings is. -#}
{% macro _text(value) %}
    {{- return("E'" ~ value | replace('\\', '\\\\') | replace("'", "''") ~ "'") -}}
{% endmacro %}

{#- The schema of the front door, quoted; fails with what is missing where it is closed. -#}
{% macro _door() %}
    {%- set door = dbt_nl2sql._one("
        select json_build_object('database', current_database(), 'role', current_user::text,
            'schema', (select quote_ident(n.nspname) from pg_catalog.pg_extension e
                join pg_catalog.pg_namespace n on n.oid = e.extnamespace where e.extname = 'nl2sql'),
            'open', (select coalesce(bool_and(has_function_privilege(p.oid, 'EXECUTE')
                    and has_schema_privilege(p.pronamespace, 'USAGE')), false)
                from pg_catalog.pg_extension e join pg_catalog.pg_depend d
                    on d.refobjid = e.oid and d.refclassid = 'pg_catalog.pg_extension'::regclass
                join pg_catalog.pg_proc p on p.oid = d.objid and d.classid = 'pg_catalog.pg_proc'::regclass
                where e.extname = 'nl2sql' and p.proname in ('nl2sql_freeze', 'nl2sql_check', '_call')))::text") -%}
    {%- if door.schema is none -%}
        {{- exceptions.raise_compiler_error('nl2sql: the extension is not in database ' ~ door.database
            ~ '.\n  hint: as a superuser run CREATE EXTENSION nl2sql CASCADE; then sql/roles.sql. Frozen answers'
            ~ ' need no extension where nl2sql_recheck is false.') -}}
    {%- elif not door.open -%}
        {{- exceptions.raise_compiler_error('nl2sql: role ' ~ door.role ~ ' may not ask in database '
            ~ door.database ~ '.\n  hint: GRANT nl2sql_asker TO ' ~ adapter.quote(door.role)
            ~ '; as the owner of that group, which sql/roles.sql makes.') -}}
    {%- endif -%}
    {{- return(door.schema) -}}
{% endmacro %}
