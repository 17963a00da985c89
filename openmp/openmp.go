// Package openmp prints a cpu.Program as C: tiles in parallel with OpenMP, or all in one thread. It decides nothing but names.
package openmp

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/mpitext"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// Names say what the output is called, and how it runs.
type Names struct {
	Base       string   // of the file, without folder: jacobi-2d for jacobi-2d.hex.c
	Region     int      // which region of the source it is, from 0
	About      []string // lines for the head of the file: what was tiled, and how
	Refuse     bool     // where a tested fact does not hold, stop the program; else run the original loops
	Sequential bool     // one thread, no pragmas
	Places     bool     // files say what computes which expression of the source
	MPI        bool     // on several ranks
	Defines    []string // what the command line of the translation defines, as NAME or NAME=VALUE
	Macros     []string // names that the command line of the compiler defines
}

// CFile returns the name of the output.
func CFile(base string) string { return base + ".hex.c" }

// functions returns what the functions are called.
func (n Names) functions() ctext.Functions { return ctext.Functions{Base: n.Base, Region: n.Region} }

// Function returns the name of the function that does what the region does: hexcc_jacobi_2d_0.
func (n Names) Function() string { return n.functions().Run() }

// A Part is one region of a file.
type Part struct {
	Program  *cpu.Program
	Names    Names
	Ranks    *ranks.Plan // where it is for MPI
	Host     *scop.Host  // what the host runs around it, then; nil: it is a region of its own
	Together *ranks.Loop // the nests of the host
}

// A File is the text of a translation: functions for the regions, then the user's
// source, byte for byte, with calls in place of the regions.
type File struct {
	Text  string
	Whole string       // the part of Text before the user's source
	Spans []ctext.Span // the lines of it that run a statement: in order, apart from each other
	// Places say what in Whole computes which expression of the source, if Names.Places: in order.
	Places []ctext.Place
	scop   *scop.Program // a region of the source
	// regions are those that it has; nil where it is for MPI.
	regions []Printed
	// header, where it is for MPI, declares the functions.
	header string
	MPI    []mpitext.Call // where it is for MPI: how its functions are called
}

func (f File) String() string { return f.Text }

// Named returns the file to write.
func (f File) Named(base string) []ctext.File {
	if f.header != "" {
		return []ctext.File{{Name: CFile(base), Text: f.Text}, {Name: ctext.HeaderFile(base), Text: f.header}}
	}
	return []ctext.File{{Name: ctext.InLanguage(CFile(base), f.scop), Text: f.Text}}
}

// Verify checks what can be seen without a compiler: braces balance in what we write whole.
func (f File) Verify() error {
	if open, close := ctext.Braces(f.Whole); open != close || open == 0 {
		return fmt.Errorf("%d { and %d }", open, close)
	}
	return nil
}

// PrintAll returns the regions of one file, in source order: there is at least
// one, all with the same Base.
func PrintAll(parts []Part) File {
	var printed []Printed
	for _, p := range parts {
		printed = append(printed, PrintPart(p))
	}
	return Join(printed)
}

// A Printed is a region whose functions are text. It takes little memory.
type Printed struct {
	names   Names
	scop    *scop.Program // the region of the source
	helpers map[string]bool
	text    string
	run     string // how the function is declared that does what the region does, without static
	test    string // the function that says whether the facts hold; "": there are none to test
	call    ctext.Call
}

// PrintPart prints the functions of one region.
func PrintPart(p Part) Printed {
	r := newRegion(p)
	return r.printed(p.Program.Scop(), r.text())
}

// printed returns the text of the functions of r, which is a region of the source.
func (r *region) printed(source *scop.Program, text string) Printed {
	c := ctext.Call{
		Scop: r.Scop, Note: "hexcc: see the functions at the top of the file",
		Run: r.names.Function(), Refuse: r.names.Refuse, Bounded: ctext.HasWide(r.Scop),
	}
	test := ""
	if ctext.Tested(r.Scop) {
		c.Test = r.names.functions().Test()
		test = "\n" + r.test()
	}
	return Printed{r.names, source, r.helpers, text, r.declared(), test, c}
}

// Join returns the file of regions that are printed, in source order: there is at least one, all with the same Base.
func Join(regions []Printed) File {
	var functions strings.Builder
	helpers := map[string]bool{}
	var calls []ctext.Call
	for _, r := range regions {
		maps.Copy(helpers, r.helpers)
		functions.WriteString("\n" + r.text + r.test)
		calls = append(calls, r.call)
	}
	whole, spans := unmarked(about(regions) + surrounded(regions, helperText(helpers)+functions.String()))
	whole, places := ctext.Unplaced(whole)
	return File{Places: places, Text: whole + "\n" + ctext.Replaced(calls), Whole: whole, Spans: spans, scop: regions[0].scop, regions: regions}
}

// surrounded returns body with what it needs before and after it.
func surrounded(regions []Printed, body string) string {
	var programs []*scop.Program
	for _, r := range regions {
		programs = append(programs, r.scop)
	}
	if half := ctext.HalfHeader(programs...); half != "" {
		body = "\n" + half + body
	}
	body = decorated(body)
	if regions[0].names.Sequential {
		body = anyOrder + body + "\n#undef HEXCC_SIMD\n"
	}
	before, after := hidden(regions[0].names.Macros, body)
	return before + body + after
}

// decorated returns body with the declarations around it of what it uses.
func decorated(body string) string {
	if strings.Contains(body, "struct hexcc_chain ") {
		body = chainHead + body + chainTail
	}
	if strings.Contains(body, "struct hexcc_meeting ") {
		body = meetHead + body
	}
	if strings.Contains(body, "hexcc_rest(") {
		body = restHead + body + restTail
	}
	if strings.Contains(body, "HEXCC_FMA") {
		body = fmaHead + body + fmaTail
	}
	if strings.Contains(body, "HEXCC_PASSES") {
		body = passHead + body + passTail
	}
	if strings.Contains(body, "HEXCC_HALVES") {
		body = halvesHead + body + halvesTail
	}
	if strings.Contains(body, "HEXCC_VECTORS") {
		body = vectorHead + body + vectorTail
	}
	if strings.Contains(body, "HEXCC_GRAIN") {
		body = grainHead + body
	}
	if strings.Contains(body, "HEXCC_ONCE") {
		body = onceHead + body + onceTail
	}
	if strings.Contains(body, "HEXCC_FETCH") || strings.Contains(body, "HEXCC_HERE") {
		body = fetchHead + body + fetchTail
	}
	return body
}

// onceHead is how functions are declared that all phases call: compilers should not make one of them for each phase again.
const onceHead = `
#if defined __GNUC__ && !defined __clang__
#define HEXCC_ONCE __attribute__((noinline, noclone))
#else
#define HEXCC_ONCE __attribute__((noinline))
#endif
`

// onceTail ends what onceHead begins.
const onceTail = "\n#undef HEXCC_ONCE\n"

// anyOrder tells compilers that the points of the next loop may run in any order.
const anyOrder = `
#if defined(__clang__)
#define HEXCC_SIMD _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define HEXCC_SIMD _Pragma("GCC ivdep")
#else
#define HEXCC_SIMD
#endif
`

// callsMath reports whether p calls functions of math.h.
func callsMath(p *scop.Program) (calls bool) {
	for _, s := range p.Stmts {
		s.Visit(func(e scop.Expr) {
			_, call := e.(scop.Call)
			calls = calls || call
		})
	}
	return calls
}

// about returns the head of the file.
func about(regions []Printed) string {
	var out ctext.Printer
	names := regions[0].names
	out.Line("// %s.", ctext.MadeFrom(ctext.InLanguage(CFile(names.Base), regions[0].scop), regions[0].scop.File))
	var programs []*scop.Program
	for _, r := range regions {
		programs = append(programs, r.scop)
	}
	rounded := ctext.Rounded(programs...)
	if rounded != "" {
		out.Line("// %s", rounded)
	}
	for _, r := range regions {
		first, last := r.scop.UserLines()
		out.Line("//\n// %s: lines %d to %d (function %s).", r.names.Function(), first, last, r.scop.Function)
		for _, text := range r.names.About {
			out.Line("// %s", ctext.CommentSafe(text))
		}
	}
	flag := " -fopenmp"
	if names.Sequential {
		flag = ""
	}
	compiler := "cc"
	if names.MPI {
		compiler = "mpicc"
	}
	if regions[0].scop.Cxx {
		compiler = "c++"
	}
	calls := slices.ContainsFunc(regions, func(r Printed) bool { return callsMath(r.scop) })
	if calls {
		flag += " -fno-math-errno"
	}
	out.Line("//")
	out.Line("// Compile with: %s -O3 -march=native%s -ffp-contract=off -c %s", compiler, flag, ctext.CommentSafe(ctext.InLanguage(CFile(names.Base), regions[0].scop)))
	if slices.ContainsFunc(programs, func(p *scop.Program) bool { return p.Unfused != nil }) {
		out.Line("// That is for processors with fused multiply-adds: for others they are calls of the C library (-lm), which take long. No operation")
		out.Line("// is reordered. With -ffp-contract=off the results are those of the program%s, bit for bit, whatever the", ctext.Changed(programs...))
		out.Line("// compiler. Without, compilers may fuse more, here and there. -ffast-math gives the equality up.")
	} else {
		out.Line("// No operation is reordered. With -ffp-contract=off the results are those of %s, compiled so", ctext.Equals(programs...))
		out.Line("// too, bit for bit. Without, compilers may turn a product and a sum into one fused operation, here and in the")
		out.Line("// original in different places. -ffast-math gives the equality up.")
	}
	if calls {
		out.Line("// -fno-math-errno changes no result: sqrt and others need not set errno, so that they are instructions, and loops with them vectors.")
	}
	out.Blank()
	out.Raw("#ifdef __clang__\n#pragma clang diagnostic ignored \"-Wpass-failed\" /* of loops too short to vectorise */\n#endif\n")
	return out.Buf.String()
}

var word = regexp.MustCompile(`[\w$\x{80}-\x{10ffff}]+`)

// switches are the macros that are there for the command line to define.
var switches = []string{"HEXCC_VECTORS", "HEXCC_HALVES", "HEXCC_PASSES", "HEXCC_GRAIN"}

// hidden returns what goes before and after body so that macros which the command
// line defines do not change it, but for switches.
func hidden(macros []string, body string) (before, after string) {
	if len(macros) == 0 {
		return "", ""
	}
	words := map[string]bool{}
	for _, w := range word.FindAllString(body, -1) {
		words[w] = true
	}
	for _, name := range macros {
		if !slices.Contains(switches, name) && words[name] {
			before += fmt.Sprintf("#pragma push_macro(%q)\n#undef %s\n", name, name)
			after += fmt.Sprintf("#pragma pop_macro(%q)\n", name)
		}
	}
	if before != "" {
		before, after = "\n"+before, "\n"+after
	}
	return before, after
}
