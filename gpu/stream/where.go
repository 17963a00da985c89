package stream

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says where there are instances and elements, in turns of a pipeline that are not known to be full.

// exprs returns the iterators of st at a place.
func (l *lowering) exprs(st *scop.Stmt, at place) (all []affine.Expr) {
	for _, x := range l.iters[st.Order] {
		all = append(all, x.Subst(at))
	}
	return all
}

// conj returns the conjunction of rows at a place.
func conj(at place, lists ...[]affine.Sum) astgen.Cond {
	all := []affine.Expr{}
	for _, rows := range lists {
		for _, x := range rows {
			all = append(all, x.Subst(at))
		}
	}
	return astgen.Cond{all}
}

// domain returns where a place is an instance of st.
func (l *lowering) domain(st *scop.Stmt, at place) astgen.Cond {
	r := l.rows[st]
	return conj(at, r.first, r.last, r.space)
}

// element returns the element that an access of st means at a place, which exists where all subscripts are within the extents.
func (l *lowering) element(st *scop.Stmt, a *scop.Access, at place) gpu.Element {
	x := gpu.Element{Array: a.Array}
	var exists []affine.Expr
	for k, s := range l.subscripts(st, a) {
		s = s.Subst(at)
		if m := a.Index[k].Mod; m > 0 {
			x.Index = append(x.Index, affine.Modulo(s, m))
			continue
		}
		x.Index = append(x.Index, s)
		extent := l.space.Scop.Sum(a.Array.Extents[k], nil)
		exists = append(exists, s, extent.Minus(s).Add(-1))
	}
	x.Exists = astgen.Cond{exists}
	return x
}

// useful returns the element of the results of a row at a place. It exists where an instance may read it that runs: no later than the time loop ends,
// nor before it begins by more than there is between the row and its readers. Elsewhere another tile might be writing it.
func (l *lowering) useful(r *row, at place) gpu.Element {
	x := l.element(r.stmt, l.write[r.stmt.Order], at)
	rows := l.rows[r.stmt]
	later := place{}
	for name, v := range at {
		later[name] = v
	}
	most := int64(0)
	for _, st := range l.space.Scop.Stmts {
		for _, src := range l.sources[st.Order] {
			if src.stmt == r.stmt {
				most = max(most, l.iteration(r.step+src.steps)-l.iteration(r.step))
			}
		}
	}
	later[timeVar] = at[timeVar].Add(most)
	for _, y := range rows.first {
		x.Exists[0] = append(x.Exists[0], y.Subst(later))
	}
	for _, y := range rows.last {
		x.Exists[0] = append(x.Exists[0], y.Subst(at))
	}
	return x
}

// final returns where an instance of st at a place is the last one that writes its element, which somebody may read behind the region.
func (l *lowering) final(st *scop.Stmt, at place) astgen.Cond {
	c := astgen.Cond{}
	for _, x := range l.lasts(st) {
		c = append(c, []affine.Expr{x.Subst(at).Negated()})
	}
	return c
}

// lasts returns what holds where an instance of st is not the last that writes its element; nothing if nobody reads it behind the region.
func (l *lowering) lasts(st *scop.Stmt) (rows []affine.Sum) {
	if l.write[st.Order].Array.Local {
		return nil
	}
	again := place{timeVar: affine.Var(timeVar).Add(l.again[st.Order])}
	for _, x := range l.rows[st].last {
		rows = append(rows, x.Subst(again))
	}
	return rows
}

// full returns where, from beat Beat to Last, all points of the tiles that any warp runs or whose rows it copies are instances, none of them the last
// that writes its element.
func (l *lowering) full(p *gpu.Pipeline) astgen.Cond {
	all := []affine.Expr{}
	for _, st := range l.space.Scop.Stmts {
		r := l.rows[st]
		for _, list := range [][]affine.Sum{r.first, r.last, r.space, l.lasts(st)} {
			for _, x := range list {
				all = append(all, l.least(p, st, x))
			}
		}
	}
	return astgen.Cond{all}
}

// least returns the least value of x among the points of st.
func (l *lowering) least(p *gpu.Pipeline, st *scop.Stmt, x affine.Sum) affine.Sum {
	t, c0, c1 := x.Coef(timeVar), x.Coef(placeVars[0]), x.Coef(placeVars[1])
	beat, before, behind := l.vars.Beat, -int64(p.Period*(p.Warps+1)), int64(p.Ahead)+l.depth
	if c1 < 0 {
		beat, before = l.vars.Last, behind
	}
	out := x.Without(timeVar).Without(placeVars[0]).Without(placeVars[1])
	out = out.Plus(affine.Var(l.vars.Time).Times(t)).Plus(affine.Var(l.vars.Column).Times(c0)).Plus(affine.Var(beat).Times(c1))
	least, some := int64(0), false
	for a := range l.height {
		r := l.row(a)
		if r.stmt != st {
			continue
		}
		for _, column := range []int64{r.own.lo, r.own.hi} {
			v := t*l.iteration(a) + c0*column + c1*(before+r.offset)
			if !some || v < least {
				least, some = v, true
			}
		}
	}
	return out.Add(least)
}

// kernel returns the kernel of a phase.
func (l *lowering) kernel(p *astgen.Program, launch astgen.Launch, pipe *gpu.Pipeline) *gpu.Kernel {
	s := p.Schedule
	ph := s.Phases[launch.Phase]
	loop, ok := launch.Body.(astgen.For)
	if !ok || loop.Role != schedule.Block {
		panic("stream: a launch without blocks")
	}
	along, ok := loop.Body.(astgen.For)
	if !ok {
		panic("stream: tiles of a block without a loop")
	}
	hex, offset := ph.Space[0], ph.Space[1].Offset
	behind := int64(pipe.Period * pipe.Warps)
	k := &gpu.Kernel{
		Name: l.space.Scop.Function + "_phase" + string(rune('0'+launch.Phase)), Phase: launch.Phase,
		Grid:    []gpu.Axis{{Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi}},
		Threads: [3]int{pipe.Threads(), 1, 1},
	}
	t := affine.Var(p.Names.T)
	time := affine.Floor(t.Times(s.Height).Add(-ph.TimeShift), int64(l.space.K))
	column := affine.Var(loop.Var).Times(hex.Stride).Plus(t.Times(hex.Drift)).Add(hex.Offset)
	k.Body = []gpu.Node{gpu.Stream{
		Pipeline: pipe, Time: time, Column: column,
		Lo:  affine.Offset(along.Lo, offset-l.depth+1-int64(pipe.Ahead)),
		Hi:  affine.Offset(along.Hi, offset+behind),
		Lag: s.Waits.Steps[launch.Phase].Lag + int64(pipe.Every-1+pipe.Ahead) + l.spread() + behind,
	}}
	return k
}

// spread returns for how many beats a chain writes to a row, and to the elements beside those that another chain copies from
// it: what a multiprocessor's cache holds of them is the same as in memory once all are written.
func (l *lowering) spread() int64 {
	lo, hi := l.tile.rows[0].offset, l.tile.rows[0].offset
	for _, r := range l.tile.rows {
		lo, hi = min(lo, r.offset), max(hi, r.offset)
	}
	return hi - lo
}
