// Package affine has the integer expressions that the compiler computes with: sums of named integers, and what rounding
// divisions, remainders, least and greatest values make of them. Sets (poly) and loops (astgen) are made of them.
//
// A Sum is kept in one form, so that equal sums are equal values: terms by name, none of them 0. Coefficients are
// 64 bits wide, and what passes them panics with an *OverflowError, which poly.Limited turns into an error: no result is ever wrong.
package affine

// An Expr is an integer expression over named integers: loop variables, parameters, dimensions of a set.
type Expr interface{ expr() }

// The kinds of Expr.
type (
	// Sum is Const + the sum of Coef*Var over Terms, whose variables are distinct and coefficients not 0.
	Sum struct {
		Const int64
		Terms []Term
	}
	// FloorDiv is X/D rounded down, D > 0; Mod is X modulo D, 0 <= X mod D < D.
	FloorDiv struct {
		X Expr
		D int64
	}
	Mod struct {
		X Expr
		D int64
	}
	// Table is Values[Var], 0 <= Var < len(Values).
	Table struct {
		Var    string
		Values []int64
	}
	Min struct{ Args []Expr }
	Max struct{ Args []Expr }
)

// A Term is Coef*Var.
type Term struct {
	Coef int64
	Var  string
}

func (Sum) expr()      {}
func (FloorDiv) expr() {}
func (Mod) expr()      {}
func (Table) expr()    {}
func (Min) expr()      {}
func (Max) expr()      {}
