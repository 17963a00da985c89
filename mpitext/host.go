package mpitext

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file prints what ranks run of a region whose nests are several programs: a function around them, in which the user's text stands, with calls in place of the nests, and the functions beside it. All ranks
// run it, with the same values of scalars; the nests share out the rows of arrays alike.

// A Host prints that.
type Host struct {
	*scop.Host
	Name  string // of the function
	Nests []*Region
	Loop  *ranks.Loop // the nests
	// Replaced is the text with calls in place of nests.
	Replaced string
}

// NewHost returns the printer of what the host runs around nests, which print their functions for it.
func NewHost(h *scop.Host, name string, nests []*Region, loop *ranks.Loop) *Host {
	host := &Host{Host: h, Name: name, Nests: nests, Loop: loop}
	for i, m := range nests {
		m.Name, m.host, m.around, m.nest = fmt.Sprintf("%s_nest%d", name, i), name, host, i
	}
	return host
}

// Nest returns the functions that the one calls that runs the tiles of a nest.
func (m *Region) Nest() string {
	return m.tileRange() + m.messages() + m.pipelineBefore() + m.partOf() + m.state()
}

// passedNames are the names that a nest is called with for its integers, as the host has them.
func passedNames(m *Region) (names []string) {
	for _, q := range m.Scop.Params {
		names = append(names, q.Source())
	}
	return names
}

// widest returns the nest whose tiles ranks share out: those of others have borders there, too.
func (h *Host) widest() *Region { return h.Nests[h.Loop.Widest] }

// tile returns the tile of a nest at a border of the widest one's tiles, as C.
func (m *Region) tile(border string) string {
	if m.likeWidest() {
		return border
	}
	times, plus, _ := m.Plan.TileAt(m.around.widest().Plan)
	return fmt.Sprintf("%s * %d%s", border, times, ctext.Plus(plus))
}

// likeWidest reports whether a nest has the tiles of the widest one.
func (m *Region) likeWidest() bool {
	times, plus, _ := m.Plan.TileAt(m.around.widest().Plan)
	return times == 1 && plus == 0
}

// isSize reports whether v is an integer that the region leaves alone, and that a nest has for a parameter.
func (h *Host) isSize(v scop.HostVariable) bool {
	return v.Decl == "" && !v.Type.IsFloat() && !v.Set && slices.ContainsFunc(h.Nests, func(m *Region) bool { return slices.Contains(passedNames(m), v.Name) })
}

// knows reports whether all integers of a nest are known where the function begins.
func (h *Host) knows(m *Region) bool {
	return !slices.ContainsFunc(passedNames(m), func(name string) bool {
		return !slices.ContainsFunc(h.Variables, func(v scop.HostVariable) bool { return h.isSize(v) && v.Name == name })
	})
}

// numbers returns the declarations of integers, each followed by a comma, and their names alike.
func (h *Host) numbers() (decls, names string) {
	for _, v := range h.Variables {
		if h.isSize(v) {
			decls, names = decls+fmt.Sprintf("%v %s, ", v.Type, v.Name), names+v.Name+", "
		}
	}
	return decls, names
}

// arrays returns the variables that lead to arrays of the nests.
func (h *Host) arrays() (list []scop.HostVariable) {
	for _, v := range h.Variables {
		if v.Passed {
			list = append(list, v)
		}
	}
	return list
}

// formals returns the parameters of the function, with a prefix to the names of those that are passed by address or as parts.
func (h *Host) formals(prefix string) string {
	var list []string
	for _, v := range h.Variables {
		switch {
		case v.Passed && v.Set:
			list = append(list, fmt.Sprintf("%v **%s%s", v.Type, prefix, v.Name))
		case v.Passed || v.Whole:
			list = append(list, fmt.Sprintf("%v *%s%s", v.Type, prefix, v.Name))
		case v.Decl != "":
		case v.Set:
			list = append(list, fmt.Sprintf("%v *%s%s", v.Type, prefix, v.Name))
		default:
			list = append(list, fmt.Sprintf("%v %s", v.Type, v.Name))
		}
	}
	return strings.Join(list, ", ")
}

// Header returns the declarations of the functions.
func (h *Host) Header() string {
	numbers, _ := h.numbers()
	var names []string
	for _, v := range h.arrays() {
		names = append(names, h.Name+"_"+v.Name)
	}
	about := " What the region sets of\n// scalars, and of pointers to arrays, is passed by address."
	for _, v := range h.Variables {
		if v.Whole {
			about += fmt.Sprintf("\n// Each rank has all of %s, and sets it alike.", v.Name)
		}
	}
	return declared(h.Name, h.Function, h.formals(""), numbers, names, about, "")
}

// Before returns what stands in front of the functions of the nests.
func (h *Host) Before() string {
	bases := ""
	if h.moved() {
		bases = fmt.Sprintf("  const void *base[%[1]d]; // where arrays begin that the region exchanges, as the function has them, and as it was passed them\n  void *given[%[1]d];\n", len(h.arrays()))
	}
	floor := ""
	if slices.ContainsFunc(h.Nests, func(m *Region) bool { return h.knows(m) && !m.likeWidest() }) {
		floor = "static inline long long hexcc_floor(long long x, long long n) { return x >= 0 ? x / n : -((n - 1 - x) / n); }\n\n"
	}
	return strings.NewReplacer("FLOOR", floor, "FN", h.Name, "TERMS", h.terms(), "BASES", bases).Replace(`
#include <setjmp.h>

FLOOR// What all nests know while the function runs.
static struct {
  MPI_Comm comm;
  int rank, size;
  long long lo, hi, begin, end; // tiles of all ranks, and those of this one: begin <= S0 < end
  long long first, last;        // the rows of arrays that it owns
  jmp_buf out;                  // where a nest goes that can do nothing
  void *terms[TERMS];           // what is gathered
  unsigned long long room[TERMS];
  long rows[TERMS];             // of the array that it was last asked for
  unsigned long row[TERMS];
BASES} FN_all;

`) + beginText(h.Name, "const double *"+h.Name+"_weights = 0;", false) + h.halos()
}

// gathers returns the functions that the text calls to gather scalars.
func (h *Host) gathers() (text string) {
	for _, g := range gatherTexts {
		if strings.Contains(declaredNames.ReplaceAllString(h.Replaced, ""), g.calls) {
			text += g.text
		}
	}
	return text
}

var declaredNames = regexp.MustCompile(`extern int hexcc_mine[^\n]*;`)

// rooted returns the arrays of a nest that a variable leads to, by their numbers.
func rooted(m *Region, v scop.HostVariable) (list []int) {
	for i, a := range m.Scop.Arrays {
		if v.LeadsTo(a) {
			list = append(list, i)
		}
	}
	return list
}

// leadTo returns the arrays of a nest that a variable may lead to: those that pointers lead to which the region exchanges with each other, too.
func (h *Host) leadTo(m *Region, v scop.HostVariable) (list []int) {
	for _, w := range h.arrays() {
		if w.Name == v.Name || w.Set && v.Set && w.Cast == v.Cast {
			list = append(list, rooted(m, w)...)
		}
	}
	return list
}

// After returns the functions that stand behind those of the nests.
func (h *Host) After() string {
	numbers, names := h.numbers()
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("\n// The first and the last tile of all nests.")
	say("static void %s_range(%slong long *hexcc_lo, long long *hexcc_hi)\n{", h.Name, numbers)
	say("  long long lo, hi;\n  *hexcc_lo = LLONG_MAX, *hexcc_hi = LLONG_MIN;")
	h.silence(say)
	for _, m := range h.Nests {
		if !h.knows(m) {
			continue
		}
		say("  %s_range(%s&lo, &hi);", m.Name, commas(passedNames(m)))
		least, most := "lo", "hi"
		if times, plus, _ := m.Plan.TileAt(h.widest().Plan); !m.likeWidest() {
			least, most = fmt.Sprintf("hexcc_floor(lo%s, %d)", ctext.Plus(-plus), times), fmt.Sprintf("hexcc_floor(hi%s, %d)", ctext.Plus(-plus), times)
			if times < 0 { // the last tile is the first one
				least, most = fmt.Sprintf("hexcc_floor(%d - hi, %d)", plus-1, -times), fmt.Sprintf("hexcc_floor(%d - lo, %d)", plus-1, -times)
			}
		}
		say("  if (lo <= hi)\n    *hexcc_lo = hexcc_least(*hexcc_lo, %s), *hexcc_hi = hexcc_most(*hexcc_hi, %s);", least, most)
	}
	say("}\n")
	closes, forget := "", ""
	for _, m := range h.Nests {
		closes += fmt.Sprintf("  %s_close();\n", m.Name)
	}
	if h.tracked() {
		forget = fmt.Sprintf("  memset(%[1]s_has, 0, sizeof %[1]s_has);\n", h.Name)
	}
	row := h.widest()
	row.Begin()
	first := row.Expr(row.Plan.BorderRow())
	row.End()
	b.WriteString(strings.NewReplacer("FN", h.Name, "NUMBERS", numbers, "NAMES", names, "BORDER", row.Plan.Border, "FIRST", first, "TERMS", h.terms(), "BESIDE_LOW", fmt.Sprint(-row.Plan.Arrays[0].Lo), "BESIDE_HIGH", fmt.Sprint(row.Plan.Arrays[0].Hi), "FORGET", forget, "CLOSES", closes).Replace(strings.Replace(hostText, "GATHERED", h.gathers(), 1)))
	say("static int %s_part_of(int hexcc_rank, int hexcc_size, %sint hexcc_array, hexcc_mpi_part *hexcc_p)\n{", h.Name, numbers)
	say("  hexcc_mpi_part hexcc_q;")
	say("  long long hexcc_lo = %[1]s_all.lo, hexcc_hi = %[1]s_all.hi;", h.Name)
	say("  %s_tiles(%s0);", h.Name, names)
	say("  memset(hexcc_p, 0, sizeof *hexcc_p);")
	say("  switch (hexcc_array) {")
	for k, v := range h.arrays() {
		say("  case %d:", k)
		for _, m := range h.Nests {
			for _, i := range h.leadTo(m, v) {
				if !h.sizes(m, m.Scop.Arrays[i]) {
					continue // another nest says how many rows there are
				}
				say("    %s_part_of(hexcc_rank, hexcc_size, %s%d, &hexcc_q);", m.Name, h.sizesOnly(m), i)
				say("    hexcc_join(hexcc_p, &hexcc_q);")
			}
		}
		say("    break;")
	}
	say("  default:\n    return 1;\n  }")
	say("  %[1]s_all.lo = hexcc_lo, %[1]s_all.hi = hexcc_hi; // of the run that goes on", h.Name)
	say("  return 0;\n}\n")
	b.WriteString(entry("", h.Name, numbers, names, names, row.gridTest(), "", row.mostRanks()))
	return b.String()
}

// sizes reports whether the extents of an array of a nest are known where the function begins.
func (h *Host) sizes(m *Region, a *scop.Array) bool {
	return !slices.ContainsFunc(a.Extents, func(e scop.Affine) bool { return h.UnknownIn(m.Scop, e) != "" })
}

// sizesOnly returns what a nest is passed for its integers where the function begins: those that are not known then are 0, and no extent of an array that sizes holds for depends on them.
func (h *Host) sizesOnly(m *Region) string {
	names := passedNames(m)
	for i, name := range names {
		if !slices.ContainsFunc(h.Variables, func(v scop.HostVariable) bool { return h.isSize(v) && v.Name == name }) {
			names[i] = "0"
		}
	}
	return commas(names)
}

func commas(names []string) (text string) {
	for _, name := range names {
		text += name + ", "
	}
	return text
}

// silence keeps compilers from warning of integers that are not used.
func (h *Host) silence(say func(format string, args ...any)) {
	for _, v := range h.Variables {
		if h.isSize(v) {
			say("  (void)%s;", v.Name)
		}
	}
}

// Run returns the function.
func (h *Host) Run() string {
	_, names := h.numbers()
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	formals := h.formals("hexcc_of_")
	say("static __attribute__((noinline)) int %s_loop(MPI_Comm hexcc_comm, %s)\n{", h.Name, formals)
	say("  hexcc_mpi_part hexcc_p;")
	say("  if (%s_enter(hexcc_comm, %s0))\n    return 1;", h.Name, names)
	for _, v := range h.Variables {
		if v.Decl == "" && v.Set {
			say("  %v %s = *hexcc_of_%s;", v.Type, v.Name, v.Name)
		}
	}
	for k, v := range h.arrays() {
		of := "hexcc_of_" + v.Name
		if h.comparesPointers() { // where there is nothing of it, it has to be another one than others
			of = fmt.Sprintf("(hexcc_p.bytes ? (const char *)%s%s : &%q[%d])", map[bool]string{true: "*"}[v.Set], of, strings.Repeat(" ", len(h.arrays())), k)
		}
		say("  %s_part_of(%s_all.rank, %s_all.size, %s%d, &hexcc_p);", h.Name, h.Name, h.Name, names, k)
		say("  const long long hexcc_shift_%s = hexcc_shift(&hexcc_p);", v.Name)
		say("  const unsigned long long hexcc_bytes_%s = hexcc_p.bytes;", v.Name)
		say("  %s = (%s)((uintptr_t)%s - (uintptr_t)hexcc_shift_%s);", v.Decl, v.Cast, of, v.Name)
		if v.Set {
			say("  %[1]s_all.base[%[2]d] = %[3]s, %[1]s_all.given[%[2]d] = *hexcc_of_%[3]s;", h.Name, k, v.Name)
		}
		say("  (void)%s;", v.Name)
	}
	if moved := slices.DeleteFunc(h.arrays(), func(v scop.HostVariable) bool { return !v.Set }); len(moved) > 1 {
		var unlike []string
		for _, v := range moved[1:] {
			unlike = append(unlike, fmt.Sprintf("hexcc_shift_%s != hexcc_shift_%s", v.Name, moved[0].Name))
		}
		say("  if (hexcc_any(%s_all.comm, %s)) {", h.Name, strings.Join(unlike, " || "))
		say("    %s_leave();", h.Name)
		say("    return hexcc_wrong(hexcc_comm, \"%s\", \"pointers that the region exchanges lead to arrays of different sizes\");\n  }", h.Name)
	}
	b.WriteString(h.given())
	for _, v := range h.Variables {
		switch {
		case v.Whole:
			say("  %s = (%s)hexcc_of_%s;", v.Decl, v.Cast, v.Name)
		case v.Decl != "" && !v.Passed:
			say("  %s = 0;\n  (void)%s;", v.Decl, v.Name)
		}
	}
	b.WriteString(h.Replaced)
	say("\n  %s_leave();", h.Name)
	for _, v := range h.Variables {
		switch {
		case v.Passed && v.Set:
			say("  *hexcc_of_%[2]s = %[1]s_slot(%[2]s) >= 0 ? (%[3]v *)%[1]s_all.given[%[1]s_slot(%[2]s)] : (%[3]v *)((uintptr_t)%[2]s + (uintptr_t)hexcc_shift_%[2]s);", h.Name, v.Name, v.Type)
		case v.Decl == "" && v.Set:
			say("  *hexcc_of_%s = %s;", v.Name, v.Name)
		}
	}
	say("  return 0;\n}\n")
	say("int %s(MPI_Comm hexcc_comm, %s)\n{", h.Name, formals)
	say("  if (setjmp(%[1]s_all.out)) { // in a function that changes no variable\n    %[1]s_leave();\n    return 1;\n  }", h.Name)
	say("  return %s_loop(hexcc_comm, %s);\n}", h.Name, strings.Join(formalNames.FindAllString(formals, -1), ""))
	numbers, _ := h.numbers()
	return b.String() + whole("", h.Name, numbers, names, names)
}

// formalNames are the names in declarations of parameters, which are numbers and pointers to them.
var formalNames = regexp.MustCompile(`\w+(, |$)`)

// StartNest prints, in the function of a nest, what it tests, and what it knows then: its tiles, in hexcc_r.
func (m *Region) StartNest(host string) {
	passed := m.Passed()
	m.Line("long long hexcc_lo, hexcc_hi;")
	if facts := m.facts(); facts != "" {
		m.Raw(facts)
	}
	m.Line("%s_range(%s&hexcc_lo, &hexcc_hi);", m.Name, passed)
	m.Line("if (hexcc_lo > hexcc_hi)")
	m.Line("  return 0; // no iteration")
	again := "hexcc_r.opened"
	for _, q := range m.Scop.Params {
		again += fmt.Sprintf(" && hexcc_r.at.%[1]s == %[1]s", m.Outer[q.Name])
	}
	m.distinct()
	m.Line("const int hexcc_again = %s;", again)
	m.Braces("if (!hexcc_again)", func() {
		m.Line("%s_close();", m.Name)
		m.Line("memset(&hexcc_r, 0, sizeof hexcc_r);")
		m.Line("hexcc_r.rank = %[1]s_all.rank, hexcc_r.size = %[1]s_all.size;", host)
		begin, end := host+"_all.begin", host+"_all.end"
		if m.Plan.Reversed() { // the last rank has the first tiles
			m.Line("hexcc_r.rank = hexcc_r.size - 1 - hexcc_r.rank;")
			m.Line("hexcc_r.begin = hexcc_r.rank > 0 ? %s : -%s, hexcc_r.end = hexcc_r.rank < hexcc_r.size - 1 ? %s : -%s;", m.tile(end), end, m.tile(begin), begin)
			for _, q := range m.Scop.Params {
				m.Line("hexcc_r.at.%s = %s;", m.Outer[q.Name], m.Outer[q.Name])
			}
			return
		}
		if first := m.tile(begin); first != begin { // of the first rank the begin, and of the last one the end, is as far as can be
			begin, end = fmt.Sprintf("hexcc_r.rank > 0 ? %s : %s", first, begin), fmt.Sprintf("hexcc_r.rank < hexcc_r.size - 1 ? %s : %s", m.tile(end), end)
		}
		m.Line("hexcc_r.begin = %s, hexcc_r.end = %s;", begin, end)
		for _, q := range m.Scop.Params {
			m.Line("hexcc_r.at.%s = %s;", m.Outer[q.Name], m.Outer[q.Name])
		}
	})
}

// terms returns how many numbers the text has for what is gathered.
func (h *Host) terms() string {
	most := 0
	for _, found := range termNumber.FindAllSubmatch(h.Text[h.From:h.To], -1) {
		n, _ := strconv.Atoi(string(found[1]))
		most = max(most, n)
	}
	return fmt.Sprint(most + 1)
}

var termNumber = regexp.MustCompile(`hexcc_terms\((\d+),`)
