/* Rows as tables. nl2sql_rows('question') is a table-valued function: one JSON object a row.
 * CREATE VIRTUAL TABLE temp.t USING nl2sql('question') has real columns: the model is asked once,
 * when it is made; each scan takes the same SQL through the door again. Only in temp: a table that
 * a file holds would ask on behalf of whoever opens the file. */
#include "nl2sql0.h"
#include <string.h>
SQLITE_EXTENSION_INIT3

typedef struct Table {
  sqlite3_vtab base;
  Conn *conn;
  char *name, *sql; /* NULL for nl2sql_rows */
  int width;
} Table;

typedef struct Cursor {
  sqlite3_vtab_cursor base;
  Frame cells;
  size_t at;
  Field *row;
  sqlite3_int64 id, count;
  int over;
  sqlite3_value *arguments[2];
} Cursor;

/* Hand an error text to SQLite, which frees it. */
static int fail(sqlite3_vtab *table, char *error) {
  sqlite3_free(table->zErrMsg);
  table->zErrMsg = error;
  return ended(error) ? SQLITE_INTERRUPT : SQLITE_ERROR;
}

/* ---- cursors: both kinds of table walk over cells */

static int cursor_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  int width = ((Table *)table)->width;
  Cursor *c = sqlite3_malloc64(sizeof *c + sizeof(Field) * (size_t)width);
  if (!c) return SQLITE_NOMEM;
  memset(c, 0, sizeof *c);
  c->row = (Field *)(c + 1);
  c->over = 1;
  *cursor = &c->base;
  return SQLITE_OK;
}

static void forget(Cursor *c) {
  sqlite3_value_free(c->arguments[0]);
  sqlite3_value_free(c->arguments[1]);
  c->arguments[0] = c->arguments[1] = NULL;
  frame_free(&c->cells);
}

static int cursor_close(sqlite3_vtab_cursor *cursor) {
  forget((Cursor *)cursor);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *cursor) {
  Cursor *c = (Cursor *)cursor;
  int i, width = ((Table *)cursor->pVtab)->width;
  c->over = c->id >= c->count;
  for (i = 0; i < width && !c->over; i++)
    if (!frame_next(&c->cells, &c->at, &c->row[i]) || c->row[i].size == 0) c->over = 1;
  c->id++;
  return SQLITE_OK;
}

static int cursor_eof(sqlite3_vtab_cursor *cursor) { return ((Cursor *)cursor)->over; }

static int cursor_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id) {
  *id = ((Cursor *)cursor)->id;
  return SQLITE_OK;
}

static int cursor_column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int column) {
  Cursor *c = (Cursor *)cursor;
  int width = ((Table *)cursor->pVtab)->width;
  Field cell;
  double real;
  if (column >= width) {
    if (column - width < 2 && c->arguments[column - width])
      sqlite3_result_value(context, c->arguments[column - width]);
    return SQLITE_OK;
  }
  cell.data = c->row[column].data + 1;
  cell.size = c->row[column].size - 1;
  switch (cell.data[-1]) {
    case 'i':
      sqlite3_result_int64(context, field_int(&cell));
      break;
    case 'f':
      if (cell.size == sizeof real) memcpy(&real, cell.data, sizeof real);
      else real = 0;
      sqlite3_result_double(context, real);
      break;
    case 't':
      sqlite3_result_text64(context, cell.data, cell.size, SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    case 'b':
      sqlite3_result_blob64(context, cell.data, cell.size, SQLITE_TRANSIENT);
      break;
    default:
      sqlite3_result_null(context);
  }
  return SQLITE_OK;
}

/* Begin to walk over a frame of cells, which is moved out of its place. */
static int begin(Cursor *c, Frame *cells, size_t at, sqlite3_int64 count) {
  frame_free(&c->cells);
  c->cells = *cells;
  memset(cells, 0, sizeof *cells);
  c->at = at;
  c->count = count;
  c->id = 0;
  return cursor_next(&c->base);
}

static sqlite3_int64 next_int(const Frame *f, size_t *at) {
  Field field;
  return frame_next(f, at, &field) ? field_int(&field) : 0;
}

/* ---- nl2sql_rows */

static int rows_connect(sqlite3 *db, void *conn, int argc, const char *const *argv,
                        sqlite3_vtab **made, char **error) {
  Table *table;
  int rc = sqlite3_declare_vtab(db, "CREATE TABLE x(row TEXT, question HIDDEN, options HIDDEN)");
  (void)argc, (void)argv, (void)error;
  if (rc != SQLITE_OK) return rc;
  sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  table = sqlite3_malloc64(sizeof *table);
  if (!table) return SQLITE_NOMEM;
  memset(table, 0, sizeof *table);
  table->conn = conn;
  table->width = 1;
  *made = &table->base;
  return SQLITE_OK;
}

static int rows_plan(sqlite3_vtab *table, sqlite3_index_info *info) {
  int i, asked = 0;
  for (i = 0; i < info->nConstraint; i++) {
    const struct sqlite3_index_constraint *one = &info->aConstraint[i];
    if (one->iColumn < 1 || one->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (!one->usable) return SQLITE_CONSTRAINT;
    if (asked & one->iColumn) continue;
    info->aConstraintUsage[i].argvIndex = one->iColumn;
    info->aConstraintUsage[i].omit = 1;
    asked |= one->iColumn;
  }
  if (!(asked & 1))
    return fail(table, sqlite3_mprintf("nl2sql_rows needs a question: nl2sql_rows('...')"));
  info->idxNum = asked;
  info->estimatedCost = 1e9;
  info->estimatedRows = 1000;
  return SQLITE_OK;
}

static int rows_filter(sqlite3_vtab_cursor *cursor, int asked, const char *text, int count,
                       sqlite3_value **values) {
  Cursor *c = (Cursor *)cursor;
  Conn *conn = ((Table *)cursor->pVtab)->conn;
  size_t at;
  sqlite3_int64 rows;
  char *error;
  (void)text;
  forget(c);
  c->arguments[0] = sqlite3_value_dup(values[0]);
  if (asked & 2 && count > 1) c->arguments[1] = sqlite3_value_dup(values[1]);
  error = call(conn, "nl2sql_rows", field_of(values[0]), field_of(count > 1 ? values[1] : NULL), &at);
  if (error) return fail(cursor->pVtab, error);
  rows = next_int(&conn->in, &at);
  return begin(c, &conn->in, at, rows);
}

static int table_disconnect(sqlite3_vtab *table) {
  sqlite3_free(((Table *)table)->name);
  sqlite3_free(((Table *)table)->sql);
  sqlite3_free(table);
  return SQLITE_OK;
}

/* ---- USING nl2sql: the SQL of each such table is kept on the connection under its name */

static void saved_drop(Conn *conn, const char *name) {
  Saved **at = &conn->saved, *gone;
  while (*at && sqlite3_stricmp((*at)->name, name) != 0) at = &(*at)->next;
  if (!*at) return;
  gone = *at;
  *at = gone->next;
  sqlite3_free(gone->name);
  sqlite3_free(gone->sql);
  sqlite3_free(gone->declaration);
  sqlite3_free(gone);
}

void tables_forget(Conn *conn) {
  while (conn->saved) saved_drop(conn, conn->saved->name);
}

static Saved *saved_find(const Conn *conn, const char *name) {
  Saved *one = conn->saved;
  while (one && sqlite3_stricmp(one->name, name) != 0) one = one->next;
  return one;
}

/* Write the declaration of a table from the names of its columns and their affinities. */
static char *declare(const Frame *f, size_t *at, int width) {
  sqlite3_str *text = sqlite3_str_new(NULL);
  Field name, affinity;
  int i;
  for (i = 0; i < width && frame_next(f, at, &name) && frame_next(f, at, &affinity); i++) {
    char *copy = field_copy(&name);
    sqlite3_str_appendf(text, "%s\"%w\" %.*s", i ? ", " : "CREATE TABLE x(", copy ? copy : "",
                        (int)affinity.size, affinity.data);
    sqlite3_free(copy);
  }
  sqlite3_str_appendall(text, ")");
  return sqlite3_str_finish(text);
}

static Saved *saved_add(Conn *conn, const char *name, size_t at) {
  Field sql;
  Saved *one = sqlite3_malloc64(sizeof *one);
  if (!one) return NULL;
  memset(one, 0, sizeof *one);
  saved_drop(conn, name);
  one->next = conn->saved;
  conn->saved = one;
  one->name = sqlite3_mprintf("%s", name);
  if (frame_next(&conn->in, &at, &sql)) one->sql = field_copy(&sql);
  one->width = (int)next_int(&conn->in, &at);
  one->declaration = declare(&conn->in, &at, one->width);
  return one;
}

/* Take the quotes off an argument of USING, which comes as it was written. */
static char *unquoted(const char *written) {
  size_t i, n = 0, size = strlen(written);
  char *text = size > 1 && *written == '\'' && written[size - 1] == '\'' ? sqlite3_malloc64(size) : NULL;
  if (!text) return NULL;
  for (i = 1; i < size - 1; i++) {
    text[n++] = written[i];
    if (written[i] == '\'' && (written[++i] != '\'' || i == size - 1)) {
      sqlite3_free(text);
      return NULL;
    }
  }
  text[n] = 0;
  return text;
}

static Field field_of_text(const char *text) {
  Field field = {text ? text : "", text ? strlen(text) : 0};
  return field;
}

static char *ask(Conn *conn, int argc, const char *const *argv) {
  char *question = argc > 3 ? unquoted(argv[3]) : NULL;
  char *options = argc > 4 ? unquoted(argv[4]) : NULL, *error;
  size_t at;
  if (sqlite3_stricmp(argv[1], "temp") != 0)
    error = sqlite3_mprintf("only a temp table may ask: CREATE VIRTUAL TABLE temp.%s USING ...", argv[2]);
  else if (!question || argc > 5 || (argc > 4 && !options))
    error = sqlite3_mprintf("one text in single quotes, or two, the second with options: "
                            "USING nl2sql('how many ... are there?')");
  else
    error = call(conn, "nl2sql_table", field_of_text(question), field_of_text(options), &at);
  if (!error && !saved_add(conn, argv[2], at)) error = sqlite3_mprintf("out of memory");
  sqlite3_free(question);
  sqlite3_free(options);
  return error;
}

static int saved_connect(sqlite3 *db, void *conn, int argc, const char *const *argv,
                         sqlite3_vtab **made, char **error) {
  const Saved *saved = sqlite3_stricmp(argv[1], "temp") ? NULL : saved_find(conn, argv[2]);
  Table *table;
  int rc;
  (void)argc;
  if (!saved || !saved->sql || !saved->declaration) {
    *error = sqlite3_mprintf("this table of nl2sql was made by another connection: make it anew in temp");
    return SQLITE_ERROR;
  }
  rc = sqlite3_declare_vtab(db, saved->declaration);
  if (rc != SQLITE_OK) {
    *error = sqlite3_mprintf("the columns make no table: %s", sqlite3_errmsg(db));
    return rc;
  }
  sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  table = sqlite3_malloc64(sizeof *table);
  if (!table) return SQLITE_NOMEM;
  memset(table, 0, sizeof *table);
  table->conn = conn;
  table->width = saved->width;
  table->sql = sqlite3_mprintf("%s", saved->sql);
  table->name = sqlite3_mprintf("%s", saved->name);
  *made = &table->base;
  return SQLITE_OK;
}

static int saved_create(sqlite3 *db, void *conn, int argc, const char *const *argv,
                        sqlite3_vtab **made, char **error) {
  char *said = ask(conn, argc, argv);
  if (!said) return saved_connect(db, conn, argc, argv, made, error);
  *error = said;
  return ended(said) ? SQLITE_INTERRUPT : SQLITE_ERROR;
}

static int saved_destroy(sqlite3_vtab *table) {
  saved_drop(((Table *)table)->conn, ((Table *)table)->name);
  return table_disconnect(table);
}

static int saved_plan(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  info->estimatedCost = 1e6;
  info->estimatedRows = 1000;
  return SQLITE_OK;
}

static int saved_filter(sqlite3_vtab_cursor *cursor, int number, const char *text, int count,
                        sqlite3_value **values) {
  Table *table = (Table *)cursor->pVtab;
  Conn *conn = table->conn;
  size_t at;
  sqlite3_int64 rows, width;
  char *error = call(conn, "nl2sql_again", field_of_text(table->sql), field_of_text(NULL), &at);
  (void)number, (void)text, (void)count, (void)values;
  if (error) return fail(cursor->pVtab, error);
  rows = next_int(&conn->in, &at);
  width = next_int(&conn->in, &at);
  if (width != table->width)
    return fail(cursor->pVtab, sqlite3_mprintf("the tables under %s have changed: make it anew", table->name));
  return begin((Cursor *)cursor, &conn->cells, 0, rows);
}

static sqlite3_module rows_module = {
    .xConnect = rows_connect,   .xBestIndex = rows_plan, .xDisconnect = table_disconnect,
    .xOpen = cursor_open,       .xClose = cursor_close,  .xFilter = rows_filter,
    .xNext = cursor_next,       .xEof = cursor_eof,      .xColumn = cursor_column,
    .xRowid = cursor_rowid,
};

static sqlite3_module saved_module = {
    .xCreate = saved_create,    .xConnect = saved_connect,       .xBestIndex = saved_plan,
    .xDestroy = saved_destroy,  .xDisconnect = table_disconnect, .xOpen = cursor_open,
    .xClose = cursor_close,     .xFilter = saved_filter,         .xNext = cursor_next,
    .xEof = cursor_eof,         .xColumn = cursor_column,        .xRowid = cursor_rowid,
};

int tables_register(Conn *conn, void (*release)(void *)) {
  int rc;
  conn->references++;
  rc = sqlite3_create_module_v2(conn->db, "nl2sql_rows", &rows_module, conn, release);
  if (rc != SQLITE_OK) return rc;
  conn->references++;
  return sqlite3_create_module_v2(conn->db, "nl2sql", &saved_module, conn, release);
}
