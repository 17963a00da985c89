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
