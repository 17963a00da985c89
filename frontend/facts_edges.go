package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file notes where nests reach beyond an array, for what a condition on data may keep inside of it (hostloop_walls.go).

// An edge is how far from the place of a loop, along it, nests use elements of which some are outside of their array.
type edge struct {
	loop   *cc.Declarator
	lo, hi int64   // the least and the greatest distance, at most and at least 0
	at     []where // where elements at another distance than 0 are used
}

// reaches notes that an element is used at w, at a distance along loop d.
func (fs *facts) reaches(d *cc.Declarator, distance int64, w where) {
	k := slices.IndexFunc(fs.edges, func(e edge) bool { return e.loop == d })
	if k < 0 {
		k, fs.edges = len(fs.edges), append(fs.edges, edge{loop: d})
	}
	e := &fs.edges[k]
	if e.lo, e.hi = min(e.lo, distance), max(e.hi, distance); distance != 0 && !slices.Contains(e.at, w) {
		e.at = append(e.at, w)
	}
}

// reachAlong notes all elements that nests use at a distance along loop d.
func (fs *facts) reachAlong(d *cc.Declarator) {
	for _, n := range fs.nests {
		for _, a := range n.accesses {
			for _, s := range a.index { // but for those that are counted from their least one
				if of, distance, ok := n.along(s); ok && of == d && a.array.origin == nil {
					fs.reaches(d, distance, a.where)
				}
			}
		}
	}
}

// along returns the loop of space that s is, but for a distance.
func (n *nest) along(s subscript) (d *cc.Declarator, distance int64, ok bool) {
	if s.mod > 0 || len(s.v) != 1 || len(n.loops) < 2 {
		return nil, 0, false
	}
	for d, factor := range s.v.all() {
		if factor == 1 && inLoops(n.loops[1:], d) {
			return d, s.c, true
		}
	}
	return nil, 0, false
}
