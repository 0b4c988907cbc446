{{ config(materialized='incremental', unique_key='total') }}
select t.total, current_date as day
from ({{ nl2sql("what's the \"total\" tonnage of {{ ships }} {% and %} {# more #}?") }}) as t
