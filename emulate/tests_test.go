package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// TestTests counts the tests that threads make before they go on, by hand: conditions on the
// thread and a guard that stand together are one, and a loop parts them.
func TestTests(t *testing.T) {
	a := &scop.Array{Name: "A", Elem: scop.Float, Extents: []scop.Affine{{Const: 64}}}
	buffer := &gpu.Buffer{Name: "shared_A", Array: a, Shape: []int64{64}, Origin: []affine.Expr{affine.Num(0)}, Mod: []int64{0}, Wrap: []bool{false}}
	loop := func(v string, n int64, axis int) gpu.ThreadLoop {
		return gpu.ThreadLoop{Var: v, Lo: affine.Num(0), Hi: affine.Num(n - 1), Axis: axis}
	}
	load := func(guard astgen.Cond, loops ...gpu.ThreadLoop) gpu.Threads {
		index := []affine.Expr{affine.Var("x")}
		return gpu.Threads{Loops: loops, Guard: guard,
			Body: []gpu.Op{gpu.Copy{To: gpu.Ref{Buffer: buffer, Array: a, Index: index}, From: gpu.Ref{Array: a, Index: index}}}}
	}
	from := func(v string, n int64) astgen.Cond { return astgen.Cond{{affine.Var(v).Add(-n)}} }
	for _, c := range []struct {
		name             string
		node             gpu.Threads
		inText           int
		tests, divergent int64 // of two warps, side by side along y
	}{
		{"none", load(nil, loop("y", 2, 1), loop("x", 32, 0)), 0, 0, 0},
		{"lanes", load(nil, loop("y", 2, 1), loop("x", 31, 0)), 1, 2, 2},
		{"lanes of one warp", load(nil, loop("y", 1, 1), loop("x", 31, 0)), 1, 2, 1},
		{"guard", load(from("x", 27), loop("y", 2, 1), loop("x", 32, 0)), 1, 2, 2},
		{"lanes and guard", load(from("x", 27), loop("y", 1, 1), loop("x", 31, 0)), 1, 2, 1},
		{"lanes, no guard holds", load(from("x", 31), loop("y", 2, 1), loop("x", 31, 0)), 1, 2, 0},
		{"lanes, a loop, and a guard", load(from("c", 1), loop("y", 2, 1), loop("x", 31, 0), loop("c", 3, -1)), 3, 2 * (1 + 4 + 3), 2},
		{"no lane, a loop", load(nil, loop("y", 1, 1), loop("x", 32, 0), loop("c", 3, -1)), 2, 1 + 4 + 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := &gpu.Kernel{Name: "k", Grid: []gpu.Axis{{Var: "X", Lo: affine.Num(0), Hi: affine.Num(0)}}, Threads: [3]int{32, 2, 1}, Shared: []*gpu.Buffer{buffer}, Body: []gpu.Node{c.node}}
			require.Equal(t, c.inText, c.node.Tests(k.Threads))
			p := &gpu.Program{Scop: &scop.Program{Arrays: []*scop.Array{a}}, T: "T", TLo: affine.Num(0), THi: affine.Num(0), Kernels: []*gpu.Kernel{k}}
			mem, err := scop.NewMemory(p.Scop, nil, 1)
			require.NoError(t, err)
			r, err := emulate.Run(p, mem, emulate.Options{Profile: true})
			require.NoError(t, err)
			total := r.Profile.Total()
			require.Equal(t, c.tests, total.Tests)
			require.Equal(t, c.divergent, total.Divergent)
		})
	}
}
