package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/poly"
)

// This file finds conditions on sizes that keep what is wrong from running. A nest that was divided at its borders has parts that only the
// least sizes have: both ends of a mirrored line are one point for n = 1, where
//
//	A[i == 0 ? 1 : i - 1]
//
// is outside of the array whenever that part runs. The other parts have larger sizes, and those are what the program is for.

// factsAgainst returns conditions on parameters under which wrong, values of parameters for which n runs where given hold, are not met, if some
// run satisfies them, of n or, where sizes are large, of another part of its loops.
func (fs *facts) factsAgainst(wrong poly.Set, n *nest, given []linear) (found []linear, ok bool) {
	fr := fs.frame()
	if own := fs.runsWhere(n, given); !own.IsSubset(wrong) {
		if found, ok = fr.negation(wrong.Gist(own), append(fs.known(), fr.implied(own)...)); ok {
			return found, true
		}
	}
	all := fs.partsRun(n, given)
	if all.IsSubset(wrong) {
		return nil, false
	}
	given = append(fs.known(), fr.implied(all)...)
	if found, ok = fr.beyond(wrong.Gist(all), given, growsWithAll); !ok {
		found, ok = fr.negation(wrong.Gist(all), given)
		ok = ok && !slices.ContainsFunc(found, func(f linear) bool { // they are about what branches ask for, and no sizes
			return slices.ContainsFunc(f.v, func(t term) bool { return fs.extends(t.of) })
		})
	}
	return found, ok
}

// growsWithAll reports whether f is a constraint that larger values of each of its parameters satisfy.
func growsWithAll(f linear) bool {
	for _, k := range f.v.all() {
		if k <= 0 {
			return false
		}
	}
	return len(f.v) > 0
}

// runs returns the values of parameters for which n has instances.
func (fs *facts) runs(n *nest) poly.Set { return fs.runsWhere(n, fs.known()) }

// runsWhere returns the values of parameters for which n has instances and given hold.
func (fs *facts) runsWhere(n *nest, given []linear) poly.Set {
	fr := fs.frame().with(n.loops)
	return fr.points(slices.Concat(n.constraints, given)).ProjectOut(fr.iterNames...)
}

// partsRun returns the values of parameters for which n, or another part of the loops of the source that it is made of, has instances and
// given hold.
func (fs *facts) partsRun(n *nest, given []linear) poly.Set {
	all := fs.runsWhere(n, given)
	for _, m := range fs.nests {
		if m != n && slices.Equal(m.path, n.path) {
			if runs := fs.runsWhere(m, given); !runs.IsSubset(all) {
				all = all.Union(runs)
			}
		}
	}
	return all.Coalesce()
}

// extends reports whether parameter d is in a bound of some loop, or multiplied with the variable of one in a subscript.
func (fs *facts) extends(d *cc.Declarator) bool {
	for _, n := range fs.nests {
		moves := func(e *cc.Declarator) bool { return inLoops(n.loops, e) }
		for _, c := range n.constraints {
			if c.v.of(d) != 0 && slices.ContainsFunc(n.loops, func(l loop) bool { return c.v.of(l.decl) != 0 }) {
				return true
			}
		}
		for _, x := range n.accesses {
			for m := range x.flat {
				if ds := fs.vars.of(m); slices.Contains(ds, d) && slices.ContainsFunc(ds, moves) {
					return true
				}
			}
		}
	}
	return false
}
