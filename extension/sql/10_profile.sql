CREATE TABLE nl2sql.profile (
    name               text PRIMARY KEY,
    reader             text NOT NULL DEFAULT 'nl2sql_reader',
    run_as             text NOT NULL DEFAULT 'reader' CHECK (run_as IN ('reader', 'caller')),
    schemas            text[],
    allowed_roles      text[],
    model_provider     text NOT NULL DEFAULT 'openai' CHECK (model_provider IN ('openai', 'ollama')),
    model_url          text NOT NULL DEFAULT 'http://127.0.0.1:8642/v1',
    model_name         text NOT NULL DEFAULT 'qwen2.5-coder-1.5b',
    model_key_file     text,
    model_keep_alive   text NOT NULL DEFAULT '30m',
    context_tokens     integer NOT NULL DEFAULT 8192 CHECK (context_tokens BETWEEN 1024 AND 1048576),
    max_output_tokens  integer NOT NULL DEFAULT 512 CHECK (max_output_tokens BETWEEN 16 AND 16384),
    load_timeout_ms    integer NOT NULL DEFAULT 180000 CHECK (load_timeout_ms > 0),
    answer_timeout_ms  integer NOT NULL DEFAULT 120000 CHECK (answer_timeout_ms > 0),
    retries            integer NOT NULL DEFAULT 1 CHECK (retries BETWEEN 0 AND 5),
    strategy           text NOT NULL DEFAULT 'auto'
        CHECK (strategy IN ('single', 'text', 'comment', 'structured', 'repair', 'prompt_flow', 'vote', 'auto')),
    clarify            boolean NOT NULL DEFAULT true,
    min_confidence     double precision NOT NULL DEFAULT 0 CHECK (min_confidence BETWEEN 0 AND 1),
    min_link           double precision NOT NULL DEFAULT 0.28 CHECK (min_link BETWEEN 0 AND 1),
    max_question_bytes integer NOT NULL DEFAULT 4000 CHECK (max_question_bytes > 0),
    time_limit_ms      integer NOT NULL DEFAULT 10000 CHECK (time_limit_ms > 0),
    max_rows           integer NOT NULL DEFAULT 1000 CHECK (max_rows > 0),
    max_bytes          integer NOT NULL DEFAULT 8000000 CHECK (max_bytes > 0),
    max_cell_bytes     integer NOT NULL DEFAULT 1000000 CHECK (max_cell_bytes > 0),
    max_memory_bytes   bigint NOT NULL DEFAULT 256000000 CHECK (max_memory_bytes >= 64000000),
    max_cost           double precision NOT NULL DEFAULT 1000000 CHECK (max_cost > 0),
    max_plan_rows      double precision NOT NULL DEFAULT 100000000 CHECK (max_plan_rows > 0),
    truncate           boolean NOT NULL DEFAULT false,
    allow_functions    text[] NOT NULL DEFAULT '{}',
    allow_views        text[] NOT NULL DEFAULT '{}',
    watch_settings     text[] NOT NULL DEFAULT '{}',
    audit              boolean NOT NULL DEFAULT true,
    audit_days         integer NOT NULL DEFAULT 90 CHECK (audit_days >= 0),
    values             boolean NOT NULL DEFAULT false,
    values_limit_ms    integer NOT NULL DEFAULT 300 CHECK (values_limit_ms > 0),
    cache_minutes      integer NOT NULL DEFAULT 60 CHECK (cache_minutes BETWEEN 0 AND 525600),
    redact             text[] NOT NULL DEFAULT '{email,mail,phone,mobile,fax,ssn,social,passw,pwd,secret,token,'
        'apikey,iban,card,cvv,account,passport,licen,taxid,nationalid,birth,address,street,login,username,'
        'salary,diagnos}' CHECK (array_position(redact, NULL) IS NULL),
    examples           integer NOT NULL DEFAULT 0 CHECK (examples BETWEEN 0 AND 20),
    taught             integer NOT NULL DEFAULT 3 CHECK (taught BETWEEN 0 AND 20),
    curators           text[] NOT NULL DEFAULT '{}',
    thread_turns       integer NOT NULL DEFAULT 3 CHECK (thread_turns BETWEEN 0 AND 10),
    approve_minutes    integer NOT NULL DEFAULT 60 CHECK (approve_minutes > 0)
);
SELECT pg_catalog.pg_extension_config_dump('nl2sql.profile', '');

COMMENT ON TABLE nl2sql.profile IS
    'What may be asked, how the model is reached, and every limit. Only the owner writes it: '
    'settings that protect are never GUCs, which any role can SET.';
COMMENT ON COLUMN nl2sql.profile.reader IS
    'the role every query runs as; nl2sql.create_executor() makes its executor';
COMMENT ON COLUMN nl2sql.profile.run_as IS
    'reader, or caller: queries then run as whoever asks, for policies on current_user; there the '
    'guard alone keeps a query from changing role, so it is for databases that need it';
COMMENT ON COLUMN nl2sql.profile.schemas IS
    'schemas that may be asked about, in search order; NULL: all that reader and caller may use';
COMMENT ON COLUMN nl2sql.profile.allowed_roles IS
    'roles whose members may use the profile; NULL: everyone with EXECUTE';
COMMENT ON COLUMN nl2sql.profile.model_key_file IS
    'file, readable by the server, with the model server''s key; the key itself is never stored here';
COMMENT ON COLUMN nl2sql.profile.model_keep_alive IS
    'how long Ollama keeps the model loaded: seconds, or a duration such as 30m';
COMMENT ON COLUMN nl2sql.profile.context_tokens IS 'the context size sent to the model server';
COMMENT ON COLUMN nl2sql.profile.strategy IS
    'how many replies of the model are drawn, and when: single (or text, comment, structured: one in that '
    'form of the prompt), repair (one more where the first fails), '
    'prompt_flow, vote (six, the most agreed on), auto (more where something speaks against the first)';
COMMENT ON COLUMN nl2sql.profile.clarify IS
    'true: a question of which the database has several readings is asked back (N2006)';
COMMENT ON COLUMN nl2sql.profile.min_confidence IS
    'an answer that is less sure is not given (N2008), its SQL is in the DETAIL; 0: all are';
COMMENT ON COLUMN nl2sql.profile.min_link IS
    'a question of whose words the names in the database cover less is declined (N2008) where nothing was '
    'found for it either; 0: none is';
COMMENT ON COLUMN nl2sql.profile.time_limit_ms IS 'a query that runs longer is cancelled (N2003)';
COMMENT ON COLUMN nl2sql.profile.max_memory_bytes IS
    'memory that a query may take beside what its session has; more is an error (N2009)';
COMMENT ON COLUMN nl2sql.profile.max_cost IS 'planner cost above which a query is not run (N2002)';
COMMENT ON COLUMN nl2sql.profile.truncate IS
    'true: a result over max_rows or max_bytes is cut and flagged; false: it is an error (N2009)';
COMMENT ON COLUMN nl2sql.profile.allow_functions IS
    'functions allowed beside the reviewed built-ins, as schema.name';
COMMENT ON COLUMN nl2sql.profile.allow_views IS
    'views and partitions, as schema.name, allowed though they call what is not on the lists or '
    'pass row-level security by';
COMMENT ON COLUMN nl2sql.profile.watch_settings IS
    'settings that policies read, such as app.tenant: a query that assigns one is refused, its '
    'result void and the setting put back';
COMMENT ON COLUMN nl2sql.profile.audit IS 'false: calls leave no row in nl2sql.audit and no line in the log';
COMMENT ON COLUMN nl2sql.profile.audit_days IS 'age in days at which rows of nl2sql.audit are removed';
COMMENT ON COLUMN nl2sql.profile.values IS
    'true: words of the question, and texts in the model''s SQL, are looked up in the columns that reader and '
    'caller may read; what a value says in the words of the question is told to the model';
COMMENT ON COLUMN nl2sql.profile.values_limit_ms IS 'a lookup of values that takes longer is given up';
COMMENT ON COLUMN nl2sql.profile.cache_minutes IS
    'how long the SQL for a question is used again, for the same login and role and while all that the model is '
    'told stays the same; it goes through the door each time; 0: every question asks the model';
COMMENT ON COLUMN nl2sql.profile.redact IS
    'columns whose values are never looked up: schema.table.column, where * stands for anything, or a part '
    'of a column''s name, whatever its case and underscores';
COMMENT ON COLUMN nl2sql.profile.examples IS
    'how many questions with their SQL, those most alike to the question, are shown to the model from a small '
    'bank on made-up tables';
COMMENT ON COLUMN nl2sql.profile.taught IS 'how many are shown of those that nl2sql_teach() and nl2sql_feedback() keep';
COMMENT ON COLUMN nl2sql.profile.curators IS
    'roles whose members may teach and note for everybody who uses the profile; the extension''s owner always may';
COMMENT ON COLUMN nl2sql.profile.thread_turns IS 'how many earlier questions of a thread, with their SQL, are shown';
COMMENT ON COLUMN nl2sql.profile.approve_minutes IS 'how long nl2sql_approve() runs what was planned';
