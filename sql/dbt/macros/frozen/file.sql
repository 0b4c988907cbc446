{#- The text of macros/nl2sql_frozen.sql. Its answers are JSON in which no string holds an opening
    brace or an invisible character: no text can thus become Jinja, or look like another. -#}
{% macro _file(answers) %}
    {%- set texts = [] -%}
    {%- for answer in answers %}{% do texts.append(dbt_nl2sql._written(answer)) %}{% endfor -%}
    {{- return(
        '{# Written by nl2sql_freeze: commit it, and read the SQL as you would read a colleague\'s. #}\n'
        ~ '{% macro ' ~ adapter.type() ~ '__nl2sql_frozen() %}\n{% set answers %}\n[' ~ texts | join(',')
        ~ '\n]\n{% endset %}\n{{ return(fromjson(answers)) }}\n{% endmacro %}') -}}
{% endmacro %}

{% macro _written(answer) %}
    {%- set lines, reads = [], [] -%}
    {%- for line in answer.sql %}{% do lines.append('\n      ' ~ dbt_nl2sql._json(line)) %}{% endfor -%}
    {%- for read in answer.reads -%}
        {%- set pairs = [] -%}
        {%- for key in ['schema', 'name', 'whole', 'parent', 'columns'] -%}
            {%- do pairs.append(dbt_nl2sql._json(key) ~ ': ' ~ dbt_nl2sql._json(read[key])) -%}
        {%- endfor -%}
        {%- do reads.append('\n      {' ~ pairs | join(', ') ~ '}') -%}
    {%- endfor -%}
    {{- return('\n  {\n    "question": ' ~ dbt_nl2sql._json(answer.question) ~ ',\n    "profile": '
        ~ dbt_nl2sql._json(answer.profile) ~ ',\n    "sql": [' ~ lines | join(',') ~ '\n    ],\n    "reads": ['
        ~ reads | join(',') ~ ('\n    ' if reads else '') ~ ']\n  }') -}}
{% endmacro %}

{#- JSON of one value, readable in a review; spaced so that structure never makes a Jinja mark. -#}
{% macro _json(value) %}
    {%- if value is mapping -%}
        {%- set pairs = [] -%}
        {%- for key, each in value.items() -%}
            {%- do pairs.append(dbt_nl2sql._json(key) ~ ': ' ~ dbt_nl2sql._json(each)) -%}
        {%- endfor -%}
        {{- return('{' ~ pairs | join(', ') ~ '}') -}}
    {%- elif value is string -%}
        {%- set hidden = '[\x00-\x1f\x7f-\xa0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\ufeff\ud800-\udfff]' -%}
        {%- if modules.re.search(hidden, value) -%}
            {{- return(tojson(value).replace('{', '\\u007b')) -}}
        {%- endif -%}
        {{- return('"' ~ value.replace('\\', '\\\\').replace('"', '\\"').replace('{', '\\u007b') ~ '"') -}}
    {%- elif value is iterable -%}
        {%- set texts = [] -%}
        {%- for each in value %}{% do texts.append(dbt_nl2sql._json(each)) %}{% endfor -%}
        {{- return('[' ~ texts | join(', ') ~ ']') -}}
    {%- endif -%}
    {{- return(tojson(value)) -}}
{% endmacro %}
