package schedule

// This file answers in numbers which tiles have ended when others start, by the order that waits keep (chains.go).

// A Link is the tiles of a chain at one place along it.
type Link struct {
	Time  int64
	Phase int
	At    [3]int64 // by dimension that tells chains apart
	Place int64    // of the outermost dimension along the chain; 0 if there is none
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
		if r.c.Along && time == 0 && x.Phase == y.Phase && x.At[0] < y.At[0] {
			return x.Place <= y.Place
		}
		return time == 0 && x.Phase == y.Phase && x.At == y.At && x.Place < y.Place
	}
	p := r.paths[x.Phase][y.Phase]
	for i := range r.c.Blocks {
		d := y.At[i] - x.At[i]
		if d < p.base.Lo[i]+time*p.full.Lo[i] || d > p.base.Hi[i]+time*p.full.Hi[i] && !r.c.Along {
			return false
		}
	}
	return x.Place <= y.Place+p.base.Lag+time*p.full.Lag
}
