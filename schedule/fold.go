package schedule

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file folds dimensions whose two ends are neighbours, as on a ring or a torus:
//
//	for i { b[i] = f(a[i == 0 ? n-1 : i-1], a[i], a[i == n-1 ? 0 : i+1]) }
//
// Where i is placed at s = i, point 0 depends on point n-1 at a distance that grows with n, and no slope bounds it. Folded, the points of
// the upper half, those with 2*i >= n-1, are placed at s = n-1 - i: the other way round, beside the lower half.
//
//	s:        0    1    2   ..  (n-1)/2
//	lower     0    1    2   ..           neighbours along a half are as near as before, the two ends of the ring meet at s = 0,
//	upper   n-1  n-2  n-3   ..           and its middle at the other end
//
// So all distances are as short as those of the stencil itself. Nothing else knows of it: where halves lie are places like others,
// and all distances are computed from them, for odd and even n.

// nearby is a distance at which accesses are plainly none across a ring.
const nearby = 8

// widest is how much the sums of the places of points that are neighbours across a ring may differ.
const widest = 64

// Fold returns p with the statements taken apart into halves along the dimensions whose ends are neighbours, or p if there are none.
func Fold(p *scop.Program) *scop.Program {
	if p.Timeless {
		return p
	}
	q := p
	_ = poly.Limited(func() error { // what is too hard stays whole
		f := newFolder(p)
		rings := false
		for group := range f.sums {
			for dim := range f.dims {
				sum := f.sum(group, dim)
				f.sums[group] = append(f.sums[group], sum)
				rings = rings || sum != nil
			}
		}
		if rings && !sweeps(p) {
			q = f.fold()
		}
		return nil
	})
	return q
}

// sweeps reports whether space loops of p carry dependences, one of each nest (swept.go): halves of a sweep would need each other.
func sweeps(p *scop.Program) bool {
	deps, err := dependencesOfIteration(p)
	return err == nil && len(carriedBySpace(deps)) > 0 && swept(p, deps) != nil
}

// A folder holds where the statements and elements of a program lie before they are folded.
type folder struct {
	*scop.Program
	dims   int
	places [][]Place
	known  frames
	groups []int            // by statement: those of one number share arrays that are written
	sums   [][]*scop.Affine // by group and dimension: see sum
}

func newFolder(p *scop.Program) *folder {
	places, known := alignArrays(p)
	f := &folder{Program: p, dims: dimensions(p), places: places, known: known}
	of := map[*scop.Array]int{}
	for _, st := range p.Stmts {
		group := len(f.sums)
		f.groups, f.sums = append(f.groups, group), append(f.sums, nil)
		for _, a := range st.Accesses {
			if a.Array.Const {
				continue
			}
			old, met := of[a.Array]
			if !met {
				of[a.Array] = group
				continue
			}
			for i, g := range f.groups {
				if g == old {
					f.groups[i] = group
				}
			}
			for array, g := range of {
				if g == old {
					of[array] = group
				}
			}
		}
	}
	return f
}

// fold takes the statements apart where 2*s < sum and where it is not, along the dimensions that have a sum.
func (f *folder) fold() *scop.Program {
	c := Canonical{Scop: f.Program}
	pieces := make([][][]scop.Affine, len(f.Stmts))
	var folded [][]*scop.Affine // by piece
	for i, st := range f.Stmts {
		halves := []half{{by: make([]*scop.Affine, f.dims)}}
		for dim, sum := range f.sums[f.groups[i]] {
			if sum == nil {
				continue
			}
			upper := f.upper(st, dim, *sum)
			var next []half
			for _, h := range halves {
				next = append(next, h.with(opposite(upper), dim, nil), h.with(upper, dim, sum))
			}
			halves = next
		}
		for _, h := range halves {
			if !c.empty(st, h.rows...) {
				pieces[i], folded = append(pieces[i], h.rows), append(folded, h.by)
			}
		}
		if len(pieces[i]) == 0 { // it never runs
			folded = append(folded, halves[0].by)
		}
	}
	q := f.Split(pieces)
	next := 0
	for i, st := range f.Stmts {
		for range max(1, len(pieces[i])) {
			part := q.Stmts[next]
			part.Folded = folded[next]
			part.Whole = f.whole(st, part.Folded)
			next++
		}
	}
	return q
}

// A half is a part of a statement: where rows are >= 0, with by as its Folded.
type half struct {
	rows []scop.Affine
	by   []*scop.Affine
}

// with returns the part of h where row is >= 0 too, folded by sum along a dimension.
func (h half) with(row scop.Affine, dim int, sum *scop.Affine) half {
	h.rows, h.by = append(slices.Clone(h.rows), row), slices.Clone(h.by)
	h.by[dim] = sum
	return h
}

// whole returns the rows that are >= 0 where all that an instance of st in one of the halves uses of arrays lies in the same halves; never, for what
// reaches across and for what runs at one place only along a folded dimension, as borders do.
func (f *folder) whole(st *scop.Stmt, folded []*scop.Affine) (rows []scop.Affine) {
	never := []scop.Affine{{Const: -1}}
	for dim, sum := range f.sums[f.groups[st.Order]] {
		if sum == nil {
			continue
		}
		if at := f.places[st.Order][dim]; at.Iter < 0 || f.single(st, at.Iter) {
			return never
		}
		least, most := int64(0), int64(0)
		ok := f.eachAlong(st, dim, func(x crossing) bool {
			if f.far(x) {
				return false
			}
			lo, hi, ok := f.distance(x)
			least, most = min(least, lo), max(most, hi)
			return ok
		})
		if !ok {
			return never
		}
		row := f.upper(st, dim, *sum) // 2*s - sum
		if folded[dim] != nil {
			row.Const += 2 * least
		} else {
			row = opposite(row)
			row.Const -= 2 * most
		}
		rows = append(rows, row)
	}
	return rows
}

// single reports whether all instances of st have one value of an iterator.
func (f *folder) single(st *scop.Stmt, iter int) bool {
	for i, r := range st.Bounds {
		for _, q := range st.Bounds[:i] {
			if coef(r.Iters, iter) != 0 && isNumber(sumOf(r, q)) && sumOf(r, q).Const == 0 {
				return true
			}
		}
	}
	return false
}

// sumOf returns a + b.
func sumOf(a, b scop.Affine) scop.Affine {
	sum := combined(a, b, 1)
	for i := range max(len(a.Iters), len(b.Iters)) {
		sum.Iters = append(sum.Iters, coef(a.Iters, i)+coef(b.Iters, i))
	}
	return sum
}

// distance returns how far the element lies from the instance, at least and at most; ok is false if that is not bounded.
func (f *folder) distance(x crossing) (least, most int64, ok bool) {
	at := x.frame.of(x.access.Index[x.k])
	if d := difference(at, x.from); isNumber(d) && sameCoefs(at.Iters, x.from.Iters) {
		return d.Const, d.Const, true
	}
	return f.bounds(x, -1, scop.Affine{})
}

// upper returns the row that is >= 0 where 2*s >= sum, for the place s of st along a dimension.
func (f *folder) upper(st *scop.Stmt, dim int, sum scop.Affine) scop.Affine {
	at := f.place(st, dim)
	twice := sumOf(at, at)
	row := difference(twice, sum)
	row.Iters = twice.Iters
	return row
}

// combined returns a + k*b, which have no iterators.
func combined(a, b scop.Affine, k int64) scop.Affine {
	sum := scop.Affine{Const: a.Const + k*b.Const}
	for i := range max(len(a.Params), len(b.Params)) {
		sum.Params = append(sum.Params, coef(a.Params, i)+k*coef(b.Params, i))
	}
	return sum
}

// A crossing is an access of a statement to an element that may lie far away along a dimension.
type crossing struct {
	st     *scop.Stmt
	access *scop.Access
	k      int // the subscript along the dimension
	frame  frame
	from   scop.Affine // where the instance lies, or what it stores to
}

// sum returns what the places of two points add up to that are neighbours across the ends of a dimension, on average; nil if
// it is no ring for the statements of a group: if an access to a written array is far from its instance in any other way.
func (f *folder) sum(group, dim int) *scop.Affine {
	var all, stores []crossing
	for _, st := range f.Stmts {
		if f.groups[st.Order] != group {
			continue
		}
		to := targets(st)
		f.eachAlong(st, dim, func(x crossing) bool {
			if w := to[x.access]; w != nil { // of several stores, each has a place of its own
				f.along(w, dim, func(k int, fr frame) { x.from = fr.of(w.Index[k]) })
			}
			switch {
			case !f.far(x):
			case x.access.Write:
				stores = append(stores, x)
			default:
				all = append(all, x)
			}
			return true
		})
	}
	if len(all) == 0 {
		all = stores
	}
	if len(all) == 0 {
		return nil
	}
	for _, params := range f.candidates(all) {
		if sum, ok := f.around(all, params); ok {
			return &sum
		}
	}
	return nil
}

// eachAlong calls visit for the subscripts of st along a dimension, of arrays that the program writes, until it returns false; and
// reports whether it never did.
func (f *folder) eachAlong(st *scop.Stmt, dim int, visit func(crossing) bool) bool {
	on := true
	for _, a := range st.Accesses {
		f.along(a, dim, func(k int, fr frame) {
			on = on && visit(crossing{st, a, k, fr, f.place(st, dim)})
		})
	}
	return on
}

// along calls visit for the subscripts of a along a dimension, if the program writes its array.
func (f *folder) along(a *scop.Access, dim int, visit func(k int, fr frame)) {
	for k, x := range a.Index {
		if fr, found := f.known[axis{a.Array, k}]; found && fr.dim == dim && !a.Array.Const && x.Mod == 0 {
			visit(k, fr)
		}
	}
}

// place returns where st lies along a dimension.
func (f *folder) place(st *scop.Stmt, dim int) scop.Affine {
	at := f.places[st.Order][dim]
	x := scop.Affine{Const: at.Shift.Const, Params: at.Shift.Params, Iters: make([]int64, len(st.Iters))}
	if at.Iter >= 0 {
		x.Iters[at.Iter] = at.Sign()
	}
	return x
}

// of returns where the element of subscript x lies.
func (f frame) of(x scop.Index) scop.Affine {
	sign := int64(1)
	if f.down {
		sign = -1
	}
	at := combined(f.shift, x.Affine, sign)
	for _, k := range x.Iters {
		at.Iters = append(at.Iters, sign*k)
	}
	return at
}

// targets returns, by the reads of st, what the action that they are in stores to.
func targets(st *scop.Stmt) map[*scop.Access]*scop.Access {
	to := map[*scop.Access]*scop.Access{}
	for _, act := range st.Body {
		if s, ok := act.(scop.Store); ok {
			scop.Visit(s.Value, func(e scop.Expr) {
				if r, ok := e.(scop.Read); ok {
					to[r.From] = s.To
				}
			})
		}
	}
	return to
}

// far reports whether the element lies more than nearby from the instance, and in a dimension of known extent at more than half of that.
func (f *folder) far(x crossing) bool {
	lo, hi, ok := f.distance(x)
	most := int64(nearby)
	if e := x.access.Array.Extents[x.k]; isNumber(e) {
		most = max(most, e.Const/2)
	}
	return !ok || lo < -most || hi > most
}

// candidates returns what the sum for all may be, but for a number: what it is for one of them, or an extent of its array.
func (f *folder) candidates(all []crossing) (list []scop.Affine) {
	add := func(params []int64) {
		x := scop.Affine{Params: slices.Clone(params)}
		if !slices.ContainsFunc(list, func(y scop.Affine) bool { return sameCoefs(x.Params, y.Params) }) {
			list = append(list, x)
		}
	}
	for _, x := range all {
		add(x.access.Array.Extents[x.k].Params)
	}
	for _, x := range all {
		at := x.frame.of(x.access.Index[x.k])
		add(at.Params)
		add(combined(at, x.from, 1).Params)
	}
	return list
}

// around returns the sum for all, which is params and a number; ok is false if they have no such sum.
func (f *folder) around(all []crossing, params scop.Affine) (sum scop.Affine, ok bool) {
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range all {
		lo, hi, ok := f.bounds(x, 1, params)
		if !ok {
			return sum, false
		}
		least, most = min(least, lo), max(most, hi)
	}
	if len(all) == 0 || !isNumber(params) && most-least > widest {
		return sum, false
	}
	sum = scop.Affine{Const: least + (most-least)/2, Params: params.Params}
	return sum, true
}

// bounds returns the least and the greatest value of the place of the element plus sign times that of the instance, less params;
// ok is false if there is none.
func (f *folder) bounds(x crossing, sign int64, params scop.Affine) (least, most int64, ok bool) {
	m := x.access.Map.IntersectParams(f.Context)
	if m.IsEmpty() {
		return 0, 0, true
	}
	shift := combined(combined(x.frame.shift, x.from, sign), params, -1)
	c := Canonical{Scop: f.Program}
	v := poly.Affine{Const: shift.Const, Params: c.byName(m, shift.Params), In: make([]int64, len(x.st.Iters)), Out: make([]int64, len(x.access.Index))}
	v.Out[x.k] = 1
	if x.frame.down {
		v.Out[x.k] = -1
	}
	for i, k := range x.from.Iters {
		v.In[i] = sign * k
	}
	one := poly.Affine{Const: 1, In: make([]int64, len(v.In)), Out: make([]int64, len(v.Out))}
	ratios := m.Ratios()
	hi, okHi := ratios.Max(v, one)
	lo, okLo := ratios.Max(negated(v), one)
	if !okHi || !okLo {
		return 0, 0, false
	}
	return -floorRat(lo), floorRat(hi), true
}
