package emulate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// TestStrategies verifies every third case (HEXCC_TESTS=all: every one) under every use of shared memory on a grid
// where a full tile follows a full tile, and on one a little larger.
func TestStrategies(t *testing.T) {
	eachNth(t, 3, 0, func(t *testing.T, name string, p plan) {
		sizes := p.moving(t)
		for _, st := range lower.Strategies() {
			r := p.requestWith(t, sizes, lower.Options{Strategy: st})
			some, ok := r.Typical(func(params []int64) []int64 { return params })
			require.True(t, ok, st)
			if len(sizes.W) > 1 && (st == lower.Moved || st == lower.Static) {
				require.Positive(t, some.After, st)
			}
			grids := []int64{0, 1}
			if len(sizes.W) > 2 {
				grids = grids[:1] // they take long
			}
			for _, more := range grids {
				size := emulate.Size{}
				for i, v := range r.Program.Scop.Params {
					if size[v.Name] = some.Params[i]; i > 0 {
						size[v.Name] += more
					}
				}
				r.Sizes = append(r.Sizes, size)
			}
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), "%v: %v", st, v)
			instances := int64(0)
			for _, x := range v.Trials {
				instances += x.Report.Expected
				for _, b := range x.Report.Branches {
					if b.Role.Kind == gpu.FullTile {
						require.Positive(t, b.Then)
					}
				}
			}
			t.Logf("%v: %d instances, %d full tiles, %d after one", st, instances, some.Full, some.After)
		}
	})
}

// moving returns the least sizes of few points at which a full tile moves what
// the one before left: in narrower tiles a row would be moved onto itself.
func (p plan) moving(t *testing.T) schedule.Sizes {
	s := p.tiny()
	last := len(s.W) - 1
	for last > 0 {
		r := p.requestWith(t, s, lower.Options{Strategy: lower.Moved})
		if _, n := edited(r.Program, -1, afterFull, nil); n > 0 {
			break
		}
		s.W[last]++
		require.Less(t, s.W[last], int64(32))
	}
	return s
}

// afterFull selects what a full tile does after a full tile.
func afterFull(x place) bool {
	n, ok := x.node().(gpu.If)
	return ok && n.Role.Kind == gpu.AfterFull
}

// TestWhatIsStaged has an array that a tile reads once, which stays in global memory
// with a remark, and one of lower rank, which a block loads once for all of its tiles.
func TestWhatIsStaged(t *testing.T) {
	p := newPlan(t, "f", `
void f(int T, int n, float A[2][n][n], float F[T][n][n], float c[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = F[t][i][j] + c[i] * (A[t % 2][i][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j]);
#pragma endscop
}
`)
	r := p.requestWith(t, schedule.Sizes{H: 1, W: []int64{2, 8}}, lower.Options{})
	require.Equal(t, []string{"F stays in global memory: a full tile uses 128 elements and would copy 128"}, r.Program.Remarks)
	for _, k := range r.Program.Kernels {
		var staged []string
		for _, b := range k.Shared {
			staged = append(staged, b.Array.Name)
		}
		require.Equal(t, []string{"A", "c"}, staged)
		before := slices.IndexFunc(k.Body, func(n gpu.Node) bool { _, ok := n.(gpu.For); return ok })
		require.Equal(t, []gpu.Node{gpu.Barrier{Role: gpu.Role{Kind: gpu.BeforeFirstTile}}}, k.Body[before-1:before])
	}
	r.Points = 20_000
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.True(t, v.OK(), v)
}
