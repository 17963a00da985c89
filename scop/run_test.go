package scop_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestRunIsC runs every case as C and here, at several sizes, and compares bit for bit.
func TestRunIsC(t *testing.T) {
	cases := oracle.Cases(t)
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := cases[name]
			var mems []*scop.Memory
			for seed, v := range [][]int64{{0, 6, 7, 8, 5}, {1, 5, 4, 6, 7}, {5, 9, 12, 7, 6}, {8, 17, 11, 13, 9}, {12, 25, 26, 19, 6}} {
				mem, err := scop.NewMemory(p, sized(p, v), uint64(seed))
				require.NoError(t, err)
				mems = append(mems, mem)
			}
			oracle.SameAsC(t, p, mems...)
		})
	}
}

// sized gives the time parameter, called T or t.., the first of v and the others the rest.
func sized(p *scop.Program, v []int64) (params []int64) {
	next := 1
	for _, x := range p.Params {
		if x.Name[0] == 'T' || x.Name[0] == 't' {
			params = append(params, v[0])
			continue
		}
		params = append(params, v[next])
		next++
	}
	return params
}

// one returns a program with the statement A[2*i-1] = 1/A[i] over 0 <= i < n in ints.
func one() *scop.Program {
	a := &scop.Array{Name: "A", Extents: []scop.Affine{{Params: []int64{2}}}}
	from := &scop.Access{Array: a, Index: []scop.Index{{Affine: scop.Affine{Iters: []int64{0, 1}}}}}
	to := &scop.Access{Array: a, Write: true, Index: []scop.Index{{Affine: scop.Affine{Const: -1, Iters: []int64{0, 2}}}}}
	to.Pos.Line, to.Pos.Col, to.Pos.File = 7, 3, "x.c"
	s := &scop.Stmt{Name: "S0", Iters: []string{"t", "i"}, Accesses: []*scop.Access{from, to}, Bounds: []scop.Affine{
		{Iters: []int64{1}}, {Iters: []int64{-1}}, {Iters: []int64{0, 1}}, {Const: -1, Iters: []int64{0, -1}, Params: []int64{1}}},
		Body: []scop.Action{scop.Store{To: to, Value: scop.Binary{Op: "/", X: scop.Const{I: 1}, Y: scop.Read{From: from}}}}}
	s.Pos = to.Pos
	return &scop.Program{Params: []scop.Param{{Name: "n"}}, Arrays: []*scop.Array{a}, Stmts: []*scop.Stmt{s}}
}

func TestRunFaults(t *testing.T) {
	p := one()
	mem, err := scop.NewMemory(p, []int64{3}, 1)
	require.NoError(t, err)
	require.EqualError(t, scop.Run(p, mem), "x.c:7:3: A[-1] is outside of array A[6] at S0[t=0, i=0] with n=3 [HX120]")

	p.Stmts[0].Bounds[2].Const = -1 // i >= 1
	mem.Arrays[0].Cells[2] = 0
	require.EqualError(t, scop.Run(p, mem), "x.c:7:3: integer division by zero at S0[t=0, i=2] with n=3 [HX121]")
}

func TestAbsurdSizes(t *testing.T) {
	p := one()
	for n, want := range map[int64]string{-1: "[HX122]", 1 << 40: "[HX403]", 1 << 62: "[HX122]"} { // 2n wraps
		_, err := scop.NewMemory(p, []int64{n}, 1)
		require.ErrorContains(t, err, want)
	}
	p.Arrays[0].Extents = []scop.Affine{{Params: []int64{1}}, {Params: []int64{1}}, {Params: []int64{1}}}
	_, err := scop.NewMemory(p, []int64{1 << 22}, 1)
	require.ErrorContains(t, err, "[HX403]")
}

// TestNest compares the instances of a nest with the points of a box that satisfy the rows.
func TestNest(t *testing.T) {
	rows := []scop.Affine{ // 0 <= t <= 3, t <= 2i <= n + t, -2 <= j <= (t+i)/3
		{Iters: []int64{1}}, {Const: 3, Iters: []int64{-1}},
		{Iters: []int64{-1, 2}}, {Iters: []int64{1, -2}, Params: []int64{1}},
		{Const: 2, Iters: []int64{0, 0, 1}}, {Iters: []int64{1, 1, -3}},
		{Const: -2, Params: []int64{1}}, // n >= 2
	}
	s := &scop.Stmt{Name: "S0", Iters: []string{"t", "i", "j"}, Bounds: rows}
	for n := range int64(9) {
		nest := scop.NewNest(s, []int64{n})
		var want, got [][]int64
		for t := int64(-2); t < 8; t++ {
			for i := int64(-2); i < 10; i++ {
				for j := int64(-4); j < 8; j++ {
					at := []int64{t, i, j}
					holds := !slices.ContainsFunc(rows, func(r scop.Affine) bool { return r.At(at, []int64{n}) < 0 })
					if holds {
						want = append(want, at)
					}
					if nest.Contains(at) != holds {
						panic(fmt.Sprint(n, at))
					}
				}
			}
		}
		lo, hi, ok := nest.Box()
		for at := range nest.All {
			got = append(got, slices.Clone(at))
			for d := range at {
				require.True(t, lo[d] <= at[d] && at[d] <= hi[d])
			}
		}
		require.Equal(t, want, got)
		require.True(t, ok || len(want) == 0)
		require.EqualValues(t, len(want), nest.Count())
	}
}
