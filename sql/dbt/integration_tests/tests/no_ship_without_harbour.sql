select * from ({{ nl2sql('which ships have no harbour?') }}) as t
