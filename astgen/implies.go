package astgen

import (
	"hash/maphash"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
)

// This file answers whether rows imply others, for all integers: from a single row and the bounds
// of its variables where that is enough, else by an emptiness test.

// Facts are rows that are >= 0, with the bounds of variables that are numbers, and rows that follow from them.
type Facts struct {
	Rows    []affine.Sum
	lo, hi  map[string]int64
	derived []affine.Sum
}

// NewFacts returns rows as facts. Bounds of the variables in bounded that are numbers are found in them; of
// others, where they follow from these.
func NewFacts(rows []affine.Sum, bounded []string) Facts {
	f := Facts{Rows: rows, lo: map[string]int64{}, hi: map[string]int64{}}
	for _, r := range rows {
		if len(r.Terms) == 1 && slices.Contains(bounded, r.Terms[0].Var) {
			f.bound(r)
		}
	}
	f.derived = f.consequences()
	for _, r := range f.derived { // such as tile indices, where an instance has but one place
		if len(r.Terms) == 1 {
			f.bound(r)
		}
	}
	return f
}

// bound takes a row over one variable, which is >= 0, as a bound of it.
func (f *Facts) bound(r affine.Sum) {
	v := r.Terms[0].Var
	switch r.Terms[0].Coef {
	case 1:
		f.lo[v] = max(-r.Const, orElse(f.lo, v, -r.Const))
	case -1:
		f.hi[v] = min(r.Const, orElse(f.hi, v, r.Const))
	}
}

func orElse(m map[string]int64, key string, other int64) int64 {
	if v, ok := m[key]; ok {
		return v
	}
	return other
}

// An Asker asks questions for a proof about a program.
type Asker struct {
	*schedule.Prover
	context Known
	cases   int // of the present condition
}

// NewAsker returns an asker about a program, for p.
func NewAsker(p *schedule.Prover, s *schedule.Schedule) Asker {
	return Asker{Prover: p, context: Known{context: s.Canonical.Scop.Context}}
}

// consequences returns what follows from the rows, of what differs in the constant only the strongest: each of them with local
// coordinates where they are best, and sums of two, in which a variable has gone. So most questions need no test.
func (f Facts) consequences() (all []affine.Sum) {
	byTerms := map[uint64][]int{} // where in all: the second sums of many rows are thousands
	add := func(r affine.Sum) {
		if r = r.Tighten(); r.IsNum() {
			return
		}
		key := termsHash(r)
		for _, i := range byTerms[key] {
			if all[i].Parallel(r) {
				all[i].Const = min(all[i].Const, r.Const)
				return
			}
		}
		byTerms[key] = append(byTerms[key], len(all))
		all = append(all, r)
	}
	for i, r := range f.Rows {
		for _, t := range r.Terms {
			bounds := f.hi
			if t.Coef < 0 {
				bounds = f.lo
			}
			if at, ok := bounds[t.Var]; ok {
				r = r.Without(t.Var).Add(affine.Times(t.Coef, at))
			}
		}
		add(r)
		for _, q := range f.Rows[:i] {
			if !f.Rows[i].Cancels(q) {
				continue
			}
			if sum := f.Rows[i].Plus(q); len(sum.Terms) < max(len(f.Rows[i].Terms), len(q.Terms)) {
				add(sum)
			}
		}
	}
	for i, r := range all { // once more, with multiples
		for _, q := range all[:i] {
			for _, t := range r.Terms {
				if c := q.Coef(t.Var); c*t.Coef < 0 {
					add(r.Times(max(c, -c)).Plus(q.Times(max(t.Coef, -t.Coef))))
				}
			}
		}
	}
	return all
}

var hashSeed = maphash.MakeSeed()

// termsHash returns a number that sums which differ in the constant alone share.
func termsHash(x affine.Sum) (h uint64) {
	for _, t := range x.Terms {
		h = (h ^ maphash.String(hashSeed, t.Var) ^ uint64(t.Coef)) * 0x9e3779b97f4a7c15
	}
	return h
}

// maxCases bounds the cases of a condition that are told apart in one question.
const maxCases = 1000

// Implies reports whether, where f holds, g lets pass. It is exact.
func (e *Asker) Implies(f Facts, g Gate) bool {
	e.Tests++
	unclear := func(r affine.Sum) bool { return !f.plainly(r.Tighten()) }
	first := make([]int, len(g))
	for i, all := range g {
		if first[i] = slices.IndexFunc(all, unclear); first[i] < 0 {
			return true
		}
	}
	open := make(Gate, len(g)) // by alternative, the rows that do not plainly hold
	for i, all := range g {
		open[i] = append(open[i], all[first[i]])
		for _, r := range all[first[i]+1:] {
			if unclear(r) {
				open[i] = append(open[i], r)
			}
		}
	}
	slices.SortStableFunc(open, func(x, y []affine.Sum) int { return len(x) - len(y) })
	if len(open) > 1 {
		if first := open[0]; !slices.ContainsFunc(first, func(r affine.Sum) bool { return !e.excludes(f, Gate{{r}}) }) {
			return true
		}
	}
	e.cases = 0
	return e.excludes(f, open)
}

// ImpliesAny is Implies for a gate of n alternatives that are made one by one, that of number likely first, until f
// plainly implies one. It returns its number, -1 if it took several, or none is implied.
func (e *Asker) ImpliesAny(f Facts, n, likely int, alternative func(i int) []affine.Sum) (holds bool, which int) {
	g := make(Gate, n)
	plainly := func(i int) bool {
		g[i] = alternative(i)
		return !slices.ContainsFunc(g[i], func(r affine.Sum) bool { return !f.plainly(r.Tighten()) })
	}
	if likely < n && plainly(likely) {
		e.Tests++
		return true, likely
	}
	for i := range n {
		if i != likely && plainly(i) {
			e.Tests++
			return true, i
		}
	}
	return e.Implies(f, g), -1
}

// excludes reports whether no integers make f hold where none of the alternatives of g does.
func (e *Asker) excludes(f Facts, g Gate) bool {
	if e.cases++; e.cases > maxCases {
		panic(&poly.LimitError{Op: "proof of emission", What: "cases of a condition", Bound: maxCases})
	}
	if len(g) == 0 {
		return e.context.empty(f.Rows)
	}
	for _, r := range g[0] {
		less := f
		less.Rows = append(f.Rows[:len(f.Rows):len(f.Rows)], r.Negated())
		if !e.excludes(less, g[1:]) {
			return false
		}
	}
	return true
}

// Empty reports whether no integers make f hold.
func (e *Asker) Empty(f Facts) bool {
	e.Tests++
	return e.context.empty(f.Rows)
}

// plainly reports whether row >= 0 follows from a derived row, from the bounds of variables, or from one of the rows and
// these bounds. True is certain, false is not.
func (f Facts) plainly(row affine.Sum) bool {
	if row.IsNum() {
		return row.Const >= 0
	}
	if slices.ContainsFunc(f.derived, func(have affine.Sum) bool { return have.Parallel(row) && have.Const <= row.Const }) {
		return true
	}
	if least, ok := f.least(row, affine.Sum{}); ok && least >= 0 {
		return true
	}
	return slices.ContainsFunc(f.Rows, func(have affine.Sum) bool {
		if have.Parallel(row) {
			return have.Const <= row.Const
		}
		least, ok := f.least(row, have)
		return ok && least >= 0
	})
}

// least returns the least value of x - y that the bounds of variables leave; ok is false where one without them stays.
func (f Facts) least(x, y affine.Sum) (least int64, ok bool) {
	least = affine.Minus(x.Const, y.Const)
	a, b := x.Terms, y.Terms
	for len(a) > 0 || len(b) > 0 {
		var t affine.Term
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Var < b[0].Var:
			t, a = a[0], a[1:]
		case len(a) == 0 || b[0].Var < a[0].Var:
			t, b = affine.Term{Coef: -b[0].Coef, Var: b[0].Var}, b[1:]
		default:
			t, a, b = affine.Term{Coef: affine.Minus(a[0].Coef, b[0].Coef), Var: a[0].Var}, a[1:], b[1:]
		}
		if t.Coef == 0 {
			continue
		}
		bounds := f.lo
		if t.Coef < 0 {
			bounds = f.hi
		}
		at, bounded := bounds[t.Var]
		if !bounded {
			return 0, false
		}
		least = affine.Plus(least, affine.Times(t.Coef, at))
	}
	return least, true
}
