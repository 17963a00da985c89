/* hexcc: what stands around regions calls these; see probe.c. */
#ifdef __cplusplus
extern "C" {
#endif
void hexcc_probe_begin(int site);
void hexcc_probe_array(int site, int array, const void *first, unsigned long long from, unsigned long long to, int extents, ...);
void hexcc_probe_began(void);
void hexcc_probe_end(void);
#ifdef __cplusplus
}
#endif
#ifdef __cplusplus
/* rows that are vectors, or vectors of such: false if they are not */
template <class Other> bool hexcc_probe_rows(int, int, Other &, unsigned long, long, long, long, ...) { return false; }
template <class Row> auto hexcc_probe_rows(int site, int array, Row &row, unsigned long number, long, long outer, long inner, int) -> decltype((void)(row[0] * 1), row.data(), true) {
  unsigned long bytes = row.size() * sizeof(*row.data());
  hexcc_probe_array(site, array, (const char *)row.data() - number * bytes, number * bytes, (number + 1) * bytes, 3, outer, inner, (long)row.size());
  return true;
}
template <class Rows> auto hexcc_probe_rows(int site, int array, Rows &rows, unsigned long number, long count, long outer, long, int) -> decltype(rows[0].size(), rows.data(), true) {
  bool all = true;
  unsigned long n = count < 0 ? 0 : count < (long)rows.size() ? (unsigned long)count : rows.size();
  for (unsigned long i = 0; i < n; i++)
    all = hexcc_probe_rows(site, array, rows[i], number * n + i, (long)rows[i].size(), outer > 0 ? outer : (long)n, outer > 0 ? (long)n : 0, 0) && all;
  return all;
}
#endif
