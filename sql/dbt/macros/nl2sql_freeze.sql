{#- Print macros/nl2sql_frozen.sql: the answer to every question of the project.

    Asks the model only what is not frozen yet, or no longer holds; with refresh, everything.
    Where a question has no answer the file has the others, and the command fails at its end. -#}
{% macro nl2sql_freeze(refresh=false) %}
    {%- set answers, failures = [], [] -%}
    {%- for asked in dbt_nl2sql._questions() -%}
        {%- set old = dbt_nl2sql._frozen(asked.question, asked.profile) -%}
        {%- if old and not refresh and not dbt_nl2sql._doubt(dict(old, sql=old.sql | join('\n'))) -%}
            {%- do answers.append(old) -%}
        {%- else -%}
            {%- set new = dbt_nl2sql._to_keep(asked) -%}
            {%- do (failures if new is string else answers).append(new) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do print(dbt_nl2sql._file(answers)) -%}
    {%- if failures -%}
        {{- exceptions.raise_compiler_error(failures | join('\n')) -}}
    {%- endif -%}
{% endmacro %}

{#- Every question of the project, each once, in an order that never changes without them. -#}
{% macro _questions() %}
    {%- set found = {} -%}
    {%- for node in graph.nodes.values() -%}
        {%- for key, asked in node.config.get('meta', {}).items() if key.startswith('nl2sql_') -%}
            {%- do found.setdefault(asked.question ~ '\n' ~ asked.profile, dict(asked, nodes=[])) -%}
            {%- do found[asked.question ~ '\n' ~ asked.profile].nodes.append(node.unique_id) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set sorted = [] -%}
    {%- for key in found | sort %}{% do sorted.append(found[key]) %}{% endfor -%}
    {{- return(sorted) -}}
{% endmacro %}

{#- Ask one question, and add to its answer what the catalog says of the tables that it reads.
    A string is a failure. -#}
{% macro _to_keep(asked) %}
    {%- set answer = dbt_nl2sql._ask(asked.question, asked.profile) -%}
    {%- if answer.failure -%}
        {{- return('nl2sql: the question "' ~ asked.question ~ '" ' ~ answer.failure) -}}
    {%- endif -%}
    {%- set now = dbt_nl2sql._columns(answer.reads) if answer.reads else [] -%}
    {%- set reads = [] -%}
    {%- for read in answer.reads -%}
        {%- set kept = {} -%}
        {%- for column, type in now[loop.index0].items() if read['columns'] is none or column in read['columns'] -%}
            {%- do kept.update({column: type}) -%}
        {%- endfor -%}
        {%- set parent = dbt_nl2sql._parent_of(read, asked) -%}
        {%- do reads.append({'schema': read.schema, 'name': read.name, 'whole': read['columns'] is none,
            'parent': parent, 'columns': kept}) -%}
    {%- endfor -%}
    {{- return({'question': asked.question, 'profile': asked.profile, 'sql': answer.sql.split('\n'),
        'reads': reads}) -}}
{% endmacro %}

{#- How the project names a relation: ['source', source, table], ['ref', package, model], or none. -#}
{% macro _parent_of(read, asked) %}
    {%- for node in graph.sources.values() if node.schema == read.schema and node.identifier == read.name -%}
        {{- return(['source', node.source_name, node.name]) -}}
    {%- endfor -%}
    {%- for node in graph.nodes.values() if node.resource_type in ('model', 'seed', 'snapshot')
            and node.schema == read.schema and node.alias == read.name and not node.version -%}
        {%- if node.unique_id in asked.nodes -%}
            {{- dbt_nl2sql._fail(asked.question, 'would read ' ~ read.schema ~ '.' ~ read.name
                ~ ', which is the model that it makes', 'leave the schema that dbt writes to out of the profile') -}}
        {%- endif -%}
        {{- return(['ref', node.package_name, node.name]) -}}
    {%- endfor -%}
    {{- return(none) -}}
{% endmacro %}
