package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/schedule"
)

// Generate returns the loops of s: for each time tile, a launch for each phase;
// in a launch, loops over the tiles; in a tile, its steps spelled out, once for
// full tiles and once, with bounds clipped to the domains, for the others.
func Generate(s *schedule.Schedule) (*Program, error) {
	if s.Fronts != nil {
		return fronts(s)
	}
	n := NamesOf(s)
	if s.Stream() != nil {
		used := UsedNames(s.Canonical.Scop)
		for _, name := range slices.Concat([]string{n.T}, n.Tiles, n.Points) {
			used.Fresh(name)
		}
		n.Plane = used.Fresh("plane")
		return generate(s, n, func(phase int, all []Slice, k Known) Node { return inPlanes(s, n, phase, all, k) })
	}
	if s.Canonical.Ways != nil { // a tile holds so much that steps are loops anyway: full tiles gain nothing
		return generate(s, n, func(phase int, all []Slice, k Known) Node { return partialTile(n, phase, all, k) })
	}
	return generate(s, n, func(phase int, all []Slice, k Known) Node { return tiles(s, n, phase, all, k) })
}

// generate returns the loops around tiles, whose bodies tile returns for the
// slices of a phase and what is known inside of the loops.
func generate(s *schedule.Schedule, n Names, tile func(int, []Slice, Known) Node) (*Program, error) {
	p := &Program{Schedule: s, Names: n}
	var launches Block
	var shadows []shadow
	phases := parallel.Map(parallel.Numbers(len(s.Phases)), func(i int) []Slice { return Slices(s, n, i) })
	for _, all := range phases {
		for _, at := range owned(all) {
			shadows = append(shadows, shadowOf(at, n).only(n.Tiles))
		}
	}
	lo, hi := hull(shadows, n.T)
	k := Known{context: s.Canonical.Scop.Context}.within(n.T, lo, hi)
	busy := k.whereBusy(s.Canonical.Scop)
	p.Known = make([]Known, len(phases))
	for _, l := range parallel.Map(parallel.Numbers(len(phases)), func(i int) Launch {
		l := Launch{Phase: i}
		l.Body, p.Known[i] = launchBody(s, n, i, phases[i], k, tile)
		if len(s.Versions) == 0 { // else all tiles hand on what they own
			l.Work = workOf(s.Canonical.Scop, owned(phases[i]), n, busy)
		}
		return l
	}) {
		launches = append(launches, l)
	}
	p.Body = For{Var: n.T, Lo: lo, Hi: hi, Role: schedule.Host, Body: launches}
	return p, nil
}

// launchBody returns the loops over the tiles of a phase, around the tile
// itself, and what holds inside them. The bounds of loops whose values run in any order are the same
// in all of each other's turns, so that they are a grid.
func launchBody(s *schedule.Schedule, n Names, phase int, all []Slice, k Known, tile func(int, []Slice, Known) Node) (Node, Known) {
	nest := s.Phases[phase].Nest()
	loops := make([]For, len(nest))
	for i, p := range nest {
		name, role := n.Tiles[p], s.Phases[phase].Space[p].Role
		var others []string
		for j, q := range nest {
			if j > i || j < i && role == schedule.Block {
				others = append(others, n.Tiles[q])
			}
		}
		var shadows []shadow
		for _, at := range slices.Concat(owned(all), elementsOf(s, n, phase)) {
			shadows = append(shadows, shadowOf(at, n).only(others))
		}
		lo, hi := hull(shadows, name)
		loops[i] = For{Var: name, Lo: lo, Hi: hi, Role: role}
		k = k.within(name, lo, hi)
	}
	body := tile(phase, all, k)
	for p := len(loops) - 1; p >= 0; p-- {
		loops[p].Body = body
		body = loops[p]
	}
	return body, k
}

// tiles returns the body of one tile: full or partial by its condition. All are partial where a full one would run nothing that writes an array of which it hands
// the elements on that it owns, from one version to the other: what it owns of that is not known to fill it.
func tiles(s *schedule.Schedule, n Names, phase int, all []Slice, k Known) Node {
	partial := partialTile(n, phase, all, k)
	sep := separate(all, n, k)
	if len(sep.cond) == 0 || slices.ContainsFunc(s.Versions, func(v schedule.Version) bool { return !sep.writes(all, v.Array) }) {
		return partial
	}
	full := Tile{Phase: phase, Full: true}
	for _, at := range all {
		if !sep.absent[at.Stmt] {
			full.Steps = append(full.Steps, FullStep(at, n))
		}
	}
	return If{Cond: sep.cond, Then: full, Else: partial}
}

// partialTile returns the steps of a tile that may be partial.
func partialTile(n Names, phase int, all []Slice, k Known) Tile {
	t := Tile{Phase: phase}
	for _, at := range all {
		t.Steps = append(t.Steps, partialStep(at, n, k))
	}
	return t
}

// FullStep returns the step of a full tile: all points of the box.
func FullStep(at Slice, n Names) Step {
	st := Step{A: at.A, Stmt: at.Stmt, Iters: exprs(at.Iters), Ordered: at.Ordered, Way: at.Way}
	for p, b := range n.Points {
		st.Loops = append(st.Loops, Loop{Var: b, Lo: affine.Num(at.Lo[p]), Hi: affine.Num(at.Hi[p]), BoxLo: at.Lo[p], BoxHi: at.Hi[p]})
	}
	return st
}

// partialStep returns the points of the box that make all rows >= 0. A row
// bounds the innermost loop in it; rows without local coordinates are the guard.
func partialStep(at Slice, n Names, k Known) Step {
	st := FullStep(at, n)
	var guard shadow
	for _, r := range at.Rows {
		r = r.Tighten()
		p := innermost(r, n.Points)
		if p < 0 {
			if !k.Implies(r) {
				guard = guard.with(r)
			}
			continue
		}
		lo, hi := affine.Solve(r, n.Points[p])
		loop := &st.Loops[p]
		if lo != nil {
			loop.Lo = affine.MaxOf(loop.Lo, lo)
		}
		if hi != nil {
			loop.Hi = affine.MinOf(loop.Hi, hi)
		}
	}
	if len(guard) > 0 {
		st.Guard = Cond{exprs(guard)}
	}
	return st
}

// innermost returns the index of the last variable that occurs in r, -1 if none does.
func innermost(r affine.Sum, vars []string) int {
	for p := len(vars) - 1; p >= 0; p-- {
		if r.Coef(vars[p]) != 0 {
			return p
		}
	}
	return -1
}
