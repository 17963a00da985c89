package schedule

import (
	"cmp"
	"slices"
)

// This file answers in numbers which tiles have ended when others start, by the order that waits keep (chains.go).

// A Link is the tiles of a chain at one place along it.
type Link struct {
	Time  int64
	Phase int
	At    [3]int64 // by dimension that tells chains apart
	Place int64    // of the outermost dimension along the chain; 0 if there is none
}

// Sources returns the chains that that of x waits for, each with Place 0, whether there are such or not. No more than three dimensions
// tell chains apart.
func (c Chains) Sources(x Link) (all []Link) {
	w := c.Steps[x.Phase]
	x.Place = 0
	if c.Along {
		before := x
		before.At[c.Blocks-1]--
		all = append(all, before)
	}
	first := len(all)
	all = append(all, Link{Time: x.Time - w.Time, Phase: w.From, At: x.At})
	for i := range w.Lo {
		wider := slices.Clone(all[:first])
		for _, y := range all[first:] {
			for d := w.Lo[i]; d <= w.Hi[i]; d++ {
				y.At[i] = x.At[i] - d
				wider = append(wider, y)
			}
		}
		all = wider
	}
	return all
}

// Diagonal returns how many places along the last dimension that tells chains apart count as much as a phase, where chains are taken along diagonals:
// in the order of n times the phases before one's own, and its place. What waits for the one before it would else be taken long before it can run.
// All that a chain waits for lies on a diagonal before its own. 0: phases are taken one after the other.
func (c Chains) Diagonal() (n int64) {
	if !c.Along || c.Blocks < 2 {
		return 0
	}
	n = leastDiagonal
	for _, w := range c.Steps {
		n = max(n, 1-w.Lo[c.Blocks-1])
	}
	return n
}

// leastDiagonal is the least Diagonal. In a simulation of whole runs on 512^3 that knows what turns at borders take, blocks were busy for .84 of the time with 2, .82 with 3, .79
// with 4 and .73 with 6: the less it is, the longer behind the strip before its own a chain is taken, and the less it is held up by a slow one at the top.
const leastDiagonal = 2

// Tickets puts chains, which are in the order of phases, into that in which they are taken.
func (c Chains) Tickets(all []Link) {
	n := c.Diagonal()
	if n == 0 {
		return
	}
	on := func(x Link) int64 { return n*(x.Time*int64(len(c.Steps))+int64(x.Phase)) + x.At[c.Blocks-1] }
	slices.SortStableFunc(all, func(x, y Link) int { return cmp.Compare(on(x), on(y)) })
}

// A Reach answers which links have ended when others start.
type Reach struct {
	paths [][]path
	c     Chains
}

// Reach returns the order that the waits of c keep, in numbers.
func (c Chains) Reach() Reach {
	r := Reach{c: c}
	for from := range c.Steps {
		r.paths = append(r.paths, nil)
		for to := range c.Steps {
			r.paths[from] = append(r.paths[from], c.sum(from, to))
		}
	}
	return r
}

// Before reports whether x has ended when y starts.
func (r Reach) Before(x, y Link) bool {
	time := y.Time - x.Time
	if time < soonest(x.Phase, y.Phase) {
		if last := r.c.Blocks - 1; r.c.Along && time == 0 && x.Phase == y.Phase && x.At[last] < y.At[last] {
			here := x
			if here.At[last] = y.At[last]; here.At == y.At {
				return x.Place <= y.Place
			}
		}
		return time == 0 && x.Phase == y.Phase && x.At == y.At && x.Place < y.Place
	}
	p := r.paths[x.Phase][y.Phase]
	for i := range r.c.Blocks {
		d := y.At[i] - x.At[i]
		if d < p.base.Lo[i]+time*p.full.Lo[i] || d > p.base.Hi[i]+time*p.full.Hi[i] && !r.c.open(i) {
			return false
		}
	}
	return x.Place <= y.Place+p.base.Lag+time*p.full.Lag
}
