/* What the parts of nl2sql0.so share. The arrows: nl2sql0, table -> call -> door, worker -> frame.
 *
 * One Conn per SQLite connection that loaded the extension. Everything hangs on it and is
 * used only under that connection's mutex, which SQLite holds while it calls us. */
#ifndef NL2SQL0_H
#define NL2SQL0_H

#include <sqlite3ext.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define NL2SQL_LOCAL __attribute__((visibility("hidden")))

/* ---- frame.c: bytes in fields. On the wire each has its length before it, four bytes, high first. */

typedef struct Frame {
  unsigned char *data;
  size_t size, room;
  int broken; /* memory ran out while it was written: what it holds is of no use */
} Frame;

typedef struct Field {
  const char *data; /* not ended by a NUL */
  size_t size;
} Field;

NL2SQL_LOCAL void frame_clear(Frame *);
NL2SQL_LOCAL void frame_free(Frame *);
NL2SQL_LOCAL int frame_room(Frame *, size_t);
NL2SQL_LOCAL void frame_put(Frame *, char tag, const void *, size_t);
NL2SQL_LOCAL void frame_text(Frame *, const char *);
NL2SQL_LOCAL void frame_int(Frame *, sqlite3_int64);
NL2SQL_LOCAL void frame_join(Frame *, const Frame *);
NL2SQL_LOCAL int frame_next(const Frame *, size_t *at, Field *);
NL2SQL_LOCAL sqlite3_int64 field_int(const Field *);
NL2SQL_LOCAL int field_is(const Field *, const char *);
NL2SQL_LOCAL char *field_copy(const Field *);

/* ---- worker.c: the process that thinks, at the other end of a socket. */

typedef struct Worker {
  pid_t pid;   /* 0: there is none */
  pid_t owner; /* the process that started it: after a fork it is not ours */
  int socket;
  int errors; /* an unlinked file that takes its standard error */
} Worker;

typedef int (*Waiting)(void *); /* asked every 100 ms; not 0 where the user wants it ended */

NL2SQL_LOCAL char *worker_ready(Worker *);
NL2SQL_LOCAL char *worker_send(Worker *, const Frame *, Waiting, void *);
NL2SQL_LOCAL char *worker_receive(Worker *, Frame *, Waiting, void *);
NL2SQL_LOCAL void worker_stop(Worker *);

/* ---- host.c: the authorizer and the progress handler that the host program has set. */

typedef int (*Authorizer)(void *, int, const char *, const char *, const char *, const char *);
typedef int (*Progress)(void *);

typedef struct Offsets {
  size_t authorizer, authorizer_arg, progress, progress_arg, progress_steps;
} Offsets;

typedef struct Host {
  Authorizer authorizer;
  void *authorizer_arg;
  Progress progress;
  void *progress_arg;
  int progress_steps;
} Host;

NL2SQL_LOCAL int host_learn(Offsets *);
NL2SQL_LOCAL void host_read(const Offsets *, sqlite3 *, Host *);
NL2SQL_LOCAL void host_restore(sqlite3 *, const Host *);

/* ---- one connection */

typedef struct Saved {
  char *name, *sql, *declaration;
  int width;
  struct Saved *next;
} Saved;

struct Conn;

typedef struct Function {
  struct Conn *conn;
  const char *name; /* of the function, and of the action that the worker is asked for */
} Function;

#define N_FUNCTIONS 6

typedef struct Conn {
  sqlite3 *db;
  Function functions[N_FUNCTIONS];
  int references;
  int busy;
  int host_known;
  Offsets offsets;
  Worker worker;
  Frame out, in;
  Frame cells; /* of the last fetch: one field a cell, its type before it */
  Saved *saved; /* temp tables made by USING nl2sql */
} Conn;

/* ---- door.c: the worker's requests, carried out on the connection; the reply is in conn->out. */

NL2SQL_LOCAL int door_open(Conn *, const Frame *request);
NL2SQL_LOCAL int door_interrupted(void *conn);

/* ---- call.c: one whole question. 0 and conn->in at *at after "ok", or an error text. */

NL2SQL_LOCAL char *call(Conn *, const char *action, Field subject, Field options, size_t *at);
NL2SQL_LOCAL Field field_of(sqlite3_value *);
NL2SQL_LOCAL int ended(const char *error); /* by the user */

/* ---- table.c */

NL2SQL_LOCAL int tables_register(Conn *, void (*release)(void *));
NL2SQL_LOCAL void tables_forget(Conn *);

#endif
