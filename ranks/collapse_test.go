package ranks

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// cellsOf is a region in which one subscript stands for three dimensions and a component, and which leaves the ends of rows: two loops through rows become one, and that with the third.
const cellsOf = `void cells(int T, int n, float A[2][1000000])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n && i < 40; i++)
      for (int j = 2; j < 50; j++)
        for (int k = 0; k < 36; k++)
          for (int l = 1; l < 35; l++) {
            A[(t + 1) % 2][((i * 48 + j) * 36 + k) * 68 + 2 * l + 1] = A[t % 2][((i * 48 + j) * 36 + k) * 68 + 2 * l - 1];
            A[(t + 1) % 2][(((i - 1) * 48 + j) * 36 + k) * 68 + 2 * l] = A[t % 2][((i * 48 + j) * 36 + k) * 68 + 2 * l + 2];
          }
#pragma endscop
}
`

// borderOf returns what asks questions about a region.
func borderOf(t *testing.T, text string) *border {
	c := pipeline.Folded(t, "rows", text)
	s, err := schedule.Hybrid(c.Space, c.Cone.Balanced(), pipeline.Narrow.Of(c.Space, c.Cone.Balanced()))
	require.NoError(t, err)
	return newBorder(&Plan{Loops: Loops{Schedule: s, T: "T_"}, Border: "B_"})
}

// TestRowLoops runs through all iterations of a row of rows, in order, and compares what they touch.
func TestRowLoops(t *testing.T) {
	b := borderOf(t, cellsOf)
	require.Empty(t, b.sameRows())
	for k, st := range b.Scop().Stmts {
		one := b.scop.Stmts[k]
		require.Len(t, one.Iters, 3, "t, i and one more")
		u := int64(0)
		for j := int64(2); j < 50; j++ {
			for k := int64(0); k < 36; k++ {
				for l := int64(1); l < 35; l++ {
					for n, x := range st.Accesses {
						require.Equal(t, valueAt(x.Index[1], []int64{5, 7, j, k, l}), valueAt(one.Accesses[n].Index[1], []int64{5, 7, u + firstOfRows}))
					}
					u++
				}
			}
		}
		require.True(t, one.Domain.Contains(map[string]int64{"T": 9, "n": 50}, 5, 7, firstOfRows))
		require.False(t, one.Domain.Contains(map[string]int64{"T": 9, "n": 50}, 5, 7, firstOfRows-1))
		require.True(t, one.Domain.Contains(map[string]int64{"T": 9, "n": 50}, 5, 7, firstOfRows+u-1))
		require.False(t, one.Domain.Contains(map[string]int64{"T": 9, "n": 50}, 5, 7, firstOfRows+u))
	}
}

// firstOfRows is the number of the first iteration of cellsOf along j, k and l: 2 times 36 rows of 34 would come before it.
const firstOfRows = 2 * 36 * 34

// valueAt returns a subscript at an instance.
func valueAt(x scop.Index, iters []int64) int64 {
	v := x.Const
	for i, c := range x.Iters {
		v += c * iters[i]
	}
	return v
}

// TestRowLoopsStay checks where loops are none through rows: the second one runs from bounds that are no numbers, another subscript has only one of them, or not by rows, or
// no array that is shared out has them in one subscript.
func TestRowLoopsStay(t *testing.T) {
	for _, body := range []string{
		`for (int j = 0; j < 40; j++)
        for (int k = 0; k < n && k < 40; k++)
          A[(t + 1) % 2][i * 1600 + j * 40 + k] = A[t % 2][i * 1600 + j * 40 + k];`,
		`for (int j = 0; j < 40; j++)
        for (int k = 0; k < 40; k++)
          A[(t + 1) % 2][i * 1600 + j * 40 + k] = A[t % 2][i * 1600 + j * 40 + k] + c[k];`,
		`for (int j = 0; j < 40; j++)
        for (int k = 0; k < 39; k++)
          A[(t + 1) % 2][i * 1600 + j * 40 + k] = A[t % 2][i * 1600 + j * 40 + k];`,
		`for (int j = 0; j < 40; j++)
        for (int k = 0; k <= j; k++)
          A[(t + 1) % 2][i * 1600 + j * 40 + k] = A[t % 2][i * 1600 + j * 40 + k];`,
	} {
		b := borderOf(t, "void f(int T, int n, float A[2][1000000], const float c[40])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 0; i < n && i < 500; i++)\n      "+body+"\n#pragma endscop\n}\n")
		for k, st := range b.Scop().Stmts {
			require.Same(t, st, b.scop.Stmts[k], body)
		}
	}
}

// TestRowLoopsMutants changes what one loop in place of two is taken for: the proof has to say no.
func TestRowLoopsMutants(t *testing.T) {
	b := borderOf(t, cellsOf)
	st := b.Scop().Stmts[0]
	r, ok := rowLoopOf(st, 1)
	require.True(t, ok)
	require.Empty(t, b.sameRow(st, b.collapsed(st, r), r))
	for name, change := range map[string]func(one *scop.Stmt, r *rowLoop){
		"longer rows":               func(_ *scop.Stmt, r *rowLoop) { r.count++ },
		"rows that overlap":         func(_ *scop.Stmt, r *rowLoop) { r.count-- },
		"rows that begin elsewhere": func(_ *scop.Stmt, r *rowLoop) { r.first++ },
		"another loop":              func(_ *scop.Stmt, r *rowLoop) { r.at-- },
		"an iteration less": func(one *scop.Stmt, _ *rowLoop) {
			one.Domain = one.Domain.Intersect(poly.MustSet("[T, n] -> { " + one.Name + "[t, i, j, l] : l > 40 }"))
		},
		"another element": func(one *scop.Stmt, _ *rowLoop) {
			x := *one.Accesses[0]
			x.Map = one.Accesses[1].Map
			one.Accesses[0] = &x
		},
		"from last to first": func(one *scop.Stmt, _ *rowLoop) { one.Down = []bool{false, false, false, true} },
		"a read less": func(one *scop.Stmt, _ *rowLoop) {
			x := *one.Accesses[0]
			x.Write = !x.Write
			one.Accesses[0] = &x
		},
	} {
		one, changed := b.collapsed(st, r), r
		one.Accesses = slices.Clone(one.Accesses)
		change(one, &changed)
		require.NotEmpty(t, b.sameRow(st, one, changed), name)
	}
}
