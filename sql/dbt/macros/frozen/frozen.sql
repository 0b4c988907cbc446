{#- The frozen answers. The project's own macros/nl2sql_frozen.sql stands in for this one. -#}
{% macro frozen() %}
    {{- return(adapter.dispatch('nl2sql_frozen', 'dbt_nl2sql')()) -}}
{% endmacro %}

{% macro default__nl2sql_frozen() %}
    {{- return([]) -}}
{% endmacro %}

{#- The frozen answer to one question, or none. -#}
{% macro _frozen(question, profile) %}
    {%- for answer in dbt_nl2sql.frozen() if answer.question == question and answer.profile == profile -%}
        {{- return(answer) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
