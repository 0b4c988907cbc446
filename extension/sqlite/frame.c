/* Bytes in fields: what goes over the socket, and what is kept of the last rows. */
#include "nl2sql0.h"
#include <stdlib.h>
#include <string.h>
SQLITE_EXTENSION_INIT3

void frame_clear(Frame *f) {
  f->size = 0;
  f->broken = 0;
}

void frame_free(Frame *f) {
  sqlite3_free(f->data);
  memset(f, 0, sizeof *f);
}

/* Make room for so many bytes more; 0 where there is no memory. */
int frame_room(Frame *f, size_t more) {
  size_t room = f->room ? f->room : 256;
  unsigned char *data;
  if (f->broken) return 0;
  if (more <= f->room - f->size) return 1;
  while (room - f->size < more) room *= 2;
  data = sqlite3_realloc64(f->data, room);
  if (!data) {
    f->broken = 1;
    return 0;
  }
  f->data = data;
  f->room = room;
  return 1;
}

/* Add one field; a tag other than 0 becomes its first byte. */
void frame_put(Frame *f, char tag, const void *bytes, size_t size) {
  size_t whole = size + (tag != 0);
  unsigned char *at;
  if (whole > 0x7fffffff) f->broken = 1;
  if (!frame_room(f, whole + 4)) return;
  at = f->data + f->size;
  at[0] = (unsigned char)(whole >> 24);
  at[1] = (unsigned char)(whole >> 16);
  at[2] = (unsigned char)(whole >> 8);
  at[3] = (unsigned char)whole;
  if (tag) at[4] = (unsigned char)tag;
  if (size) memcpy(at + 4 + (tag != 0), bytes, size);
  f->size += whole + 4;
}

void frame_text(Frame *f, const char *text) {
  frame_put(f, 0, text, text ? strlen(text) : 0);
}

void frame_int(Frame *f, sqlite3_int64 value) {
  char text[24];
  sqlite3_snprintf(sizeof text, text, "%lld", value);
  frame_text(f, text);
}

void frame_join(Frame *f, const Frame *more) {
  if (more->broken) f->broken = 1;
  if (!more->size || !frame_room(f, more->size)) return;
  memcpy(f->data + f->size, more->data, more->size);
  f->size += more->size;
}

/* Read the field at *at and go past it; 0 at the end, or where the frame is not well made. */
int frame_next(const Frame *f, size_t *at, Field *field) {
  const unsigned char *p;
  size_t size;
  if (f->size - *at < 4 || *at > f->size) return 0;
  p = f->data + *at;
  size = (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
  if (size > f->size - *at - 4) return 0;
  field->data = (const char *)p + 4;
  field->size = size;
  *at += 4 + size;
  return 1;
}

/* Return the number that a field writes in decimal; 0 for what is none. */
sqlite3_int64 field_int(const Field *field) {
  char text[24];
  if (field->size >= sizeof text) return 0;
  memcpy(text, field->data, field->size);
  text[field->size] = 0;
  return strtoll(text, NULL, 10);
}

int field_is(const Field *field, const char *text) {
  return field->size == strlen(text) && memcmp(field->data, text, field->size) == 0;
}

char *field_copy(const Field *field) {
  char *text = sqlite3_malloc64(field->size + 1);
  if (text) {
    memcpy(text, field->data, field->size);
    text[field->size] = 0;
  }
  return text;
}
