{{ config(materialized='ephemeral') }}
{{ nl2sql('which ship is the oldest?') }}
