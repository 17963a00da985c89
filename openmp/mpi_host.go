package openmp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/mpitext"
)

// This file prints regions whose nests are several programs, in a loop that all ranks run: a function for each nest, which sends before it what the nest reads of other ranks' rows, and around them the user's text.

// A host prints such a region.
type host struct {
	text  *mpitext.Host
	nests []*mpi
	texts []string // of the nests; the last one's is followed by what the function of the region calls
	// function is that function, behind what it needs of the user's file.
	function string
}

// byHost returns parts, those together that one host runs.
func byHost(parts []Part) (groups [][]Part) {
	for _, p := range parts {
		if i := slices.IndexFunc(groups, func(g []Part) bool { return p.Host != nil && g[0].Host == p.Host }); i >= 0 {
			groups[i] = append(groups[i], p)
			continue
		}
		groups = append(groups, []Part{p})
	}
	return groups
}

// newHost prints a region of that name.
func newHost(parts []Part, name string) *host {
	h := &host{}
	var nests []*mpitext.Region
	for _, p := range parts {
		m := newMPI(p, name)
		h.nests, nests = append(h.nests, m), append(nests, m.ranks)
	}
	h.text = mpitext.NewHost(parts[0].Host, name, nests, parts[0].Together)
	var calls []ctext.Call
	for i, m := range h.nests {
		h.texts = append(h.texts, m.nest(name))
		calls = append(calls, ctext.Call{Scop: parts[i].Program.Scop(), Note: "hexcc: see the functions above", Run: m.ranks.Name + "_run", Stop: name + "_stop", Parts: true})
	}
	h.text.Replaced = lineMarks.ReplaceAllString(ctext.ReplacedIn(calls, h.text.From, h.text.To), "")
	h.texts[0] = h.text.Before() + h.texts[0]
	last := len(h.texts) - 1
	h.texts[last] += h.text.After()
	for i := range h.texts {
		h.texts[i] = ofHost.ReplaceAllString(h.texts[i], name+"_$1")
	}
	h.function = silenced + definitions(parts[0].Names.Defines) + h.text.Host.Before + ofHost.ReplaceAllString(h.text.Run(), name+"_$1")
	return h
}

// definitions returns what the command line of the translation defined, for a text that it was read with.
func definitions(defines []string) (text string) {
	for _, d := range defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		text += fmt.Sprintf("#ifndef %[1]s\n#define %[1]s %[2]s\n#endif\n", name, value)
	}
	return text
}

// silenced are warnings of what the user's file has and the function does not use.
const silenced = `
#if defined __GNUC__
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
`

// lineMarks say where in the user's file text is from, which is not all that stands in the function.
var lineMarks = regexp.MustCompile(`(?m)^#line .*\n`)

// ofHost are functions of which each region has its own.
var ofHost = regexp.MustCompile(`\bhexcc_(mine|greatest|sum|take|pass|share|terms|join|shift|floor)\b`)

// kept is what a run knows, which a nest in a loop keeps from one run to the next.
var kept = regexp.MustCompile(`\bhexcc_r\b`)

// nest returns the functions of a nest of a region of that name.
func (m *mpi) nest(name string) string {
	tiles := m.tileFunctions()
	return texts(tiles) + m.ranks.Nest() + m.runNest(name, tiles)
}

// runNest prints the function that runs a nest. Arrays are passed as if the rank had all of them.
func (m *mpi) runNest(name string, tiles []tileFunction) string {
	m.begin()
	m.Line("const MPI_Comm hexcc_comm = %s_all.comm;", name)
	m.Line("hexcc_mpi_part hexcc_part;")
	m.ranks.StartNest(name)
	passed := m.ranks.Passed()
	object := 0
	for i, a := range m.Scop.Arrays {
		if dim := m.ranks.Plan.Arrays[i].Dim; dim >= 0 {
			m.Line("%s_part_of(hexcc_r.rank, hexcc_r.size, %s%d, &hexcc_part);", m.ranks.Name, passed, i)
			m.Line("hexcc_r.rows[%d] = hexcc_part.count[%d];", i, dim-len(a.Extents)+len(a.ObjectExtents()))
		}
		for _, o := range a.Objects() {
			m.Line("hexcc_r.arrays[%d] = (char *)%s;", object, m.Outer[o.Name])
			object++
		}
	}
	m.Line("(void)hexcc_part;")
	lo, hi := m.timeTilesOfRanks()
	m.Line("int hexcc_failed = 0;")
	m.Braces("if (!hexcc_again)", func() {
		turns := ""
		if m.ranks.Plan.Pipeline != nil {
			turns = fmt.Sprintf(" | %s_turns_open(&hexcc_r, hexcc_comm)", m.ranks.Name)
		}
		m.Line("hexcc_failed = hexcc_any(hexcc_comm, %s_open(&hexcc_r, hexcc_comm, %s, %s)%s);", m.ranks.Name, lo, hi, turns)
		m.Line("hexcc_r.opened = 1;")
	})
	m.onRanks(tiles, lo, hi)
	m.Line(`return hexcc_failed ? hexcc_wrong(hexcc_comm, "%s", "no memory for messages, or one of more than 2 GiB") : 0;`, name)
	body := kept.ReplaceAllString(m.end(), m.ranks.Name+"_kept")
	m.Line("static int %s_run(%s)", m.ranks.Name, m.formals())
	m.Line("{")
	m.Raw(body)
	m.Line("}")
	m.Blank()
	return m.Take()
}
