package mpitext

import (
	"slices"
	"strings"
)

// This file is C that all translations for MPI have, whatever the region: boxes of arrays, messages, and arrays as a whole.

// PartType declares, in the header, what an array of a rank is.
const PartType = `
#ifndef HEXCC_MPI_PART
#define HEXCC_MPI_PART
// Which part of an array a rank has in memory, and which part of that is its own: by dimension, the first subscript and how many there are.
// The rank's array has the elements of the former, and no others, in the order of C: allocate "bytes" for it. Only what is its own need have
// values; neighbours send what else it reads. Along a dimension whose ends are neighbours a rank owns two intervals, one of each
// half, and there its array has room for all; it touches no more than the pages of what it owns and some around. Along one that
// loops in place run through from its end on, all is the upper half.
typedef struct hexcc_mpi_part {
  int dims;
  long long extent[8];                    // of the whole array
  long long first[8], count[8];           // in memory
  long long own_first[8], own_count[8];   // its own
  long long also_first[8], also_count[8]; // its own, too: of the upper half of a ring; else also_count is 0
  unsigned long long element, bytes;      // of an element; of the rank's array
} hexcc_mpi_part;
#endif
`

// Text returns what the functions are made of: headers, and functions that all regions have. memory is what makes the buffers of messages, and copies boxes to
// them and from there: Memory, or, where device, something that has a struct hexcc_gpu besides, and moves parts of arrays between device and host.
// Of functions that not all regions need, those are there that texts call: compilers warn of others.
func Text(memory string, device bool, texts ...string) string {
	r := strings.NewReplacer("GPU_DECL", "", "GPU_ARG", "", "PART", "part", "HOST_RANK", "", "BACK_RANK", "0", "HOST_FILE", "", "BACK_FILE", "", "BACK_FAILED", "")
	if device {
		r = strings.NewReplacer("GPU_DECL", "struct hexcc_gpu *gpu, ", "GPU_ARG", "gpu, ", "PART", "there",
			"HOST_RANK", "  char *part = hexcc_to_host(there, parts[rank].bytes);\n  if (hexcc_any(comm, !part))\n    return 1 | hexcc_to_device(there, part, 0);\n",
			"BACK_RANK", "hexcc_to_device(there, part, gather ? 0 : parts[rank].bytes)",
			"HOST_FILE", "  char *part = hexcc_to_host(there, p->bytes);\n  if (hexcc_any(comm, !part))\n    return 1 | hexcc_to_device(there, part, 0);\n",
			"BACK_FILE", " | hexcc_to_device(there, part, writes ? 0 : p->bytes)", "BACK_FAILED", " | hexcc_to_device(there, part, 0)")
	}
	needed := head
	for _, f := range []struct{ name, text string }{{"hexcc_rows(", rowsText}, {"hexcc_ring(", ringText}, {"hexcc_up_to(", stepText}, {"hexcc_modulo(", moduloText}, {"hexcc_from(", fromText}, {"hexcc_overlap(", overlap}, {"hexcc_owns(", ownsText}} {
		if slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, f.name) }) {
			needed += f.text
		}
	}
	return needed + r.Replace(messageType+said+memory+common)
}

// head are the headers.
const head = `
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static inline long long hexcc_least(long long x, long long y) { return x < y ? x : y; }
static inline long long hexcc_most(long long x, long long y) { return x > y ? x : y; }
static inline long long hexcc_within(long long x, long long last) { return x < 0 ? 0 : x > last ? last : x; }
`

const rowsText = `
// Sets what a rank that owns the rows first to last has of an array along a dimension: with lo and hi more, where there are ranks below and above.
static inline void hexcc_rows(hexcc_mpi_part *p, int d, long long first, long long last, int lo, int hi, int below, int above)
{
  const long long end = p->extent[d] - 1;
  const long long own = below ? hexcc_most(first, 0) : 0, own_end = above ? hexcc_least(last, end) : end;
  const long long from = below ? hexcc_most(first + lo, 0) : 0, to = above ? hexcc_least(last + hi, end) : end;
  p->own_first[d] = own, p->own_count[d] = hexcc_most(own_end - own + 1, 0);
  p->first[d] = from, p->count[d] = hexcc_most(to - from + 1, 0);
}
`

const ringText = `
// hexcc_ring sets what such a rank has of a ring: the elements x of the upper half, 2x >= sum, belong where sum - x does.
static inline void hexcc_ring(hexcc_mpi_part *p, int d, long long first, long long last, long long sum, int below, int above)
{
  const long long end = p->extent[d] - 1, half = sum >= 0 ? (sum + 1) / 2 : 0; // the first of the upper half
  const long long own = below ? hexcc_most(first, 0) : 0, own_end = hexcc_least(hexcc_least(half - 1, end), above ? last : end);
  const long long also = hexcc_most(hexcc_most(half, 0), above ? sum - last : 0), also_end = hexcc_least(below ? sum - first : end, end);
  memcpy(p->also_first, p->own_first, sizeof p->also_first);
  memcpy(p->also_count, p->own_count, sizeof p->also_count);
  p->own_first[d] = own, p->own_count[d] = hexcc_most(own_end - own + 1, 0);
  p->also_first[d] = also, p->also_count[d] = hexcc_most(also_end - also + 1, 0);
}
`

const fromText = `
// Returns the least number that is not less than x, and is r modulo step.
static inline long long hexcc_from(long long x, long long r, long long step)
{
  const long long ahead = (r - x) % step;
  return x + (ahead < 0 ? ahead + step : ahead);
}
`

// messageType is what is known of a message, and what is done with a box.
const messageType = `
// What goes to a neighbour after a phase, or comes from there.
struct hexcc_message {
  int peer, tag, receives;
  char *buffer, *packed;        // what is sent or received, and what boxes are copied from and to: mostly the same
  long long room, usual, bytes; // of a buffer; of most messages; of the present one
  MPI_Request again, once;      // for those of the usual size, and for others
  MPI_Request *active;
  MPI_Comm comm;
};

// Of a box of an array, subscripts lo, lo + step, .. up to hi, or all of them where step is 0: how many bytes it has; it is copied to a buffer, or from there.
enum { HEXCC_COUNT, HEXCC_PACK, HEXCC_UNPACK };
`

// Memory is what makes buffers and moves boxes of arrays that lie in memory of the program.
const Memory = `
static long long hexcc_box(int mode, char *buffer, char *array, long long element, int dims, const long long *lo, const long long *hi,
    const long long *step, const long long *extent)
{
  long long bytes = element, at[8];
  for (int d = 0; d < dims; d++) {
    if (hi[d] < lo[d])
      return 0;
    bytes *= (hi[d] - lo[d]) / (step ? step[d] : 1) + 1;
    at[d] = lo[d];
  }
  if (mode == HEXCC_COUNT)
    return bytes;
  int inner = dims - 1; // from there on, elements lie behind each other
  long long run = (hi[inner] - lo[inner] + 1) * element;
  while (!step && inner > 0 && lo[inner] == 0 && hi[inner] == extent[inner] - 1) {
    inner--;
    run *= hi[inner] - lo[inner] + 1;
  }
  if (step && step[inner] > 1)
    inner++, run = element;
  for (long long done = 0; done < bytes; done += run) {
    long long number = 0;
    for (int d = 0; d < dims; d++)
      number = number * extent[d] + at[d];
    if (mode == HEXCC_PACK)
      memcpy(buffer + done, array + number * element, (size_t)run);
    else
      memcpy(array + number * element, buffer + done, (size_t)run);
    for (int d = inner - 1; d >= 0 && (at[d] += step ? step[d] : 1) > hi[d]; d--)
      at[d] = lo[d];
  }
  return bytes;
}

// Makes the buffer of a message, or frees it.
static int hexcc_room(struct hexcc_message *m)
{
  m->buffer = m->packed = (char *)malloc((size_t)m->room);
  return !m->buffer;
}
static void hexcc_room_end(struct hexcc_message *m) { free(m->buffer); }
`

// said is what ranks agree and complain by.
const said = `
// Says what is wrong, by one rank, and returns 1.
static int hexcc_wrong(MPI_Comm comm, const char *function, const char *format, ...)
{
  char text[1000]; // as a whole: lines of other ranks do not come between
  int rank;
  va_list values;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fprintf(stderr, "%s: error: %s\n", function, text);
    fflush(stderr);
  }
  return 1;
}

// Returns the greatest number of all ranks: 0 where nothing is wrong on any of them.
static int hexcc_any(MPI_Comm comm, int wrong)
{
  int any = 0;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, comm);
  return any;
}

// Returns a number that tells weights from others, by rank.
static long long hexcc_bits(MPI_Comm comm, const double *weights)
{
  int size;
  unsigned long long sum = 0, bits;
  MPI_Comm_size(comm, &size);
  for (int r = 0; weights && r < size; r++) {
    memcpy(&bits, &weights[r], sizeof bits);
    sum = (sum ^ bits) * 1099511628211ULL + 1;
  }
  return (long long)(sum >> 1);
}

// Says so where weights are none.
static int hexcc_unsound(MPI_Comm comm, const char *function, const double *weights)
{
  int size;
  double sum = 0;
  MPI_Comm_size(comm, &size);
  for (int r = 0; weights && r < size; r++) {
    if (!(weights[r] >= 0 && weights[r] <= 1e100))
      return hexcc_wrong(comm, function, "the weight of rank %d is %g: weights are numbers from 0 to 1e100", r, weights[r]);
    sum += weights[r];
  }
  return weights && sum == 0 ? hexcc_wrong(comm, function, "all weights are 0") : 0;
}
`

// common is what sends messages, and moves arrays as a whole.
const common = `
static int hexcc_message_open(GPU_DECLstruct hexcc_message *m, MPI_Comm comm, int peer, int tag, int receives, long long room, long long usual)
{
  m->comm = comm, m->peer = peer, m->tag = tag, m->receives = receives, m->room = room, m->usual = usual;
  m->again = m->once = MPI_REQUEST_NULL, m->active = 0, m->bytes = 0;
  m->buffer = m->packed = 0;
  if (room > INT_MAX || (room > 0 && hexcc_room(GPU_ARGm)))
    return 1;
  if (usual > 0 && receives)
    MPI_Recv_init(m->buffer, (int)usual, MPI_BYTE, peer, tag, comm, &m->again);
  else if (usual > 0)
    MPI_Send_init(m->buffer, (int)usual, MPI_BYTE, peer, tag, comm, &m->again);
  return 0;
}

// Starts a message of so many bytes; of none there is no message.
static void hexcc_message_start(struct hexcc_message *m, long long bytes)
{
  m->bytes = bytes, m->active = 0;
  if (bytes <= 0)
    return;
  if (bytes == m->usual) {
    MPI_Start(&m->again);
    m->active = &m->again;
  } else {
    if (m->receives)
      MPI_Irecv(m->buffer, (int)bytes, MPI_BYTE, m->peer, m->tag, m->comm, &m->once);
    else
      MPI_Isend(m->buffer, (int)bytes, MPI_BYTE, m->peer, m->tag, m->comm, &m->once);
    m->active = &m->once;
  }
}

// Waits until the buffer may be used.
static void hexcc_message_end(struct hexcc_message *m)
{
  if (m->active)
    MPI_Wait(m->active, MPI_STATUS_IGNORE);
  m->active = 0;
}

// Lets the library work on messages.
static void hexcc_message_test(struct hexcc_message *m)
{
  int done;
  if (m->active) {
    MPI_Test(m->active, &done, MPI_STATUS_IGNORE);
    if (done)
      m->active = 0;
  }
}

static void hexcc_message_close(GPU_DECLstruct hexcc_message *m)
{
  hexcc_message_end(m);
  if (m->again != MPI_REQUEST_NULL)
    MPI_Request_free(&m->again);
  hexcc_room_end(GPU_ARGm);
}

// The elements that a box has of an array, as a type: rows of numbers of so many bytes.
static MPI_Datatype hexcc_type(int dims, const long long *extent, const long long *first, const long long *count, long long element)
{
  int size[8], sub[8], start[8];
  MPI_Datatype one, type;
  for (int d = 0; d < dims; d++)
    size[d] = (int)extent[d], sub[d] = (int)count[d], start[d] = (int)first[d];
  MPI_Type_contiguous((int)element, MPI_BYTE, &one);
  MPI_Type_create_subarray(dims, size, sub, start, MPI_ORDER_C, one, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&one);
  return type;
}

// What a rank owns of an array, in the whole array and in its own. It is in two parts in a ring.
static MPI_Datatype hexcc_own(const hexcc_mpi_part *p, int also, int in_part)
{
  const long long *first = also ? p->also_first : p->own_first, *count = also ? p->also_count : p->own_count;
  long long at[8];
  for (int d = 0; d < p->dims; d++)
    at[d] = first[d] - (in_part ? p->first[d] : 0);
  return hexcc_type(p->dims, in_part ? p->count : p->extent, at, count, (long long)p->element);
}
static int hexcc_nothing(const hexcc_mpi_part *p, int also)
{
  for (int d = 0; d < p->dims; d++)
    if ((also ? p->also_count[d] : p->own_count[d]) <= 0)
      return 1;
  return p->dims == 0 && also;
}

// Copies from a whole array of rank 0 to the ranks what each owns, or the other way. parts are those of all ranks.
static int hexcc_move(MPI_Comm comm, const hexcc_mpi_part *parts, void *whole, void *PART, int gather)
{
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
HOST_RANK  for (int also = 0; also < 2; also++) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!hexcc_nothing(&parts[rank], also)) {
      MPI_Datatype type = hexcc_own(&parts[rank], also, 1);
      if (gather)
        MPI_Isend(part, 1, type, 0, 0, comm, &request);
      else
        MPI_Irecv(part, 1, type, 0, 0, comm, &request);
      MPI_Type_free(&type);
    }
    for (int r = 0; rank == 0 && r < size; r++) {
      if (hexcc_nothing(&parts[r], also))
        continue;
      MPI_Datatype type = hexcc_own(&parts[r], also, 0);
      if (gather)
        MPI_Recv(whole, 1, type, r, 0, comm, MPI_STATUS_IGNORE);
      else
        MPI_Send(whole, 1, type, r, 0, comm);
      MPI_Type_free(&type);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return BACK_RANK;
}

// Reads what a rank owns from a file that holds the whole array, or writes it to there.
static int hexcc_file(MPI_Comm comm, const hexcc_mpi_part *p, const char *path, MPI_Offset at, void *PART, int writes)
{
  MPI_File file;
  int wrong = 0;
HOST_FILE  if (MPI_File_open(comm, path, writes ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS)
    return 1BACK_FAILED;
  MPI_Offset end = at + (MPI_Offset)p->element, has = 0;
  for (int d = 0; d < p->dims; d++)
    end += (end - at) * (p->extent[d] - 1);
  if (!writes && (MPI_File_get_size(file, &has) != MPI_SUCCESS || has < end)) {
    MPI_File_close(&file);
    return 1BACK_FAILED; // it ends before the array does
  }
  for (int also = 0; also < 2; also++) {
    const int nothing = hexcc_nothing(p, also);
    MPI_Datatype there = nothing ? MPI_BYTE : hexcc_own(p, also, 0), here = nothing ? MPI_BYTE : hexcc_own(p, also, 1);
    wrong |= MPI_File_set_view(file, at, MPI_BYTE, there, "native", MPI_INFO_NULL) != MPI_SUCCESS;
    if (writes)
      wrong |= MPI_File_write_all(file, part, !nothing, here, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    else
      wrong |= MPI_File_read_all(file, part, !nothing, here, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    if (!nothing) {
      MPI_Type_free(&there);
      MPI_Type_free(&here);
    }
  }
  wrong |= MPI_File_close(&file) != MPI_SUCCESS;
  return wrongBACK_FILE;
}
`
