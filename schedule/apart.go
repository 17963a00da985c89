package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file tells which accesses have no element in common, where that costs less than to relate their instances: most pairs of nests that were
// taken apart at borders.

// A touch is an access, which instances touch an element, and, where that is easy to tell, which elements any does.
type touch struct {
	*scop.Access
	by       poly.Map
	ranges   []extent
	elements poly.Set
	told     bool
}

// An extent is what is known of the values of a subscript: sums of parameters that are no more, and no less.
type extent struct{ least, most []scop.Affine }

// newTouch returns a, of st, as a touch. Which elements have a subscript of several iterators is a hard question, and one that costs more than it saves.
func newTouch(st *scop.Stmt, a *scop.Access) touch {
	t := touch{Access: a, by: a.Map.Inverse(), ranges: extentsOf(st, a)}
	for _, x := range a.Index {
		if _, alone := single(x.Iters); !alone {
			return t
		}
	}
	t.elements, t.told = a.Map.Range(), true
	return t
}

// isApart reports whether t and u are seen to have no element in common.
func (t touch) isApart(u touch) bool {
	for i, x := range t.ranges {
		if y := u.ranges[i]; isLess(x.most, y.least) || isLess(y.most, x.least) {
			return true
		}
	}
	return t.told && u.told && t.elements.IsDisjoint(u.elements)
}

// isLess reports whether one of xs is less than one of ys by the same number for all parameters.
func isLess(xs, ys []scop.Affine) bool {
	return slices.ContainsFunc(xs, func(x scop.Affine) bool {
		return slices.ContainsFunc(ys, func(y scop.Affine) bool { return x.Const < y.Const && sameCoefs(x.Params, y.Params) })
	})
}

// extentsOf returns the values of the subscripts of a, of st, as far as bounds of single iterators tell them: nests that were taken apart at a border have other rows.
func extentsOf(st *scop.Stmt, a *scop.Access) []extent {
	all := make([]extent, len(a.Index))
	for i, x := range a.Index {
		k, alone := single(x.Iters)
		if x.Mod > 0 || !alone {
			continue
		}
		at := scop.Affine{Const: x.Const, Params: x.Params}
		if k < 0 {
			all[i] = extent{[]scop.Affine{at}, []scop.Affine{at}}
			continue
		}
		for _, b := range st.Bounds {
			of, only := single(b.Iters)
			if !only || of != k {
				continue
			}
			c := b.Iters[k]
			if c != 1 && c != -1 {
				continue
			}
			// c*i + rest >= 0: i is at least -rest for c = 1, and at most rest for c = -1.
			factor := x.Iters[k]
			bound := scop.Affine{Const: at.Const - c*factor*b.Const, Params: make([]int64, max(len(at.Params), len(b.Params)))}
			for q := range bound.Params {
				bound.Params[q] = coef(at.Params, q) - c*factor*coef(b.Params, q)
			}
			if (c > 0) == (factor > 0) {
				all[i].least = append(all[i].least, bound)
			} else {
				all[i].most = append(all[i].most, bound)
			}
		}
	}
	return all
}

// single returns the only one of coefficients that is not zero, -1 for none; alone is false if there are more.
func single(coefs []int64) (at int, alone bool) {
	at = -1
	for k, c := range coefs {
		if c != 0 {
			if at >= 0 {
				return at, false
			}
			at = k
		}
	}
	return at, true
}

// plainlyApart reports whether two accesses to an array have different numbers for one subscript, so that they
// never meet. True is certain, false is not.
func plainlyApart(x, y *scop.Access) bool {
	for i, a := range x.Index {
		if b := y.Index[i]; a.Mod == 0 && b.Mod == 0 && isNumber(a.Affine) && isNumber(b.Affine) && a.Const != b.Const {
			return true
		}
	}
	return false
}

func isNumber(a scop.Affine) bool {
	variable := func(c int64) bool { return c != 0 }
	return !slices.ContainsFunc(a.Iters, variable) && !slices.ContainsFunc(a.Params, variable)
}
