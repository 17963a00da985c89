package mpitext

// This file is C that regions have whose ranks form a grid: what goes along a chain of ranks.

// stepText is what boxes of slabs are counted by.
const stepText = `
static inline long long hexcc_down_to(long long x, long long d) { return x >= 0 ? x / d : -((-x + d - 1) / d); }
static inline long long hexcc_up_to(long long x, long long d) { return -hexcc_down_to(-x, d); }
`

// moduloText is what planes that take turns are counted by.
const moduloText = `
static inline long long hexcc_modulo(long long x, long long d) { return ((x % d) + d) % d; }
`

// gridTypes and gridFields are what a rank of a grid knows while it runs.
const gridTypes = `// Which tiles of a phase of a time tile run, and in how many batches.
struct FN_phase {
  int phase, batches;
  long long T, first, last;
};

`

const gridFields = `  int column, columns;       // its place in a row of ranks; rank and size are those of its row and of rows
  long long begin1, end1;    // its tiles along S1
  long long batch;           // so many tiles run before what is at their borders is sent
  int batches, turn;         // the most batches of a phase; 0 and 1 by turns, phase by phase
  struct FN_phase phases[2]; // by turn
  struct hexcc_message (*links)[2][2];
  char *arrived;             // by turn, batch and way
`

// chainText sends and receives. Tiles of a phase run in batches; of the messages of a batch 0 goes up and 1 down. What comes down from the rank behind is awaited where tiles of the next
// phase need it, so that a rank need not stand still until that rank, a batch later, has ended the phase.
const chainText = `
// The rank before this one in its chain, or behind it; -1: there is none.
static int FN_linked(const struct FN_state *r, int behind)
{
  const int column = r->column + (behind ? 1 : -1);
  return column >= 0 && column < r->columns ? r->rank * r->columns + column : -1;
}

// The tile that runs at a position, from 0 on, of those from first to last of a phase: that at the side where rows send strips is the first one, then come those at the other side, and at
// both sides by turns, so that what tiles wait for in the next phase has been sent early.
static long long FN_tile(int phase, long long first, long long last, long long position)
{
  static const char up[PHASES] = {UP};
  const long long k = position / 2;
  return ((position % 2 == 0) == (k % 2 == 0)) == up[phase] ? last - k : first + k;
}

// The bytes of a message of a batch, of those tiles: what is sent, or received.
static long long FN_batch_bytes(const struct FN_state *r, int which, int receives, long long T, long long first, long long last, int batch, int mode, char *buffer)
{
  long long bytes = 0;
  for (long long k = batch * r->batch; k < hexcc_least((batch + 1) * r->batch, last - first + 1); k++)
    bytes += FN_chain(mode, which, T, FN_tile(which / 2, first, last, k), (which % 2 == 0) != receives ? r->end1 : r->begin1, PASSEDr->arrays, r->rows, buffer ? buffer + bytes : 0);
  return bytes;
}

// Makes room for the messages of a batch, which have at most so many bytes: by way, and whether they are received.
static int FN_batch_open(struct FN_state *r, MPI_Comm comm, int batch, const long long (*room)[2])
{
  int wrong = 0;
  for (int turn = 0; turn < 2; turn++)
    for (int way = 0; way < 2; way++)
      for (int receives = 0; receives < 2; receives++) {
        const int peer = FN_linked(r, (way == 0) != receives);
        wrong |= hexcc_message_open(&r->links[turn * r->batches + batch][way][receives], comm, peer, 0, receives, peer >= 0 ? room[way][receives] : 0, 0);
      }
  return wrong;
}

// Starts a message of a batch, if there is somebody to talk to.
static void FN_link(struct FN_state *r, int batch, int way, int receives)
{
  struct hexcc_message *m = &r->links[r->turn * r->batches + batch][way][receives];
  const struct FN_phase *p = &r->phases[r->turn];
  const int which = 2 * p->phase + way;
  if (m->peer < 0)
    return;
  hexcc_message_end(m); // the one of the phase before the last one
  m->tag = KINDS + which;
  const long long bytes = FN_batch_bytes(r, which, receives, p->T, p->first, p->last, batch, HEXCC_COUNT, 0);
  if (!receives && bytes > 0)
    FN_batch_bytes(r, which, 0, p->T, p->first, p->last, batch, HEXCC_PACK, m->packed);
  hexcc_message_start(m, bytes);
}

// Waits for a message of a batch of this phase, or of the one before it, unless it need not wait; puts it where it belongs. Returns 0 where it has not come.
static int FN_arrive(struct FN_state *r, int turn, int batch, int way, int waits)
{
  struct hexcc_message *m = &r->links[turn * r->batches + batch][way][1];
  const struct FN_phase *p = &r->phases[turn];
  char *arrived = &r->arrived[2 * (turn * r->batches + batch) + way];
  if (*arrived || m->peer < 0)
    return 1;
  if (!waits)
    hexcc_message_test(m);
  if (!waits && m->active)
    return 0;
  hexcc_message_end(m);
  if (m->bytes > 0)
    FN_batch_bytes(r, 2 * p->phase + way, 1, p->T, p->first, p->last, batch, HEXCC_UNPACK, m->packed);
  *arrived = 1;
  return 1;
}

// Ends what is under way of a phase.
static void FN_arrive_all(struct FN_state *r, int turn)
{
  for (int batch = 0; batch < r->phases[turn].batches; batch++)
    FN_arrive(r, turn, batch, 1, 1);
}

// Begins a phase with tiles from first on, and with it to receive.
static void FN_begin_phase(struct FN_state *r, int phase, long long T, long long first, long long count)
{
  r->turn = !r->turn;
  FN_arrive_all(r, r->turn); // of the phase before the last one
  struct FN_phase *p = &r->phases[r->turn];
  p->phase = phase, p->T = T, p->first = first, p->last = first + count - 1, p->batches = (int)((count + r->batch - 1) / r->batch);
  memset(&r->arrived[2 * r->turn * r->batches], 0, 2 * (size_t)r->batches);
  for (int batch = 0; batch < p->batches; batch++)
    for (int way = 0; way < 2; way++)
      FN_link(r, batch, way, 1);
}

// Waits for all that a batch needs: of the phase before what comes down of tiles whose elements its own use, of this one what comes up.
static void FN_need(struct FN_state *r, int batch)
{
  static const signed char near[PHASES][2] = {APART}; // how far tiles of a phase lie from such tiles
  const struct FN_phase *p = &r->phases[r->turn], *q = &r->phases[!r->turn];
  for (int b = 0; b < q->batches; b++)
    for (long long k = b * r->batch; !r->arrived[2 * (!r->turn * r->batches + b) + 1] && k < hexcc_least((b + 1) * r->batch, q->last - q->first + 1); k++)
      for (long long j = batch * r->batch; j < hexcc_least((batch + 1) * r->batch, p->last - p->first + 1); j++) {
        const long long apart = FN_tile(p->phase, p->first, p->last, j) - FN_tile(q->phase, q->first, q->last, k);
        if (apart >= near[p->phase][0] && apart <= near[p->phase][1])
          FN_arrive(r, !r->turn, b, 1, 1);
      }
  FN_arrive(r, r->turn, batch, 0, 1);
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
