package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// This file ranks the sizes of each kind of tiles for a CPU, for those who measure more of them than the best one, and says what each spends most time with.

// Ranked is sizes, what a point takes with them, and what that goes into for the most part.
type Ranked struct {
	Sizes    schedule.Sizes
	PerPoint float64         // a weight
	Bound    string          // "": not known
	Groups   schedule.Groups // of boxes that overlap
	Shares   Shares
	moved    float64 // as of a Weight
}

// Shares are what PerPoint goes into, and add up to it; all 0: not known. Wait is less than 0 where tiles that start when they can hide some of the rest.
type Shares struct {
	Work  float64 // arithmetic, with what is computed again, and what it reads from the second level meanwhile
	Rows  float64 // starts of rows
	Bytes float64 // what caches and memory move
	Wait  float64 // cores that wait for others
}

// What the time of a point goes into on a CPU.
const (
	boundWork  = "arithmetic and the second level of cache"
	boundAgain = "points that neighbours compute, too"
	boundRows  = "starts of rows"
	boundBytes = "caches and memory"
	boundIdle  = "waiting for other cores"
)

// Hybrid returns what hexagons of some sizes take along a cone that Aligned made, launched in phases or when they are ready.
func (cpu Caches) Hybrid(c *schedule.Canonical, cone schedule.Cone, typical Typical, sizes schedule.Sizes, ready bool) (Ranked, error) {
	t, err := cpu.tile(c, cone, typical)
	if err != nil {
		return Ranked{}, err
	}
	t.resize(sizes)
	return t.ranked(ready), nil
}

func (t cacheTile) ranked(ready bool) Ranked {
	w, whenReady := t.weights()
	if ready {
		w = whenReady
	}
	parts, cost := t.parts()
	r := Ranked{Sizes: t.sizes, PerPoint: w.PerPoint, moved: w.moved}
	r.spend(parts, w.PerPoint-cost)
	return r
}

// RankedHexagons returns hexagons of a cone that Aligned made, the best first, launched in phases or when they are ready.
func (cpu Caches) RankedHexagons(c *schedule.Canonical, cone schedule.Cone, typical Typical, ready bool) (all []Ranked, err error) {
	t, err := cpu.tile(c, cone, typical)
	if err != nil {
		return nil, err
	}
	hs := schedule.LegalH(c.K)
	for _, h := range hs {
		for _, sizes := range widths(c, cone, h, widthFactor(len(c.Space), len(hs))) {
			t.resize(sizes)
			all = append(all, t.ranked(ready))
		}
	}
	return bestOf(all, t.grid), nil
}

// parts are what the time of a point goes into; again is points of overlapping boxes that are other tiles' own.
type parts struct{ work, again, rows, bytes float64 }

func (p parts) plus(q parts) parts {
	return parts{p.work + q.work, p.again + q.again, p.rows + q.rows, p.bytes + q.bytes}
}

func (p parts) over(n float64) parts { return parts{p.work / n, p.again / n, p.rows / n, p.bytes / n} }

// bound names the largest part, where waiting takes so much besides.
func (p parts) bound(waiting float64) string {
	name, most := boundWork, p.work
	for _, x := range []struct {
		name string
		part float64
	}{{boundAgain, p.again}, {boundRows, p.rows}, {boundBytes, p.bytes}, {boundIdle, waiting}} {
		if x.part > most {
			name, most = x.name, x.part
		}
	}
	return name
}

// spend says what the time of r goes into.
func (r *Ranked) spend(p parts, waiting float64) {
	r.Bound, r.Shares = p.bound(waiting), Shares{p.work + p.again, p.rows, p.bytes, waiting}
}

// parts returns what cost is made of, and cost.
func (t cacheTile) parts() (p parts, cost float64) {
	cost, _ = t.cost()
	p.work, p.rows = pointWork+nearAgain*t.reread(), t.rowTime()
	p.bytes = cost - p.work - p.rows
	return p, cost
}

// RankedBoxes returns boxes of space, the best first.
func (cpu Caches) RankedBoxes(c *schedule.Canonical, typical Typical) (all []Ranked, err error) {
	g, err := NewGrid(c, typical)
	if err != nil {
		return nil, err
	}
	if c.Sweeps != nil {
		return []Ranked{{Sizes: cpu.columns(c, g)}}, nil
	}
	s := cpu.sweep(c, g)
	for _, w := range boxWidths(len(g.Space)) {
		all = append(all, s.ranked(w))
	}
	return bestOf(all, g), nil
}

// Boxed returns what boxes of space take.
func (cpu Caches) Boxed(c *schedule.Canonical, typical Typical, sizes schedule.Sizes) (Ranked, error) {
	g, err := NewGrid(c, typical)
	if err != nil || c.Sweeps != nil {
		return Ranked{Sizes: sizes}, err
	}
	return cpu.sweep(c, g).ranked(sizes.W), nil
}

func (s sweep) ranked(w []int64) Ranked {
	r := Ranked{Sizes: schedule.Sizes{H: schedule.NoHeight, W: w}, PerPoint: s.boxed(w).PerPoint}
	var p parts
	points, whole := 0.0, extentOf(s.grid, len(w)-1)
	row := whole / math.Ceil(whole/float64(w[len(w)-1]))
	for _, n := range s.nests {
		p.work += pointWork * n.points
		p.rows += (rowStart + n.rows*(rowTouched+rowFar)) / row * n.points
		points += n.points
	}
	if points > 0 {
		p.work, p.rows = p.work/points, p.rows/points
		p.bytes = r.PerPoint - p.work - p.rows
		r.spend(p, 0)
	}
	return r
}

// Plain returns what the loops take as they are written, each outermost loop over space in parallel.
func (cpu Caches) Plain(c *schedule.Canonical, typical Typical) (float64, error) {
	g, err := NewGrid(c, typical)
	if err != nil {
		return 0, err
	}
	return cpu.sweep(c, g).untiled().PerPoint, nil
}

// RankedParallelograms returns parallelograms, the best first.
func (cpu Caches) RankedParallelograms(c *schedule.Canonical, cone schedule.Cone, typical Typical) (all []Ranked, err error) {
	t, err := cpu.slantedTile(c, cone, typical)
	if err != nil {
		return nil, err
	}
	hs := schedule.LegalH(c.K)
	for _, h := range hs {
		for _, w := range parallelogramWidths(len(c.Space), widthFactor(len(c.Space), len(hs))) {
			t.resize(schedule.Sizes{H: h, W: w})
			all = append(all, t.rankedParallelogram())
		}
	}
	return bestOf(all, t.grid), nil
}

// Parallelogram returns what parallelograms of some sizes take.
func (cpu Caches) Parallelogram(c *schedule.Canonical, cone schedule.Cone, typical Typical, sizes schedule.Sizes) (Ranked, error) {
	t, err := cpu.slantedTile(c, cone, typical)
	if err != nil {
		return Ranked{}, err
	}
	t.resize(sizes)
	return t.rankedParallelogram(), nil
}

func (t cacheTile) rankedParallelogram() Ranked {
	p, cost := t.parallelogramParts()
	w := t.parallelogram()
	r := Ranked{Sizes: t.sizes, PerPoint: w.PerPoint, moved: w.moved}
	r.spend(p, r.PerPoint-cost)
	return r
}

// RankedOverlapping returns boxes that overlap, the best first; the error says that they do not apply.
func (cpu Caches) RankedOverlapping(c *schedule.Canonical, deps []schedule.Dependence, groups schedule.Groups, typical Typical) (all []Ranked, err error) {
	w, one, err := cpu.overlappingOf(c, deps, groups, typical)
	if err != nil {
		return nil, err
	}
	for _, widths := range w.widths() {
		all = append(all, w.ranked(one.Phases, widths, groups))
	}
	return bestOf(all, w.grid), nil
}

// Overlapped returns what boxes that overlap take with some sizes.
func (cpu Caches) Overlapped(c *schedule.Canonical, deps []schedule.Dependence, groups schedule.Groups, typical Typical, sizes schedule.Sizes) (Ranked, error) {
	w, one, err := cpu.overlappingOf(c, deps, groups, typical)
	if err != nil {
		return Ranked{}, err
	}
	r := w.ranked(one.Phases, sizes.W, groups)
	r.Sizes = sizes
	return r, nil
}

func (w overlapping) ranked(phases []schedule.Phase, widths []int64, groups schedule.Groups) Ranked {
	e := w.all(phases, widths)
	r := Ranked{Sizes: e.Sizes, PerPoint: e.PerPoint, Groups: groups}
	r.spend(e.parts, e.waiting())
	return r
}

// bestOf returns the best few, the best first, but none of sizes that are nearly those of a better one: what the model weighs alike is measured alike, mostly.
func bestOf(all []Ranked, g Grid) (best []Ranked) {
	all = slices.DeleteFunc(all, func(r Ranked) bool { return math.IsNaN(r.PerPoint) })
	slices.SortStableFunc(all, func(x, y Ranked) int { return cmp.Compare(x.PerPoint, y.PerPoint) })
	if len(all) > 0 {
		all = frugal(all, func(r Ranked) Weight { return Weight{PerPoint: r.PerPoint, moved: r.moved} })
	}
	for _, x := range all {
		if len(best) < keep && !slices.ContainsFunc(best, func(y Ranked) bool { return g.nearly(x.Sizes, y.Sizes) }) {
			best = append(best, x)
		}
	}
	return best
}

// nearly reports whether no size differs by more than a quarter of it. Tiles wider than the grid are as wide as it.
func (g Grid) nearly(x, y schedule.Sizes) bool {
	like := func(a, b int64) bool { return 4*max(a, b) <= 5*min(a, b) }
	for p, w := range x.W {
		whole := g.Space[p].Hi + 1 // tiles of space begin at 0
		if !like(min(w, max(1, whole)), min(y.W[p], max(1, whole))) {
			return false
		}
	}
	return x.H == y.H || like(x.H+1, y.H+1)
}

// Measurable returns the sizes of a grid that is soon run: those given, and in place of those that
// are assumed smaller ones, about 2^22 points of space and 100 steps. It is for measuring where the user has said nothing.
func Measurable(c *schedule.Canonical, given Typical) (Typical, error) {
	g, err := NewGrid(c, given)
	if err != nil {
		return nil, err
	}
	out := Typical{}
	side := math.Pow(1./32, 1/float64(max(1, len(c.Space))))
	known := facts{c.Scop.Context}
	for i, v := range g.Values {
		x := v.Value
		if v.From == "assumed" && boundsTime(c.Scop, i) {
			x = min(x, measurableSteps)
		} else if v.From == "assumed" && !shrinks(c.Scop, i) {
			x = max(1, int64(math.Round(float64(x)*side)))
		}
		if !known.allow(v.Name, x) {
			x = known.near(v.Name, x).Value
		}
		out[v.Name] = x
		known = known.with(v.Name, x)
	}
	return out, nil
}

// measurableSteps is how many steps run where nothing is known of how many there are.
const measurableSteps = 100

// Bound names what a tile of a GPU takes the longest for.
func (c Cost) Bound() string {
	name, most := "instructions", c.Issue
	for _, x := range []struct {
		name string
		part float64
	}{{"global memory", c.Global}, {"shared memory", c.Shared}, {"waiting for memory and barriers", c.Wait}} {
		if x.part > most {
			name, most = x.name, x.part
		}
	}
	if c.Overhead > 0.5 {
		return "time between kernels"
	}
	return name
}
