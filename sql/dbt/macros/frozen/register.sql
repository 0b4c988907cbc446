{#- Note the question in the node's meta, where nl2sql_freeze finds it, and the node's parents:
    what the frozen answer reads is then built first, and shown in the docs. -#}
{% macro _register(question, profile) %}
    {%- if not question or question is not string -%}
        {{- exceptions.raise_compiler_error('nl2sql() needs a question, in quotes') -}}
    {%- endif -%}
    {%- if not execute -%}
        {%- set key = 'nl2sql_' ~ local_md5(question ~ '\n' ~ profile) -%}
        {%- do config(meta={key: {'question': question, 'profile': profile}}) -%}
    {%- endif -%}
    {%- set answer = dbt_nl2sql._frozen(question, profile) -%}
    {%- for read in (answer.reads if answer else []) if read.parent -%}
        {%- do dbt_nl2sql._parent(read, question) -%}
    {%- endfor -%}
{% endmacro %}

{#- Declare one parent; fail where this target has it under another name than was frozen. -#}
{% macro _parent(read, question) %}
    {%- if read.parent[0] == 'source' -%}
        {%- set relation = source(read.parent[1], read.parent[2]) -%}
    {%- else -%}
        {%- set relation = ref(read.parent[1], read.parent[2]) -%}
    {%- endif -%}
    {%- if execute and (relation.schema != read.schema or relation.identifier != read.name) -%}
        {{- dbt_nl2sql._fail(question, 'was frozen for ' ~ read.schema ~ '.' ~ read.name
            ~ ', which is ' ~ relation.schema ~ '.' ~ relation.identifier ~ ' in target ' ~ target.name,
            dbt_nl2sql._how_to_freeze('with this target')) -}}
    {%- endif -%}
{% endmacro %}
