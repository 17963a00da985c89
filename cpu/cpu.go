// Package cpu has the loops of a region as CPUs run them: time tiles one after the other; in each, phases, whose tiles
// threads share out; in a tile, steps; in a step, rows of points, several side by side, in vectors or point by point,
// and what to fetch from memory meanwhile. Make makes them of the loops of astgen, by the passes that it lists.
//
// All that is decided is said here: printers spell a Program, and the emulator runs it.
package cpu

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Program is a region:
//
//	if Busy, for each TLo <= T <= THi, in order:
//	  for each of Phases, in order, the next one when all of it is done:
//	    if Work, for each Lo <= Tile <= Hi, in any order and at once: Body
//
// Arrays of which there are Buffers are not touched: each tile has its own part of them, and what runs a tile no other one sees.
//
// With Chains there is no such order of phases and time tiles. Threads take chains, which are (T, phase, Tile) for the Tile that any
// time tile and phase has, in that order; several at once, each from start to end:
//
//	if Work and Lo <= Tile <= Hi: Body, with Await and Signal in it
//	wait until the chains that it waits for have ended; the chain has ended
//
// The chains that one waits for were taken before it, so that the first of those that have not ended never waits. One thread alone
// runs them in this order, and waits for none.
type Program struct {
	Schedule *schedule.Schedule
	Names    astgen.Names
	Busy     astgen.Cond // where a statement has an instance
	TLo, THi affine.Expr
	Phases   []Phase
	Buffers  []Buffer         // what each tile has for itself, where tiles overlap
	Chains   *schedule.Chains // what chains wait for; nil: phases and time tiles run in turn
	Grain    Grain            // the work of a phase: with less than EnoughWork one thread runs all; none: threads do
	Most     int64            // the greatest magnitude of parameters for which nothing overflows 64 bits; 0: not known
}

// Scop returns the region.
func (p *Program) Scop() *scop.Program { return p.Schedule.Canonical.Scop }

// A Phase is the tiles of one phase of a time tile. A thread runs all those at one place of the parallel dimension.
type Phase struct {
	Number int
	Work   astgen.Work // where a tile has an instance; nil: tiles are looked at whether they have one or not
	Tile   string      // the variable of the parallel dimension
	Lo, Hi affine.Expr
	Body   []Node
}

// A Node is what one thread runs: For, If, Tile, Await or Signal.
type Node interface{ node() }

// The kinds of Node.
type (
	// For runs Body for Lo <= Var <= Hi, in order.
	For struct {
		Var    string
		Lo, Hi affine.Expr
		Body   []Node
	}
	// If runs Then where Cond holds, else Else.
	If struct {
		Cond       astgen.Cond
		Then, Else []Node
	}
	// Tile runs Steps in order: once, or, where Var is set, for Lo <= Var <= Hi, in order. A full tile has all its points in the domains.
	Tile struct {
		Phase  int
		Full   bool
		Var    string
		Lo, Hi affine.Expr
		Steps  []*Step
		Nests  [][]int // InNests; nil: a nest for each of Steps
		Pass   *Pass   // how turns of Var run where they may run together; nil: one by one
	}
	// Await waits until the chains that this one waits for have signalled Var + Lag, or more, or have ended. Where Var is "" they
	// have to have ended. The chain beside this one in its phase, where it waits for that, has to have
	// signalled Var + Beside only.
	Await struct {
		Var         string
		Lag, Beside int64
	}
	// Signal says that the tiles of the chain up to Var have ended.
	Signal struct{ Var string }
)

func (For) node()    {}
func (If) node()     {}
func (Tile) node()   {}
func (Await) node()  {}
func (Signal) node() {}

// A Step is the points of a statement at one step of a tile, or at each Var of a Tile. Its points may run in any order, or at once:
// none depends on another one. They do so row by row; a row is the innermost loop. Those of an Ordered step depend on points that are
// no further along any loop: they run one by one, in the order of the loops, or in groups of rows along diagonals.
type Step struct {
	astgen.Step
	// Align, unless nil, is the access whose elements a row should begin with at a cache line: the points before run by themselves.
	Align *scop.Access
	// Back says whether the rows run from the last to the first: in even and in odd values of the tile's Var. Where that differs from
	// step to step, those that ran last, and are in the caches, run first.
	Back  [2]bool
	Ahead Ahead // what the next step is the first to touch
	Grows int64 // while Var of the tile is less, rows beyond the first and the last one are fetched; 0: none are
	Turn  Turn  // which of its points do anything: the others are left out
	// Groups say how rows run: as many as possible by the first of them, what is left by the second, of one row.
	Groups []Group
}

// A Group is how Size rows next to each other run at once. At each place along them the values of all are computed before one is stored.
//
// In an Ordered step row k of a group is k places behind the first: at place x of that it runs its point at x - k, if it has one. Those points depend on
// none of each other, so that a processor works on several at once, where those of one row wait for each other: points they depend on
// are no further along the rows and no later a row, so that the places of these, x, are less.
type Group struct {
	Size    int
	Fetch   []Fetch
	Vectors *Vectors // how most of a row runs, Apart unless the step is aligned; nil: all of it point by point
}

// A Fetch is what to fetch of an array while a group runs. Addresses may lie outside of the array.
type Fetch struct {
	Row int // of the group
	Rows
	Since  int64   // how many elements before the one of From at the first point of the row the next step starts to read
	Lines  []int64 // the cache lines to fetch, in bytes from there
	Beyond bool    // rows beyond those of the step are fetched, too: Before and After of Rows
}

// Vectors are points next to each other of a row that run at once.
type Vectors struct {
	Lanes   int64     // how many: a cache line of
	Elem    scop.Type // this type
	Kinds   *Kinds
	Windows []Window
	// Limits are what the place of the first lane of a vector may be at most, where it starts a cache line and Windows are loaded
	// line by line: sums over the variables outside of the row, iterators, and RowEnd.
	Limits []affine.Sum
	// Apart: rows start anywhere in a cache line. The first vector starts where the row does, and of each vector all operands are loaded by
	// themselves, wherever they lie: what it loads its points read. There are no Limits.
	Apart bool
	// Repeat: points may run twice. Then a row with at least one vector runs in vectors only: the first and the last, which start
	// no cache line, have points in common with those next to them; Apart the last one only. Else points before and after run one by one.
	Repeat bool
	// Halves: where vectors of the processor fill half a line, a line of points runs as two of them side by side, and not as compilers
	// choose: points touch so many rows that the first line may be lost before the second half of it is loaded.
	Halves bool
}

// RowEnd stands for the last place of a row in Limits.
const RowEnd = "end of row"

// A Window is the elements of one row of an array that the points of a vector read: at Index + c of a point for each c of Offsets.
// Where vectors follow each other, lines are loaded once: Center says which one lies under the vector.
type Window struct {
	From    *scop.Access // one that reads it, for
	Row     int          // that row of the group
	Lead    []affine.Expr
	Index   affine.Sum // the last subscript, without its constant, over iterators
	Offsets []int64    // ascending
	Center  int64
}
