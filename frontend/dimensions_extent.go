package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file finds the extent that a pointer does not have: the region accesses
// p[i] for i < n, so there are at least n elements.

// guessExtents gives each pointer the extent that its accesses need, or notes
// that there is no such expression and returns false.
func (dm *dimensions) guessExtents() bool {
	before := dm.errorCount()
	for _, d := range inOrder(dm.source, dm.arrays) {
		if a := dm.arrays[d]; a.guess {
			dm.guessed = true
			dm.guessExtent(a)
			dm.countRows(a)
		}
	}
	return dm.errorCount() == before
}

// A reach is the largest subscript of an access, attained whenever its nest runs,
// if that is one sum of parameters: then it is known.
type reach struct {
	max   linear
	known bool
	nest  *nest
	access
	dim int
}

// withReach returns reaches with r, unless one of the same nest is like it.
func withReach(reaches []reach, r reach) []reach {
	for i := len(reaches) - 1; i >= 0 && reaches[i].nest == r.nest; i-- {
		if o := reaches[i]; o.known && r.known && o.max.equal(r.max) && o.index[o.dim].mod == 0 && r.index[r.dim].mod == 0 && o.moved() == r.moved() {
			return reaches
		}
	}
	return append(reaches, r)
}

// moved reports whether the loops over space move r.
func (r reach) moved() bool { return r.nest.variesInSpace(r.index[r.array.lead].linear) }

// reachesOf returns how far the accesses to a reach along its first dimension.
func (dm *dimensions) reachesOf(a *array) (reaches []reach) {
	for _, n := range dm.nests {
		for _, x := range n.accesses {
			if x.array == a {
				top, known := maximum(x.index[a.lead], n)
				reaches = withReach(reaches, reach{top, known, n, *x, a.lead})
			}
		}
	}
	return reaches
}

// alternates reports whether r and o, of one nest, are in two buffers of which one is 1 where the other is 0, as in u[cur] and u[1 - cur]: neither is negative, so one of
// them is 1.
func (r reach) alternates(o reach) bool {
	x, y := r.index[r.dim], o.index[o.dim]
	return r.nest == o.nest && x.mod == 0 && y.mod == 0 && !x.isConstant() && !r.moved() && x.plus(1, y.linear).equal(constant(1))
}

// guessExtent is guessExtents of one pointer.
func (dm *dimensions) guessExtent(a *array) {
	reaches := dm.reachesOf(a)
	if len(reaches) == 0 { // all that is read is of no use
		dm.drop(a)
		return
	}
	if rows, ok := dm.declaredRows(a); ok {
		a.extents[a.lead] = rows
		return
	}
	for i, r := range reaches {
		if slices.ContainsFunc(reaches, r.alternates) {
			reaches[i].max = constant(1)
		}
	}
	for _, r := range reaches {
		if r.known && attained(&r.access, r.nest) && dm.dominates(r, reaches) {
			a.extents[a.lead] = r.max.addc(1)
			if a.inferred {
				dm.findLast(a)
			}
			return
		}
	}
	if r, needs, ok := dm.farthest(reaches); ok {
		for _, constraint := range needs {
			dm.relyOnReach(&r.access, constraint)
		}
		a.extents[a.lead] = r.max.addc(1)
		if a.inferred {
			dm.findLast(a)
		}
		return
	}
	for _, r := range reaches {
		if !r.known {
			dm.noExtent(&r.access, "the largest subscript of this access is not one sum of parameters")
			return
		}
		if !attained(&r.access, r.nest) {
			dm.noExtent(&r.access, "which of its buffers this access uses depends on the number of time steps")
			return
		}
	}
	dm.noExtent(&reaches[0].access, "none of the accesses reaches as far as all others, for all values of the parameters")
}

// countRows finds how many pointers of each level the region uses, if a has rows that are reached by pointers.
func (dm *dimensions) countRows(a *array) {
	for k := range a.rows {
		if k == 0 {
			a.rows[0].count = a.extents[a.lead]
			continue
		}
		var reaches []reach
		for _, n := range dm.nests {
			for _, x := range n.accesses {
				if x.array == a {
					top, known := maximum(x.index[a.lead+k], n)
					reaches = append(reaches, reach{top, known, n, *x, a.lead + k})
				}
			}
		}
		found := slices.IndexFunc(reaches, func(r reach) bool { return r.known && r.index[r.dim].mod == 0 && dm.dominates(r, reaches) })
		if len(reaches) > 0 && found < 0 {
			dm.noExtent(&reaches[0].access, "none of the accesses reaches as far as all others, for all values of the parameters")
			return
		}
		if found >= 0 {
			a.rows[k].count = reaches[found].max.addc(1)
		}
	}
}

func (dm *dimensions) noExtent(x *access, why string) {
	a := x.array
	help := fmt.Sprintf("declare '%s' with all extents, such as '%s %s%s'", a.Name, a.Elem, a.Name, strings.Join([]string{"[n]", "[m]", "[k]", "[l]"}[:min(len(a.rows)+1, 4)], ""))
	if a.inferred {
		help = fmt.Sprintf("declare '%s' with the number of its elements, such as '%s %s[rows * %s]'", a.Name, a.Elem, a.Name, dm.rowText(a))
	}
	dm.errorf("HX109", x.where, why+"; the generated code copies whole arrays, so it must know their extents", help,
		"'%s' is a pointer, and its extent is not known", a.Name)
}

// rowText returns how many elements a row of a has, as a product.
func (dm *dimensions) rowText(a *array) string {
	return dm.frame().product(a.extents[a.lead+1 : len(a.extents)-a.tail])
}

// declaredRows returns how many rows a has, if it is declared with the number of all
// its elements, as in A[n * m]; ok is false if that is no multiple of a row.
func (dm *dimensions) declaredRows(a *array) (rows linear, ok bool) {
	if a.total == nil {
		return rows, false
	}
	row := polynomial{"": 1}
	for _, e := range a.extents[a.lead+1 : len(a.extents)-a.tail] {
		row = row.times(dm.vars.polynomial(e))
	}
	q, ok := a.total.quotient(row)
	if !ok {
		return rows, false
	}
	return dm.vars.linear(q)
}

// attained reports whether n, whenever it runs, reaches the largest value of
// the first subscript of x. If that is a remainder, other accesses must reach
// all other values: A[t%2] and A[(t+1)%2] together do.
func attained(x *access, n *nest) bool {
	lead := x.array.lead
	s := x.index[lead]
	if s.mod == 0 {
		return true
	}
	residues := map[int64]bool{}
	for _, y := range n.accesses {
		if y.array != x.array || y.index[lead].mod != s.mod {
			continue
		}
		d := y.index[lead].linear.sub(s.linear)
		same := true
		for _, c := range d.v.all() {
			same = same && c%s.mod == 0
		}
		if same {
			residues[((d.c%s.mod)+s.mod)%s.mod] = true
		}
	}
	return int64(len(residues)) == s.mod
}

// maximum returns the largest value of s in n as a sum of parameters.
func maximum(s subscript, n *nest) (linear, bool) {
	if s.mod > 0 {
		return constant(s.mod - 1), true
	}
	top := s.linear
	for at, l := range slices.Backward(n.loops) {
		k := top.v.of(l.decl)
		if k == 0 {
			continue
		}
		limits := slices.DeleteFunc(slices.Clone(n.constraints), func(r linear) bool { return r.v.of(l.decl)*k >= 0 })
		if at := slices.IndexFunc(limits, func(r linear) bool { return slices.ContainsFunc(n.constraints, r.scale(-1).equal) }); at >= 0 {
			limits = limits[at : at+1] // the iterator has no other value
		}
		if len(limits) != 1 || abs(limits[0].v.of(l.decl)) != 1 || innermost(limits[0], n.loops) > at {
			return linear{}, false
		}
		top = top.plus(abs(k), limits[0]) // limits[0] is 0 where the iterator ends
	}
	return top, true
}

// farthest returns the access that reaches as far as all others where some conditions on parameters hold, the one
// that reaches farthest at sizes that are alike, or with the fewest conditions; ok is false if there is none. One that the loops move comes before one at a point, such as a source of waves.
func (dm *dimensions) farthest(reaches []reach) (best reach, needs []linear, ok bool) {
	ran := map[*nest]poly.Set{}
	for _, r := range reaches {
		if _, found := ran[r.nest]; !found {
			ran[r.nest] = dm.runs(r.nest)
		}
	}
	var tried []reach
	for _, r := range reaches {
		alike := func(o reach) bool { return o.max.equal(r.max) && o.moved() == r.moved() }
		if !r.known || !attained(&r.access, r.nest) || ok && best.moved() && !r.moved() || slices.ContainsFunc(tried, alike) {
			continue
		}
		tried = append(tried, r)
		facts, good := dm.dominatesIf(r, reaches, ran)
		farther := cmp.Or(cmp.Compare(typical(r.max), typical(best.max)), cmp.Compare(len(needs), len(facts)))
		if good && (!ok || r.moved() && !best.moved() || farther > 0) {
			best, needs, ok = r, facts, true
		}
	}
	return best, needs, ok
}

// typical returns what s is where all parameters are alike and large.
func typical(s linear) int64 {
	of := s.c
	for _, k := range s.v.all() {
		of += 1000 * k
	}
	return of
}

// dominatesIf returns the conditions on parameters under which r dominates others, if there are such that leave sizes open. ran
// are the values of parameters for which nests run.
func (dm *dimensions) dominatesIf(r reach, others []reach, ran map[*nest]poly.Set) (needs []linear, ok bool) {
	var runs poly.Set // of what reaches as far as r
	for _, o := range others {
		if o.known && o.max.equal(r.max) && attained(&o.access, o.nest) && !ran[o.nest].IsSubset(runs) {
			runs = runs.Union(ran[o.nest])
		}
	}
	add := func(facts []linear) {
		for _, f := range facts {
			needs = added(needs, f)
		}
	}
	for _, o := range others {
		max := o.max
		if !o.known {
			max = o.index[o.dim].linear // of every instance
		}
		facts, ok := dm.factsFor(o.nest, slices.Concat(dm.known(), needs), r.max.sub(max))
		if !ok {
			return nil, false
		}
		add(facts)
		fr := dm.frame()
		all := ran[o.nest].IntersectParams(poly.NewParamSet(fr.paramNames, fr.hold(needs)...))
		without := all.Subtract(runs)
		if without.IsEmpty() {
			continue
		}
		if facts, ok = dm.runsIf(all, runs); !ok {
			return nil, false
		}
		add(facts)
	}
	return needs, dm.allowLarge(needs, r.max.addc(1))
}

// runsIf returns conditions on parameters under which, of all, those are left that are in runs, if there are such and not none is left.
func (dm *dimensions) runsIf(all, runs poly.Set) (facts []linear, ok bool) {
	fr, without := dm.frame(), all.Subtract(runs)
	if all.IsSubset(without) {
		return nil, false
	}
	facts, ok = fr.negation(without.Gist(all), append(dm.known(), fr.implied(all)...))
	if rows, one := fr.rowsOf(runs); !ok && one { // each of which is enough for itself
		facts, ok = slices.DeleteFunc(rows, func(r linear) bool {
			return all.IntersectParams(poly.NewParamSet(fr.paramNames, fr.negative(r))).IsEmpty()
		}), true
	}
	if !ok {
		facts, ok = fr.beyond(without.Gist(all), append(dm.known(), fr.implied(all)...), growsWithAll)
	}
	return facts, ok
}

// relyOnReach notes that x reaches as far as all that is used of its array only if constraint holds.
func (dm *dimensions) relyOnReach(x *access, constraint linear) {
	dm.rely(fact{constraint: constraint, at: x.Pos, remark: &diag.Diagnostic{
		Severity: diag.Remark, Code: "HX109", At: x.Pos,
		Msg: fmt.Sprintf("'%s' reaches as far as all that is used of '%s'", x.Text, x.array.Name),
	}})
}

// dominates reports whether r reaches at least as far as all others where they
// run, and whenever a nest of theirs runs, one does that reaches as far as r, such as
// the part n = 1 of a nest, whose reach 0 is n - 1.
func (dm *dimensions) dominates(r reach, others []reach) bool {
	known := dm.known()
	ahead := func(o reach, claim linear) bool {
		return dm.frame().with(o.nest.loops).proves(slices.Concat(o.nest.constraints, known), claim)
	}
	for _, o := range others { // before the work that runs take
		max := o.max
		if !o.known {
			max = o.index[o.dim].linear // of every instance
		}
		if !ahead(o, r.max.sub(max)) {
			return false
		}
	}
	runs := dm.runs(r.nest)
	as := map[*nest]bool{r.nest: true} // those that reach as far
	for _, o := range others {
		if !as[o.nest] && o.known && attained(&o.access, o.nest) && ahead(o, o.max.sub(r.max)) {
			as[o.nest] = true
			if more := dm.runs(o.nest); !more.IsSubset(runs) {
				runs = runs.Union(more)
			}
		}
	}
	for i, o := range others {
		if as[o.nest] || dm.runs(o.nest).IsSubset(runs) {
			continue
		}
		for _, o := range others[i:] { // one that ends at the least of several bounds reaches as far for some sizes
			if !o.known && o.index[o.dim].mod == 0 {
				runs = runs.Union(dm.runsTo(o, r.max))
			}
		}
		if !dm.runs(o.nest).IsSubset(runs) {
			return false
		}
	}
	return true
}

// runsTo returns the values of parameters for which o has an instance whose subscript is top.
func (dm *dimensions) runsTo(o reach, top linear) poly.Set {
	beyond := o.index[o.dim].linear.sub(top)
	return dm.runsWhere(o.nest, append(dm.known(), beyond, beyond.scale(-1)))
}
