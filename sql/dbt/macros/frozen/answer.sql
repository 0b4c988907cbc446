{#- The answer to one question: the frozen one, proved to hold still, or else the model's. -#}
{% macro _answer(question, profile) %}
    {%- set answer = dbt_nl2sql._frozen(question, profile) -%}
    {%- if answer is none -%}
        {%- do dbt_nl2sql._may_ask_the_model(question) -%}
        {%- set asked = dbt_nl2sql._ask(question, profile) -%}
        {%- if asked.failure -%}{{- dbt_nl2sql._fail(question, asked.failure) -}}{%- endif -%}
        {{- return(asked) -}}
    {%- endif -%}
    {%- set joined = dict(answer, sql=answer.sql | join('\n')) -%}
    {%- if flags.INTROSPECT -%}
        {%- set doubt = dbt_nl2sql._doubt(joined) -%}
        {%- if doubt -%}
            {{- dbt_nl2sql._fail(question, doubt, dbt_nl2sql._how_to_freeze('look at the difference')) -}}
        {%- endif -%}
    {%- endif -%}
    {{- return(joined) -}}
{% endmacro %}

{% macro _may_ask_the_model(question) %}
    {%- if dbt_nl2sql._is_on('nl2sql_require_frozen', false) -%}
        {{- dbt_nl2sql._fail(question, 'is not frozen, and nl2sql_require_frozen is true',
            dbt_nl2sql._how_to_freeze('commit the file')) -}}
    {%- elif not flags.INTROSPECT -%}
        {{- dbt_nl2sql._fail(question, 'is not frozen, and --no-introspect forbids to ask the database',
            dbt_nl2sql._how_to_freeze('commit the file')) -}}
    {%- endif -%}
{% endmacro %}

{#- Why a frozen answer must not be used; an empty string where nothing speaks against it. -#}
{% macro _doubt(answer) %}
    {%- set drift = dbt_nl2sql._drift(answer.reads) -%}
    {%- if drift -%}
        {{- return('was frozen for another schema: ' ~ drift | join('; ')) -}}
    {%- endif -%}
    {%- if dbt_nl2sql._is_on('nl2sql_recheck', true) -%}
        {{- return(dbt_nl2sql._refusal(answer.sql, answer.profile)) -}}
    {%- endif -%}
    {{- return('') -}}
{% endmacro %}

{#- What has changed in the tables and columns that an answer reads, in words. -#}
{% macro _drift(reads) %}
    {%- set changes = [] -%}
    {%- set now = dbt_nl2sql._columns(reads) if reads else [] -%}
    {%- for read in reads -%}
        {%- set name = read.schema ~ '.' ~ read.name -%}
        {%- set found = now[loop.index0] -%}
        {%- if found is none -%}
            {%- do changes.append(name ~ ' is gone') -%}
        {%- else -%}
            {%- for column, type in read['columns'].items() if found.get(column) != type -%}
                {%- do changes.append(name ~ '.' ~ column ~ ' was ' ~ type ~ ', now it is '
                    ~ found.get(column, 'gone')) -%}
            {%- endfor -%}
            {%- for column in found if read.whole and column not in read['columns'] -%}
                {%- do changes.append(name ~ '.' ~ column ~ ' is new, and the SQL reads all columns') -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{- return(changes) -}}
{% endmacro %}
