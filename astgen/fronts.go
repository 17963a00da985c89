package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file writes tiles that run front by front (schedule/fronts.go): a loop on the host over fronts, in which tiles of any T and place
// run at once,
//
//	for front:  for T, S1, ..:  S0 = front - N·T - S1 - ..
//
// and in a tile a loop over the waves of its points. Each wave has points of all steps, of which the last coordinate follows from the
// others. Coordinates y0, y1, .. lean as the tile does, so that they have the same bounds at each step:
//
//	for wave:  for q, y0, ..:  yn = wave - e·a - y0 - ..     b_p = y_p + Lo_p[a],  a = K·q + level

// fronts returns the loops of s, which has fronts.
func fronts(s *schedule.Schedule) (*Program, error) {
	n := NamesOf(s)
	used := UsedNames(s.Canonical.Scop)
	for _, name := range slices.Concat([]string{n.T}, n.Tiles, n.Points) {
		used.Fresh(name)
	}
	n.Front, n.Wave, n.Step = used.Fresh("front"), used.Fresh("wave"), used.Fresh("q")
	for p := range n.Points {
		n.Lean = append(n.Lean, used.Fresh("y"+n.Points[p][1:]))
	}
	f := fronting{s: s, n: n, all: Slices(s, n, 0), count: s.Height / int64(s.Canonical.K)}
	for _, at := range f.all {
		f.shadows = append(f.shadows, shadowOf(at, n))
	}
	f.common = weakest(f.shadows)
	loops, k := f.loops(), Known{context: s.Canonical.Scop.Context}
	for _, l := range loops {
		k = k.within(l.Var, l.Lo, l.Hi)
	}
	body, k := f.tile(k)
	for i := len(loops) - 1; i >= 0; i-- {
		if i == 0 {
			body = Launch{Body: body}
		}
		loops[i].Body = body
		body = loops[i]
	}
	return &Program{Schedule: s, Names: n, Known: []Known{k}, Body: body}, nil
}

// loops returns the loops to tiles, outermost first: over fronts, over what tells the tiles of one apart, and the one value that the front leaves of S0.
func (f fronting) loops() []For {
	n := f.n
	loops := []For{f.between(n.Front, append([]string{n.T}, n.Tiles...)...), f.between(n.T, n.Tiles...)}
	loops[0].Role = schedule.Host
	for p := len(n.Tiles) - 1; p > 0; p-- {
		loops = append(loops, f.between(n.Tiles[p], append([]string{n.T}, slices.Delete(slices.Clone(n.Tiles), p, p+1)...)...))
	}
	only := f.here().Plus(affine.Var(n.Tiles[0]))
	b := f.common.bounds(n.Tiles[0])
	if len(b.lo) == 0 || len(b.hi) == 0 {
		lo, hi := hull(f.shadows, n.Tiles[0])
		b = bound{[]affine.Expr{lo}, []affine.Expr{hi}}
	}
	return append(loops, For{Var: n.Tiles[0], Lo: affine.MaxOf(append(b.lo, only)...), Hi: affine.MinOf(append(b.hi, only)...), Role: schedule.Seq})
}

// here is 0 in the tiles of a front.
func (f fronting) here() affine.Sum { return affine.Var(f.n.Front).Minus(f.n.FrontOf(f.s)) }

// between returns the loop over an index of tiles, or over fronts, whose bounds do without other variables.
func (f fronting) between(name string, without ...string) For {
	busy := Known{context: f.s.Canonical.Scop.Context}.whereBusy(f.s.Canonical.Scop)
	inFront := func(sh shadow) shadow { return busy.project(sh.with(f.here()).with(f.here().Times(-1)), without) }
	all := []shadow{inFront(f.common)}
	if b := all[0].bounds(name); len(b.lo) == 0 || len(b.hi) == 0 {
		all = nil
		for _, sh := range f.shadows {
			all = append(all, inFront(sh))
		}
	}
	lo, hi := hull(all, name)
	return For{Var: name, Lo: lo, Hi: hi, Role: schedule.Block}
}

// FrontOf returns the front of the tile that the variables of n tell.
func (n Names) FrontOf(s *schedule.Schedule) affine.Sum {
	var tiles []affine.Sum
	for _, S := range n.Tiles {
		tiles = append(tiles, affine.Var(S))
	}
	return s.Fronts.TileFront(affine.Var(n.T), tiles...)
}

// A fronting writes the points of tiles wave by wave.
type fronting struct {
	s       *schedule.Schedule
	n       Names
	all     []Slice
	count   int64    // iterations of the time loop in a tile
	shadows []shadow // of all
	common  shadow   // rows over tile indices that hold wherever a tile has an instance
}

// tile returns the body of a tile, and what is known in it, besides k.
func (f fronting) tile(k Known) (Node, Known) {
	n := f.n
	body := Waves{Var: n.Wave}
	lo, hi := f.ends()
	body.Lo, body.Hi = affine.Num(lo), affine.Num(hi)
	k = k.within(n.Wave, body.Lo, body.Hi).within(n.Step, affine.Num(0), affine.Num(f.count-1))
	for p := range n.Lean[:len(n.Lean)-1] {
		k = k.within(n.Lean[p], affine.Num(0), affine.Num(f.width(p)-1))
	}
	for _, own := range byStmt(f.all) {
		body.Steps = append(body.Steps, f.step(own[0], k))
	}
	slices.SortFunc(body.Steps, func(x, y Step) int { return slices.Compare(turn(f.s.Canonical, x.Stmt), turn(f.s.Canonical, y.Stmt)) })
	if rows := f.common.unless(k.Implies); len(rows) > 0 {
		return If{Cond: Cond{exprs(rows)}, Then: body}, k
	}
	return body, k
}

// turn returns when a statement has its turn in a wave: after those of its level that have a lower rank, on which it may depend.
func turn(c *schedule.Canonical, st *scop.Stmt) []int {
	return []int{c.Levels[st.Order], c.Ranks[st.Order], st.Order}
}

// width returns how many points a tile has along dimension p at each step.
func (f fronting) width(p int) int64 {
	d := f.s.Phases[0].Space[p]
	return d.Hi[0] - d.Lo[0] + 1
}

// slope returns by how much tiles move along dimension p from a step to the next.
func (f fronting) slope(p int) int64 {
	lo := f.s.Phases[0].Space[p].Lo
	if len(lo) == 1 {
		return 0
	}
	return lo[1] - lo[0]
}

// first returns the local coordinate of the first point of dimension p, over the iteration q of the time loop and a level.
func (f fronting) first(q affine.Sum, level int64, p int) affine.Sum {
	return q.Times(int64(f.s.Canonical.K)).Add(level).Times(f.slope(p)).Add(f.s.Phases[0].Space[p].Lo[0])
}

// start returns the wave of the point at which all coordinates that lean are 0, seen from the base of the tile.
func (f fronting) start(q affine.Sum, level int64) affine.Sum {
	sum := q.Times(int64(f.s.Canonical.K)).Add(level).Times(f.s.Fronts.Points)
	for p := range f.n.Points {
		sum = sum.Plus(f.first(q, level, p))
	}
	return sum
}

// ends returns the first and the last wave of a tile.
func (f fronting) ends() (lo, hi int64) {
	for i, at := range f.all {
		first := f.start(affine.Num(at.A/int64(f.s.Canonical.K)), at.A%int64(f.s.Canonical.K)).Const
		last := first
		for p := range at.Lo {
			last += at.Hi[p] - at.Lo[p]
		}
		if i == 0 {
			lo, hi = first, last
		}
		lo, hi = min(lo, first), max(hi, last)
	}
	return lo, hi
}

// step returns the points of a statement in a wave.
func (f fronting) step(any Slice, k Known) Step {
	s, n := f.s, f.n
	level := any.A % int64(s.Canonical.K)
	q := affine.Var(n.Step)
	at := sliceOf(s, n, any.Phase, level, any.Stmt, affine.Var(n.T).Times(s.Height/int64(s.Canonical.K)).Plus(q))
	last := len(n.Points) - 1
	by, rest := map[string]affine.Sum{}, affine.Var(n.Wave).Minus(f.start(q, level))
	for p, b := range n.Points {
		y := affine.Var(n.Lean[p])
		if p == last {
			y = rest
		}
		by[b] = y.Plus(f.first(q, level, p))
		rest = rest.Minus(y)
	}
	st := Step{A: level, Stmt: any.Stmt, Loops: []Loop{{Var: n.Step, Lo: affine.Num(0), Hi: affine.Num(f.count - 1), BoxHi: f.count - 1}}}
	for p := range n.Points[:last] {
		st.Loops = append(st.Loops, Loop{Var: n.Lean[p], Lo: affine.Num(0), Hi: affine.Num(f.width(p) - 1), BoxHi: f.width(p) - 1})
	}
	for _, x := range at.Iters {
		st.Iters = append(st.Iters, x.Subst(by))
	}
	for _, r := range at.Fixed() {
		st.Fixed = append(st.Fixed, r.Subst(by))
	}
	y := by[n.Points[last]].Minus(f.first(q, level, last))
	var guard shadow
	for _, r := range append([]affine.Sum{y, affine.Num(f.width(last) - 1).Minus(y)}, at.Rows...) {
		if r = r.Subst(by).Tighten(); !k.Implies(r) && !(r.IsNum() && r.Const >= 0) {
			guard = guard.with(r)
		}
	}
	if len(guard) > 0 {
		st.Guard = Cond{exprs(guard)}
	}
	return st
}

// project returns sh without the variables. Of rows that, where k holds, others imply none is left: in two or more dimensions that lean on each other
// there would be hundreds.
func (k Known) project(sh shadow, without []string) shadow {
	for _, name := range without {
		if sh = sh.eliminate(name).irredundant(k); sh == nil {
			return shadow{affine.Num(-1)}
		}
	}
	return sh
}

// weakest returns the rows that all shadows have, where they are weakest.
func weakest(shadows []shadow) (rows shadow) {
	for i, sh := range shadows {
		if i == 0 {
			rows = sh
		}
		var both shadow
		for _, r := range rows {
			for _, o := range sh {
				if o.Parallel(r) {
					both = append(both, r.Add(max(0, o.Const-r.Const)))
				}
			}
		}
		rows = both
	}
	return rows
}

// Leaning returns sums over local coordinates for the variables of waves, at iteration q of the time loop in a tile and a level: of each point
// there is one value of all of them.
func (n Names) Leaning(s *schedule.Schedule, q, level int64) map[string]affine.Sum {
	f, at := fronting{s: s, n: n}, affine.Num(q)
	by := map[string]affine.Sum{n.Step: at, n.Wave: f.start(at, level)}
	for p, b := range n.Points {
		by[n.Lean[p]] = affine.Var(b).Minus(f.first(at, level, p))
		by[n.Wave] = by[n.Wave].Plus(by[n.Lean[p]])
	}
	return by
}

// Waves returns what a run does, over the variables of waves and in a loop over them, in terms of local coordinates: a run for each iteration of the
// time loop in a tile.
func (n Names) Waves(s *schedule.Schedule, run Run, level int64, waves Range, place int) (runs []Run) {
	if waves.Var != n.Wave || !waves.Ordered {
		Unreadable("a loop over %s in place of one over %s, in order", waves.Var, n.Wave)
	}
	rows := slices.Concat(run.Rows, AtLeast(affine.Var(n.Wave), waves.Lo).Rows(), AtMost(affine.Var(n.Wave), waves.Hi).Rows())
	for q := range s.Height / int64(s.Canonical.K) {
		by := n.Leaning(s, q, level)
		wave := by[n.Wave]
		one := Run{Stmt: run.Stmt, Wave: &wave, Place: place}
		for _, x := range run.Iters {
			one.Iters = append(one.Iters, x.Subst(by))
		}
		none := false
		for _, r := range rows {
			r = r.Subst(by)
			none = none || r.IsNum() && r.Const < 0
			one.Rows = append(one.Rows, r)
		}
		if !none {
			runs = append(runs, one)
		}
	}
	return runs
}

// Later returns, over the variables of waves, the values that they have at the same place in space one iteration of the time loop later, in a tile of s.
func (n Names) Later(s *schedule.Schedule) map[string]affine.Sum {
	f, one := fronting{s: s, n: n}, affine.Num(1)
	by := map[string]affine.Sum{n.Step: affine.Var(n.Step).Add(1)}
	wave := affine.Var(n.Wave).Plus(f.start(one, 0).Minus(f.start(affine.Num(0), 0)))
	for p := range n.Points {
		lean := f.first(affine.Num(0), 0, p).Minus(f.first(one, 0, p))
		by[n.Lean[p]] = affine.Var(n.Lean[p]).Plus(lean)
		wave = wave.Plus(lean)
	}
	by[n.Wave] = wave
	return by
}
