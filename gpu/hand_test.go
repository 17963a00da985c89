package gpu_test

import (
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file builds schedules of simple programs by hand, with slopes 1.

// jacobi returns A[t%2] on dims space dimensions of extent N, inner points
// 1..N-2, steps 0..TS-1.
func jacobi(dims int) *scop.Program {
	p := &scop.Program{Params: []scop.Param{{Name: "TS"}, {Name: "N"}}, Time: "t"}
	ext := []scop.Affine{{Const: 2}}
	st := &scop.Stmt{Name: "S0", Iters: []string{"t"}}
	st.Bounds = []scop.Affine{{Iters: []int64{1}}, {Const: -1, Iters: []int64{-1}, Params: []int64{1}}}
	for d := range dims {
		st.Iters = append(st.Iters, string(rune('i'+d)))
		ext = append(ext, scop.Affine{Params: []int64{0, 1}})
		unit := make([]int64, d+2)
		unit[d+1] = 1
		minus := make([]int64, d+2)
		minus[d+1] = -1
		st.Bounds = append(st.Bounds, scop.Affine{Const: -1, Iters: unit}, scop.Affine{Const: -2, Iters: minus, Params: []int64{0, 1}})
	}
	a := &scop.Array{Name: "A", Elem: scop.Float, Extents: ext}
	p.Arrays = []*scop.Array{a}
	index := func(dt int64, d int, off int64) []scop.Index {
		idx := []scop.Index{{Affine: scop.Affine{Const: dt, Iters: []int64{1}}, Mod: 2}}
		for k := range dims {
			unit := make([]int64, k+2)
			unit[k+1] = 1
			x := scop.Affine{Iters: unit}
			if k == d {
				x.Const = off
			}
			idx = append(idx, scop.Index{Affine: x})
		}
		return idx
	}
	st.Accesses = append(st.Accesses, &scop.Access{Array: a, Index: index(0, -1, 0)})
	for d := range dims {
		st.Accesses = append(st.Accesses, &scop.Access{Array: a, Index: index(0, d, -1)}, &scop.Access{Array: a, Index: index(0, d, 1)})
	}
	st.Accesses = append(st.Accesses, &scop.Access{Array: a, Index: index(1, -1, 0), Write: true})
	p.Stmts = []*scop.Stmt{st}
	return p
}

// hexagonal returns the schedule of p with slopes 1 on both sides in every dimension.
func hexagonal(p *scop.Program, places [][]schedule.Place, h int64, w ...int64) *schedule.Schedule {
	width, height := 2*w[0]+2+2*h, 2*h+2
	s := &schedule.Schedule{
		Canonical: &schedule.Canonical{Scop: p, K: p.K(), Places: places},
		Height:    height,
		Sizes:     schedule.Sizes{H: h, W: w},
	}
	for phase := range int64(2) {
		d0 := schedule.TileDim{Tile: "S0", Point: "s0", Role: schedule.Block, Stride: width}
		ph := schedule.Phase{}
		if phase == 0 {
			ph.TimeShift, d0.Offset = h+1, -(h + w[0] + 1)
		}
		for a := range height {
			d0.Lo = append(d0.Lo, max(h-a, a-h-1))
			d0.Hi = append(d0.Hi, min(h+w[0]+a, 3*h+1+w[0]-a))
		}
		ph.Space = append(ph.Space, d0)
		for i, wi := range w[1:] {
			d := schedule.TileDim{Tile: fmt.Sprintf("S%d", i+1), Point: fmt.Sprintf("s%d", i+1), Role: schedule.Seq, Stride: wi}
			for a := range height {
				d.Lo, d.Hi = append(d.Lo, -a), append(d.Hi, wi-1-a)
			}
			ph.Space = append(ph.Space, d)
		}
		s.Phases = append(s.Phases, ph)
	}
	return s
}

// straight puts iterator p+1 on space dimension p, for each statement.
func straight(p *scop.Program, dims int) [][]schedule.Place {
	var all [][]schedule.Place
	for range p.Stmts {
		var places []schedule.Place
		for d := range dims {
			places = append(places, schedule.Place{Iter: d + 1})
		}
		all = append(all, places)
	}
	return all
}

// generate is Generate for schedules that have loops.
func generate(s *schedule.Schedule) *astgen.Program {
	p, err := astgen.Generate(s)
	if err != nil {
		panic(err)
	}
	return p
}

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
	places := straight(p, 2)
	places[0] = []schedule.Place{{Iter: -1}, {Iter: 1}}
	return places
}

// box3d returns the 27-point stencil A[t%2] on three dimensions.
func box3d() *scop.Program {
	p := jacobi(3)
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
