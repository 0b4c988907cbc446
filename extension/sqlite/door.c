/* What the worker asks of the connection. Text of a model is prepared and run under an authorizer
 * that lets through reading and reviewed functions (functions.h, made from the reviewed list when
 * this is built, whatever the worker says), with a progress handler for time and steps. The
 * host's own authorizer and progress handler are asked too, and put back afterwards. */
#include "nl2sql0.h"
#include "functions.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
SQLITE_EXTENSION_INIT3

#define EVERY 1000 /* steps between two looks at the clock */

static const struct {
  int which, most;
} LIMITS[] = {
    {SQLITE_LIMIT_LENGTH, 0 /* max_cell_bytes */},
    {SQLITE_LIMIT_SQL_LENGTH, 100000},
    {SQLITE_LIMIT_EXPR_DEPTH, 500},
    {SQLITE_LIMIT_COMPOUND_SELECT, 200},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};
#define N_LIMITS (sizeof LIMITS / sizeof *LIMITS)

typedef struct Door {
  Conn *conn;
  Host host;
  Frame reads, functions; /* what was asked, for `prepare` */
  int n_reads;
  Frame names;            /* rules: allowed functions, then allowed tables */
  int n_functions, n_tables; /* n_tables -1: any */
  int limits[N_LIMITS];   /* the host's */
  sqlite3_int64 max_rows, max_bytes, max_cell, limit_ms, max_steps, max_growth;
  sqlite3_int64 steps, host_steps, ends;
  sqlite3_int64 memory, written; /* when it began; written -1 where the system does not tell */
  int looks;
  int every;
  const char *stopped;
} Door;

static sqlite3_int64 now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (sqlite3_int64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int by_name(const void *name, const void *entry) {
  return sqlite3_stricmp(name, *(const char *const *)entry);
}

static int among(const Door *d, size_t from, int count, const char *name) {
  Field field;
  size_t length = strlen(name), at = from;
  while (count-- > 0 && frame_next(&d->names, &at, &field))
    if (field.size == length && sqlite3_strnicmp(field.data, name, (int)length) == 0) return 1;
  return 0;
}

static int may_call(const Door *d, const char *name) {
  return bsearch(name, REVIEWED, sizeof REVIEWED / sizeof *REVIEWED, sizeof *REVIEWED, by_name) &&
         among(d, 0, d->n_functions, name);
}

static int may_read(const Door *d, const char *table) {
  size_t at = 0;
  Field skipped;
  int i;
  if (sqlite3_strnicmp(table, "sqlite_", 7) == 0 || sqlite3_strnicmp(table, "pragma_", 7) == 0)
    return 0;
  if (d->n_tables < 0) return 1;
  for (i = 0; i < d->n_functions; i++)
    if (!frame_next(&d->names, &at, &skipped)) return 0;
  return among(d, at, d->n_tables, table);
}

/* Only main may be read; SQLite names no database where rows are counted without a column. */
static int in_main(const char *database) {
  return !database || !*database || sqlite3_stricmp(database, "main") == 0;
}

static int authorize(void *arg, int action, const char *a, const char *b, const char *database,
                     const char *inner) {
  Door *d = arg;
  int answer = SQLITE_DENY;
  if (action == SQLITE_SELECT || action == SQLITE_RECURSIVE) answer = SQLITE_OK;
  if (action == SQLITE_FUNCTION && b) {
    frame_text(&d->functions, b);
    answer = may_call(d, b) ? SQLITE_OK : SQLITE_DENY;
  }
  if (action == SQLITE_READ && a) {
    frame_text(&d->reads, database);
    frame_text(&d->reads, a);
    frame_text(&d->reads, b);
    d->n_reads++;
    answer = in_main(database) && may_read(d, a) ? SQLITE_OK : SQLITE_DENY;
  }
  if (action == SQLITE_PRAGMA && a && !b && sqlite3_stricmp(a, "data_version") == 0)
    answer = SQLITE_OK; /* full-text search asks for it */
  if (d->functions.broken || d->reads.broken) answer = SQLITE_DENY;
  if (answer == SQLITE_OK && d->host.authorizer)
    answer = d->host.authorizer(d->host.authorizer_arg, action, a, b, database, inner);
  return answer;
}

/* Bytes that this process has written, temporary files included, as Linux tells it. */
static sqlite3_int64 written(void) {
  char text[256];
  const char *found;
  int file = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[got > 0 ? got : 0] = 0;
  found = strstr(text, "wchar: ");
  return found ? strtoll(found + 7, NULL, 10) : -1;
}

/* Sorting and materializing take memory and temporary files without end: tell which grew. */
static const char *grown(Door *d) {
  if (sqlite3_memory_used() - d->memory > d->max_growth) return "memory";
  if (d->written >= 0 && d->looks++ % 50 == 49 && written() - d->written > d->max_growth) return "disk";
  return "";
}

static int watch(void *arg) {
  Door *d = arg;
  d->steps += d->every;
  d->host_steps += d->every;
  if (d->host.progress && d->host_steps >= d->host.progress_steps) {
    d->host_steps = 0;
    if (d->host.progress(d->host.progress_arg)) return 1;
  }
  if (d->steps > d->max_steps) d->stopped = "steps";
  else if (now_ms() >= d->ends) d->stopped = "time";
  else d->stopped = grown(d);
  return *d->stopped != 0;
}

/* Take the two slots, and lower the limits of the connection. */
static void enter(Door *d) {
  sqlite3 *db = d->conn->db;
  size_t i;
  host_read(&d->conn->offsets, db, &d->host);
  d->every = d->host.progress && d->host.progress_steps < EVERY ? d->host.progress_steps : EVERY;
  d->ends = now_ms() + d->limit_ms;
  d->memory = sqlite3_memory_used();
  d->written = written();
  sqlite3_set_authorizer(db, authorize, d);
  sqlite3_progress_handler(db, d->every, watch, d);
  for (i = 0; i < N_LIMITS; i++) {
    sqlite3_int64 most = LIMITS[i].which == SQLITE_LIMIT_LENGTH ? d->max_cell : LIMITS[i].most;
    d->limits[i] = sqlite3_limit(db, LIMITS[i].which, -1);
    if (most < d->limits[i]) sqlite3_limit(db, LIMITS[i].which, (int)most);
  }
}

static void leave(Door *d) {
  size_t i;
  for (i = 0; i < N_LIMITS; i++) sqlite3_limit(d->conn->db, LIMITS[i].which, d->limits[i]);
  host_restore(d->conn->db, &d->host);
}

/* ---- replies */

static void fail(Door *d, int code, const char *message) {
  Frame *out = &d->conn->out;
  frame_clear(out);
  frame_text(out, "error");
  frame_int(out, code);
  frame_text(out, message);
  frame_text(out, d->stopped);
}

static void fail_as_sqlite(Door *d) {
  sqlite3 *db = d->conn->db;
  fail(d, sqlite3_extended_errcode(db), sqlite3_errmsg(db));
}

static void put_columns(Frame *out, sqlite3_stmt *statement, int typed) {
  int i, count = sqlite3_column_count(statement);
  frame_int(out, count);
  for (i = 0; i < count; i++) {
    const char *name = sqlite3_column_name(statement, i);
    if (!name) out->broken = 1;
    frame_text(out, name);
    if (typed) frame_text(out, sqlite3_column_decltype(statement, i));
  }
}

/* Add one value; return how many bytes it has as JSON at the least. */
static sqlite3_int64 put_cell(Frame *out, sqlite3_stmt *statement, int column) {
  int kind = sqlite3_column_type(statement, column);
  const void *bytes = kind == SQLITE_BLOB ? sqlite3_column_blob(statement, column) : NULL;
  char text[24];
  double real;
  int size;
  switch (kind) {
    case SQLITE_INTEGER:
      sqlite3_snprintf(sizeof text, text, "%lld", sqlite3_column_int64(statement, column));
      frame_put(out, 'i', text, strlen(text));
      return 1;
    case SQLITE_FLOAT:
      real = sqlite3_column_double(statement, column);
      frame_put(out, 'f', &real, sizeof real);
      return 3;
    case SQLITE_TEXT:
      bytes = sqlite3_column_text(statement, column);
      if (!bytes) out->broken = 1;
      size = sqlite3_column_bytes(statement, column);
      frame_put(out, 't', bytes, bytes ? (size_t)size : 0);
      return size + 2;
    case SQLITE_BLOB:
      size = sqlite3_column_bytes(statement, column);
      frame_put(out, 'b', bytes, bytes ? (size_t)size : 0);
      return 2 * (sqlite3_int64)size + 2;
    default:
      frame_put(out, 'n', NULL, 0);
      return 4;
  }
}

/* ---- statements */

/* Prepare the one statement of a text, which may only read; NULL, and a reply, where it is not so. */
static sqlite3_stmt *prepare(Door *d, const char *sql, size_t size, int explained) {
  sqlite3 *db = d->conn->db;
  sqlite3_stmt *statement = NULL, *second = NULL;
  const char *tail = sql;
  if (size > 0x7ffffff0 || memchr(sql, 0, size)) {
    fail(d, SQLITE_ERROR, "unrecognized token: a NUL in the text");
    return NULL;
  }
  if (sqlite3_prepare_v2(db, sql, (int)size + 1, &statement, &tail) != SQLITE_OK) {
    fail_as_sqlite(d);
    return NULL;
  }
  while (statement && *tail && !second)
    if (sqlite3_prepare_v2(db, tail, -1, &second, &tail) != SQLITE_OK) break;
  if (!statement) {
    fail(d, SQLITE_ERROR, "incomplete input: there is no statement");
  } else if (second || *tail) {
    fail(d, SQLITE_ERROR, "one statement at a time");
  } else if (!sqlite3_stmt_readonly(statement)) {
    fail(d, SQLITE_READONLY, "only reading is possible");
  } else if (sqlite3_column_count(statement) == 0 || sqlite3_stmt_isexplain(statement) != explained) {
    fail(d, SQLITE_READONLY, "only a query that gives rows is possible");
  } else {
    return statement;
  }
  sqlite3_finalize(second);
  sqlite3_finalize(statement);
  return NULL;
}

static int bind(sqlite3_stmt *statement, int at, const Field *value) {
  double real;
  if (value->size == 0) return SQLITE_MISUSE;
  switch (value->data[0]) {
    case 'n':
      return sqlite3_bind_null(statement, at);
    case 'i': {
      Field digits = {value->data + 1, value->size - 1};
      return sqlite3_bind_int64(statement, at, field_int(&digits));
    }
    case 'f':
      if (value->size != 1 + sizeof real) return SQLITE_MISUSE;
      memcpy(&real, value->data + 1, sizeof real);
      return sqlite3_bind_double(statement, at, real);
    default:
      return sqlite3_bind_text(statement, at, value->data + 1, (int)value->size - 1, SQLITE_TRANSIENT);
  }
}

/* Reply with all rows of a statement of our own. */
static void reply_all(Door *d, sqlite3_stmt *statement) {
  Frame *out = &d->conn->out;
  int i, rc;
  frame_text(out, "ok");
  put_columns(out, statement, 0);
  while ((rc = sqlite3_step(statement)) == SQLITE_ROW && !out->broken)
    for (i = 0; i < sqlite3_column_count(statement); i++) put_cell(out, statement, i);
  if (out->broken) fail(d, SQLITE_NOMEM, "out of memory");
  else if (rc != SQLITE_DONE) fail_as_sqlite(d);
}

static void rows(Door *d, char *sql, const Frame *request, size_t at) {
  sqlite3_stmt *statement = prepare(d, sql, strlen(sql), 0);
  Field value;
  int i = 0, rc = SQLITE_OK;
  if (!statement) return;
  while (rc == SQLITE_OK && frame_next(request, &at, &value)) rc = bind(statement, ++i, &value);
  if (rc == SQLITE_OK) reply_all(d, statement);
  else fail_as_sqlite(d);
  sqlite3_finalize(statement);
}

static void describe(Door *d, const char *sql) {
  Frame *out = &d->conn->out;
  sqlite3_stmt *statement = prepare(d, sql, strlen(sql), 0);
  if (!statement) return;
  frame_text(out, "ok");
  put_columns(out, statement, 1);
  frame_int(out, d->n_reads);
  frame_join(out, &d->reads);
  frame_join(out, &d->functions);
  if (out->broken) fail(d, SQLITE_NOMEM, "out of memory");
  sqlite3_finalize(statement);
}

static void plan(Door *d, const char *sql) {
  char *text = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sql);
  sqlite3_stmt *statement = text ? prepare(d, text, strlen(text), 2) : NULL;
  if (!text) fail(d, SQLITE_NOMEM, "out of memory");
  if (statement) reply_all(d, statement);
  sqlite3_finalize(statement);
  sqlite3_free(text);
}

/* Run one statement within the caps. Bytes are counted so that the worker, which counts the JSON,
 * always stops first. */
static void fetch(Door *d, const char *sql) {
  Frame *out = &d->conn->out, *cells = &d->conn->cells;
  sqlite3_stmt *statement = prepare(d, sql, strlen(sql), 0);
  sqlite3_int64 count = 0, bytes = 0;
  int i, rc = SQLITE_DONE;
  frame_clear(cells);
  if (!statement) return;
  while (!cells->broken && count <= d->max_rows && bytes <= d->max_bytes &&
         (rc = sqlite3_step(statement)) == SQLITE_ROW) {
    for (i = 0; i < sqlite3_column_count(statement); i++) bytes += put_cell(cells, statement, i);
    count++;
  }
  frame_text(out, "ok");
  put_columns(out, statement, 1);
  frame_join(out, cells);
  if (out->broken) fail(d, SQLITE_NOMEM, "out of memory");
  else if (rc != SQLITE_DONE && rc != SQLITE_ROW) fail_as_sqlite(d);
  sqlite3_finalize(statement);
}

/* ---- requests */

static int copy_names(Door *d, const Frame *request, size_t *at, int *count) {
  Field field;
  int i;
  if (!frame_next(request, at, &field)) return 0;
  *count = (int)field_int(&field);
  for (i = 0; i < *count; i++) {
    if (!frame_next(request, at, &field)) return 0;
    frame_put(&d->names, 0, field.data, field.size);
  }
  return !d->names.broken;
}

static int read_rules(Door *d, const Frame *request, size_t *at, int capped) {
  sqlite3_int64 *caps[] = {&d->max_rows, &d->max_bytes, &d->max_cell, &d->limit_ms, &d->max_steps,
                           &d->max_growth};
  Field field;
  size_t i;
  if (!copy_names(d, request, at, &d->n_functions) || !copy_names(d, request, at, &d->n_tables))
    return 0;
  for (i = 0; capped && i < sizeof caps / sizeof *caps; i++) {
    if (!frame_next(request, at, &field)) return 0;
    *caps[i] = field_int(&field);
  }
  return 1;
}

static int guarded(Door *d, const char *verb, const char *sql, const Frame *request, size_t at) {
  int fetches = strcmp(verb, "fetch") == 0;
  if (!read_rules(d, request, &at, fetches)) return 0;
  enter(d);
  if (fetches) fetch(d, sql);
  else if (strcmp(verb, "plan") == 0) plan(d, sql);
  else describe(d, sql);
  leave(d);
  return 1;
}

/* Carry out one request and leave the reply in conn->out; 0 where it is none that we know. */
int door_open(Conn *conn, const Frame *request) {
  Door d = {.conn = conn, .stopped = "", .limit_ms = 5000, .max_cell = 1000000,
            .max_steps = 100000000, .max_growth = 256000000};
  Field verb, text;
  size_t at = 0;
  char *name = NULL, *sql = NULL;
  int known = 1;
  frame_clear(&conn->out);
  if (!frame_next(request, &at, &verb)) return 0;
  name = field_copy(&verb);
  if (frame_next(request, &at, &text)) sql = field_copy(&text);
  if (!name) known = 0;
  else if (strcmp(name, "poll") == 0) {
    if (door_interrupted(conn)) fail(&d, SQLITE_INTERRUPT, "interrupted");
    else frame_text(&conn->out, "ok");
  } else if (!sql) known = 0;
  else if (memchr(text.data, 0, text.size)) fail(&d, SQLITE_ERROR, "unrecognized token: a NUL");
  else if (strcmp(name, "rows") == 0) rows(&d, sql, request, at);
  else if (strcmp(name, "plan") == 0 || strcmp(name, "prepare") == 0 || strcmp(name, "fetch") == 0)
    known = guarded(&d, name, sql, request, at);
  else known = 0;
  frame_free(&d.names);
  frame_free(&d.reads);
  frame_free(&d.functions);
  sqlite3_free(name);
  sqlite3_free(sql);
  return known;
}

/* Tell whether the user, by sqlite3_interrupt, or the host's progress handler wants an end.
 * Before 3.41 only a statement can tell of the former. */
int door_interrupted(void *arg) {
  Conn *conn = arg;
  Host host;
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2(conn->db, "SELECT 1", -1, &statement, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_step(statement);
  sqlite3_finalize(statement);
  if (rc == SQLITE_INTERRUPT) return 1;
  host_read(&conn->offsets, conn->db, &host);
  return host.progress && host.progress(host.progress_arg);
}
