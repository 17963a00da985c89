// Package astgen writes a schedule as loops: constraints become bounds and
// guards, and full tiles, which need neither, stand apart from partial ones.
package astgen

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Cond is a disjunction of conjunctions of Rows >= 0: true if some element
// has all its rows >= 0. Cond{} is false; Cond{{}} is true; nil *Cond fields mean true.
type Cond [][]affine.Expr

// A Node is a statement of the generated program: Block, For, If, Tile, Rolled, Waves or Streamed.
type Node interface{ node() }

// The kinds of Node.
type (
	Block []Node
	// For runs Body for Lo <= Var <= Hi: in order on the Host or in Seq, in any order otherwise.
	For struct {
		Var    string
		Lo, Hi affine.Expr
		Role   schedule.Role
		Body   Node
	}
	// Launch is the tiles of one phase: loops over Block, then Seq tile indices. Where
	// Work does not hold, none has an instance.
	Launch struct {
		Phase int
		Work  Work
		Body  Node
	}
	// If runs Then where Cond holds, else Else, which may be nil.
	If struct {
		Cond       Cond
		Then, Else Node
	}
	// Tile runs Steps in order. A full tile has all its points in the domains.
	Tile struct {
		Phase int
		Full  bool
		Steps []Step
	}
	// Rolled runs Steps in order for each Lo <= Var <= Hi: the steps of a tile as a
	// loop. The bounds of Steps may be tables over Var.
	Rolled struct {
		Phase  int
		Var    string
		Lo, Hi affine.Expr
		Steps  []Step
	}
	// Waves runs, for each Lo <= Var <= Hi in order, the points of that wave of a tile: of one of Steps after the other. The loops of
	// Steps are those over Names.Step and all but the last of Names.Lean, and their guards are within them.
	Waves struct {
		Phase  int
		Var    string
		Lo, Hi affine.Expr
		Steps  []Step
	}
	// Streamed runs, for each Lo <= Var <= Hi in order, Steps in order: of each the points of one plane. The first loop of a step is that over the
	// coordinate of its plane, of which there is one value. Full: no bound cuts the tile but along the stream.
	Streamed struct {
		Phase  int
		Full   bool
		Var    string
		Lo, Hi affine.Expr
		Steps  []Step
	}
)

// A Step is one time step of a tile: all points of a box that satisfy Guard, behind those that are no further along any loop if Ordered is set, else in any order.
// The loop variables are the local coordinates b of the TileDims, outside in.
type Step struct {
	A     int64 // the step: 0 <= A < Height; in Rolled, that of Var = 0
	Stmt  *scop.Stmt
	Loops []Loop
	Guard Cond          // nil: always
	Iters []affine.Expr // the value of each iterator of Stmt
	// Ordered: points depend on those before them.
	Ordered bool
	// Way: in which order points run along the first loop, whatever their place along the others.
	Way schedule.Way
	// Fixed are sums that are 0 at all points of a step of Waves, since a nest has one place in some dimension.
	Fixed []affine.Sum
}

// A Loop is Lo <= Var <= Hi. BoxLo and BoxHi are the numbers that hold whatever the tile.
type Loop struct {
	Var          string
	Lo, Hi       affine.Expr
	BoxLo, BoxHi int64
}

func (Block) node()    {}
func (For) node()      {}
func (Launch) node()   {}
func (If) node()       {}
func (Tile) node()     {}
func (Rolled) node()   {}
func (Waves) node()    {}
func (Streamed) node() {}

// A Program is the loops of a schedule.
type Program struct {
	Schedule *schedule.Schedule
	Names    Names
	Known    []Known // by phase
	Body     Node
	Most     int64 // of Roll: the greatest magnitude of parameters for which nothing overflows 64 bits
}
