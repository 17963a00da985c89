
#define HEXCC_MOST_CHAINS (1LL << 18) // in a launch, if that is a time tile or more: 8 MiB of flags

// hexcc_no_tiles returns an order of none, with one along axes that there are not.
static inline struct hexcc_order hexcc_no_tiles()
{
  const struct hexcc_order none = {NULL, 0, 0, {0, 0, 0}, {1, 1, 1}};
  return none;
}

// hexcc_widen has an order, in count of which bits say along which axes it has some, hold the tiles from lo to hi along an axis, up to last.
static inline void hexcc_widen(struct hexcc_order *order, long long *last, int axis, long long lo, long long hi)
{
  const int none = (order->count >> axis & 1) == 0;
  if (lo > hi)
    return;
  order->first[axis] = none || lo < order->first[axis] ? lo : order->first[axis];
  last[axis] = none || hi > last[axis] ? hi : last[axis];
  order->count |= 1ULL << axis;
}

// hexcc_some_tiles says whether there are any, and how many along each axis.
static inline int hexcc_some_tiles(struct hexcc_order *order, const long long *last, int axes)
{
  for (int axis = 0; axis < axes; axis++)
    order->width[axis] = (unsigned long long)(last[axis] - order->first[axis]) + 1;
  return order->count + 1 == 1ULL << axes;
}

// hexcc_most returns for how many time tiles a launch has flags, 0 if there are too many tiles.
static inline long long hexcc_most(const struct hexcc_order *order, int phases, long long time_tiles)
{
  const double tiles = (double)order->width[0] * (double)order->width[1] * (double)order->width[2] * phases;
  if (tiles > 1e15)
    return 0;
  const long long each = (long long)(order->width[0] * order->width[1] * order->width[2]) * phases;
  const long long most = each > HEXCC_MOST_CHAINS ? 1 : HEXCC_MOST_CHAINS / each;
  return most > time_tiles ? time_tiles : most;
}

// hexcc_flag_bytes returns the size of the flags of a launch of so many time tiles.
static inline size_t hexcc_flag_bytes(const struct hexcc_order *order, int phases, long long time_tiles)
{
  return (size_t)(order->width[0] * order->width[1] * order->width[2] * (unsigned)phases * (unsigned long long)time_tiles + 1) * sizeof *order->chain;
}

// hexcc_next says how many chains the next launch has: those of most time tiles, or of what is left up to the last. It returns the size of their flags.
static inline size_t hexcc_next(struct hexcc_order *order, int phases, long long last, long long most)
{
  const long long left = last - order->begin + 1;
  const size_t bytes = hexcc_flag_bytes(order, phases, left < most ? left : most);
  order->count = bytes / sizeof *order->chain - 1;
  return bytes;
}

// hexcc_blocks returns how many blocks are of use: as many as run at once, and no more than there are chains.
static inline unsigned hexcc_blocks(const struct hexcc_order *order, int processors, int each)
{
  const unsigned long long most = each < 1 || processors < 1 ? 1 : (unsigned long long)each * (unsigned)processors;
  return (unsigned)(order->count < most ? order->count : most);
}
