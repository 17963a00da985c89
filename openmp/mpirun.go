package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// This file prints what a rank runs: the phases of time tiles, each with the tiles that it owns, those at its sides first; what these have computed is
// sent while the others run, and what neighbours send is awaited where the phase ends.

// run prints the function of the region.
func (m *mpi) run(tiles []tileFunction) string {
	var b strings.Builder
	b.WriteString(m.state())
	b.WriteString(m.body(tiles))
	var decls []string
	for _, f := range m.formals() {
		decls = append(decls, f.decl)
	}
	fmt.Fprintf(&b, "int %s(MPI_Comm hexcc_comm, %s)\n{\n  return %s_run(hexcc_comm, %s);\n}\n", m.name, strings.Join(decls, ", "), m.name, strings.Join(m.inOrder(), ", "))
	return b.String()
}

// inOrder returns what the function passes to that which runs: numbers, scalars, arrays.
func (m *mpi) inOrder() (names []string) {
	for _, q := range m.Scop.Params {
		names = append(names, m.Outer[q.Name])
	}
	for _, q := range m.Scop.Scalars {
		names = append(names, m.Outer[q.Name])
	}
	for _, a := range m.Scop.Arrays {
		for _, o := range a.Objects() {
			names = append(names, m.Outer[o.Name])
		}
	}
	return names
}

// objectCount returns how many objects the arrays have.
func (m *mpi) objectCount() (n int) {
	for _, a := range m.Scop.Arrays {
		n += len(a.Objects())
	}
	return n
}

// state prints what a run knows of messages.
func (m *mpi) state() string {
	messages := m.plan.Messages()
	var used []string
	for _, strips := range messages {
		used = append(used, map[bool]string{true: "1", false: "0"}[len(strips) > 0])
	}
	var passed, fields string
	for _, q := range m.Scop.Params {
		passed += "r->at." + m.Outer[q.Name] + ", "
		fields += fmt.Sprintf("    %v %s;\n", m.Index, m.Outer[q.Name])
	}
	return strings.NewReplacer("FN", m.name, "FIELDS", fields, "PASSED", passed, "KINDS", fmt.Sprint(len(messages)), "USED", strings.Join(used, ", "),
		"ARRAYS", fmt.Sprint(len(m.Scop.Arrays)), "OBJECTS", fmt.Sprint(m.objectCount())).Replace(`
// What a rank knows while it runs.
struct FN_state {
  struct {
FIELDS    char end;
  } at; // the sizes
  int rank, size;
  long long begin, end; // its tiles: begin <= S0 < end
  long long rows[ARRAYS];
  char *arrays[OBJECTS]; // where they would begin if the rank had all of them
  struct hexcc_message send[KINDS], receive[KINDS];
};

// Of the kind of message with this number, even ones to the rank above, odd ones to the one below: whether there are any.
static const char FN_used[KINDS] = {USED};

// The neighbour that messages of a kind go to, or come from; -1: there is none.
static int FN_peer(const struct FN_state *r, int which, int receives)
{
  const int peer = (which % 2 == 0) != receives ? r->rank + 1 : r->rank - 1;
  return FN_used[which] && peer >= 0 && peer < r->size ? peer : -1;
}

// The border that they cross.
static long long FN_border(const struct FN_state *r, int which, int receives)
{
  return (which % 2 == 0) != receives ? r->end : r->begin;
}

static long long FN_bytes(const struct FN_state *r, int which, int receives, long long T)
{
  return FN_message(HEXCC_COUNT, which, T, FN_border(r, which, receives), PASSEDr->arrays, r->rows, 0);
}

// Makes room for messages.
static int FN_open(struct FN_state *r, MPI_Comm comm, long long lo, long long hi)
{
  int wrong = 0;
  for (int which = 0; which < KINDS; which++)
    for (int receives = 0; receives < 2; receives++) {
      struct hexcc_message *m = receives ? &r->receive[which] : &r->send[which];
      long long room = 0, usual = 0;
      const int peer = FN_peer(r, which, receives);
      for (long long T = lo; peer >= 0 && T <= hi; T++) {
        const long long bytes = FN_bytes(r, which, receives, T);
        room = bytes > room ? bytes : room;
        usual = T == lo + (hi - lo) / 2 ? bytes : usual;
      }
      wrong |= hexcc_message_open(m, comm, peer, which, receives, room, usual);
    }
  return wrong;
}

// Begins to receive the messages after a phase, of both ways.
static void FN_expect(struct FN_state *r, int phase, long long T)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 1) >= 0)
      hexcc_message_start(&r->receive[which], FN_bytes(r, which, 1, T));
}

// Sends them: the tiles at the sides of the rank have run.
static void FN_send(struct FN_state *r, int phase, long long T)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 0) >= 0) {
      struct hexcc_message *m = &r->send[which];
      hexcc_message_end(m); // the one of the time tile before
      const long long bytes = FN_bytes(r, which, 0, T);
      if (bytes > 0)
        FN_message(HEXCC_PACK, which, T, FN_border(r, which, 0), PASSEDr->arrays, r->rows, m->buffer);
      hexcc_message_start(m, bytes);
    }
}

// Lets the library work on them.
static void FN_progress(struct FN_state *r, int phase)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++) {
    hexcc_message_test(&r->send[which]);
    hexcc_message_test(&r->receive[which]);
  }
}

// Waits for what neighbours send, and puts it where it belongs.
static void FN_arrive(struct FN_state *r, int phase, long long T)
{
  for (int which = 2 * phase; which < 2 * phase + 2; which++)
    if (FN_peer(r, which, 1) >= 0) {
      struct hexcc_message *m = &r->receive[which];
      hexcc_message_end(m);
      if (m->bytes > 0)
        FN_message(HEXCC_UNPACK, which, T, FN_border(r, which, 1), PASSEDr->arrays, r->rows, m->buffer);
    }
}

`)
}

// body prints the function that runs the phases.
func (m *mpi) body(tiles []tileFunction) string {
	m.begin()
	p, t := m.Scop, m.prog.Names.T
	passed := ""
	for _, q := range p.Params {
		passed += m.Outer[q.Name] + ", "
	}
	_, names := m.numbers()
	m.Line("struct %s_state hexcc_r;", m.name)
	m.Line("MPI_Comm hexcc_own;")
	m.Line("long long hexcc_lo, hexcc_hi;")
	m.Line("int hexcc_level;")
	m.Raw("#ifdef _OPENMP\n")
	m.Line("MPI_Query_thread(&hexcc_level);")
	m.Line("if (hexcc_any(hexcc_comm, omp_get_max_threads() > 1 && hexcc_level < MPI_THREAD_FUNNELED))")
	m.Line(`  return hexcc_wrong(hexcc_comm, "%s", "several threads need MPI_Init_thread with MPI_THREAD_FUNNELED, or OMP_NUM_THREADS=1");`, m.name)
	m.Raw("#endif\n")
	m.Line("(void)hexcc_level;")
	if facts := m.facts(); facts != "" {
		m.Raw(facts)
	}
	m.Line("if (%s_too_many(hexcc_comm, %s0))", m.name, names)
	m.Line("  return 1;")
	m.Line("%s_range(%s&hexcc_lo, &hexcc_hi);", m.name, passed)
	m.Line("if (hexcc_lo > hexcc_hi)")
	m.Line("  return 0; // no iteration")
	m.Line("memset(&hexcc_r, 0, sizeof hexcc_r);")
	m.Line("MPI_Comm_rank(hexcc_comm, &hexcc_r.rank);")
	m.Line("MPI_Comm_size(hexcc_comm, &hexcc_r.size);")
	m.Line("hexcc_r.begin = %s_begin(hexcc_r.rank, hexcc_r.size, hexcc_lo, hexcc_hi);", m.name)
	m.Line("hexcc_r.end = %s_begin(hexcc_r.rank + 1, hexcc_r.size, hexcc_lo, hexcc_hi);", m.name)
	for _, q := range p.Params {
		m.Line("hexcc_r.at.%s = %s;", m.Outer[q.Name], m.Outer[q.Name])
	}
	m.Line("hexcc_mpi_part hexcc_part;")
	object := 0
	for i, a := range p.Arrays {
		dim := m.plan.Arrays[i].Dim
		if dim >= 0 {
			d := dim - len(a.Extents) + len(a.ObjectExtents())
			m.Line("%s_part_of(hexcc_r.rank, hexcc_r.size, %s%d, &hexcc_part);", m.name, passed, i)
			m.Line("hexcc_r.rows[%d] = hexcc_part.count[%d];", i, d)
			if name := m.local[a]; name != "" {
				m.Line("const %v %s = (%v)hexcc_part.count[%d];", m.Index, name, m.Index, d)
				m.Line("(void)%s;", name)
			}
			stride := fmt.Sprint(a.Elem.Size())
			for _, e := range a.Extents[dim+1:] {
				stride += " * (long long)" + m.Factor(m.Affine(e))
			}
			for _, o := range a.Objects() {
				name := m.Outer[o.Name]
				m.Line("%s = (%s*)((uintptr_t)%s - (uintptr_t)(hexcc_part.first[%d] * %s));", name, ctext.Pointed(a), name, d, stride) // a ring begins at 0
			}
		}
		for _, o := range a.Objects() {
			m.Line("hexcc_r.arrays[%d] = (char *)%s;", object, m.Outer[o.Name])
			object++
		}
	}
	lo, hi := m.Fresh(t+"_lo"), m.Fresh(t+"_hi")
	m.Line("const %v %s = %s, %s = %s; // time tiles", m.Index, lo, m.Expr(m.prog.TLo), hi, m.Expr(m.prog.THi))
	m.Line("MPI_Comm_dup(hexcc_comm, &hexcc_own);")
	m.Line("int hexcc_failed = hexcc_any(hexcc_own, %s_open(&hexcc_r, hexcc_own, %s, %s));", m.name, lo, hi)
	m.Braces("if (!hexcc_failed)", func() {
		m.Line("%s_expect(&hexcc_r, 0, %s);", m.name, lo)
		m.Line("%s_send(&hexcc_r, 0, %s);", m.name, lo)
		m.Line("%s_arrive(&hexcc_r, 0, %s);", m.name, lo)
		m.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", m.Index, t, lo, t, hi, t), func() {
			for i, f := range tiles {
				m.ofPhase(i+1, f)
			}
		})
	})
	m.Line("for (int hexcc_which = 0; hexcc_which < %d; hexcc_which++) {", len(m.plan.Messages()))
	m.Line("  hexcc_message_close(&hexcc_r.send[hexcc_which]);")
	m.Line("  hexcc_message_close(&hexcc_r.receive[hexcc_which]);")
	m.Line("}")
	m.Line("MPI_Comm_free(&hexcc_own);")
	m.Line(`return hexcc_failed ? hexcc_wrong(hexcc_comm, "%s", "no memory for messages, or one of more than 2 GiB") : 0;`, m.name)
	body := m.end()
	var decls []string
	for _, q := range p.Params {
		decls = append(decls, fmt.Sprintf("%v %s", m.Index, m.Outer[q.Name]))
	}
	for _, q := range p.Scalars {
		decls = append(decls, fmt.Sprintf("%v %s", q.Type, m.Outer[q.Name]))
	}
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			decls = append(decls, fmt.Sprintf("%s*%s", ctext.Pointed(a), m.Outer[o.Name]))
		}
	}
	m.Line("static int %s_run(MPI_Comm hexcc_comm, %s)", m.name, strings.Join(decls, ", "))
	m.Line("{")
	m.Raw(body)
	m.Line("}")
	m.Blank()
	return m.take()
}

// ofPhase prints a phase, after which come the messages of a number.
func (m *mpi) ofPhase(number int, f tileFunction) {
	for _, name := range f.args {
		m.Uses[name] = true
	}
	t, tile := m.prog.Names.T, f.phase.Tile
	m.Line("// phase %d", f.phase.Number)
	m.Braces("", func() {
		m.Line("const long long hexcc_first = hexcc_most(%s, hexcc_r.begin), hexcc_last = hexcc_least(%s, hexcc_r.end - 1);", m.Expr(f.phase.Lo), m.Expr(f.phase.Hi))
		work := "1"
		if f.phase.Work != nil {
			work = m.Work(f.phase.Work)
		}
		m.Line("const long long hexcc_count = hexcc_first <= hexcc_last && (%s) ? hexcc_last - hexcc_first + 1 : 0;", work)
		m.Line("long long hexcc_next = 0, hexcc_sides = 0; // the next tile; those at the sides that have run")
		m.Line("int hexcc_sent = 0;")
		m.Line("%s_expect(&hexcc_r, %d, %s);", m.name, number, t)
		m.pragma("omp parallel if(hexcc_count > 1)")
		m.Braces("for (long long hexcc_k; (hexcc_k = __atomic_fetch_add(&hexcc_next, 1, __ATOMIC_RELAXED)) < hexcc_count;)", func() {
			m.Line("const %v %s = (%v)(hexcc_k == 0 ? hexcc_first : hexcc_k == 1 ? hexcc_last : hexcc_first + hexcc_k - 1);", m.Index, tile, m.Index)
			m.Line("%s(%s);", f.name, strings.Join(f.args, ", "))
			m.Line("if (hexcc_k < 2)")
			m.Line("  __atomic_fetch_add(&hexcc_sides, 1, __ATOMIC_RELEASE);")
			m.pragma("omp master")
			m.Braces("", func() {
				m.Braces("if (!hexcc_sent && __atomic_load_n(&hexcc_sides, __ATOMIC_ACQUIRE) == hexcc_least(2, hexcc_count))", func() {
					m.Line("%s_send(&hexcc_r, %d, %s);", m.name, number, t)
					m.Line("hexcc_sent = 1;")
				})
				m.Line("%s_progress(&hexcc_r, %d);", m.name, number)
			})
		})
		m.Line("if (!hexcc_sent)")
		m.Line("  %s_send(&hexcc_r, %d, %s);", m.name, number, t)
		m.Line("%s_arrive(&hexcc_r, %d, %s);", m.name, number, t)
	})
}

// facts prints what the function tests of its numbers: what the loops rely on.
func (m *mpi) facts() string {
	out := ctext.Printer{Depth: 1}
	for _, f := range m.Scop.Facts {
		cond := fmt.Sprintf("%s >= 0", m.Expr(m.Scop.Sum(f.Row, nil)))
		if len(f.Factors) > 0 {
			var positive, factors []string
			for _, x := range f.Factors {
				sum := m.Scop.Sum(x, nil)
				positive, factors = append(positive, m.Expr(sum)+" <= 0"), append(factors, "(double)"+m.Factor(sum))
			}
			cond = fmt.Sprintf("%s || %s <= %d.0", strings.Join(positive, " || "), strings.Join(factors, " * "), f.Most)
		}
		out.Line("if (!(%s))", cond)
		out.Line("  return hexcc_wrong(hexcc_comm, \"%s\", \"the loops rely on %%s\", %s);", m.name, ctext.Quote(f.Text))
	}
	return out.Buf.String()
}
