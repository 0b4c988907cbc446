{#- The macros by their short names: for macro-paths of a project that has the package. -#}
{% macro nl2sql(question, profile='default') %}
    {{- return(dbt_nl2sql.nl2sql(question, profile)) -}}
{% endmacro %}
