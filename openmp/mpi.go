package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file prints regions that run on several machines by MPI: for each region a function of its own, which has a communicator in front,
// and functions beside it. They stand in a file of their own: the user's source stays what it is.

// An mpi prints the functions of a region for MPI.
type mpi struct {
	*region
	plan *ranks.Plan
	name string // of the function: jacobi_mpi
}

// MPIName returns what the function of a region is called that runs on several ranks: jacobi_mpi for a region of jacobi; with the number of the region behind it
// where there are several in the file.
func MPIName(p *scop.Program, several bool) string {
	if several {
		return fmt.Sprintf("%s_mpi_%d", p.Function, p.Region.Index)
	}
	return p.Function + "_mpi"
}

// shared returns how the rows of an array that a rank has are named, "" where it has all of them.
func (m *mpi) shared(a *scop.Array) int {
	i := slices.IndexFunc(m.plan.Arrays, func(x ranks.Array) bool { return x.Array == a })
	return m.plan.Arrays[i].Dim
}

// newMPI returns the printer of a region.
func newMPI(p Part, several bool) *mpi {
	m := &mpi{region: newRegion(p), plan: p.Ranks, name: MPIName(p.Program.Scop(), several)}
	m.local, m.localDim = map[*scop.Array]string{}, map[*scop.Array]int{}
	for _, a := range p.Ranks.Arrays {
		if a.Dim > 0 && !a.Ring {
			name := m.Fresh(m.Outer[a.Array.Name] + "_rows")
			m.local[a.Array], m.localDim[a.Array] = name, a.Dim
			m.Vars[name] = true
		}
	}
	return m
}

// A formal is a parameter of the function.
type formal struct {
	name, decl string
	array      *scop.Array // nil: a number
	integer    bool        // a parameter of the region
}

// formals returns the parameters of the function, in the order in which the user's function has them, then the others.
func (m *mpi) formals() (list []formal) {
	p := m.Scop
	for _, q := range p.Params {
		list = append(list, formal{name: m.Outer[q.Name], decl: fmt.Sprintf("%v %s", q.Type, m.Outer[q.Name]), integer: true})
	}
	for _, q := range p.Scalars {
		list = append(list, formal{name: m.Outer[q.Name], decl: fmt.Sprintf("%v %s", q.Type, m.Outer[q.Name])})
	}
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			list = append(list, formal{name: m.Outer[o.Name], decl: fmt.Sprintf("%s*%s", ctext.Pointed(a), m.Outer[o.Name]), array: a})
		}
	}
	order := p.Signature.Names()
	at := func(f formal) int {
		if i := slices.Index(order, f.name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(list, func(x, y formal) int { return at(x) - at(y) })
	return list
}

// numbers returns the declarations of the parameters that are integers, each followed by a comma, and their names alike.
func (m *mpi) numbers() (decls, names string) {
	for _, f := range m.formals() {
		if f.integer {
			decls, names = decls+f.decl+", ", names+f.name+", "
		}
	}
	return decls, names
}

// header returns the declarations of the functions.
func (m *mpi) header() string {
	var decls []string
	for _, f := range m.formals() {
		decls = append(decls, f.decl)
	}
	numbers, _ := m.numbers()
	var names []string
	for _, a := range m.Scop.Arrays {
		names = append(names, fmt.Sprintf("%s_%s", m.name, a.Name))
	}
	return strings.NewReplacer("FN", m.name, "ARRAYS", strings.Join(names, ", "), "NUMBERS", numbers, "ALL", strings.Join(decls, ", "), "FUNCTION", m.Scop.Function).Replace(`
// What the region of FUNCTION does, on all ranks of a communicator together, each of which has its parts of the arrays. All ranks call it, with
// equal numbers, from the thread that initialised MPI (MPI_THREAD_FUNNELED or more). It returns 0, or on all ranks 1 where it can do
// nothing; rank 0 has said why. Arrays do not overlap.
int FN(MPI_Comm hexcc_comm, ALL);

// The arrays, for the functions below.
enum { ARRAYS };

// The part that the calling rank has of an array. Returns 1 where there are more ranks than can share out the array.
int FN_part(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, hexcc_mpi_part *hexcc_part);

// Ranks up to which the arrays can be shared out.
long long FN_most_ranks(NUMBERSint hexcc_unused);

// Copies a whole array that rank 0 has to the parts of all ranks, or their own parts to a whole array of rank 0. Others pass anything for it.
int FN_scatter(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const void *hexcc_whole, void *hexcc_part);
int FN_gather(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const void *hexcc_part, void *hexcc_whole);

// Read the parts of all ranks from a file that holds the whole array, from a byte of it on, or write them to one.
int FN_read(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const char *hexcc_path, MPI_Offset hexcc_from, void *hexcc_part);
int FN_write(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const char *hexcc_path, MPI_Offset hexcc_from, const void *hexcc_part);

// How fast ranks are, by rank, for nodes that differ: they get tiles in proportion. The same on all ranks, for as many as there are; 0: all alike.
extern const double *FN_weights;
`)
}

// text returns the functions.
func (m *mpi) text() string {
	var tiles []tileFunction
	var b strings.Builder
	for _, ph := range m.prog.Phases {
		f := m.tileFunction(ph)
		tiles = append(tiles, f)
		b.WriteString(f.text + "\n")
	}
	b.WriteString(m.tileRange(tiles))
	b.WriteString(m.messages())
	b.WriteString(m.parts())
	b.WriteString(m.run(tiles))
	b.WriteString(m.whole())
	return b.String()
}

// internal returns the parameters of functions of our own that have all integers, and what to pass for them.
func (m *mpi) internal() (decls, names string) {
	for _, q := range m.Scop.Params {
		decls, names = decls+fmt.Sprintf("%v %s, ", m.Index, m.Outer[q.Name]), names+m.Outer[q.Name]+", "
	}
	return decls, names
}

// tileRange prints the function that finds the least and the greatest tile that there is in any phase of any time tile.
func (m *mpi) tileRange(tiles []tileFunction) string {
	m.begin()
	decls, _ := m.internal()
	t := m.prog.Names.T
	m.Line("*hexcc_lo = LLONG_MAX, *hexcc_hi = LLONG_MIN;")
	for _, q := range m.Scop.Params {
		m.Line("(void)%s;", m.Outer[q.Name])
	}
	if cond := m.Cond(m.prog.Busy); cond != "" {
		m.Line("if (!(%s))", cond)
		m.Line("  return; // no iteration")
	}
	m.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", m.Index, t, m.Expr(m.prog.TLo), t, m.Expr(m.prog.THi), t), func() {
		for _, f := range tiles {
			m.Braces("", func() {
				m.Line("const %v hexcc_least = %s, hexcc_most = %s;", m.Index, m.Expr(f.phase.Lo), m.Expr(f.phase.Hi))
				m.Line("if (hexcc_least <= hexcc_most && hexcc_least < *hexcc_lo)")
				m.Line("  *hexcc_lo = hexcc_least;")
				m.Line("if (hexcc_least <= hexcc_most && hexcc_most > *hexcc_hi)")
				m.Line("  *hexcc_hi = hexcc_most;")
			})
		}
	})
	body := m.end()
	m.Line("// The first and the last tile along %s of all phases and time tiles.", m.prog.Phases[0].Tile)
	m.Line("static void %s_range(%slong long *hexcc_lo, long long *hexcc_hi)", m.name, decls)
	m.Line("{")
	m.Raw(body)
	m.Line("}")
	m.Blank()
	return m.take()
}

// table declares a table of numbers.
func (m *mpi) numbersOf(name string, values []int64) {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprint(v))
	}
	m.Line("static const int %s[] = {%s};", name, strings.Join(texts, ", "))
}

// messages prints the function that goes through the boxes of a message.
func (m *mpi) messages() string {
	m.begin()
	decls, _ := m.internal()
	for _, q := range m.Scop.Params {
		m.Line("(void)%s;", m.Outer[q.Name])
	}
	m.Line("long long hexcc_bytes = 0;")
	m.Line("switch (hexcc_which) {")
	for which, strips := range m.plan.Messages() {
		if len(strips) == 0 {
			continue
		}
		m.Line("case %d:", which)
		m.Depth++
		for _, s := range strips {
			m.Braces("", func() { m.strip(s) })
		}
		m.Line("break;")
		m.Depth--
	}
	m.Line("}")
	m.Line("return hexcc_bytes;")
	body := m.end()
	m.Line("// The boxes of a message at a border of tiles: before the first phase up and down, 0 and 1; after phase 0 of a time tile, 2 and 3; and so on.")
	m.Line("static long long %s_message(int hexcc_mode, int hexcc_which, long long %s, long long %s, %schar *const *hexcc_arrays,", m.name, m.plan.T, m.plan.Border, decls)
	m.Line("    const long long *hexcc_rows, char *hexcc_buffer)")
	m.Line("{")
	m.Raw(body)
	m.Line("}")
	m.Blank()
	return m.take()
}

// strip prints what a message does with one of its boxes.
func (m *mpi) strip(s ranks.Strip) {
	dim := m.shared(s.Array)
	bound := func(name string, r ranks.Rows, by affine.Expr) {
		m.numbersOf(name+"_lo", r.Lo)
		m.numbersOf(name+"_hi", r.Hi)
		m.Line("const long long %s = hexcc_within(%s%s, %d);", name, m.Expr(by), ctext.Plus(-r.Start), len(r.Lo)-1)
	}
	bound("hexcc_since", s.Since, m.plan.SinceFirst())
	bound("hexcc_until", s.Until, m.plan.UntilLast())
	m.Line("const long long hexcc_first = %s;", m.Expr(m.plan.FirstRow()))
	var lo, hi, extent []string
	object := 0
	for d := range s.Array.Extents {
		if d == 0 && len(s.Array.Planes) > 0 {
			object = int(s.Lo[0].(affine.Sum).Const)
			continue
		}
		l, h := m.Expr(s.Lo[d]), m.Expr(s.Hi[d])
		if d == dim {
			least := "hexcc_first + hexcc_most(hexcc_since_lo[hexcc_since], hexcc_until_lo[hexcc_until])"
			most := "hexcc_first + hexcc_least(hexcc_since_hi[hexcc_since], hexcc_until_hi[hexcc_until])"
			if s.Upper {
				sum := m.Expr(m.plan.Arrays[m.number(s.Array)].Sum)
				least, most = fmt.Sprintf("%s - (%s)", sum, most), fmt.Sprintf("%s - (%s)", sum, least)
			}
			l = fmt.Sprintf("hexcc_most(%s, %s)", l, least)
			h = fmt.Sprintf("hexcc_least(%s, %s)", h, most)
			extent = append(extent, fmt.Sprintf("hexcc_rows[%d]", m.number(s.Array)))
		} else {
			extent = append(extent, m.Expr(m.Affine(s.Array.Extents[d])))
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	m.Line("const long long hexcc_lo[] = {%s};", strings.Join(lo, ", "))
	m.Line("const long long hexcc_hi[] = {%s};", strings.Join(hi, ", "))
	m.Line("const long long hexcc_extent[] = {%s};", strings.Join(extent, ", "))
	m.Line("hexcc_bytes += hexcc_box(hexcc_mode, hexcc_buffer + hexcc_bytes, hexcc_mode == HEXCC_COUNT ? 0 : hexcc_arrays[%d], %d, %d, hexcc_lo, hexcc_hi, hexcc_extent);",
		m.object(s.Array, object), s.Array.Elem.Size(), len(lo))
}

// number returns the number of an array, object that of an object of one among all objects.
func (m *mpi) number(a *scop.Array) int { return slices.Index(m.Scop.Arrays, a) }
func (m *mpi) object(a *scop.Array, k int) (n int) {
	for _, b := range m.Scop.Arrays {
		if a == b {
			return n + k
		}
		n += len(b.Objects())
	}
	panic("openmp: object: no such array")
}

// parts prints what the ranks have of the arrays.
func (m *mpi) parts() string {
	m.begin()
	numbers, names := m.numbers()
	decls, _ := m.internal()
	var args []string
	for _, q := range m.Scop.Params {
		args = append(args, m.Outer[q.Name]+", ")
	}
	passed := strings.Join(args, "")
	before := strings.NewReplacer("FN", m.name, "DECLS", decls, "PASSED", passed).Replace(`const double *FN_weights = 0;

// The first tile of a rank: ranks have tiles in proportion to their weights. That of a rank behind the last one is the one behind the last tile.
static long long FN_begin(int rank, int size, long long lo, long long hi)
{
  const long long all = hi - lo + 1;
  double total = 0, before = 0;
  if (rank <= 0 || rank >= size || !FN_weights)
    return rank >= size ? hi + 1 : lo + (rank <= 0 ? 0 : all / size * rank + (all % size < rank ? all % size : rank));
  for (int r = 0; r < size; r++) {
    total += FN_weights[r];
    before += r < rank ? FN_weights[r] : 0;
  }
  const long long at = total > 0 ? (long long)((double)all * before / total + 0.5) : 0;
  return lo + (at < rank ? rank : at > all - (size - rank) ? all - (size - rank) : at); // each has one
}

`)
	m.Line("long long hexcc_lo, hexcc_hi;")
	m.Line("memset(hexcc_p, 0, sizeof *hexcc_p);")
	m.Line("%s_range(%s&hexcc_lo, &hexcc_hi);", m.name, passed)
	m.Line("if (hexcc_lo > hexcc_hi)")
	m.Line("  hexcc_lo = 0, hexcc_hi = hexcc_size - 1; // no iteration: any part will do")
	m.Line("const long long %s = %s_begin(hexcc_rank, hexcc_size, hexcc_lo, hexcc_hi), hexcc_behind = %s_begin(hexcc_rank + 1, hexcc_size, hexcc_lo, hexcc_hi);", m.plan.Border, m.name, m.name)
	m.Line("const long long hexcc_first = %s, hexcc_last = hexcc_first + (hexcc_behind - %s) * %d - 1; // rows that the rank owns", m.Expr(m.plan.FirstRow()), m.plan.Border, m.plan.Width())
	m.Line("(void)hexcc_first, (void)hexcc_last;")
	m.Line("switch (hexcc_array) {")
	for i, a := range m.plan.Arrays {
		m.Line("case %d:", i)
		m.Depth++
		extents := a.Array.ObjectExtents()
		m.Line("hexcc_p->dims = %d;", len(extents))
		m.Line("hexcc_p->element = %d;", a.Array.Elem.Size())
		for d, e := range extents {
			m.Line("hexcc_p->extent[%d] = %s;", d, m.Expr(m.Affine(e)))
		}
		m.Line("memcpy(hexcc_p->count, hexcc_p->extent, sizeof hexcc_p->count);")
		m.Line("memcpy(hexcc_p->own_count, hexcc_p->extent, sizeof hexcc_p->own_count);")
		switch d := a.Dim - len(a.Array.Extents) + len(extents); {
		case a.Ring:
			m.Line("hexcc_ring(hexcc_p, %d, hexcc_first, hexcc_last, %s, hexcc_rank > 0, hexcc_rank < hexcc_size - 1);", d, m.Expr(a.Sum))
		case a.Dim >= 0:
			m.Line("hexcc_rows(hexcc_p, %d, hexcc_first, hexcc_last, %d, %d, hexcc_rank > 0, hexcc_rank < hexcc_size - 1);", d, a.Lo, a.Hi)
		}
		m.Line("break;")
		m.Depth--
	}
	m.Line("default:")
	m.Line("  return 1;")
	m.Line("}")
	m.Line("hexcc_p->bytes = hexcc_p->element;")
	m.Line("for (int hexcc_d = 0; hexcc_d < hexcc_p->dims; hexcc_d++)")
	m.Line("  hexcc_p->bytes *= (unsigned long long)hexcc_p->count[hexcc_d];")
	m.Line("return 0;")
	body := m.end()
	m.Raw(before)
	m.Line("// The part that a rank of so many has of an array.")
	m.Line("static int %s_part_of(int hexcc_rank, int hexcc_size, %sint hexcc_array, hexcc_mpi_part *hexcc_p)", m.name, decls)
	m.Line("{")
	m.Raw(body)
	m.Line("}")
	m.Blank()
	m.Raw(strings.NewReplacer("FN", m.name, "NUMBERS", numbers, "NAMES", names, "PASSED", passed).Replace(`long long FN_most_ranks(NUMBERSint hexcc_unused)
{
  long long hexcc_lo, hexcc_hi;
  (void)hexcc_unused;
  FN_range(PASSED&hexcc_lo, &hexcc_hi);
  return hexcc_lo > hexcc_hi ? INT_MAX : hexcc_hi - hexcc_lo + 1;
}

// Says so where there are more ranks than tiles.
static int FN_too_many(MPI_Comm hexcc_comm, NUMBERSint hexcc_unused)
{
  int hexcc_size;
  MPI_Comm_size(hexcc_comm, &hexcc_size);
  if (hexcc_size <= FN_most_ranks(NAMEShexcc_unused))
    return 0;
  return hexcc_wrong(hexcc_comm, "FN", "%d ranks are too many for arrays of this size: at most %lld have a tile each", hexcc_size, FN_most_ranks(NAMEShexcc_unused));
}

int FN_part(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, hexcc_mpi_part *hexcc_part)
{
  int hexcc_rank, hexcc_size;
  MPI_Comm_rank(hexcc_comm, &hexcc_rank);
  MPI_Comm_size(hexcc_comm, &hexcc_size);
  return FN_too_many(hexcc_comm, NAMES0) || FN_part_of(hexcc_rank, hexcc_size, PASSEDhexcc_array, hexcc_part);
}

`))
	return m.take()
}

// whole prints the functions on whole arrays.
func (m *mpi) whole() string {
	numbers, names := m.numbers()
	passed := ""
	for _, q := range m.Scop.Params {
		passed += m.Outer[q.Name] + ", "
	}
	return strings.NewReplacer("FN", m.name, "NUMBERS", numbers, "NAMES", names, "PASSED", passed).Replace(`
// Moves an array between rank 0 and all.
static int FN_move(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, void *hexcc_whole, void *hexcc_part, int hexcc_gather)
{
  int hexcc_size;
  MPI_Comm_size(hexcc_comm, &hexcc_size);
  if (FN_too_many(hexcc_comm, NAMES0))
    return 1;
  hexcc_mpi_part *hexcc_parts = malloc((size_t)hexcc_size * sizeof *hexcc_parts);
  for (int hexcc_r = 0; hexcc_parts && hexcc_r < hexcc_size; hexcc_r++)
    FN_part_of(hexcc_r, hexcc_size, PASSEDhexcc_array, &hexcc_parts[hexcc_r]);
  if (hexcc_any(hexcc_comm, !hexcc_parts)) {
    free(hexcc_parts);
    return hexcc_wrong(hexcc_comm, "FN", "no memory");
  }
  hexcc_move(hexcc_comm, hexcc_parts, hexcc_whole, hexcc_part, hexcc_gather);
  free(hexcc_parts);
  return 0;
}

int FN_scatter(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const void *hexcc_whole, void *hexcc_part)
{
  return FN_move(hexcc_comm, NAMEShexcc_array, (void *)hexcc_whole, hexcc_part, 0);
}

int FN_gather(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const void *hexcc_part, void *hexcc_whole)
{
  return FN_move(hexcc_comm, NAMEShexcc_array, hexcc_whole, (void *)hexcc_part, 1);
}

int FN_read(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const char *hexcc_path, MPI_Offset hexcc_from, void *hexcc_part)
{
  hexcc_mpi_part hexcc_p;
  if (FN_part(hexcc_comm, NAMEShexcc_array, &hexcc_p))
    return 1;
  if (hexcc_any(hexcc_comm, hexcc_file(hexcc_comm, &hexcc_p, hexcc_path, hexcc_from, hexcc_part, 0)))
    return hexcc_wrong(hexcc_comm, "FN_read", "cannot read the whole array from %s", hexcc_path);
  return 0;
}

int FN_write(MPI_Comm hexcc_comm, NUMBERSint hexcc_array, const char *hexcc_path, MPI_Offset hexcc_from, const void *hexcc_part)
{
  hexcc_mpi_part hexcc_p;
  if (FN_part(hexcc_comm, NAMEShexcc_array, &hexcc_p))
    return 1;
  if (hexcc_any(hexcc_comm, hexcc_file(hexcc_comm, &hexcc_p, hexcc_path, hexcc_from, (void *)hexcc_part, 1)))
    return hexcc_wrong(hexcc_comm, "FN_write", "cannot write %s", hexcc_path);
  return 0;
}
`)
}

// An MPICall is how the function of a region is called: behind the communicator, with these of the region, in this order.
type MPICall struct {
	Program  *scop.Program
	Function string
	Args     []string // names of parameters, scalars and objects of arrays
}

// arguments returns the names of what the function is passed, as the region has them.
func (m *mpi) arguments() (names []string) {
	of := map[string]string{}
	for name, spelled := range m.Outer {
		of[spelled] = name
	}
	for _, f := range m.formals() {
		names = append(names, of[f.name])
	}
	return names
}

// PrintMPI returns the file of regions that run on several ranks, in source order: there is at least one, all with the same Base.
func PrintMPI(parts []Part) File {
	var functions, header strings.Builder
	var calls []MPICall
	helpers := map[string]bool{}
	var regions []Printed
	several := len(parts) > 1
	for _, p := range parts {
		m := newMPI(p, several)
		text := m.text()
		header.WriteString(m.header())
		calls = append(calls, MPICall{p.Program.Scop(), m.name, m.arguments()})
		functions.WriteString("\n" + text)
		for name := range m.helpers {
			helpers[name] = true
		}
		regions = append(regions, Printed{names: p.Names, scop: p.Program.Scop(), helpers: m.helpers, text: text})
	}
	names := regions[0].names
	body := helperText(helpers) + functions.String()
	body = decorated(body)
	body = "\n#include <mpi.h>\n#include \"" + ctext.HeaderFile(names.Base) + "\"\n" + mpiHead + body
	whole, spans := unmarked(about(regions) + body)
	guard := "HEXCC_" + strings.ToUpper(ctext.FileIdentifier(names.Base)) + "_HEX_H"
	head := fmt.Sprintf("// %s.\n#ifndef %s\n#define %s\n#include <mpi.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n%s%s\n#ifdef __cplusplus\n}\n#endif\n#endif\n",
		ctext.MadeFrom(ctext.HeaderFile(names.Base), regions[0].scop.File), guard, guard, mpiHeader, header.String())
	return File{Text: whole, Whole: whole, Spans: spans, scop: regions[0].scop, header: head, MPI: calls}
}
