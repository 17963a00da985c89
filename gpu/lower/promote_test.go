package lower_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// coreTraffic returns what a thread does with shared memory in the steps of the
// full tiles of k, and how many points it runs.
func coreTraffic(t *testing.T, k *gpu.Kernel) (loads, stores, points int) {
	t.Helper()
	var walk func(ns []gpu.Node, full bool)
	walk = func(ns []gpu.Node, full bool) {
		for _, n := range ns {
			switch n := n.(type) {
			case gpu.For:
				walk(n.Body, full)
			case gpu.If:
				walk(n.Then, n.Role.Kind == gpu.FullTile)
			case gpu.Threads:
				for _, op := range n.Body {
					switch op := op.(type) {
					case gpu.Load:
						if full {
							loads++
						}
					case gpu.Compute:
						if !full {
							continue
						}
						points++
						for i, r := range op.Refs {
							switch {
							case op.Stmt.Accesses[i].Write:
								stores++
							case r.Reg == "":
								loads++
							}
						}
					}
				}
			}
		}
	}
	walk(k.Body, false)
	require.Positive(t, points)
	return loads, stores, points
}

// TestKeptValues: what a thread of jacobi-2d loads for its points. By hand,
// h=2, w0=3: the rows of the steps are 4, 6, 8, 8, 6, 4. A step of m rows needs m+2
// values of its column and m of the column to the left; of those to the right
// it needs m, but has what it computed one step before: 0, 4, 6, 8, 6, 4 of them.
func TestKeptValues(t *testing.T) {
	x := stencil{pipeline.Case(t, "jacobi-2d")}
	_, p := x.mapped(t, schedule.Sizes{H: 2, W: []int64{3, 32}}, lower.Options{})
	for _, k := range p.Kernels {
		loads, stores, points := coreTraffic(t, k)
		assert.Equal(t, []int{3*36 + 6*2 - 28, 36, 36}, []int{loads, stores, points})
	}
}

// TestKeptValuesOfABox: what a thread loads for its points of the 27-point box. By hand,
// h=1, w0=26: the rows of the steps are 27, 29, 29, 27. A step of m rows needs m+2
// values of each of 9 columns of neighbours, where the source reads 27 m; of one
// column it has those it computed one step before: 0, 27, 29, 29. That is 8.9 a point,
// and less than 9 with the few that are loaded again, for which registers would not suffice.
func TestKeptValuesOfABox(t *testing.T) {
	x := stencil{pipeline.Case(t, "heat-3d")}
	_, p := x.mapped(t, schedule.Sizes{H: 1, W: []int64{26, 2, 32}}, lower.Options{})
	for _, k := range p.Kernels {
		loads, stores, points := coreTraffic(t, k)
		assert.Equal(t, []int{112, 112}, []int{stores, points})
		assert.GreaterOrEqual(t, loads, 9*(112+2*4)-85)
		assert.LessOrEqual(t, loads, 9*points)
	}
}

// TestKeptValuesOfRows: what a thread loads for its points of the 27-point box where
// it runs four rows along y. By hand, h=1, w0=0: the rows of the steps along s0 are 1, 3,
// 3, 1. A step of m of them needs (m+2)*(4+2) values of each of 3 columns; of one
// column it has the 4 m that it computed one step before. That is 8.1 a point, in place of 17.1.
func TestKeptValuesOfRows(t *testing.T) {
	x := stencil{pipeline.Case(t, "heat-3d")}
	_, p := x.mapped(t, schedule.Sizes{H: 1, W: []int64{0, 32, 32}}, lower.Options{})
	for _, k := range p.Kernels {
		require.Equal(t, [3]int{32, 8, 1}, k.Threads)
		loads, stores, points := coreTraffic(t, k)
		least := 3*6*(8+2*4) - 4*(1+3+3)
		assert.Equal(t, []int{32, 32}, []int{stores, points})
		assert.GreaterOrEqual(t, loads, least)
		assert.LessOrEqual(t, loads, least+least/16, "some values are loaded again, so that one block more may run")
	}
	_, p = x.mapped(t, schedule.Sizes{H: 1, W: []int64{0, 8, 32}}, lower.Options{})
	for _, k := range p.Kernels { // a row for each thread
		loads, _, points := coreTraffic(t, k)
		assert.Equal(t, []int{3*3*(8+2*4) - (1 + 3 + 3), 8}, []int{loads, points})
	}
}
