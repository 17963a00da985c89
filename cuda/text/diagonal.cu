
// Chains are taken along diagonals, on which a phase counts as much as n places along x: those on a diagonal wait for chains on ones before it only. Of the tickets
// some are for no chain: each diagonal has as many as there can be on any. Makes a ticket the number of its chain in the order of phases, and returns 1; 0 where it has none,
// -1 where none has one from there on.
static __device__ __forceinline__ int hexcc_diagonal(const struct hexcc_order &order, unsigned long long n, unsigned long long *ticket)
{
  const unsigned long long others = order.width[1] * order.width[2], levels = order.count / (order.width[0] * others), phases = (order.width[0] + n - 1) / n;
  const unsigned long long diagonal = *ticket / (phases * others), rest = *ticket % (phases * others), back = rest / others;
  if (diagonal >= order.width[0] + n * (levels - 1))
    return -1;
  if (back > diagonal / n)
    return 0;
  const unsigned long long level = diagonal / n - back, x = diagonal - n * level;
  if (level >= levels || x >= order.width[0])
    return 0;
  *ticket = (level * others + rest % others) * order.width[0] + x;
  return 1;
}
