// Package mpitext prints what regions that run on several ranks have alike, whatever runs the tiles of a rank: the functions beside them, which say what
// a rank has of arrays and move whole arrays, and those that make messages of boxes of elements. It is C, and C++, on the MPI standard.
package mpitext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// A Region prints the functions of a region.
type Region struct {
	*ctext.Printer
	*ctext.Indexer
	Plan    *ranks.Plan
	Name    string          // of the function: jacobi_mpi
	Helpers map[string]bool // functions that the text uses, see ctext.TypedHelpers; nil: Uses of the Indexer notes them
	Device  bool            // boxes lie in the memory of a GPU, and what moves them takes a struct hexcc_gpu
	// Local are names for how many elements a rank has of an array along the dimension that ranks share out, where that is not all of them.
	Local map[*scop.Array]string
	// LocalColumns are such names along the dimension that columns of ranks share out.
	LocalColumns map[*scop.Array]string
	// host is the name of the function around the nest that this is; "": it is none. around prints that, and nest is the number of the nest there.
	host   string
	around *Host
	nest   int
}

// New returns the printer of a region, whose text goes where out has it, with the names of x.
func New(out *ctext.Printer, x *ctext.Indexer, plan *ranks.Plan, name string) *Region {
	m := &Region{Printer: out, Indexer: x, Plan: plan, Name: name, Local: map[*scop.Array]string{}, LocalColumns: map[*scop.Array]string{}}
	for _, a := range plan.Arrays {
		if a.Dim > 0 && !a.Ring {
			m.Local[a.Array] = m.Fresh(m.Outer[a.Array.Name] + "_rows")
		}
		if m.second(a.Array) > 0 {
			m.LocalColumns[a.Array] = m.Fresh(m.Outer[a.Array.Name] + "_columns")
		}
	}
	return m
}

// Name returns what the function of a region is called that runs on several ranks: jacobi_mpi for a region of jacobi; with the number of the region behind it
// where there are several in the file.
func Name(p *scop.Program, several bool) string {
	if several {
		return fmt.Sprintf("%s_mpi_%d", p.Function, p.Region.Index)
	}
	return p.Function + "_mpi"
}

// gpu returns text where boxes lie in the memory of a GPU, else none.
func (m *Region) gpu(text string) string {
	if m.Device {
		return text
	}
	return ""
}

// inHost returns text for a nest in a loop that ranks run, else none.
func (m *Region) inHost(text string) string {
	if m.host != "" {
		return text
	}
	return ""
}

// InHost reports whether this is a nest in a loop that ranks run, and Overlaps whether its tiles inside run while messages before it travel.
func (m *Region) InHost() bool   { return m.host != "" }
func (m *Region) Overlaps() bool { return m.host != "" && m.around.Loop.Overlap[m.nest] }

// linkage goes before functions that C calls.
func (m *Region) linkage() string { return m.gpu("extern \"C\" ") }

// shared returns the dimension along which ranks share out an array, -1: none.
func (m *Region) shared(a *scop.Array) int {
	i := slices.IndexFunc(m.Plan.Arrays, func(x ranks.Array) bool { return x.Array == a })
	return m.Plan.Arrays[i].Dim
}

// Begin starts the body of a function.
func (m *Region) Begin() {
	m.Depth = 1
	if m.Helpers != nil {
		clear(m.Uses)
	}
}

// End returns the text so far and notes the helpers in it.
func (m *Region) End() string {
	if m.Helpers != nil {
		m.NoteHelpers(m.Helpers)
	}
	m.Depth = 0
	return m.Take()
}

// function returns a function of the region, to which head, with the declarations of its parameters, is a comment and a signature; body prints what it does.
func (m *Region) function(body func(), head func(decls string)) string {
	m.Begin()
	decls, _ := m.Internal()
	for _, q := range m.Scop.Params {
		m.Line("(void)%s;", m.Outer[q.Name])
	}
	body()
	text := m.End()
	head(decls)
	m.Line("{")
	m.Raw(text)
	m.Line("}")
	m.Blank()
	return m.Take()
}

// Before returns the functions that the one that runs the tiles calls.
func (m *Region) Before() string {
	if m.Plan.Grid == nil {
		return m.tileRange() + m.messages() + m.pipelineBefore() + m.parts() + m.state()
	}
	return m.tileRange() + m.secondRange() + m.messages() + m.beside() + m.chains() + m.parts() + m.state() + m.gridState()
}

// A Formal is a parameter of the function.
type Formal struct {
	Name, Decl string
	Array      *scop.Array // nil: a number
	Integer    bool        // a parameter of the region
}

// Formals returns the parameters of the function, in the order in which the user's function has them, then the others. What follows from those, as n / 2 does, is none.
func (m *Region) Formals() (list []Formal) {
	p := m.Scop
	for _, q := range p.Params {
		if q.Of != nil {
			continue
		}
		list = append(list, Formal{Name: m.Outer[q.Name], Decl: fmt.Sprintf("%v %s", q.Type, m.Outer[q.Name]), Integer: true})
	}
	for _, q := range p.Scalars {
		list = append(list, Formal{Name: m.Outer[q.Name], Decl: fmt.Sprintf("%v %s", q.Type, m.Outer[q.Name])})
	}
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			list = append(list, Formal{Name: m.Outer[o.Name], Decl: fmt.Sprintf("%s*%s", ctext.Pointed(a), m.Outer[o.Name]), Array: a})
		}
	}
	order := p.Signature.Names()
	at := func(f Formal) int {
		if i := slices.Index(order, f.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(list, func(x, y Formal) int { return at(x) - at(y) })
	return list
}

// Numbers returns the declarations of the parameters that are integers, each followed by a comma, and their names alike.
func (m *Region) Numbers() (decls, names string) {
	for _, f := range m.Formals() {
		if f.Integer {
			decls, names = decls+f.Decl+", ", names+f.Name+", "
		}
	}
	return decls, names
}

// Passed returns the names of the integers, each followed by a comma, as functions of the region are passed them.
func (m *Region) Passed() (text string) {
	for _, q := range m.Scop.Params {
		text += m.Outer[q.Name] + ", "
	}
	return text
}

// Header returns the declarations of the functions.
func (m *Region) Header() string {
	var decls []string
	for _, f := range m.Formals() {
		decls = append(decls, f.Decl)
	}
	numbers, _ := m.Numbers()
	var names []string
	for _, a := range m.Scop.Arrays {
		names = append(names, fmt.Sprintf("%s_%s", m.Name, a.Name))
	}
	return declared(m.Name, m.Scop.Function, strings.Join(decls, ", "), numbers, names, "", m.alike()) + m.grid(strings.ReplaceAll(gridDeclared, "FN", m.Name))
}

// declared returns the declarations of the functions beside one that does what a region of a user's function does: its parameters, those of them that are integers, each followed by a comma, and names for
// its arrays. more is what else there is to say of it, and alike of the names.
func declared(name, function, all, numbers string, arrays []string, more, alike string) string {
	return strings.NewReplacer("ALIKE", alike, "FN", name, "ARRAYS", strings.Join(arrays, ", "), "NUMBERS", numbers, "ALL", all, "FUNCTION", function, "MORE", more).Replace(`
// What the region of FUNCTION does, on all ranks of a communicator together, each of which has its parts of the arrays. All ranks call it, with
// equal numbers, from the thread that initialised MPI (MPI_THREAD_FUNNELED or more). It returns 0, or on all ranks 1 where it can do
// nothing; rank 0 has said why. Arrays do not overlap.MORE
int FN(MPI_Comm hexcc_comm, ALL);

// The arrays, for the functions below.ALIKE
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

// gridDeclared is what the header has besides where ranks form a grid.
const gridDeclared = `
// How ranks are set out: in so many rows, which share out the first dimension of tiles, and so many columns, which share out the second one. Rank 1 is in the
// second column of the first row. {0, 0}: as is expected to be fastest. The same on all ranks, before any other function is called.
extern int FN_grid[2];
`

// Internal returns the parameters of functions of our own that have all integers, and what to pass for them.
func (m *Region) Internal() (decls, names string) {
	for _, q := range m.Scop.Params {
		decls, names = decls+fmt.Sprintf("%v %s, ", m.Index, m.Outer[q.Name]), names+m.Outer[q.Name]+", "
	}
	return decls, names
}

// values returns what a function that the program calls passes for all integers to one of our own, each followed by a comma.
func (m *Region) values() string {
	var list []string
	for _, q := range m.Scop.Params {
		list = append(list, m.value(q))
	}
	return commas(list)
}

// value returns an integer where the parameters of the function are known: its name, or what it is of them. What a quotient is of is no less than 0 where the loops run, so that C and it round alike.
func (m *Region) value(q scop.Param) string {
	if q.Of == nil {
		return m.Outer[q.Name]
	}
	var sum []string
	for i, c := range q.Of.Row.Params {
		switch name := "(long long)" + m.Outer[m.Scop.Params[i].Name]; c {
		case 0:
		case 1:
			sum = append(sum, name)
		default:
			sum = append(sum, fmt.Sprintf("%d * %s", c, name))
		}
	}
	return fmt.Sprintf("(%v)((%s%s) / %d)", q.Type, strings.Join(sum, " + "), ctext.Plus(q.Of.Row.Const), q.Of.By)
}

// InOrder returns what the function passes to that which runs: numbers, scalars, arrays.
func (m *Region) InOrder() (names []string) {
	for _, q := range m.Scop.Params {
		names = append(names, m.value(q))
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

// Objects returns how many objects the arrays have.
func (m *Region) Objects() (n int) {
	for _, a := range m.Scop.Arrays {
		n += len(a.Objects())
	}
	return n
}

// A Call is how the function of a region is called: behind the communicator, with these of the region, in this order.
type Call struct {
	Program  *scop.Program
	Function string
	Args     []string // names of parameters, scalars and objects of arrays
}

// Call returns how the function is called.
func (m *Region) Call() Call { return Call{m.Plan.Scop(), m.Name, m.arguments()} }

// arguments returns the names of what the function is passed, as the region has them.
func (m *Region) arguments() (names []string) {
	of := map[string]string{}
	for name, spelled := range m.Outer {
		of[spelled] = name
	}
	for _, f := range m.Formals() {
		names = append(names, of[f.Name])
	}
	return names
}

// A Declared is what a header declares: a Region, or a Host.
type Declared interface{ Header() string }

// Header returns the header of regions of a source that are printed, which declares their functions; file is its name.
func Header(file, base, source string, regions []Declared) string {
	var declared strings.Builder
	for _, m := range regions {
		declared.WriteString(m.Header())
	}
	guard := "HEXCC_" + strings.ToUpper(ctext.FileIdentifier(base)) + "_HEX_H"
	return fmt.Sprintf("// %s.\n#ifndef %s\n#define %s\n#include <mpi.h>\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n%s%s\n#ifdef __cplusplus\n}\n#endif\n#endif\n",
		ctext.MadeFrom(file, source), guard, guard, PartType, declared.String())
}
