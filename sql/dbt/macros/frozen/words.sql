{#- Fail in words that name the question. -#}
{% macro _fail(question, what, hint='') %}
    {{- exceptions.raise_compiler_error('nl2sql: the question "' ~ question ~ '" ' ~ what
        ~ ('.\n  hint: ' ~ hint if hint else '')) -}}
{% endmacro %}

{% macro _how_to_freeze(what) %}
    {{- return('run `nl2sql dbt freeze` and ' ~ what) -}}
{% endmacro %}

{#- Read a switch: true or false in dbt_project.yml or --vars, or the same words from env_var(). -#}
{% macro _is_on(name, otherwise) %}
    {%- set value = var(name, otherwise) | string | lower -%}
    {%- if value not in ('true', 'false') -%}
        {{- exceptions.raise_compiler_error(name ~ ' must be true or false, not ' ~ value) -}}
    {%- endif -%}
    {{- return(value == 'true') -}}
{% endmacro %}
