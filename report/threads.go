package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file tells how a CPU runs a region: what threads share out and what keeps them in order, how rows of points run, which vectors they run in, and what
// the caches have to hold.

// Threads is that. It is nil where the target is a GPU.
type Threads struct {
	Launch    string          `json:"launch"` // phases, ready, or in turn: one thread
	Order     []string        `json:"order"`  // how threads wait for each other, in words
	Phases    []ThreadPhase   `json:"phases"`
	Processor Processor       `json:"processor"`
	Rows      []Rows          `json:"rows"`
	Passes    []PassText      `json:"passes"` // steps of a tile that run in one pass over rows; empty: one by one
	Vectors   []VectorSet     `json:"vectors"`
	Buffers   []Buffer        `json:"buffers"` // what each tile has for itself, where tiles overlap
	Instances []InstanceCount `json:"instances"`
	Sets      []WorkingSet    `json:"workingSets"`
}

type (
	// A ThreadPhase is the tiles that threads share out at a time.
	ThreadPhase struct {
		Phase  int      `json:"phase"`
		Shared string   `json:"shared"`  // the tile index that threads share out
		InTurn []string `json:"inOrder"` // those of the tiles that a thread runs one after the other
		AtOnce int64    `json:"atOnce"`  // tiles that may run at the same time on the grid that sizes are for; 0: not known
	}
	// A Processor is what sizes are chosen for.
	Processor struct {
		L1    int64 `json:"l1"` // bytes
		L2    int64 `json:"l2"`
		L3    int64 `json:"l3"` // a core's share
		Line  int64 `json:"line"`
		Cores int64 `json:"cores"`
	}
	// Rows is how the rows of a statement run in the tiles of a phase.
	Rows struct {
		Phase     int      `json:"phase"`
		Statement string   `json:"statement"`
		Order     string   `json:"order"`   // of points: any, in order, up or down
		Aligned   string   `json:"aligned"` // the access whose elements start cache lines; "": none
		Beside    int      `json:"beside"`  // rows that run at once
		Vectors   string   `json:"vectors"` // lines, halves, compiler or none: VectorSet says which instructions each has
		Lanes     int64    `json:"lanes"`   // points in a cache line of results; 0: no vectors
		Element   string   `json:"element"` // the type of these
		Every     int64    `json:"every"`   // only each so many-th point of a row runs; 0: all do
		Repeat    bool     `json:"repeat"`  // points at the ends of a row may run twice
		Back      bool     `json:"toAndFro"`
		Fetched   []string `json:"fetched"` // what is fetched ahead, in words
	}
	// A PassText is steps that run in one pass over rows.
	PassText struct {
		Phase     int    `json:"phase"`
		Statement string `json:"statement"`
		Steps     int64  `json:"steps"`
		Rows      int64  `json:"rows"`   // that a step is behind the one before
		Places    int64  `json:"places"` // along a row
		Beside    int64  `json:"beside"` // rows of each step at once
		Handed    int    `json:"handed"` // rows that a step has from the one before in registers
	}
	// A VectorSet is what rows run in with a flag of the compiler.
	VectorSet struct {
		March        string `json:"march"`        // -march=
		Instructions string `json:"instructions"` // AVX-512, ..
		Macro        string `json:"macro"`        // that compilers define with it
		Bytes        int64  `json:"bytes"`        // of a vector; 0: the processor says
		Lanes        int64  `json:"lanes"`        // points in one, of the widest type of Rows; 0: the processor says, or no row runs in vectors
		How          string `json:"how"`
	}
)

// instructionSets are what -march may mean, the widest of each architecture first.
var instructionSets = []VectorSet{
	{March: "x86-64-v4", Instructions: "AVX-512", Macro: "__AVX512F__", Bytes: 64},
	{March: "x86-64-v3", Instructions: "AVX2", Macro: "__AVX2__", Bytes: 32},
	{March: "x86-64", Instructions: "SSE2", Macro: "__SSE2__", Bytes: 16},
	{March: "armv8-a+sve", Instructions: "SVE", Macro: "__ARM_FEATURE_SVE"},
	{March: "armv8-a", Instructions: "NEON", Macro: "__ARM_NEON", Bytes: 16},
}

// onCPU reports whether the target is a CPU.
func (p Products) onCPU() bool { return p.Target == "openmp" || p.Target == "c" || p.Target == "mpi" }

// onCPU reports whether what is shown is about threads and caches, not about kernels.
func (in *Inspection) onCPU() bool {
	return in.Target == "openmp" || in.Target == "c" || in.Target == "mpi"
}

// inThreads says of a schedule who runs what on a CPU, and how threads do.
func (in *Inspection) inThreads(p Products) {
	for i, role := range cpuRoles(p.Schedule, p.CPU) {
		in.Schedule.Dims[i].Role = role
	}
	for i, ph := range p.Schedule.Phases {
		for k, d := range ph.Space {
			in.Tile.Phases[i].Dims[k].Role = cpuRole(d, p.CPU)
		}
	}
	in.Ready.threads = true
	in.Threads, in.Ranking = threadsOf(p), rankingOf(p.Ranking)
}

// slopes returns the cone of the tiles, which on a CPU may lean more than they must, or else that of the dependences.
func (p Products) slopes() schedule.Cone {
	if p.onCPU() && p.Schedule != nil && len(p.Schedule.Cone.Lo) > 0 {
		return p.Schedule.Cone
	}
	return p.Cone
}

// threadsOf returns how a CPU runs p, nil where it does not, or that is not known.
func threadsOf(p Products) *Threads {
	if p.CPU == nil {
		return nil
	}
	t := &Threads{Launch: "phases", Processor: processorOf(p.processor()), Instances: instanceCounts(p.Schedule)}
	switch {
	case p.Target == "c":
		t.Launch, t.Order = "in turn", []string{"one thread runs time tiles, in each the phases, and in each of these the tiles, one after the other"}
	case p.CPU.Chains != nil:
		t.Launch = "ready"
		t.Order = []string{
			"threads take chains one after the other, each the next that nobody has taken",
			"before a tile, a chain waits until those that it needs are far enough: a thread looks at their counters, and gives its core up, or sleeps, where that takes long",
			"one barrier at the end",
		}
	default:
		t.Order = []string{"threads share out the tiles of a phase (omp for, static), and all wait for the last one (hexcc_meet, a barrier) before the next phase starts"}
	}
	if len(p.CPU.Grain) > 0 {
		t.Order = append(t.Order, p.CPU.Grain.String())
	}
	atOnce := int64(0)
	if p.Outlook != nil {
		if e := p.Outlook.Of(p.Strategy); e != nil {
			atOnce = e.Tiles
		}
	}
	for _, ph := range p.CPU.Phases {
		x := ThreadPhase{Phase: ph.Number, Shared: ph.Tile, AtOnce: atOnce}
		for _, d := range p.Schedule.Phases[ph.Number].Space {
			if d.Tile != ph.Tile {
				x.InTurn = append(x.InTurn, d.Tile)
			}
		}
		t.Phases = append(t.Phases, x)
		tilesIn(ph.Body, func(tile cpu.Tile) { t.tile(ph.Number, tile) })
	}
	for _, b := range p.CPU.Buffers {
		t.Buffers = append(t.Buffers, Buffer{b.Array.Name, b.Array.Name, slices.Clone(b.Shape), b.Bytes()})
	}
	t.vectors()
	t.Sets = workingSets(p.Schedule)
	for i := range t.Sets {
		t.Sets[i].HeldBy = t.Processor.holds(t.Sets[i].Bytes)
	}
	return t
}

// processor returns what sizes are chosen for.
func (p Products) processor() machine.CPU {
	if p.Ranking != nil {
		return p.Ranking.CPU
	}
	return machine.AnyCPU
}

func processorOf(c machine.CPU) Processor {
	return Processor{c.First, c.Cache, c.Last, c.Line, c.Cores}
}

// holds returns the first level that is as large as so many bytes.
func (c Processor) holds(bytes int64) string {
	switch {
	case bytes <= c.L1:
		return "l1"
	case bytes <= c.L2:
		return "l2"
	case bytes <= c.L3:
		return "l3"
	}
	return "memory"
}

// tilesIn calls f with the tiles of nodes.
func tilesIn(nodes []cpu.Node, f func(cpu.Tile)) {
	for _, n := range nodes {
		switch n := n.(type) {
		case cpu.For:
			tilesIn(n.Body, f)
		case cpu.If:
			tilesIn(n.Then, f)
			tilesIn(n.Else, f)
		case cpu.Tile:
			f(n)
		}
	}
}

// tile adds how the rows of a tile run.
func (t *Threads) tile(phase int, tile cpu.Tile) {
	for _, s := range tile.Steps {
		r := rowsOfStep(phase, s)
		if !slices.ContainsFunc(t.Rows, r.like) {
			t.Rows = append(t.Rows, r)
		}
	}
	if x := tile.Pass; x != nil {
		pass := PassText{Phase: phase, Statement: tile.Steps[0].Stmt.Name, Steps: x.Steps, Rows: x.Rows, Places: x.Places, Beside: x.Beside}
		for _, sources := range x.Sources {
			for _, from := range sources {
				if from.Handed > 0 {
					pass.Handed++
				}
			}
		}
		if !slices.Contains(t.Passes, pass) {
			t.Passes = append(t.Passes, pass)
		}
	}
}

// passes returns those that are told apart by their words.
func (t *Threads) passes() (all []PassText) {
	for _, x := range t.Passes {
		if !slices.ContainsFunc(all, func(y PassText) bool { return y.text() == x.text() }) {
			all = append(all, x)
		}
	}
	return all
}

// like reports whether r and x say the same.
func (r Rows) like(x Rows) bool { return fmt.Sprint(r) == fmt.Sprint(x) }

// The vectors of rows.
const (
	inLines    = "lines"    // of GNU C, which fill a cache line, where the processor has them
	inHalves   = "halves"   // the same; and in two halves of a line, where vectors of the processor are half as long
	inApart    = "apart"    // of GNU C, as long as a cache line, each operand loaded by itself, where the processor has them
	byCompiler = "compiler" // those that compilers make of a loop whose points are independent
	noVectors  = "none"
)

func rowsOfStep(phase int, s *cpu.Step) Rows {
	g := s.Groups[0]
	r := Rows{Phase: phase, Statement: s.Stmt.Name, Order: "any", Beside: g.Size, Vectors: byCompiler, Every: s.Turn.By, Back: s.Back != [2]bool{}}
	stored := storedType(s.Stmt)
	r.Lanes, r.Element = machine.CacheLine/int64(stored.Size()), stored.String()
	if s.Align != nil {
		r.Aligned = s.Align.Text
	}
	if s.Way != schedule.Any {
		r.Order = wayOf(s.Way)
	}
	switch v := g.Vectors; {
	case s.Ordered:
		r.Order, r.Vectors, r.Lanes = "in order", noVectors, 0
	case v != nil:
		r.Vectors, r.Lanes, r.Element, r.Repeat = inLines, v.Lanes, v.Elem.String(), v.Repeat
		switch {
		case v.Halves:
			r.Vectors = inHalves
		case v.Apart:
			r.Vectors = inApart
		}
	case s.Turn.By > 0:
		r.Vectors, r.Lanes = noVectors, 0
	}
	for _, f := range g.Fetch {
		var parts []string
		if n := len(f.Lines); n > 0 {
			parts = append(parts, count(n, "cache line")+" where it starts in the next step")
		}
		if f.Beyond {
			parts = append(parts, "lines of the rows that the next step is the first to read")
		}
		if len(parts) > 0 {
			r.Fetched = with(r.Fetched, fmt.Sprintf("of %s %s", f.From.Array.Name, strings.Join(parts, " and ")))
		}
	}
	return r
}

// storedType returns the largest type that st stores.
func storedType(st *scop.Stmt) (t scop.Type) {
	most := 0
	for _, a := range st.Accesses {
		if size := a.Array.Elem.Size(); a.Write && size > most {
			t, most = a.Array.Elem, size
		}
	}
	return t
}

// vectors says what rows run in with each set of instructions.
func (t *Threads) vectors() {
	lanes, size := int64(0), int64(0)
	kinds := map[string]bool{}
	for _, r := range t.Rows {
		if kinds[r.Vectors] = true; r.Lanes > 0 {
			lanes = r.Lanes
			size = max(size, machine.CacheLine/r.Lanes)
		}
	}
	for _, x := range instructionSets {
		if lanes > 0 {
			x.Lanes = x.Bytes / size
		}
		var parts []string
		say := func(kind, text string) {
			if kinds[kind] && !slices.Contains(parts, text) {
				parts = append(parts, text)
			}
		}
		loops := "those that compilers make of omp simd loops"
		if t.Launch == "in turn" {
			loops = "those that compilers make of loops without dependences (GCC ivdep, clang loop vectorize)"
		}
		lines, halves, apart := loops, loops, loops
		switch x.Instructions {
		case "AVX-512":
			apart = "vectors of GNU C as long as a cache line, each operand loaded by itself (HEXCC_VECTORS; gcc 12 or clang)"
			lines = "vectors of GNU C that fill a cache line, each line loaded once (HEXCC_VECTORS; gcc 12 or clang)"
			halves = lines
		case "AVX2":
			halves = "cache lines in two halves side by side (HEXCC_HALVES)"
		}
		say(inLines, lines)
		say(inHalves, halves)
		say(inApart, apart)
		say(byCompiler, loops)
		if len(t.Passes) > 0 && (x.Instructions == "AVX-512" || x.Instructions == "AVX2") {
			parts = append(parts, fmt.Sprintf("%d steps in one pass (HEXCC_PASSES)", t.Passes[0].Steps))
		}
		say(noVectors, "points one at a time")
		x.How = strings.Join(parts, "; ")
		t.Vectors = append(t.Vectors, x)
	}
}

// cpuRoles are the words for who runs the values of a dimension on a CPU: all threads together, in turn; threads, which share them out; one thread, in order; and the
// points of rows.
func cpuRoles(s *schedule.Schedule, c *cpu.Program) []string {
	all, shared := make([]string, len(s.Dims)), ""
	if c != nil && len(c.Phases) > 0 {
		shared = c.Phases[0].Tile
	}
	for i, d := range s.Dims {
		switch {
		case d.Name == shared:
			all[i] = "threads"
		case d.Role == schedule.Host:
			all[i] = "together"
		case d.Role == schedule.Thread || d.Role == schedule.Wave:
			all[i] = "points"
		default:
			all[i] = "seq"
		}
	}
	return all
}

// cpuRole returns the word for who runs the tiles along d.
func cpuRole(d schedule.TileDim, c *cpu.Program) string {
	if c != nil && len(c.Phases) > 0 && d.Tile == c.Phases[0].Tile {
		return "threads"
	}
	return "seq"
}
