package emulate

import (
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says what parameters bound, for the choice of sizes to run.

// A role says what a parameter bounds: the time loop, or a dimension tiled unit wide.
type role struct {
	time         bool
	start        bool // it is where loops begin, and bounds none from above: it stays small
	height, unit int64
}

// enough is where a full tile fits, wherever tiles begin.
func (x role) enough() int64 {
	if x.time {
		return x.height
	}
	return 2*x.unit + 3
}

func (x role) one() int64 { return 1 }

// roles returns the role of each parameter. One that bounds time and space counts as space.
func (r *Request) roles() []role {
	p := r.scop()
	all := make([]role, len(p.Params))
	for i := range all {
		all[i] = role{time: true, start: starts(p, i), height: r.height(), unit: 4}
	}
	for k, s := range p.Stmts {
		for _, b := range s.Bounds {
			last := 0
			for d, c := range b.Iters {
				if c != 0 {
					last = d
				}
			}
			for i, c := range b.Params {
				if c != 0 && last > 0 {
					all[i].time = false
					all[i].unit = max(all[i].unit, r.unit(k, last))
				}
			}
		}
	}
	return all
}

// height returns the time steps of a time tile.
func (r *Request) height() int64 {
	if r.Schedule == nil {
		return 4
	}
	return max(1, r.Schedule.Height/int64(r.Schedule.Canonical.K))
}

// unit returns the width of tiles along iterator iter of statement k.
func (r *Request) unit(k, iter int) int64 {
	if r.Schedule == nil {
		return 8
	}
	at := slices.IndexFunc(r.Schedule.Canonical.Places[k], func(p schedule.Place) bool { return p.Iter == iter })
	if at < 0 {
		return 8
	}
	return r.Schedule.Phases[0].Space[at].Stride
}

// starts reports whether parameter i bounds iterators from below, and none from above.
func starts(p *scop.Program, i int) (found bool) {
	for _, s := range p.Stmts {
		for _, b := range s.Bounds {
			switch {
			case i < len(b.Params) && b.Params[i] > 0:
				return false
			case i < len(b.Params) && b.Params[i] < 0:
				found = true
			}
		}
	}
	return found
}

// least returns the smallest value of parameter i, from 0 on, at which every statement
// has an instance where other parameters are large, or 0 where loops start with them; 1 if there is none.
func least(p *scop.Program, i int) int64 {
	params := make([]int64, len(p.Params))
	for k := range params {
		if params[k] = roomy; starts(p, k) {
			params[k] = 0
		}
	}
	for v := range int64(baseLimit) {
		params[i] = v
		if admissible(p, params) && !slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool { return boxVolume(scop.NewNest(s, params)) == 0 }) {
			return v
		}
	}
	return 1
}
