/* One question: a message to the worker, the requests that it makes meanwhile, its outcome. */
#include "nl2sql0.h"
#include <string.h>
SQLITE_EXTENSION_INIT3

Field field_of(sqlite3_value *value) {
  const char *text = value ? (const char *)sqlite3_value_text(value) : NULL;
  Field field = {text ? text : "", text ? (size_t)sqlite3_value_bytes(value) : 0};
  return field;
}

int ended(const char *error) {
  return strcmp(error, "interrupted") == 0 || strncmp(error, "[57014]", 7) == 0;
}

static char *text_of(const Frame *f, size_t *at) {
  Field field;
  char *text = frame_next(f, at, &field) ? field_copy(&field) : NULL;
  return text ? text : sqlite3_mprintf("[N2010] nl2sql: the worker sent what is no answer");
}

/* Talk until the worker is done; an error text or NULL. */
static char *converse(Conn *conn, size_t *at) {
  Field field;
  char *error = worker_ready(&conn->worker);
  while (!error) {
    error = worker_send(&conn->worker, &conn->out, door_interrupted, conn);
    if (!error) error = worker_receive(&conn->worker, &conn->in, door_interrupted, conn);
    if (error) return error;
    *at = 0;
    if (frame_next(&conn->in, at, &field) && field_is(&field, "done")) break;
    if (!door_open(conn, &conn->in)) {
      worker_stop(&conn->worker);
      return sqlite3_mprintf("[N2010] nl2sql: the worker asked for what is no request");
    }
  }
  if (error || (frame_next(&conn->in, at, &field) && field_is(&field, "ok"))) return error;
  return text_of(&conn->in, at);
}

char *call(Conn *conn, const char *action, Field subject, Field options, size_t *at) {
  char *error;
  if (conn->busy)
    return sqlite3_mprintf("[N2001] Refused: nl2sql cannot be asked from inside a query of its own.");
  if (!conn->host_known)
    return sqlite3_mprintf(
        "[N2010] nl2sql cannot tell whether this program has set an authorizer or a progress "
        "handler: SQLite %s keeps them in a place that was not found. Nothing was run.",
        sqlite3_libversion());
  conn->busy = 1;
  frame_clear(&conn->cells);
  frame_clear(&conn->out);
  frame_text(&conn->out, action);
  frame_put(&conn->out, 0, subject.data, subject.size);
  frame_put(&conn->out, 0, options.data, options.size);
  error = converse(conn, at);
  conn->busy = 0;
  return error;
}
