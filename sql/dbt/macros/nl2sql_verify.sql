{#- Fail unless every question of the project is frozen and every frozen answer still holds.

    Builds nothing and asks no model: for CI, where `dbt build --select` looks at a part only. -#}
{% macro nl2sql_verify() %}
    {%- set doubts, asked = [], {} -%}
    {%- for each in dbt_nl2sql._questions() -%}
        {%- do asked.update({each.question ~ '\n' ~ each.profile: true}) -%}
        {%- set answer = dbt_nl2sql._frozen(each.question, each.profile) -%}
        {%- set doubt = dbt_nl2sql._doubt(dict(answer, sql=answer.sql | join('\n'))) if answer else 'is not frozen' -%}
        {%- if doubt %}{% do doubts.append('the question "' ~ each.question ~ '" ' ~ doubt) %}{% endif -%}
    {%- endfor -%}
    {%- for answer in dbt_nl2sql.frozen() if answer.question ~ '\n' ~ answer.profile not in asked -%}
        {%- do doubts.append('the question "' ~ answer.question ~ '" is frozen and nowhere asked') -%}
    {%- endfor -%}
    {%- if doubts -%}
        {{- exceptions.raise_compiler_error('nl2sql: ' ~ doubts | join('\n  ') ~ '\n  hint: '
            ~ dbt_nl2sql._how_to_freeze('commit the file')) -}}
    {%- endif -%}
{% endmacro %}
