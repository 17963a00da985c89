package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file puts the parts of a nest whose loops count down into the order in which the source runs them, where those of loops that count up
// already are: of
//
//	for (i = n - 1; i >= 0; i--)
//	  A[i] = f(A[(i + n - 1) % n], A[i], A[(i + 1) % n]);
//
// the part i = n - 1 comes first, and then i = 0 may read what it left. That they may run one after the other is proved as ever.

// asTheyRan returns parts of n in the order of its loops, outside in, where a loop tells.
func (nr *nestReader) asTheyRan(n *nest, parts []part) []part {
	if !slices.ContainsFunc(n.loops, func(l loop) bool { return l.down }) {
		return parts
	}
	others, fr := copiesOf(n.loops[1:]), nr.frame().with(n.loops)
	fr = fr.with(others)
	var sorted []part
	for _, q := range parts {
		at := len(sorted)
		for at > 0 && nr.ranBefore(n, fr, others, q, sorted[at-1]) {
			at--
		}
		sorted = slices.Insert(sorted, at, q)
	}
	return sorted
}

// copiesOf returns loops with variables of their own.
func copiesOf(loops []loop) []loop {
	copies := slices.Clone(loops)
	for k := range copies {
		copies[k].decl = new(cc.Declarator) // stands for itself only
		copies[k].name += "_"
	}
	return copies
}

// ranBefore reports whether, by the first loop of n that tells, all instances of p ran before those of q. fr has the variables of n, and others, which
// stand for those of q.
func (nr *nestReader) ranBefore(n *nest, fr frame, others []loop, p, q part) bool {
	constraints := slices.Concat(n.constraints, p.constraints, nr.declaredFacts())
	for _, r := range slices.Concat(n.constraints, q.constraints) {
		for k, l := range n.loops[1:] {
			if c := r.v.of(l.decl); c != 0 {
				r = r.plus(-c, variable(l.decl)).plus(c, variable(others[k].decl))
			}
		}
		constraints = append(constraints, r)
	}
	for k, l := range n.loops[1:] {
		ahead := variable(others[k].decl).sub(variable(l.decl)) // of q
		if l.down {
			ahead = ahead.scale(-1)
		}
		if fr.none(slices.Concat(constraints, []linear{ahead.scale(-1)})) {
			return true
		}
		if fr.none(slices.Concat(constraints, []linear{ahead})) {
			return false
		}
	}
	return false
}
