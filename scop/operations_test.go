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
