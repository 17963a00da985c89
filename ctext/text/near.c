
/* How far elements lie apart at most, in units in the last place of the largest magnitude of their array. */
static double hexcc_furthest;

/* The number at p, of a type of floating point of that size. */
static double hexcc_number(const void *p, size_t size)
{
  double d;
  float f;
  unsigned short half;
  if (size == sizeof d)
    return memcpy(&d, p, size), d;
  if (size == sizeof f)
    return memcpy(&f, p, size), f;
  memcpy(&half, p, size);
  int exponent = half >> 10 & 31;
  d = (half & 1023) + (exponent > 0 ? 1024 : 0);
  if (exponent == 31)
    d = half & 1023 ? __builtin_nan("") : __builtin_inf();
  for (int i = exponent > 0 ? exponent : 1; i < 25; i++)
    d /= 2;
  for (int i = 25; i < exponent && exponent < 31; i++)
    d *= 2;
  return half >> 15 ? -d : d;
}

/* The largest magnitude of n elements that is finite, at least that. */
static double hexcc_most(double most, const void *p, size_t n, size_t size)
{
  for (size_t k = 0; k < n; k++) {
    double d = hexcc_number((const char *)p + k * size, size);
    d = d < 0 ? -d : d;
    most = d > most && d < __builtin_inf() ? d : most;
  }
  return most;
}

/* The number of elements that differ by more than the tolerance; most is the largest magnitude before. */
static size_t hexcc_near(const char *name, const void *theirs, const void *ours, size_t n, size_t size, double most, size_t *all)
{
  const double unit = 1 / (size == 8 ? 4503599627370496.0 : size == 4 ? 8388608.0 : 1024.0);
  size_t differ = 0;
  most = hexcc_most(hexcc_most(most, theirs, n, size), ours, n, size);
  for (size_t k = 0; k < n; k++) {
    const char *x = (const char *)theirs + k * size, *y = (const char *)ours + k * size;
    if (memcmp(x, y, size) == 0 || (hexcc_nan(x, size) && hexcc_nan(y, size)))
      continue;
    double by = hexcc_number(x, size) - hexcc_number(y, size);
    if (by == 0)
      continue;
    by = by < 0 ? -by : by == by ? by : __builtin_inf();
    by = by / most / unit;
    hexcc_furthest = by > hexcc_furthest ? by : hexcc_furthest;
    if (by <= (size == 2 ? HEXCC_HALF_TOLERANCE : HEXCC_TOLERANCE))
      continue;
    if (differ++ == 0)
      fprintf(stderr, "%s: element %zu of %zu in memory is the first that differs by more than the tolerance\n", name, k, n);
  }
  *all += n;
  hexcc_compared += n;
  return differ;
}

/* What is said of elements that are near enough. */
static const char *hexcc_within(void)
{
  static char text[100];
  snprintf(text, sizeof text, "equal within the tolerance (%.3g of %d units)", hexcc_furthest, HEXCC_TOLERANCE);
  return text;
}
