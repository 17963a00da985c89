package lower_test

import (
	"fmt"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// These are programs by hand, besides those of pipeline.

// fdtd returns the stencil of that name with its one-dimensional source nest:
// arrays ex, ey, hz of N by N, steps 0..TS-1.
func fdtd() *scop.Program {
	p := &scop.Program{Params: []scop.Param{{Name: "TS"}, {Name: "N"}}, Time: "t"}
	n := scop.Affine{Params: []int64{0, 1}}
	array := func(name string) *scop.Array {
		a := &scop.Array{Name: name, Elem: scop.Float, Extents: []scop.Affine{n, n}}
		p.Arrays = append(p.Arrays, a)
		return a
	}
	ex, ey, hz := array("ex"), array("ey"), array("hz")
	at := func(a *scop.Array, i, j int64, write bool) *scop.Access {
		return &scop.Access{Array: a, Write: write, Index: []scop.Index{
			{Affine: scop.Affine{Const: i, Iters: []int64{0, 1}}}, {Affine: scop.Affine{Const: j, Iters: []int64{0, 0, 1}}},
		}}
	}
	stmt := func(i0, j0, end int64, accs ...*scop.Access) { // i0 <= i < N-end, j0 <= j < N-end
		p.Stmts = append(p.Stmts, &scop.Stmt{
			Name: fmt.Sprint("S", len(p.Stmts)), Order: len(p.Stmts), Iters: []string{"t", "i", "j"}, Accesses: accs,
			Bounds: []scop.Affine{
				{Iters: []int64{1}}, {Const: -1, Iters: []int64{-1}, Params: []int64{1}},
				{Const: -i0, Iters: []int64{0, 1}}, {Const: -1 - end, Iters: []int64{0, -1}, Params: []int64{0, 1}},
				{Const: -j0, Iters: []int64{0, 0, 1}}, {Const: -1 - end, Iters: []int64{0, 0, -1}, Params: []int64{0, 1}},
			}})
	}
	p.Stmts = append(p.Stmts, &scop.Stmt{Name: "S0", Iters: []string{"t", "j"}, Bounds: []scop.Affine{
		{Iters: []int64{1}}, {Const: -1, Iters: []int64{-1}, Params: []int64{1}}, {Iters: []int64{0, 1}}, {Const: -1, Iters: []int64{0, -1}, Params: []int64{0, 1}},
		{Const: -1, Params: []int64{0, 1}}, // N >= 1: row 0 exists
	}, Accesses: []*scop.Access{{Array: ey, Write: true, Index: []scop.Index{{}, {Affine: scop.Affine{Iters: []int64{0, 1}}}}}}})
	stmt(1, 0, 0, at(ey, 0, 0, false), at(hz, 0, 0, false), at(hz, -1, 0, false), at(ey, 0, 0, true))
	stmt(0, 1, 0, at(ex, 0, 0, false), at(hz, 0, 0, false), at(hz, 0, -1, false), at(ex, 0, 0, true))
	stmt(0, 0, 1, at(hz, 0, 0, false), at(ex, 0, 1, false), at(ex, 0, 0, false), at(ey, 1, 0, false), at(ey, 0, 0, false), at(hz, 0, 0, true))
	return p
}

// fdtdPlaces puts i on s0 and j on s1; the source nest runs at s0 = 0.
func fdtdPlaces(p *scop.Program) [][]schedule.Place {
	places := pipeline.Straight(p, 2)
	places[0] = []schedule.Place{{Iter: -1}, {Iter: 1}}
	return places
}

// box3d returns the 27-point stencil A[t%2] on three dimensions.
func box3d() *scop.Program {
	p := pipeline.Jacobi(3)
	s := p.Stmts[0]
	write := s.Accesses[len(s.Accesses)-1]
	centre := s.Accesses[0]
	s.Accesses = nil
	for k := range int64(27) {
		acc := *centre
		acc.Index = append([]scop.Index(nil), centre.Index...)
		for d, off := range []int64{k / 9, k / 3 % 3, k % 3} {
			acc.Index[d+1].Const = off - 1
		}
		s.Accesses = append(s.Accesses, &acc)
	}
	s.Accesses = append(s.Accesses, write)
	return p
}
