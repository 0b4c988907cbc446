/* The host's authorizer and progress handler.
 *
 * SQLite has one slot for each and no function that reads them, so whoever sets one loses the
 * other's for good. They lie in the sqlite3 object all the same. Where, is found out and not
 * assumed: on a connection of our own, made by the same library, a known value is put in by the
 * API and looked for inside the object, whose size sqlite3_msize() tells; a second value must then
 * be found at the same place. Where that fails nothing is replaced: see door_open(). */
#include "nl2sql0.h"
#include <string.h>
SQLITE_EXTENSION_INIT3

static int allow(void *arg, int action, const char *a, const char *b, const char *c, const char *d) {
  (void)arg, (void)action, (void)a, (void)b, (void)c, (void)d;
  return SQLITE_OK;
}

static int deny(void *arg, int action, const char *a, const char *b, const char *c, const char *d) {
  (void)arg, (void)action, (void)a, (void)b, (void)c, (void)d;
  return SQLITE_DENY;
}

static int go_on(void *arg) {
  (void)arg;
  return 0;
}

static int stop(void *arg) {
  (void)arg;
  return 1;
}

static int find(const sqlite3 *db, size_t size, const void *value, size_t width, size_t *offset) {
  size_t at;
  for (at = 0; at + sizeof(void *) * 2 <= size; at += width) {
    if (memcmp((const char *)db + at, value, width) == 0) {
      *offset = at;
      return 1;
    }
  }
  return 0;
}

static int locate(sqlite3 *db, size_t size, const Host *host, Offsets *found) {
  host_restore(db, host);
  return find(db, size, &host->authorizer, sizeof host->authorizer, &found->authorizer) &&
         find(db, size, &host->authorizer_arg, sizeof(void *), &found->authorizer_arg) &&
         find(db, size, &host->progress, sizeof host->progress, &found->progress) &&
         find(db, size, &host->progress_arg, sizeof(void *), &found->progress_arg) &&
         find(db, size, &host->progress_steps, sizeof(int), &found->progress_steps);
}

/* Find out where the slots are; 0 where this library does not let itself be read so. */
int host_learn(Offsets *offsets) {
  static char one, two, three, four; /* only their addresses are used */
  Host first = {allow, &one, go_on, &two, 0x2ab1c0de};
  Host second = {deny, &three, stop, &four, 0x3cd2beef};
  Host read;
  Offsets again;
  sqlite3 *db = NULL;
  int known = 0;
  if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, NULL) ==
      SQLITE_OK) {
    size_t size = (size_t)sqlite3_msize(db);
    known = locate(db, size, &first, offsets) && locate(db, size, &second, &again) &&
            memcmp(offsets, &again, sizeof again) == 0;
    if (known) {
      host_restore(db, &first);
      host_read(offsets, db, &read);
      known = read.authorizer == allow && read.authorizer_arg == &one && read.progress == go_on &&
              read.progress_arg == &two && read.progress_steps == first.progress_steps;
    }
  }
  sqlite3_close(db);
  return known;
}

void host_read(const Offsets *at, sqlite3 *db, Host *host) {
  const char *base = (const char *)db;
  memset(host, 0, sizeof *host);
  memcpy(&host->authorizer, base + at->authorizer, sizeof host->authorizer);
  memcpy(&host->authorizer_arg, base + at->authorizer_arg, sizeof host->authorizer_arg);
  memcpy(&host->progress, base + at->progress, sizeof host->progress);
  memcpy(&host->progress_arg, base + at->progress_arg, sizeof host->progress_arg);
  memcpy(&host->progress_steps, base + at->progress_steps, sizeof host->progress_steps);
}

void host_restore(sqlite3 *db, const Host *host) {
  sqlite3_set_authorizer(db, host->authorizer, host->authorizer_arg);
  sqlite3_progress_handler(db, host->progress ? host->progress_steps : 0, host->progress,
                           host->progress_arg);
}
