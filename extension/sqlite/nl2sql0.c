/* nl2sql0: ask a SQLite database in plain language.
 *
 *   .load ./nl2sql0
 *   SELECT * FROM nl2sql_rows('which five customers spent most?');
 *
 * This library holds no model, no Python and no opinion: a worker process thinks, and asks for
 * what it wants to know of the database. What the library holds is the door: door.c decides what
 * is prepared and run on the connection. All functions are SQLITE_DIRECTONLY, so that no view or
 * trigger of a file can call them. */
#include "nl2sql0.h"
#include <string.h>
SQLITE_EXTENSION_INIT1

static const char *const NAMES[N_FUNCTIONS] = {"nl2sql",     "nl2sql_sql",   "nl2sql_ask",
                                               "nl2sql_run", "nl2sql_check", "nl2sql_prompt"};

static void release(void *arg) {
  Conn *conn = arg;
  if (--conn->references > 0) return;
  worker_stop(&conn->worker);
  frame_free(&conn->out);
  frame_free(&conn->in);
  frame_free(&conn->cells);
  tables_forget(conn);
  sqlite3_free(conn);
}

static void release_function(void *arg) { release(((Function *)arg)->conn); }

static void run(sqlite3_context *context, int count, sqlite3_value **values) {
  Function *function = sqlite3_user_data(context);
  Field text;
  size_t at;
  char *error = call(function->conn, function->name, field_of(values[0]),
                     field_of(count > 1 ? values[1] : NULL), &at);
  if (error && ended(error))
    sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  else if (error)
    sqlite3_result_error(context, error, -1);
  else if (frame_next(&function->conn->in, &at, &text))
    sqlite3_result_text64(context, text.data, text.size, SQLITE_TRANSIENT, SQLITE_UTF8);
  sqlite3_free(error);
}

static int functions_register(Conn *conn) {
  int i, count, rc = SQLITE_OK;
  for (i = 0; i < N_FUNCTIONS; i++) {
    conn->functions[i].conn = conn;
    conn->functions[i].name = NAMES[i];
    for (count = 1; rc == SQLITE_OK && count <= 2; count++) {
      conn->references++; /* given back by SQLite, also where it fails */
      rc = sqlite3_create_function_v2(conn->db, NAMES[i], count, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                      &conn->functions[i], run, NULL, NULL, release_function);
    }
  }
  return rc;
}

__attribute__((visibility("default"))) int sqlite3_nlsql_init(sqlite3 *db, char **message,
                                                              const sqlite3_api_routines *api) {
  Conn *conn;
  int rc;
  SQLITE_EXTENSION_INIT2(api);
  if (sqlite3_libversion_number() < 3031000) {
    *message = sqlite3_mprintf("nl2sql0 needs SQLite 3.31 or newer, this is %s",
                               sqlite3_libversion());
    return SQLITE_ERROR;
  }
  conn = sqlite3_malloc64(sizeof *conn);
  if (!conn) return SQLITE_NOMEM;
  memset(conn, 0, sizeof *conn);
  conn->db = db;
  conn->references = 1;
  conn->host_known = host_learn(&conn->offsets);
  rc = functions_register(conn);
  if (rc == SQLITE_OK) rc = tables_register(conn, release);
  release(conn);
  return rc;
}
