package emulate

import (
	"fmt"
	"strings"
)

// A Kind of finding.
type Kind uint8

// The kinds of finding.
const (
	SharedRace    Kind = iota // two threads of a block, no barrier between, shared memory
	GlobalRace                // two threads of a block, no barrier between, global memory
	BlockRace                 // two blocks of one launch, global memory
	OutOfBounds               // outside of an array or buffer
	Uninitialised             // shared memory read before it is written in this block
	Stale                     // a register, or a cache, that does not hold what its element holds in memory
	Misplaced                 // not the element that Origin or the statement says
	Missing                   // an instance that never runs
	Duplicate                 // an instance that runs again
	NotInstance               // a run of what is no instance
	Undefined                 // an operation that C leaves undefined
	BadLaunch                 // more threads or shared memory than the device has
	TileRace                  // two threads of a CPU, in one phase
	PointRace                 // two points of a step, which have no order
	Repeated                  // an instance that runs twice, and reads what it stored itself
	Hang                      // threads of a CPU that wait for each other
	InFlight                  // shared memory used before what is copied there has arrived
	kindCount
)

var kinds = [...]string{
	SharedRace: "race in shared memory", GlobalRace: "race in global memory", BlockRace: "race between blocks",
	OutOfBounds: "access out of bounds", Uninitialised: "uninitialised read", Misplaced: "wrong element",
	Stale: "stale value", Missing: "instance never run", Duplicate: "instance run twice", NotInstance: "run outside of the domain",
	Undefined: "undefined operation", BadLaunch: "impossible launch",
	TileRace: "race between threads", PointRace: "race between points of a step", Repeated: "instance run twice on a value of its own",
	Hang: "hang", InFlight: "use of a copy in flight",
}

func (k Kind) String() string { return kinds[k] }

// A Finding is one thing that went wrong.
type Finding struct {
	Kind    Kind
	Element string   // of the array or buffer: shared_A[0][3]; may be empty
	Uses    []Access // of the element: the earlier first
	Msg     string   // what more there is to say
}

// An Access says who touched an element.
type Access struct {
	Verb      string // read, written, run
	Kernel    string
	Block     string // S0=3
	Thread    [3]int
	Tile      string // T=0, S0=3, S1=2
	Node      string // what the node is for: its Role
	Statement string // S0[t=1, i=4], or copy of A[0][4]
}

func (f Finding) String() string {
	var b strings.Builder
	b.WriteString(f.Kind.String())
	if f.Element != "" {
		fmt.Fprintf(&b, ": %s", f.Element)
	}
	for i, u := range f.Uses {
		sep := " "
		if i > 0 {
			sep = ", "
		}
		fmt.Fprintf(&b, "%s%v", sep, u)
	}
	if f.Msg != "" {
		fmt.Fprintf(&b, ": %s", f.Msg)
	}
	return b.String()
}

func (a Access) String() string {
	who := a.Verb + " by " + a.Statement + " "
	if a.Verb == ran {
		who = ""
	}
	if a.Kernel == "" { // of a CPU
		return fmt.Sprintf("%sin %s, %s", who, a.Node, a.Tile)
	}
	return fmt.Sprintf("%sin %q (kernel %s, %s, thread (%d,%d,%d))",
		who, a.Node, a.Kernel, a.Tile, a.Thread[0], a.Thread[1], a.Thread[2])
}

// A watcher keeps what a run finds.
type watcher struct {
	opts   Options
	report *Report
}

// stopped reports whether to go on no more.
func (m *watcher) stopped() bool { return m.opts.First && !m.report.OK() }

// found counts f and keeps it if it is among the first of its kind.
func (m *watcher) found(f Finding) {
	if m.wanted(f.Kind) {
		m.report.Findings = append(m.report.Findings, f)
	}
	m.report.Counts[f.Kind]++
}

// wanted reports whether another finding of kind k would be kept. Some room is
// left for kinds that come late.
func (m *watcher) wanted(k Kind) bool {
	return m.report.Counts[k] < 3 && len(m.report.Findings) < m.opts.Keep
}
