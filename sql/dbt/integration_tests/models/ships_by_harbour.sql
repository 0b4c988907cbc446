{{ nl2sql('how many ships has each harbour?') }}
