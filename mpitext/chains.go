package mpitext

// This file is C that regions have whose ranks form a grid: what goes along a chain of ranks.

// stepText is what boxes of slabs are counted by.
const stepText = `
static inline long long hexcc_down_to(long long x, long long d) { return x >= 0 ? x / d : -((-x + d - 1) / d); }
static inline long long hexcc_up_to(long long x, long long d) { return -hexcc_down_to(-x, d); }
static inline long long hexcc_modulo(long long x, long long d) { return ((x % d) + d) % d; }
`

// chainText sends and receives. Of the messages of a batch of tiles, 0 goes up and 1 down.
const chainText = `
// The rank before this one in its chain, or behind it; -1: there is none.
static int FN_linked(const struct FN_state *r, int behind)
{
  const int column = r->column + (behind ? 1 : -1);
  return column >= 0 && column < r->columns ? r->rank * r->columns + column : -1;
}

// The bytes of the messages of a batch of tiles, from first to last, of one way: what is sent, or received.
static long long FN_chain_bytes(const struct FN_state *r, int which, int receives, long long T, long long first, long long last, int mode, char *buffer)
{
  long long bytes = 0;
  for (long long tile = first; tile <= last; tile++)
    bytes += FN_chain(mode, which, T, tile, (which % 2 == 0) != receives ? r->end1 : r->begin1, PASSEDr->arrays, r->rows, buffer ? buffer + bytes : 0);
  return bytes;
}

// Of both ways, what is sent and what is received: makes room for the messages of the batch with a number, which have at most so many bytes.
static int FN_chain_open(struct FN_state *r, MPI_Comm comm, int batch, const long long (*room)[2])
{
  int wrong = 0;
  for (int way = 0; way < 2; way++)
    for (int receives = 0; receives < 2; receives++) {
      const int peer = FN_linked(r, (way == 0) != receives);
      wrong |= hexcc_message_open(&r->links[batch][way][receives], comm, peer, 0, receives, peer >= 0 ? room[way][receives] : 0, 0);
    }
  return wrong;
}

// Starts a message of a batch, unless there is nobody to talk to.
static void FN_link(struct FN_state *r, int batch, int which, int receives, long long T, long long first, long long last)
{
  struct hexcc_message *m = &r->links[batch][which % 2][receives];
  if (m->peer < 0)
    return;
  hexcc_message_end(m); // the one of the phase before
  m->tag = KINDS + which;
  const long long bytes = FN_chain_bytes(r, which, receives, T, first, last, HEXCC_COUNT, 0);
  if (!receives && bytes > 0)
    FN_chain_bytes(r, which, 0, T, first, last, HEXCC_PACK, m->packed);
  hexcc_message_start(m, bytes);
}

// Waits for a message of a batch, and puts it where it belongs.
static void FN_linked_wait(struct FN_state *r, int batch, int which, long long T, long long first, long long last)
{
  struct hexcc_message *m = &r->links[batch][which % 2][1];
  if (m->peer < 0)
    return;
  hexcc_message_end(m);
  if (m->bytes > 0)
    FN_chain_bytes(r, which, 1, T, first, last, HEXCC_UNPACK, m->packed);
}

// Exchanges what ranks of a row have in memory.
static int FN_exchange_row(struct FN_state *r, MPI_Comm comm)
{
  struct hexcc_message all[2][2];
  int wrong = 0;
  for (int way = 0; way < 2; way++)
    for (int receives = 0; receives < 2; receives++) {
      const int peer = FN_linked(r, (way == 0) != receives);
      const long long border = (way == 0) != receives ? r->end1 : r->begin1;
      const long long bytes = peer >= 0 ? FN_beside(HEXCC_COUNT, way == 0, border, PASSEDr->arrays, r->rows, 0) : 0;
      wrong |= hexcc_message_open(&all[way][receives], comm, peer, KINDS + CHAINS + way, receives, bytes, 0);
      all[way][receives].bytes = bytes;
    }
  wrong = hexcc_any(comm, wrong);
  for (int receives = 1; !wrong && receives >= 0; receives--)
    for (int way = 0; way < 2; way++) {
      struct hexcc_message *m = &all[way][receives];
      if (!receives && m->bytes > 0)
        FN_beside(HEXCC_PACK, way == 0, way == 0 ? r->end1 : r->begin1, PASSEDr->arrays, r->rows, m->packed);
      hexcc_message_start(m, m->bytes);
    }
  for (int way = 0; way < 2; way++) {
    struct hexcc_message *m = &all[way][1];
    hexcc_message_end(m);
    if (!wrong && m->bytes > 0)
      FN_beside(HEXCC_UNPACK, way == 0, way == 0 ? r->begin1 : r->end1, PASSEDr->arrays, r->rows, m->packed);
    hexcc_message_close(&all[way][0]);
    hexcc_message_close(m);
  }
  return wrong;
}

`
