package scop

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestCertain: a ? b : c, d && e and plain operands, in a Let and a Store.
func TestCertain(t *testing.T) {
	array := &Array{Name: "A", Elem: Int}
	acc := make([]*Access, 7)
	read := make([]Expr, len(acc))
	for i := range acc {
		acc[i] = &Access{Array: array}
		read[i] = Read{acc[i]}
	}
	truth := func(e Expr) Expr { return Cast{T: Bool, X: e} }
	s := &Stmt{Accesses: acc, Body: []Action{
		Let{Name: "x", Type: Int, Value: Cond{C: truth(read[0]), X: read[1], Y: Unary{Op: "-", X: read[2]}}},
		Store{To: acc[6], Value: Binary{Op: "+", X: Cast{T: Int, X: Binary{Op: "&&", X: truth(read[3]), Y: truth(read[4])}}, Y: Call{T: Int, Func: "abs", Args: []Expr{read[5]}}}},
	}}
	assert.Equal(t, []bool{true, false, false, true, false, true, true}, s.Certain())
}
