{#- One JSON object from a query of one text cell. -#}
{% macro _one(sql) %}
    {{- return(fromjson(run_query(sql).columns[0].values()[0])) -}}
{% endmacro %}

{#- The SQL of a question, asked of the database: its sql and reads, or a failure in words. -#}
{% macro _ask(question, profile) %}
    {{- return(adapter.dispatch('_ask', 'dbt_nl2sql')(question, profile)) -}}
{% endmacro %}

{#- Why the door would not let a SQL text through; '' where it does. -#}
{% macro _refusal(sql, profile) %}
    {{- return(adapter.dispatch('_refusal', 'dbt_nl2sql')(sql, profile)) -}}
{% endmacro %}

{#- The columns and types of each relation, as a dictionary; none where it does not exist. -#}
{% macro _columns(reads) %}
    {{- return(adapter.dispatch('_columns', 'dbt_nl2sql')(reads)) -}}
{% endmacro %}
