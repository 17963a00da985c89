package pipeline

import (
	"fmt"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file builds schedules of simple programs by hand, with slopes 1.

// Jacobi returns A[t%2] on dims space dimensions of extent N, inner points
// 1..N-2, steps 0..TS-1.
func Jacobi(dims int) *scop.Program {
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

// Hexagonal returns the schedule of p with slopes 1 on both sides in every dimension.
func Hexagonal(p *scop.Program, places [][]schedule.Place, h int64, w ...int64) *schedule.Schedule {
	width, height := 2*w[0]+2+2*h, 2*h+2
	levels := make([]int, p.K())
	for i := range levels {
		levels[i] = i
	}
	s := &schedule.Schedule{
		Canonical: &schedule.Canonical{Scop: p, K: p.K(), Levels: levels, Ranks: make([]int, p.K()), Places: places},
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

// Straight puts iterator p+1 on space dimension p, for each statement.
func Straight(p *scop.Program, dims int) [][]schedule.Place {
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
