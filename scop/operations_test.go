package scop

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOperations counts values by hand.
func TestOperations(t *testing.T) {
	x := Var{T: Float, Name: "x"}
	number := func(f float64) Expr { return Const{T: Float, F: f} }
	call := func(name string, args ...Expr) Expr { return Call{T: Float, Func: name, Args: args} }
	for _, c := range []struct {
		what              string
		e                 Expr
		operations, calls int64
	}{
		{"x + x", Binary{Op: "+", X: x, Y: x}, 1, 0},
		{"x / x", Binary{Op: "/", X: x, Y: x}, CallCost, 1},
		{"x / 3", Binary{Op: "/", X: x, Y: number(3)}, CallCost, 1},
		{"x / 16, which is x * 0.0625", Binary{Op: "/", X: x, Y: number(16)}, 1, 0},
		{"x / -0.25f", Binary{Op: "/", X: x, Y: Cast{T: Float, X: Const{T: Double, F: -0.25}}}, 1, 0},
		{"x / 0", Binary{Op: "/", X: x, Y: number(0)}, CallCost, 1},
		{"n / 8, a shift", Binary{Op: "/", X: Var{T: Int, Name: "n"}, Y: Const{T: Int, I: 8}}, 1, 0},
		{"n % 6", Binary{Op: "%", X: Var{T: Int, Name: "n"}, Y: Const{T: Int, I: 6}}, CallCost, 1},
		{"fabsf(x)", call("fabsf", x), 1, 0},
		{"fmaxf(x, x + x)", call("fmaxf", x, Binary{Op: "+", X: x, Y: x}), 2, 0},
		{"sqrtf(x)", call("sqrtf", x), CallCost, 1},
		{"expf(x / x)", call("expf", Binary{Op: "/", X: x, Y: x}), 2 * CallCost, 2},
	} {
		require.Equal(t, c.operations, operations(c.e), c.what)
		s := Stmt{Body: []Action{Let{Value: c.e}}}
		require.Equal(t, c.calls, s.Calls(), c.what)
	}
}

// TestWaits counts groups of loads that quotients and functions keep apart by hand.
func TestWaits(t *testing.T) {
	a := &Array{Name: "a", Elem: Float}
	read := func(k int64) Expr { return Read{From: &Access{Array: a, Index: []Index{{Affine: Affine{Const: k}}}}} }
	of := func(op string, x, y Expr) Expr { return Binary{Op: op, X: x, Y: y} }
	for _, c := range []struct {
		what  string
		e     Expr
		waits int64
	}{
		{"3.0f", Const{T: Float, F: 3}, 0},
		{"a[0] + a[1]", of("+", read(0), read(1)), 1},
		{"a[0] / a[1]", of("/", read(0), read(1)), 1},
		{"a[0] / a[1] + a[2]", of("+", of("/", read(0), read(1)), read(2)), 2},
		{"a[0] / a[1] + a[0]", of("+", of("/", read(0), read(1)), read(0)), 1},
		{"sqrtf(a[0]) + a[1] / a[2]", of("+", Call{T: Float, Func: "sqrtf", Args: []Expr{read(0)}}, of("/", read(1), read(2))), 2},
		{"a[0] / 16 + a[1], a product", of("+", of("/", read(0), Const{T: Float, F: 16}), read(1)), 1},
	} {
		require.Equal(t, c.waits, (&Stmt{Body: []Action{Let{Value: c.e}}}).Waits(), c.what)
	}
}
