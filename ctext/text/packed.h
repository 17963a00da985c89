#ifndef HEXCC_PACKS
#define HEXCC_PACKS
/* hexcc: vectors in vectors are copied to one block, and back, where they do not lie at one distance. Other rows are left alone. */
namespace {
/* how many levels of vectors lead to vectors of numbers; less than 0: something else is there */
template <class Other> int hexcc_levels(Other *, ...) { return -100; }
template <class Row> auto hexcc_levels(Row *row, int) -> decltype(row->size(), row->data(), (*row)[0] * 1, 0) { return 0; }
template <class Rows> auto hexcc_levels(Rows *rows, int) -> decltype(rows->size(), rows->data(), (*rows)[0].size(), 0) {
  return 1 + hexcc_levels((__typeof__(&(*rows)[0]))0, 0);
}
/* calls f(row, first, n, size) for each row, of which n elements from first on are in a block of extents[0] by extents[1] by ..; false once f is */
template <class Other, class F> bool hexcc_each(Other &, long, const long *, const F &, ...) { return false; }
template <class Row, class F> auto hexcc_each(Row &row, long first, const long *extents, const F &f, int) -> decltype((void)(row[0] * 1), row.data(), true) {
  long size = (long)row.size();
  return f(row.data(), first, size < extents[0] ? size : extents[0], size);
}
template <class Rows, class F> auto hexcc_each(Rows &rows, long first, const long *extents, const F &f, int) -> decltype(rows[0].size(), rows.data(), true) {
  for (long i = 0; i < extents[0] && i < (long)rows.size(); i++)
    if (!hexcc_each(rows[i], (first + i) * extents[1], extents + 1, f, 0))
      return false;
  return true;
}
struct hexcc_copied_in {
  char *block;
  template <class T> bool operator()(const T *row, long first, long n, long) const {
    if (n > 0)
      __builtin_memcpy(block + first * sizeof(T), row, n * sizeof(T));
    return true;
  }
};
struct hexcc_copied_out {
  const char *block;
  template <class T> bool operator()(T *row, long first, long n, long) const {
    if (n > 0)
      __builtin_memcpy(row, block + first * sizeof(T), n * sizeof(T));
    return true;
  }
};
struct hexcc_is_apart {
  const char *from, *to;
  template <class T> bool operator()(const T *row, long, long, long size) const { return (const char *)(row + size) <= from || to <= (const char *)row; }
};
struct hexcc_is_alike {
  long *size;
  template <class T> bool operator()(const T *, long, long, long n) const {
    if (*size < 0)
      *size = n;
    return *size == n;
  }
};
/* a block of extents[0] by extents[1] by .. elements with what the rows hold; 0 where there is no memory, or are no vectors */
template <class Rows> void *hexcc_pack(Rows &rows, const long *extents, int levels, unsigned long bytes) {
  if (hexcc_levels(&rows, 0) != levels)
    return 0;
  for (int i = 0; i <= levels; i++)
    if (extents[i] < 1 || __builtin_mul_overflow(bytes, (unsigned long)extents[i], &bytes))
      return 0;
  hexcc_copied_in in = {(char *)__builtin_malloc(bytes)};
  if (in.block)
    hexcc_each(rows, 0, extents, in, 0);
  return in.block;
}
template <class Rows> void hexcc_unpack(Rows &rows, const long *extents, const void *block) {
  hexcc_copied_out out = {(const char *)block};
  hexcc_each(rows, 0, extents, out, 0);
}
/* whether the bytes from first on are in no row */
template <class Rows> bool hexcc_apart(Rows &rows, const long *extents, const void *first, unsigned long bytes) {
  hexcc_is_apart apart = {(const char *)first, (const char *)first + bytes};
  return hexcc_each(rows, 0, extents, apart, 0);
}
/* whether two blocks have a byte in common */
inline bool hexcc_meet(const void *one, unsigned long bytes, const void *other, unsigned long others) {
  return (const char *)one < (const char *)other + others && (const char *)other < (const char *)one + bytes;
}
/* whether all rows have one size */
template <class Rows> bool hexcc_alike(Rows &rows, const long *extents) {
  long size = -1;
  hexcc_is_alike alike = {&size};
  return hexcc_each(rows, 0, extents, alike, 0);
}
}
#endif
