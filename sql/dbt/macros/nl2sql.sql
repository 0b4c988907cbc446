{#- The SQL for a question, as a model's body or, in parentheses, as a subquery. -#}
{% macro nl2sql(question, profile='default') %}
    {%- do dbt_nl2sql._register(question, profile) -%}
    {%- if not execute %}{{ return('select 1 as nl2sql_is_not_asked_while_parsing') }}{% endif -%}
    {{- return(dbt_nl2sql._answer(question, profile)['sql']) -}}
{% endmacro %}
