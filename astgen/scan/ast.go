// Package scan writes loops for any schedule: a tree (package schedule/tree) or
// a relation from instances to times. The loops run each instance at each of
// its times, in order (Grosser, Verdoolaege, Cohen: Polyhedral AST Generation
// Is More Than Scanning Polyhedra, TOPLAS 2015).
package scan

import "github.com/hexcc/hexcc/affine"

// A Node is a statement of the loops: Block, *For, *If, *Call or *Mark.
type Node interface{ node() }

// The kinds of Node.
type (
	// Block runs its nodes in order.
	Block []Node
	// For runs Body for Var = Lo, Lo + Step, .. up to Hi.
	For struct {
		Var    string
		Lo, Hi affine.Expr
		Step   int64 // at least 1
		// Parallel: its iterations may run at the same time.
		Parallel bool
		Body     Node
	}
	// If runs Then where Cond holds, and Else, which may be nil, where it does not.
	If struct {
		Cond       Cond
		Then, Else Node
	}
	// Call runs an instance of a statement.
	Call struct {
		Stmt string
		Args []affine.Expr
		// Times are the times of the bands of the schedule at which it runs: which run of an instance it is that runs several times.
		Times []affine.Expr
		// Leaf is where it stands in the schedule: the places among the children of each sequence and set around.
		Leaf []int
	}
	// Mark is what a mark node of a tree stands around.
	Mark struct {
		Name string
		Body Node
	}
)

func (Block) node() {}
func (*For) node()  {}
func (*If) node()   {}
func (*Call) node() {}
func (*Mark) node() {}

// A Cond holds where all comparisons of one of its conjunctions do: Cond{} never, Cond{{}} always.
type Cond [][]Comparison

// A Comparison is Left op Right.
type Comparison struct {
	Op          Op
	Left, Right affine.Expr
}

// An Op compares integers.
type Op uint8

// The comparisons.
const (
	AtLeast Op = iota // >=
	AtMost            // <=
	Equal             // ==
)
