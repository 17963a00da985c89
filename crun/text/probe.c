/* hexcc: writes what regions find and leave in memory to the file that HEXCC_PROBE names. It is linked with the program.

   A record is a head of words and the bytes of an array. Runs 1 to 4 of a region are written, and those whose number is a power of 2,
   as long as the file has less than HEXCC_PROBE_BYTES. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "probe.h"

enum { FOUND = 1, LEFT = 2, RUNS = 3, SITES = 256, EXTENTS = 8 };

/* what stands in front of the bytes of an array */
typedef struct {
  unsigned long long kind, site, run, array, from, bytes, read, extents[EXTENTS];
} record;

typedef struct {
  const char *first;
  record head;
} piece;

static int file = -2;
static unsigned long long most, written, runs[SITES];
static piece *pieces;
static int count, room, wanted, full;

static void stop(const char *why) {
  if (write(2, why, strlen(why)) < 0)
    _exit(99);
  _exit(99);
}

static void put(const void *data, size_t n) {
  for (size_t done = 0; done < n;) {
    ssize_t some = write(file, (const char *)data + done, n - done);
    if (some <= 0)
      stop("hexcc: what regions leave could not be written\n");
    done += (size_t)some;
  }
}

/* said at the end: how often each region ran */
static void sum(void) {
  for (int i = 0; i < SITES; i++)
    if (runs[i] > 0) {
      record r = {RUNS, (unsigned long long)i, runs[i], 0, 0, 0, (unsigned long long)!full, {0}};
      put(&r, sizeof r);
    }
}

static void begin(void) {
  const char *name = getenv("HEXCC_PROBE"), *bytes = getenv("HEXCC_PROBE_BYTES");
  most = bytes ? strtoull(bytes, 0, 10) : 1ULL << 30;
  file = name ? open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  unsetenv("HEXCC_PROBE"); /* programs that this one starts write nothing */
  if (file >= 0)
    atexit(sum);
}

/* one array: what cannot be read, as where it does not exist, has no bytes */
static void one(int kind, const piece *p) {
  record r = p->head;
  off_t at = lseek(file, 0, SEEK_CUR);
  r.kind = (unsigned long long)kind;
  put(&r, sizeof r);
  for (unsigned long long done = 0; done < p->head.bytes;) {
    ssize_t some = write(file, p->first + done, p->head.bytes - done);
    if (some > 0) {
      done += (unsigned long long)some;
      continue;
    }
    r.read = r.bytes = 0;
    if (lseek(file, at, SEEK_SET) != at || ftruncate(file, at) != 0)
      stop("hexcc: what regions leave could not be written\n");
    put(&r, sizeof r);
    return;
  }
  written += p->head.bytes;
}

static void all(int kind) {
  for (int i = 0; i < count; i++)
    one(kind, &pieces[i]);
}

void hexcc_probe_begin(int site) {
  if (file == -2)
    begin();
  unsigned long long run = ++runs[site];
  count = 0;
  wanted = file >= 0 && (run <= 4 || (run & (run - 1)) == 0);
}

void hexcc_probe_array(int site, int array, const void *first, unsigned long long from, unsigned long long to, int extents, ...) {
  if (!wanted || from >= to)
    return;
  if (count == room) {
    room = 2 * room + 64;
    pieces = (piece *)realloc(pieces, (size_t)room * sizeof *pieces);
    if (!pieces)
      stop("hexcc: no memory\n");
  }
  piece p = {(const char *)first + from, {0, (unsigned long long)site, runs[site], (unsigned long long)array, from, to - from, 1, {0}}};
  va_list list;
  va_start(list, extents);
  for (int i = 0; i < extents && i < EXTENTS; i++)
    p.head.extents[i] = (unsigned long long)va_arg(list, long);
  va_end(list);
  pieces[count++] = p;
}

void hexcc_probe_began(void) {
  unsigned long long bytes = 0;
  for (int i = 0; i < count; i++)
    bytes += pieces[i].head.bytes;
  if (wanted && written + 2 * bytes > most) {
    full = 1;
    wanted = 0;
  }
  if (wanted)
    all(FOUND);
}

void hexcc_probe_end(void) {
  if (wanted)
    all(LEFT);
}
