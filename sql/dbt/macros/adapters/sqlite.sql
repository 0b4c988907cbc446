{#- SQLite tells by its program for a statement, which EXPLAIN shows, which tables are opened. -#}
{% macro sqlite___ask(question, profile) %}
    {%- if not dbt_nl2sql._one("select count(*) from pragma_function_list where name = 'nl2sql_sql'") -%}
        {{- return({'failure': 'is not frozen, and the extension nl2sql0 is not loaded.'
            ~ '\n  hint: list its file under extensions in profiles.yml'}) -}}
    {%- endif -%}
    {%- set sql = run_query('select nl2sql_sql(' ~ dbt_nl2sql._sqlite_text(question) ~ ')').columns[0].values()[0] -%}
    {{- return({'sql': sql, 'reads': dbt_nl2sql._opened(sql)}) -}}
{% endmacro %}

{% macro _opened(sql) %}
    {%- set reads = [] -%}
    {%- for step in run_query('explain ' ~ sql).rows if step['opcode'] == 'OpenRead' -%}
        {%- set schema = run_query('select name from pragma_database_list where seq = ' ~ step['p3'] | int)
            .columns[0].values()[0] -%}
        {%- set name = run_query('select tbl_name from "' ~ schema ~ '".sqlite_schema where rootpage = '
            ~ step['p2'] | int).columns[0].values()[0] -%}
        {%- set read = {'schema': schema, 'name': name, 'columns': none} -%}
        {%- if read not in reads %}{% do reads.append(read) %}{% endif -%}
    {%- endfor -%}
    {{- return(reads) -}}
{% endmacro %}

{#- The door is in the extension: where that is not loaded, only the schema is compared. -#}
{% macro sqlite___refusal(sql, profile) %}
    {{- return('') -}}
{% endmacro %}

{% macro sqlite___columns(reads) %}
    {%- set found = [] -%}
    {%- for read in reads -%}
        {%- set columns = dbt_nl2sql._one('select json_group_object(name, lower(type)) from pragma_table_xinfo('
            ~ dbt_nl2sql._sqlite_text(read.name) ~ ', ' ~ dbt_nl2sql._sqlite_text(read.schema) ~ ')') -%}
        {%- do found.append(columns or none) -%}
    {%- endfor -%}
    {{- return(found) -}}
{% endmacro %}

{% macro _sqlite_text(value) %}
    {{- return("'" ~ value | replace("'", "''") ~ "'") -}}
{% endmacro %}
