package model

import (
	"fmt"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says what the loops would take as they are written: what tiling has to be
// better than. On a GPU that is a launch for each nest of each time step, with a
// thread for each point of the whole grid, which loads each element once and
// finds it in a cache from then on: no kernel without tiles in time does better.

// An Estimate is what a run takes by the model.
type Estimate struct {
	Sizes    schedule.Sizes // of tiles; the zero value where nothing is tiled
	Launches int64
	Blocks   int64   // of the launch with the most; 0 where nothing is tiled
	Seconds  float64 // of the whole run
	PerPoint float64 // seconds by point
}

// Untiled returns what the loops of c take at best, if each nest of each step is a
// launch on d. The error, a diag.List, says what is wrong with the typical sizes.
func Untiled(c *schedule.Canonical, d machine.Device, typical Typical) (Estimate, error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return Estimate{}, err
	}
	lanes := d.FP32
	if usesDouble(c.Scop) && d.FP64 > 0 {
		lanes = d.FP64
	}
	var e Estimate
	for _, st := range c.Scop.Stmts {
		n, ok := nestOf(c, st, grid)
		if !ok {
			continue
		}
		operations := n.points * float64(st.Operations())
		instructions := n.points*float64(len(st.Accesses)+perPoint) + operations
		clocks := max( // of all multiprocessors
			globalLatency+sharedLatency,
			n.bytes/(float64(d.GBs)*1e9)*d.Hertz(),
			n.accessed/float64(d.SharedPerClock*d.SMs),
			instructions/float64(d.Warp*d.Partitions*d.SMs),
			operations/float64(lanes*d.SMs),
		)
		e.Launches += n.steps
		e.Seconds += float64(n.steps) * (launchSeconds + clocks/d.Hertz())
	}
	e.PerPoint = e.Seconds / float64(max(1, grid.Points))
	return e, nil
}

// A nest is what one time step of a loop nest does.
type nest struct {
	steps    int64   // how many there are
	points   float64 // of a step
	bytes    float64 // of the elements that a step reads, and of those that it writes
	written  float64 // of bytes, those written
	accessed float64 // bytes of all accesses
}

// nestOf returns the nest of st on a grid; ok is false if it has no points.
func nestOf(c *schedule.Canonical, st *scop.Stmt, g Grid) (n nest, ok bool) {
	params := make([]int64, len(g.Values))
	for i, v := range g.Values {
		params[i] = v.Value
	}
	loops := scop.NewNest(st, params)
	lo, hi, ok := loops.Box()
	if !ok {
		return n, false
	}
	n.steps = hi[0] - lo[0] + 1
	n.points = float64(pointsOf(loops, lo, hi)) / float64(n.steps)
	box := 1.0
	for d := 1; d < len(lo); d++ {
		box *= float64(hi[d]-lo[d]) + 1
	}
	planes := map[string]*plane{}
	var order []string
	for _, a := range st.Accesses {
		n.accessed += n.points * float64(a.Array.Elem.Size())
		p, key := planeOf(a, params, lo, hi)
		if have := planes[key]; have != nil {
			have.join(p)
			continue
		}
		planes[key], order = &p, append(order, key)
	}
	for _, key := range order {
		p := planes[key]
		bytes := p.elements() * min(1, n.points/box) * p.size
		n.bytes += bytes
		if p.write {
			n.written += bytes
		}
	}
	return n, n.points > 0
}

// A plane is what a step reads of an array, or writes, by subscripts that differ in constants only.
type plane struct {
	lo, hi []int64 // of the subscripts that loops over space have a part in
	each   float64 // elements of one access
	count  int     // accesses
	size   float64 // bytes of an element
	write  bool
}

// planeOf returns what one access touches in a step, and what those have in common
// that may touch the same.
func planeOf(a *scop.Access, params, lo, hi []int64) (p plane, key string) {
	p = plane{each: 1, count: 1, size: float64(a.Array.Elem.Size()), write: a.Write}
	key = fmt.Sprint(a.Array.Name, a.Write)
	used := make([]bool, len(lo))
	for _, x := range a.Index {
		least, follows := x.Affine.At(make([]int64, len(lo)), params), false
		most := least
		for d := 1; d < len(lo); d++ {
			if k := x.Coef(d); k != 0 {
				least, most = least+min(k*lo[d], k*hi[d]), most+max(k*lo[d], k*hi[d])
				used[d], follows = true, true
				key += fmt.Sprint(" ", d, "*", k)
			}
		}
		key += fmt.Sprint(" t*", x.Coef(0), " mod ", x.Mod)
		switch {
		case !follows:
			key += fmt.Sprint(" + ", x.At(make([]int64, len(lo)), params))
			least, most = 0, 0
		case x.Mod > 0:
			least, most = 0, min(x.Mod-1, most-least)
		}
		p.lo, p.hi = append(p.lo, least), append(p.hi, most)
	}
	for d := 1; d < len(lo); d++ {
		if used[d] {
			p.each *= float64(hi[d]-lo[d]) + 1
		}
	}
	return p, key
}

// join adds what another access touches.
func (p *plane) join(q plane) {
	for i := range p.lo {
		p.lo[i], p.hi[i] = min(p.lo[i], q.lo[i]), max(p.hi[i], q.hi[i])
	}
	p.count++
}

// elements returns about how many elements the accesses touch: no more than the box
// around them has, nor than they touch one by one.
func (p *plane) elements() float64 {
	box := 1.0
	for i := range p.lo {
		box *= float64(p.hi[i]-p.lo[i]) + 1
	}
	return min(box, p.each*float64(p.count))
}
