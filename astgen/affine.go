package astgen

import "github.com/hexcc/hexcc/affine"

// The expressions of loops are those of affine.
type (
	Expr     = affine.Expr
	Sum      = affine.Sum
	Term     = affine.Term
	FloorDiv = affine.FloorDiv
	Mod      = affine.Mod
	Table    = affine.Table
	Min      = affine.Min
	Max      = affine.Max
)

// How they are built, and what they are for given values.
var (
	Num    = affine.Num
	Var    = affine.Var
	Floor  = affine.Floor
	Ceil   = affine.Ceil
	Modulo = affine.Modulo
	Offset = affine.Offset
	MinOf  = affine.MinOf
	MaxOf  = affine.MaxOf
	Solve  = affine.Solve
	Same   = affine.Same
	Eval   = affine.Eval
	Subst  = affine.Subst
	Vars   = affine.Vars
)
