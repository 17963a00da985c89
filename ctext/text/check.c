
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned long long hexcc_state = 88172645463325252ull;
static int hexcc_flags; /* integers are 0 or 1 */
static int hexcc_busy; /* some iteration ran */
static size_t hexcc_compared; /* elements */

/* xorshift of 64 bits */
static unsigned hexcc_random(void)
{
  hexcc_state ^= hexcc_state << 13;
  hexcc_state ^= hexcc_state >> 7;
  hexcc_state ^= hexcc_state << 17;
  return (unsigned)(hexcc_state >> 33);
}

static inline double hexcc_unit(void) { return hexcc_random() / 2147483648.0; }

#define HEXCC_FILL(type, to, bytes, value) \
  do { \
    for (size_t hexcc_k = 0; hexcc_k < (bytes) / sizeof(type); hexcc_k++) \
      (to)[hexcc_k] = (type)(value); \
  } while (0)

static double hexcc_now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

/* The bytes of an array of elements of a size, and extents. */
static size_t hexcc_bytes(const char *name, size_t element, int dims, const long long *extents)
{
  size_t bytes = element;
  for (int i = 0; i < dims; i++) {
    if (extents[i] < 0 || (extents[i] > 0 && (unsigned long long)extents[i] > (size_t)-1 / 2 / (bytes > 0 ? bytes : 1))) {
      fprintf(stderr, "no memory has room for %s, of which an extent is %lld\n", name, extents[i]);
      exit(2);
    }
    bytes *= (size_t)extents[i];
  }
  return bytes;
}

static void *hexcc_new(size_t bytes)
{
  void *p = malloc(bytes + 1);
  if (p == NULL) {
    fprintf(stderr, "no memory for an array of %zu bytes\n", bytes);
    exit(2);
  }
  return p;
}

static int hexcc_nan(const void *p, size_t size)
{
  double d;
  float f;
  unsigned short half;
  if (size == sizeof half)
    return memcpy(&half, p, size), (half & 0x7fff) > 0x7c00;
  if (size == sizeof d)
    return memcpy(&d, p, size), d != d;
  return memcpy(&f, p, size), f != f;
}

/* The number of elements that differ; NaNs are equal, as their bits mean nothing. */
static size_t hexcc_compare(const char *name, const void *theirs, const void *ours, size_t n, size_t size, int is_float, size_t *all)
{
  size_t differ = 0;
  for (size_t k = 0; k < n; k++) {
    const char *x = (const char *)theirs + k * size, *y = (const char *)ours + k * size;
    if (memcmp(x, y, size) == 0 || (is_float && hexcc_nan(x, size) && hexcc_nan(y, size)))
      continue;
    if (differ++ == 0)
      fprintf(stderr, "%s: element %zu of %zu in memory is the first that differs\n", name, k, n);
  }
  *all += n;
  hexcc_compared += n;
  return differ;
}

static int hexcc_report(const char *function, const char *names, int n, const long long *values, size_t differ, size_t all,
    const char *equal, double took, struct hexcc_times t)
{
  printf("%s:", function);
  for (int i = 0; i < n; i++) {
    int length = (int)strcspn(names, " ");
    printf(" %.*s=%lld", length, names, values[i]);
    names += length + (names[length] == ' ');
  }
  if (differ != 0)
    printf(": %zu of %zu elements DIFFER\n", differ, all);
  else
#ifdef HEXCC_LOOPS
    printf(": %zu elements %s; original %.3f ms, translated %.3f ms\n", all, equal, took, t.total);
#else
    printf(": %zu elements %s; original %.3f ms, translated %.3f ms (to the device %.3f, kernels %.3f, back %.3f)\n", all, equal, took,
        t.total, t.in, t.kernels, t.out);
#endif
  return differ != 0;
}

static int hexcc_argc;
static char **hexcc_argv;
static char *hexcc_used; /* whether a parameter has the name in an argument */

static int hexcc_arguments(int argc, char **argv)
{
  hexcc_argc = argc;
  hexcc_argv = argv;
  for (int i = 1; i < argc; i++)
    if (strchr(argv[i], '=') == NULL)
      return fprintf(stderr, "usage: %s [NAME=VALUE ...]  values of parameters; those not given are chosen\n", argv[0]), 2;
  hexcc_used = (char *)calloc((size_t)argc + 1, 1);
  return hexcc_used == NULL ? 2 : 0;
}

/* The value that an argument gives to the parameter whose name has so many letters, or otherwise. */
static long long hexcc_given(const char *name, size_t length, long long otherwise)
{
  for (int i = 1; i < hexcc_argc; i++)
    if (strncmp(hexcc_argv[i], name, length) == 0 && hexcc_argv[i][length] == '=') {
      char *text = hexcc_argv[i] + length + 1, *end = text;
      errno = 0;
      otherwise = strtoll(text, &end, 0);
      if (end == text || *end != 0 || errno != 0) {
        fprintf(stderr, "%s: '%s' is no integer of 64 bits\n", hexcc_argv[i], text);
        exit(2);
      }
      hexcc_used[i] = 1;
    }
  return otherwise;
}

/* Ends the program where a value is not one of the type of a parameter. */
static void hexcc_fits(int fits, const char *name, long long value, const char *type)
{
  if (!fits) {
    fprintf(stderr, "%s=%lld: the type of %s is %s\n", name, value, name, type);
    exit(2);
  }
}

/* Compares at all sizes of a table, with the values that arguments give in place of its own. */
static int hexcc_each(int (*check)(const long long *), const char *names, int n, const long long *sizes, int count)
{
  long long values[n + 1], last[n + 1];
  int status = 0;
  for (int k = 0; k < (count > 0 ? count : 1) && status < 2; k++) {
    const char *name = names;
    int same = k > 0;
    for (int i = 0; i < n; i++) {
      size_t length = strcspn(name, " ");
      values[i] = hexcc_given(name, length, count > 0 ? sizes[k * n + i] : 0);
      same = same && values[i] == last[i];
      name += length + (name[length] == ' ');
    }
    memcpy(last, values, sizeof values);
    hexcc_flags = k % 2;
    if (!same)
      status |= check(values);
  }
  return status;
}

static int hexcc_end(int status, const char *equal)
{
  for (int i = 1; i < hexcc_argc && status < 2; i++)
    if (!hexcc_used[i]) {
      fprintf(stderr, "%s: no region has a parameter of that name\n", hexcc_argv[i]);
      status = 2;
    }
  if (status == 0 && (!hexcc_busy || hexcc_compared == 0)) {
    printf("nothing was compared: no iteration runs at these sizes\n");
    return 1;
  }
  if (status == 0)
    printf("all %s\n", equal);
  return status > 2 ? 2 : status;
}
