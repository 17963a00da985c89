package poly

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestDims checks each edit of dimensions point by point.
func TestDims(t *testing.T) {
	for seed := range *rounds {
		checkDims(t, seed)
	}
}

func checkDims(t *testing.T, seed uint64) {
	g := newGen(seed)
	s := g.sampleSet(g.IntN(3), g.IntN(2) == 0)
	at, v := g.IntN(3), int64(g.IntN(2*window+1)-window)
	inserted, swapped := s.set.InsertDims(at, "x"), s.set.PermuteDims(1, 0)
	param, fixed := s.set.DimToParam(1, "J"), s.set.FixDim(0, v)
	dim, back := s.set.ParamToDim("N", at), param.ParamToDim("J", 1)
	points(func(n, i, j int64) {
		place := func(x int64) []int64 { return [][]int64{{x, i, j}, {i, x, j}, {i, j, x}}[at] }
		want := s.has(n, i, j)
		params := map[string]int64{"N": n, "J": j}
		for name, got := range map[string]bool{
			"InsertDims": has(inserted, n, place(v)...), "PermuteDims": has(swapped, n, j, i),
			"DimToParam": param.Contains(params, i), "ParamToDim": has(dim, 0, place(n)...), "back": has(back, n, i, j),
		} {
			if got != want {
				t.Fatalf("seed %d: %s %d: (N=%d, %d, %d) should be %t\nset %v", seed, name, at, n, i, j, want, s.set)
			}
		}
		if has(fixed, n, i, j) != (want && i == v) {
			t.Fatalf("seed %d: FixDim %d: (N=%d, %d, %d)\nset %v\ngot %v", seed, v, n, i, j, s.set, fixed)
		}
	})
}

func TestRename(t *testing.T) {
	s := MustSet("[N] -> { S[i] : i < N; T[i, j] }")
	assert.Equal(t, "[M] -> { S[i] : i <= M - 1; U[i, j] }", s.RenameTuple("T", "U").RenameParam("N", "M").String())
	assert.Equal(t, "[N] -> { S[x] : x <= N - 1; T[i, j] }", s.RenameDims("x").String())
	sameSets(t, MustSet("{ A[i] }"), MustSet("{ A[i] : i > 0; B[i] : i <= 0 }").RenameTuple("B", "A"))
	m := MustMap("{ S[i] -> S[i + 1] }")
	assert.True(t, m.RenameOut("S", "").IsEqual(MustMap("{ S[i] -> [i + 1] }")))
	assert.True(t, m.RenameIn("S", "T").IsEqual(MustMap("{ T[i] -> S[i + 1] }")))
	assert.True(t, m.FixIn(0, 3).IsEqual(MustMap("{ S[3] -> S[4] }")))
	assert.True(t, m.FixOut(0, 3).IsEqual(MustMap("{ S[2] -> S[3] }")))
	assert.Panics(t, func() { s.PermuteDims(0, 0) })
	assert.Panics(t, func() { s.DimToParam(0, "N") })
	assert.Panics(t, func() { m.FixIn(2, 0) })
}
