// Package mpirun runs regions that are translated for MPI on several ranks of this machine: it compiles them, with a driver, by an mpicc, and starts
// them by an mpirun. What a rank has not got from the user or by a message is no number in its memory.
package mpirun

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// A Region is a translated region, whose functions have this name, with their arguments in this order.
type Region struct {
	Program *scop.Program
	Name    string
	Args    []string // names of parameters, scalars and objects of arrays, in the region
	Grid    bool     // its ranks form a grid: of the rows and columns that HEXCC_RANK_GRID says, such as 2x3, if it is set
}

// Counters are C that stands between a program and MPI, behind declarations of counting, sent[2] and delay(): while counting, it adds the messages
// and bytes that a rank sends to sent, and calls delay before.
const Counters = `static struct { MPI_Request request; long long bytes; } known[256];
int MPI_Send_init(const void *p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
  int size, e = PMPI_Send_init(p, n, t, to, tag, c, r);
  PMPI_Type_size(t, &size);
  for (int i = 0; i < 256; i++)
    if (!known[i].bytes) {
      known[i].request = *r, known[i].bytes = (long long)n * size;
      break;
    }
  return e;
}
int MPI_Request_free(MPI_Request *r)
{
  for (int i = 0; i < 256; i++)
    if (known[i].bytes && known[i].request == *r)
      known[i].bytes = 0;
  return PMPI_Request_free(r);
}
int MPI_Start(MPI_Request *r)
{
  for (int i = 0; i < 256 && counting; i++)
    if (known[i].bytes && known[i].request == *r)
      sent[0]++, sent[1] += known[i].bytes;
  delay();
  return PMPI_Start(r);
}
int MPI_Isend(const void *p, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
  int size;
  PMPI_Type_size(t, &size);
  if (counting)
    sent[0]++, sent[1] += (long long)n * size;
  delay();
  return PMPI_Isend(p, n, t, to, tag, c, r);
}
`

// driverHead reads trials from a file, and writes what the ranks leave to another. It stands between the program and MPI: it counts messages
// and bytes, and takes a random time before calls where HEXCC_DELAY says so.
// Where HEXCC_ALARM is a number of seconds, ranks end then.
const driverHead = `#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long long sent[2]; // messages and bytes
static int counting, delays;
static unsigned state;
static void delay(void)
{
  state = state * 1664525u + 1013904223u;
  if (delays && counting && state >> 30 == 0)
    usleep(state >> 12 & 1023);
}
` + Counters + `int MPI_Wait(MPI_Request *r, MPI_Status *s)
{
  delay();
  return PMPI_Wait(r, s);
}

static void get(FILE *in, void *to, size_t bytes)
{
  if (bytes && fread(to, 1, bytes, in) != bytes)
    MPI_Abort(MPI_COMM_WORLD, 2);
}

// What is not owned is no number.
static void poison(const hexcc_mpi_part *p, char *part)
{
  if (p->dims == 0)
    return;
  for (unsigned long long k = 0; p->bytes && k < p->bytes / p->element; k++) {
    unsigned long long rest = k;
    int own = 1, also = 1;
    for (int d = p->dims - 1; d >= 0; d--) {
      const long long at = (long long)(rest % (unsigned long long)p->count[d]) + p->first[d];
      rest /= (unsigned long long)p->count[d];
      also = also && at >= p->also_first[d] && at < p->also_first[d] + p->also_count[d];
      own = own && at >= p->own_first[d] && at < p->own_first[d] + p->own_count[d];
    }
    if (!own && !also)
      memset(part + k * p->element, 0xff, p->element);
  }
}
`

// driver returns the text of the driver: headers are those of the translations.
func driver(regions []Region, headers []string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	for _, h := range headers {
		say("#include %q", h)
	}
	head := driverHead
	b.WriteString(head)
	for i, r := range regions {
		drive(say, i, r)
	}
	say("int main(int argc, char **argv)")
	say("{")
	say("  int level, rank, size;")
	say("  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);")
	say("  MPI_Comm_rank(MPI_COMM_WORLD, &rank);")
	say("  MPI_Comm_size(MPI_COMM_WORLD, &size);")
	say(`  delays = getenv("HEXCC_DELAY") && *getenv("HEXCC_DELAY");`)
	say(`  if (getenv("HEXCC_ALARM"))`)
	say(`    alarm((unsigned)atoi(getenv("HEXCC_ALARM"))); // ranks that wait for each other for ever`)
	say("  state = (unsigned)rank * 7919u + 1;")
	say(`  FILE *in = fopen(argv[1], "rb"), *out = rank ? 0 : fopen(argv[2], "wb");`)
	say("  long long which;")
	say("  while (fread(&which, sizeof which, 1, in) == 1)")
	say("    switch (which) {")
	for i := range regions {
		say("    case %d: run_%d(in, out, rank, size); break;", i, i)
	}
	say("    }")
	say("  if (out && fclose(out))")
	say("    return 1;")
	say("  MPI_Finalize();")
	say("  return 0;")
	say("}")
	return b.String()
}

// drive prints what runs a region.
func drive(say func(string, ...any), number int, r Region) {
	p := r.Program
	say("static void run_%d(FILE *in, FILE *out, int rank, int size)", number)
	say("{")
	if r.Grid {
		say(`  if (getenv("HEXCC_RANK_GRID"))`)
		say(`    sscanf(getenv("HEXCC_RANK_GRID"), "%%dx%%d", &%s_grid[0], &%s_grid[1]);`, r.Name, r.Name)
	}
	say("  static double weights[64];")
	say("  for (int k = 0; k < 64; k++)")
	say("    weights[k] = k %% 3 == 1 ? 0.01 : 1 + k %% 3; // some have hardly any")
	say(`  if (getenv("HEXCC_RANK_WEIGHTS"))`)
	say("    %s_weights = weights;", r.Name)
	say("  long long params[%d], failed = 0, bytes;", len(p.Params)+1)
	say("  unsigned long long scalars[%d];", len(p.Scalars)+1)
	say("  get(in, params, %d);", 8*len(p.Params))
	say("  get(in, scalars, %d);", 8*len(p.Scalars))
	values := map[string]string{}
	numbers := ""
	for i, q := range p.Params {
		values[q.Name] = fmt.Sprintf("(%v)params[%d]", q.Type, i)
	}
	for i, q := range p.Scalars {
		say("  %v s%d; memcpy(&s%d, &scalars[%d], sizeof s%d);", q.Type, i, i, i, i)
		values[q.Name] = fmt.Sprintf("s%d", i)
	}
	for _, name := range r.Args {
		for i, q := range p.Params {
			if q.Name == name {
				numbers += fmt.Sprintf("(%v)params[%d], ", q.Type, i)
			}
		}
	}
	n := 0
	type object struct{ array, number int }
	var objects []object
	for i, a := range p.Arrays {
		for _, o := range a.Objects() {
			values[o.Name] = fmt.Sprintf("part[%d]", n)
			objects = append(objects, object{i, n})
			n++
		}
	}
	say("  char *whole[%d], *part[%d];", n+1, n+1)
	say("  unsigned long long size_of[%d];", n+1)
	say("  hexcc_mpi_part p;")
	for _, o := range objects {
		say("  get(in, &size_of[%d], 8);", o.number)
		say("  whole[%d] = malloc(size_of[%d] + 1);", o.number, o.number)
		say("  get(in, whole[%d], size_of[%d]);", o.number, o.number)
	}
	say("  for (int k = 0; k < %d; k++)", n)
	say("    part[k] = 0;")
	for _, o := range objects {
		say("  if (!failed && %s_part(MPI_COMM_WORLD, %s%d, &p))", r.Name, numbers, o.array)
		say("    failed = 1;")
		say("  if (!failed) {")
		say("    part[%d] = malloc(p.bytes + 1);", o.number)
		say("    memset(part[%d], 0xff, p.bytes + 1);", o.number)
		say("    %s_scatter(MPI_COMM_WORLD, %s%d, whole[%d], part[%d]);", r.Name, numbers, o.array, o.number, o.number)
		say("    poison(&p, part[%d]);", o.number)
		say("  }")
	}
	var args []string
	for _, name := range r.Args {
		v := values[name]
		if strings.HasPrefix(v, "part[") {
			v = "(void *)" + v
		}
		args = append(args, v)
	}
	say("  sent[0] = sent[1] = 0, counting = 1;")
	say("  if (!failed && %s(MPI_COMM_WORLD, %s))", r.Name, strings.Join(args, ", "))
	say("    failed = 2;")
	say("  counting = 0;")
	say("  long long *all = malloc(2 * (size_t)size * sizeof *all);")
	say("  MPI_Gather(sent, 2, MPI_LONG_LONG, all, 2, MPI_LONG_LONG, 0, MPI_COMM_WORLD);")
	say("  if (out) {")
	say("    fwrite(&failed, 8, 1, out);")
	say("    fwrite(all, 16, (size_t)size, out);")
	say("  }")
	say("  free(all);")
	for _, o := range objects {
		say("  if (!failed) {")
		say("    if (out)")
		say("      memset(whole[%d], 0xee, size_of[%d]);", o.number, o.number)
		say("    %s_gather(MPI_COMM_WORLD, %s%d, part[%d], whole[%d]);", r.Name, numbers, o.array, o.number, o.number)
		say("    bytes = (long long)size_of[%d];", o.number)
		say("    if (out)")
		say("      fwrite(whole[%d], 1, (size_t)bytes, out);", o.number)
		say("  }")
		say("  free(whole[%d]);", o.number)
		say("  free(part[%d]);", o.number)
	}
	say("  (void)bytes; (void)rank; (void)size;")
	say("}")
}
