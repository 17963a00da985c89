package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// A region prints the functions of one region: one for the tiles of each phase
// that have the same place in the parallel dimension, and one that runs them all.
type region struct {
	ctext.Printer
	ctext.Indexer
	prog    *cpu.Program
	common  *cpu.Common // what its phases have in common
	names   Names
	iters   map[string]string      // how iterators are spelled
	planes  map[*scop.Array]string // arrays of pointers to the objects of an array
	helpers map[string]bool        // names of functions that are used
	tables  map[string]string      // names of tables, by their values
	// Names: where a row starts and ends, the last row, and where the last vector starts.
	start, stop, lastRow, lastVector, rowStart, aligned, at string
	// The first and last place in the first dimension and the places in turn, lines of a row, and which are fetched at a place.
	least, most, turn, lineCount, share, line string
	// Which of several variants runs.
	variant string
	// Where chains wait for each other: the present one, what it waits for, how many that are, and whether the first is the one beside it.
	mine, before, waits, beside string
	// What the threads of a parallel region meet at.
	meets string
	// owned are the names that own gave, by what they name.
	owned map[string]string
	// tableTexts declare the tables that are new since the last function.
	tableTexts []string
	// Where ranks have parts of arrays: how many elements a rank has along the dimensions that they share out, by names.
	local  map[*scop.Array][]localExtent
	grains map[*scan.For]cpu.Grain // of loops of a schedule that the user has written
	// The first and the last tile of a rank along the second dimension, by names; "": it has all.
	from, to string
}

// A localExtent is how many elements a rank has along a dimension of an array, by a name.
type localExtent struct {
	dim  int
	name string
}

// reserved are names that the printed text uses.
var reserved = []string{"violated", "said", "sizeof", "restrict", "inline", "asm", "typeof", "linux", "unix", "main"}

func newRegion(p Part) *region {
	s := ctext.Within(p.Program.Scop(), p.Program.Most)
	bound := slices.Concat([]string{p.Program.Names.T}, p.Program.Names.Tiles, p.Program.Names.Points, []string{p.Program.Names.Step})
	common := p.Program.Common()
	if common != nil {
		bound = append(bound, common.Var)
	}
	r := spelled(s, p.Program, p.Names, bound)
	r.common = common
	spelling := r.Spelling
	r.start, r.stop, r.lastRow, r.lastVector, r.rowStart, r.aligned, r.at = spelling.Fresh("start"), spelling.Fresh("end"), spelling.Fresh("last"), spelling.Fresh("vectors"),
		spelling.Fresh("begin"), spelling.Fresh("aligned"), spelling.Fresh("at")
	r.least, r.most, r.turn = spelling.Fresh("least"), spelling.Fresh("most"), spelling.Fresh("turn")
	r.lineCount, r.share, r.line = spelling.Fresh("lines"), spelling.Fresh("share"), spelling.Fresh("line")
	r.variant = spelling.Fresh("variant")
	r.mine, r.before, r.waits, r.beside = spelling.Fresh("chain"), spelling.Fresh("before"), spelling.Fresh("waits"), spelling.Fresh("beside")
	return r
}

// spelled returns a printer in whose text variables of the names bound stand beside the names of a region.
func spelled(s *scop.Program, prog *cpu.Program, names Names, bound []string) *region {
	r := &region{
		prog: prog, names: names,
		iters: map[string]string{}, planes: map[*scop.Array]string{}, helpers: map[string]bool{}, tables: map[string]string{}, owned: map[string]string{},
	}
	for _, st := range s.Stmts {
		for _, name := range st.Iters {
			if r.iters[name] == "" {
				r.iters[name] = name
				bound = append(bound, name)
			}
		}
	}
	spelling := ctext.New(s, reserved, bound)
	spelling.InPlace = true
	spelling.Prefix = ctext.TypedPrefix(spelling.Index)
	r.Indexer = ctext.NewIndexer(spelling)
	r.Table = r.table
	for _, a := range s.Arrays {
		if len(a.Planes) > 0 {
			r.planes[a] = spelling.Fresh(spelling.Outer[a.Name] + "_planes")
		}
	}
	return r
}

// own returns a name that nothing else has: want, if it can be. Equal arguments have equal names.
func (r *region) own(what, want string) string {
	key := what + " " + want
	if r.owned[key] == "" {
		r.owned[key] = r.Fresh(want)
	}
	return r.owned[key]
}

// numbered returns a name of its own for the number of a name: value2.
func (r *region) numbered(name string, number int) string {
	return r.own("number", fmt.Sprint(name, number))
}

// table returns the name of an array with the values of t, which it declares if it is new.
func (r *region) table(t affine.Table) string {
	values := make([]string, len(t.Values))
	for i, v := range t.Values {
		values[i] = ctext.Integer(v)
	}
	text := strings.Join(values, ", ")
	if r.tables[text] == "" {
		name := r.Fresh(fmt.Sprintf("%s_bounds%d", r.names.Function(), len(r.tables)))
		r.tables[text] = name
		r.tableTexts = append(r.tableTexts, fmt.Sprintf("static const int %s[] = {%s};", name, text))
	}
	return r.tables[text]
}

// text returns the functions of the region, but for the one that tests what they rely on.
func (r *region) text() string {
	tiles := r.tileFunctions()
	var b strings.Builder
	b.WriteString(texts(tiles))
	b.WriteString(r.whole(tiles))
	return b.String()
}

// declared returns how the function is declared that does what the region does, but for its linkage.
func (r *region) declared() string {
	return fmt.Sprintf("void %s(%s)", r.names.Function(), ctext.Parameters(r.Scop, "__restrict ", r.parameterName))
}

// whole returns the function that does what the region does.
func (r *region) whole(tiles []tileFunction) string {
	r.begin()
	if cond := r.Cond(r.prog.Busy); cond != "" {
		r.Line("if (!(%s))", cond)
		r.Line("  return; // no iteration")
	}
	lo, hi := r.Fresh(r.prog.Names.T+"_lo"), r.Fresh(r.prog.Names.T+"_hi")
	r.Line("const %v %s = %s, %s = %s; // time tiles", r.Index, lo, r.Expr(r.prog.TLo), hi, r.Expr(r.prog.THi))
	r.withMade(func() {
		if r.prog.Chains != nil && !r.names.Sequential {
			r.chains(tiles, lo, hi)
		} else {
			r.phases(tiles, lo, hi)
		}
	})
	body := r.end()
	r.Line("static %s", r.declared())
	r.Line("{")
	r.Depth = 1
	r.convert()
	r.Depth = 0
	r.Raw(body)
	r.Line("}")
	return r.Take()
}

// phases prints the loop over time tiles lo to hi, and in it the phases one after the other.
func (r *region) phases(tiles []tileFunction, lo, hi string) {
	r.meeting()
	if r.prog.Allocated() {
		r.allocated(func() { r.timeTiles(tiles, lo, hi) })
		return
	}
	r.team(r.prog.Grain, "omp parallel")
	r.timeTiles(tiles, lo, hi)
}

// timeTiles prints the loop over time tiles, in a parallel region.
func (r *region) timeTiles(tiles []tileFunction, lo, hi string) {
	r.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", r.Index, r.prog.Names.T, lo, r.prog.Names.T, hi, r.prog.Names.T), func() {
		for _, f := range tiles {
			r.phase(f)
		}
	})
}

// phase prints the calls of f, where there is something to do.
func (r *region) phase(f tileFunction) {
	for _, name := range f.args {
		r.Uses[name] = true
	}
	calls := func() {
		r.shared(r.prog.Grain, "omp for schedule(static) nowait")
		r.Line("for (%v %s = %s; %s <= %s; %s++)", r.Index, f.phase.Tile, r.Expr(f.phase.Lo), f.phase.Tile, r.Expr(f.phase.Hi), f.phase.Tile)
		r.Line("  %s(%s);", f.name, strings.Join(f.args, ", "))
		r.meet()
	}
	if f.phase.Work == nil {
		calls()
		return
	}
	r.Braces("if ("+r.Work(f.phase.Work)+")", calls)
}

// parameterName returns the name of a parameter of the function. Parameters that
// have not the type of indices are converted first.
func (r *region) parameterName(name string, t scop.Type, isParam bool) string {
	if isParam && t != r.Index {
		return r.Outer[name] + "_arg"
	}
	return r.Outer[name]
}

// convert prints the parameters in the type of indices, and silences warnings of what is not used.
func (r *region) convert() {
	for _, q := range r.Scop.Params {
		name, used := r.Outer[q.Name], r.Uses[r.Outer[q.Name]]
		switch {
		case !used:
			r.Line("(void)%s;", r.parameterName(q.Name, q.Type, true))
		case q.Type != r.Index:
			r.Line("const %v %s = (%v)%s;", r.Index, name, r.Index, r.parameterName(q.Name, q.Type, true))
		}
	}
	for _, q := range r.Scop.Scalars {
		if !r.Uses[r.Outer[q.Name]] {
			r.Line("(void)%s;", r.Outer[q.Name])
		}
	}
	for _, a := range r.Scop.Arrays {
		for _, o := range a.Objects() {
			if !r.Uses[r.Outer[o.Name]] {
				r.Line("(void)%s;", r.Outer[o.Name])
			}
		}
	}
}

// pragma prints a pragma where there may be threads.
func (r *region) pragma(text string) {
	if !r.names.Sequential {
		r.Raw("#pragma " + text + "\n")
	}
}

// simd says of the loop that follows that its points may run in any order.
func (r *region) simd() {
	if r.names.Sequential {
		r.Line("HEXCC_SIMD")
	} else {
		r.pragma("omp simd")
	}
}

// begin starts the body of a function: nothing is used yet.
func (r *region) begin() {
	r.Depth = 1
	clear(r.Uses)
}

// end returns the text so far and notes the helpers in it.
func (r *region) end() string {
	r.NoteHelpers(r.helpers)
	r.Depth = 0
	return r.Take()
}

// helperText returns the functions that used names, each with its type, and what prints messages.
func helperText(used map[string]bool) string {
	text := ctext.TypedHelpers(used, "static __inline")
	for _, part := range []scop.Type{scop.Double, scop.Float} {
		end := ""
		if part == scop.Float {
			end = "f"
		}
		if used[complexOfParts+end] {
			text += fmt.Sprintf("\n// %s%s is a complex number of these parts.\nstatic __inline %v _Complex %[1]s%[2]s(%[3]v re, %[3]v im)\n{\n", complexOfParts, end, part)
			text += fmt.Sprintf("  %v _Complex z;\n  __real__ z = re;\n  __imag__ z = im;\n  return z;\n}\n", part)
		}
	}
	if used["say"] {
		text += say
	}
	return text
}

// complexOfParts is what makes a complex number of two doubles; for two floats it ends in f.
const complexOfParts = "hexcc_complex"

// say declares dprintf by a name that no source has. Nothing can be included
// here: the user's source may define macros that headers look at.
const say = `
#define HEXCC_NAME(prefix, name) HEXCC_NAME_(prefix, name)
#define HEXCC_NAME_(prefix, name) #prefix name
extern int hexcc_say(int file, const char *format, ...) __asm__(HEXCC_NAME(__USER_LABEL_PREFIX__, "dprintf"));
#undef HEXCC_NAME
#undef HEXCC_NAME_
`

// test returns the function that tests what the loops rely on.
func (r *region) test() string {
	r.helpers["say"] = true
	// Inlined, it tells compilers that sizes are huge where the original loops run; and then they warn of those.
	r.Line("static __attribute__((noinline)) int %s(%s)", r.names.functions().Test(), ctext.Parameters(r.Scop.Tested(), "", func(name string, _ scop.Type, _ bool) string { return r.Outer[name] }))
	r.Line("{")
	r.Depth = 1
	r.SilenceUntested(&r.Printer)
	r.TestBody(&r.Printer, "hexcc_say(2", "the tiled ones", r.names.Refuse)
	r.Depth = 0
	r.Line("}")
	return r.Take()
}
