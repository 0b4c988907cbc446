/* The process that thinks. A socket and not pipes: writing to one whose reader died raises no
 * SIGPIPE in the host, and shutting it down ends it also where a forked child holds a copy. */
#define _GNU_SOURCE
#include "nl2sql0.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
SQLITE_EXTENSION_INIT3

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif
#ifndef SOCK_CLOEXEC
#define SOCK_CLOEXEC 0
#endif
#ifndef NL2SQL_WORKER
#define NL2SQL_WORKER ""
#endif
#define STEP_MS 100
#define SILENCE_MS 120000 /* a worker says something every 100 ms while it waits for a model */
#define GRACE_MS 1500     /* after an interrupt: it asks, hears of it, and closes its connection */
#define FAREWELL_MS 1000
#define LARGEST 0x20000000u

extern char **environ;

/* The program beside the package that holds this file: <prefix>/lib/pythonX.Y/site-packages/
 * nl2sql_fdw/extension/nl2sql0.so belongs to <prefix>/bin/nl2sql. Links are followed. */
static char *program_beside(void) {
  Dl_info info;
  char *path, *program = NULL;
  int up;
  if (!dladdr((void *)(intptr_t)worker_ready, &info) || !info.dli_fname) return NULL;
  path = realpath(info.dli_fname, NULL);
  for (up = 0; path && up < 6; up++) {
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
  }
  if (path) program = sqlite3_mprintf("%s/bin/nl2sql", path);
  free(path);
  if (program && access(program, X_OK) == 0) return program;
  sqlite3_free(program);
  return NULL;
}

/* NL2SQL_WORKER, what the build wrote in, the program beside this file, the one on PATH. */
static char *program(void) {
  const char *named = getenv("NL2SQL_WORKER");
  char *beside;
  if (named && *named) return sqlite3_mprintf("%s", named);
  if (*NL2SQL_WORKER && access(NL2SQL_WORKER, X_OK) == 0) return sqlite3_mprintf("%s", NL2SQL_WORKER);
  beside = program_beside();
  return beside ? beside : sqlite3_mprintf("nl2sql");
}

static int unlinked_file(void) {
  const char *folder = getenv("TMPDIR");
  char *path = sqlite3_mprintf("%s/nl2sql-XXXXXX", folder && *folder ? folder : "/tmp");
  int file = path ? mkstemp(path) : -1;
  if (file >= 0) {
    unlink(path);
    fcntl(file, F_SETFD, FD_CLOEXEC);
  }
  sqlite3_free(path);
  return file;
}

/* Start it with every signal as it is by default, in a group of its own: a Ctrl-C in the
 * terminal is for the host, which interrupts the connection. */
static int spawn(const char *path, int socket, int errors, pid_t *pid) {
  char *argv[] = {(char *)path, "sqlite-worker", NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int rc;
  sigemptyset(&none);
  sigfillset(&all);
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, socket, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (errors >= 0) posix_spawn_file_actions_adddup2(&actions, errors, 2);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETPGROUP);
  rc = posix_spawnp(pid, path, &actions, &attributes, argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return rc;
}

static char *start(Worker *w) {
  int pair[2], rc;
  char *path = program();
  if (!path) return sqlite3_mprintf("[N2010] nl2sql: out of memory");
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    sqlite3_free(path);
    return sqlite3_mprintf("[N2010] nl2sql: no socket for the worker: %s", strerror(errno));
  }
  fcntl(pair[0], F_SETFD, FD_CLOEXEC);
  fcntl(pair[1], F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  setsockopt(pair[0], SOL_SOCKET, SO_NOSIGPIPE, &(int){1}, sizeof(int));
#endif
  w->errors = unlinked_file();
  rc = spawn(path, pair[1], w->errors, &w->pid);
  close(pair[1]);
  if (rc != 0) {
    char *said = sqlite3_mprintf(
        "[N2010] The nl2sql worker cannot be started: %s: %s.\n"
        "HINT: Install the Python package nl2sql-fdw, or name its program in NL2SQL_WORKER.",
        path, strerror(rc));
    close(pair[0]);
    if (w->errors >= 0) close(w->errors);
    w->pid = 0;
    sqlite3_free(path);
    return said;
  }
  w->socket = pair[0];
  w->owner = getpid();
  sqlite3_free(path);
  return NULL;
}

/* Wait for it to end, then make it; the status as waitpid gives it, or -1. */
static int reap(pid_t pid, int patience_ms) {
  int status = 0;
  for (;; patience_ms -= 5) {
    pid_t got = waitpid(pid, &status, WNOHANG);
    if (got == pid) return status;
    if (got < 0 && errno != EINTR) return -1; /* the host has waited for it: the id is not ours */
    if (patience_ms <= 0) break;
    nanosleep(&(struct timespec){0, 5000000}, NULL);
  }
  kill(pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

static int stop(Worker *w, int patience_ms) {
  int status = -1;
  if (!w->pid) return status;
  if (w->owner == getpid()) {
    shutdown(w->socket, SHUT_RDWR);
    status = reap(w->pid, patience_ms);
  }
  close(w->socket);
  if (w->errors >= 0) close(w->errors);
  w->pid = 0;
  return status;
}

void worker_stop(Worker *w) { stop(w, FAREWELL_MS); }

/* The last line of what it wrote to its standard error. */
static void last_words(int file, char *text, size_t room) {
  off_t size = lseek(file, 0, SEEK_END);
  ssize_t got;
  char *line;
  text[0] = 0;
  if (size <= 0) return;
  got = pread(file, text, room - 1, size > (off_t)room - 1 ? size - (off_t)room + 1 : 0);
  text[got > 0 ? got : 0] = 0;
  while (got > 0 && strchr("\r\n ", text[got - 1])) text[--got] = 0;
  line = strrchr(text, '\n');
  if (line) memmove(text, line + 1, strlen(line));
}

static char *obituary(Worker *w) {
  char words[400] = "", how[40] = "";
  int status;
  if (w->errors >= 0) last_words(w->errors, words, sizeof words);
  status = stop(w, 50);
  if (status >= 0 && WIFSIGNALED(status))
    sqlite3_snprintf(sizeof how, how, " by signal %d", WTERMSIG(status));
  else if (status >= 0 && WIFEXITED(status))
    sqlite3_snprintf(sizeof how, how, " with status %d", WEXITSTATUS(status));
  return sqlite3_mprintf("[N2010] The nl2sql worker ended%s before it had answered.\n"
                         "DETAIL: %s\nHINT: Ask again: the next call starts a new one.",
                         how, *words ? words : "It left no message.");
}

/* Leave a worker with someone waiting for its next call, or start one; an error text or NULL. */
char *worker_ready(Worker *w) {
  struct pollfd look = {w->socket, POLLIN, 0};
  if (w->pid && w->owner == getpid() && poll(&look, 1, 0) == 0) return NULL;
  stop(w, 0); /* it died, spoke out of turn, or is our parent's */
  return start(w);
}

static char *wait_for(Worker *w, short what, Waiting waiting, void *arg) {
  struct pollfd look = {w->socket, what, 0};
  int silent = 0, grace = -1;
  for (;;) {
    int rc = poll(&look, 1, STEP_MS);
    if (rc > 0) return NULL;
    if (rc < 0 && errno != EINTR) return obituary(w);
    if (grace < 0 && waiting(arg)) grace = 0;
    if (rc < 0) continue;
    silent += STEP_MS;
    if (grace >= 0) grace += STEP_MS;
    if (grace > GRACE_MS) {
      stop(w, 0);
      return sqlite3_mprintf("interrupted");
    }
    if (silent >= SILENCE_MS) {
      stop(w, 0);
      return sqlite3_mprintf("[N2010] The nl2sql worker has said nothing for %d seconds and was ended.",
                             SILENCE_MS / 1000);
    }
  }
}

static char *put(Worker *w, const unsigned char *bytes, size_t size, Waiting waiting, void *arg) {
  while (size) {
    ssize_t n = send(w->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      bytes += n;
      size -= (size_t)n;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      char *error = wait_for(w, POLLOUT, waiting, arg);
      if (error) return error;
    } else if (errno != EINTR) {
      return obituary(w);
    }
  }
  return NULL;
}

static char *get(Worker *w, unsigned char *bytes, size_t size, Waiting waiting, void *arg) {
  while (size) {
    ssize_t n = recv(w->socket, bytes, size, MSG_DONTWAIT);
    if (n > 0) {
      bytes += n;
      size -= (size_t)n;
    } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      char *error = wait_for(w, POLLIN, waiting, arg);
      if (error) return error;
    } else if (n == 0 || errno != EINTR) {
      return obituary(w);
    }
  }
  return NULL;
}

static char *broken(Worker *w, const char *how) {
  stop(w, 0);
  return sqlite3_mprintf("[N2010] nl2sql: %s", how);
}

/* Send one frame, its length before it; an error text, the worker then stopped, or NULL. */
char *worker_send(Worker *w, const Frame *f, Waiting waiting, void *arg) {
  unsigned char head[4] = {(unsigned char)(f->size >> 24), (unsigned char)(f->size >> 16),
                           (unsigned char)(f->size >> 8), (unsigned char)f->size};
  char *error;
  if (f->broken || f->size > LARGEST) return broken(w, "out of memory for a message to the worker");
  error = put(w, head, sizeof head, waiting, arg);
  return error ? error : put(w, f->data, f->size, waiting, arg);
}

char *worker_receive(Worker *w, Frame *f, Waiting waiting, void *arg) {
  unsigned char head[4];
  size_t size;
  char *error = get(w, head, sizeof head, waiting, arg);
  if (error) return error;
  size = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
  frame_clear(f);
  if (size > LARGEST) return broken(w, "the worker sent what is no message");
  if (!frame_room(f, size)) return broken(w, "out of memory for a message of the worker");
  error = get(w, f->data, size, waiting, arg);
  f->size = error ? 0 : size;
  return error;
}
