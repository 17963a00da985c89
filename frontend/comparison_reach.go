package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file compares where each store runs by the source, with its loops and conditions, with the instances of the
// statements that were made of it: together these are all, and no instance is in two of them.

// A counter is what one iterator of a statement counts: a variable, or, of loops in steps, the iterations.
type counter struct {
	decl    *cc.Declarator
	isCount bool
}

// isNone reports whether c is no loop of the source: the one iteration of a region without a time loop.
func (c counter) isNone() bool { return c.decl == nil }

// matches reports whether the loops of s are those of dims and others.
func (s sight) matches(dims []counter) bool {
	dims, k := slices.DeleteFunc(slices.Clone(dims), counter.isNone), 0
	for _, in := range s.loops {
		if k < len(dims) && in.decl == dims[k].decl {
			k++
		}
	}
	return k == len(dims)
}

// points returns where s runs by formula when, over dims; those without a variable are 0.
func (s sight) points(params []string, dims []counter, when poly.Formula) poly.Set {
	all, names, hidden := when, []string{}, []string{}
	k := 0
	next := func() {
		for k < len(dims) && dims[k].decl == nil {
			names = append(names, fmt.Sprintf("once%d'", k))
			all = poly.And(all, poly.Equal(affine.Var(names[k]), affine.Num(0)))
			k++
		}
	}
	for _, in := range s.loops {
		next()
		all = poly.And(in.domain, all)
		shown := ""
		if k < len(dims) && in.decl == dims[k].decl {
			shown = in.value
			if dims[k].isCount {
				shown = in.count
			}
			names = append(names, shown)
			k++
		}
		for _, x := range []string{in.value, in.count} {
			if x != shown && x != "" {
				hidden = append(hidden, x)
			}
		}
	}
	next()
	return poly.NewSet(params, poly.Tuple{Name: "X", Dims: names}, poly.Exists(hidden, all))
}

// counters returns what the iterators of n count.
func (sc *storeCheck) counters(n *nest) (dims []counter) {
	of := map[*cc.Declarator]*cc.Declarator{}
	for d, count := range sc.counts {
		of[count] = d
	}
	for i, l := range n.loops {
		switch {
		case i == 0 && sc.timeless:
			dims = append(dims, counter{})
		case of[l.decl] != nil:
			dims = append(dims, counter{of[l.decl], true})
		default:
			dims = append(dims, counter{l.decl, false})
		}
	}
	for _, t := range slices.Backward(n.turns) { // of two with as many loops around them, the first is the outer one
		dims = slices.Insert(dims, t.depth, counter{t.decl, false})
	}
	return dims
}

// inTurns returns set, of instances of n, with the variables of loops of which n is one iteration as dimensions.
func (n *nest) inTurns(set poly.Set) poly.Set {
	for i, t := range slices.Backward(n.turns) {
		set = set.InsertDims(t.depth, fmt.Sprintf("turn%d'", i)).FixDim(t.depth, t.value)
	}
	return set
}

// A run is where a store runs, for certain and perhaps, by a condition.
type run struct {
	sure, maybe poly.Set
	when        truth
}

func (r run) isInexact() bool { return !r.when.isExact() }

// newRun returns where a store runs by when, if holds returns the points of a formula.
func newRun(when truth, holds func(formula poly.Formula) poly.Set) run {
	r := run{sure: holds(when.sure), when: when}
	if r.maybe = r.sure; !when.isExact() {
		r.maybe = holds(when.maybe)
	}
	return r
}

// runsOf returns where each store at one of places in the body of s sets a new value.
func (sc *storeCheck) runsOf(s *scop.Stmt, places []diag.Pos) (all []run) {
	params := sc.frame().paramNames
	n := sc.nests[s.Order]
	body, domain := newFormulaReader(s, n.olds), s.Domain.RenameTuple(s.Name, "X")
	count := map[diag.Pos]int{}
	for _, a := range s.Body {
		if store, ok := a.(scop.Store); ok && slices.Contains(places, store.To.Pos.Pos) {
			at := store.To.Pos.Pos
			if count[at]++; sc.whole[at] > 1 && count[at]%sc.whole[at] != 1 {
				continue // of the numbers of a struct that is set as a whole, the first stands for all
			}
			all = append(all, newRun(body.stores(store), func(formula poly.Formula) poly.Set {
				if formula.IsTrue() {
					return n.inTurns(domain)
				}
				return n.inTurns(domain.Intersect(poly.NewSet(params, poly.Tuple{Name: "X", Dims: s.Iters}, formula)))
			}))
		}
	}
	return all
}

// someApart reports whether the numbers of a struct that is set as a whole at one of places are set by several statements.
func (sc *storeCheck) someApart(p *scop.Program, places []diag.Pos) bool {
	for _, s := range p.Stmts {
		count := map[diag.Pos]int{}
		for _, a := range s.Body {
			if store, ok := a.(scop.Store); ok && slices.Contains(places, store.To.Pos.Pos) {
				count[store.To.Pos.Pos]++
			}
		}
		for at, n := range count {
			if sc.whole[at] > 1 && n%sc.whole[at] != 0 {
				return true
			}
		}
	}
	return false
}

// A coverage says how far what runs could be compared with what the source says.
type coverage string

const (
	equalSets   coverage = "equal"  // where all conditions hold or do not hold, by loop variables and parameters
	withinSets  coverage = "within" // some conditions depend on data: as if those held
	notCompared coverage = "not compared"
)

// checkReach panics unless the stores at places, of which one may stand for others, are run by the statements of p
// where the source says.
func (sc *storeCheck) checkReach(p *scop.Program, places []diag.Pos, seen map[diag.Pos][]sight) coverage {
	params := sc.frame().paramNames
	known := poly.NewParamSet(params, sc.frame().hold(sc.assumptions())...).IntersectParams(p.Context)
	if sc.someApart(p, places) {
		return notCompared
	}
	var groups []*reachGroup // of statements inside the same loops
	for _, s := range p.Stmts {
		runs := sc.runsOf(s, places)
		if len(runs) == 0 {
			continue
		}
		dims := sc.counters(sc.nests[s.Order])
		k := slices.IndexFunc(groups, func(g *reachGroup) bool { return slices.Equal(g.dims, dims) })
		if k < 0 {
			k, groups = len(groups), append(groups, &reachGroup{dims: dims})
		}
		groups[k].made, groups[k].stretches = append(groups[k].made, runs), append(groups[k].stretches, sc.nests[s.Order].stretch)
	}
	slices.SortStableFunc(groups, func(x, y *reachGroup) int { return len(y.dims) - len(x.dims) })
	for _, at := range places {
		if len(seen[at]) == 0 || slices.ContainsFunc(seen[at], func(s sight) bool { return s.unknown }) {
			return notCompared
		}
		for _, s := range seen[at] {
			k := slices.IndexFunc(groups, func(g *reachGroup) bool { return s.matches(g.dims) })
			if k < 0 { // the formula of a store that never runs
				k, groups = len(groups), append(groups, &reachGroup{})
			}
			g := groups[k]
			g.source = append(g.source, newRun(s.when, func(formula poly.Formula) poly.Set { return s.points(params, g.dims, formula) }))
			g.hidden = g.hidden || len(s.loops) > len(slices.DeleteFunc(slices.Clone(g.dims), counter.isNone))
		}
	}
	result := equalSets
	for _, g := range groups {
		what, rest := g.differ(func(x poly.Set) poly.Set { return x.IntersectParams(known) })
		if at := places[0]; what != "" {
			panic(fmt.Sprintf("frontend: the store at %s:%d:%d %s: %v", at.File, at.Line, at.Col, what, rest))
		}
		if slices.ContainsFunc(slices.Concat(append(g.made, g.source)...), run.isInexact) {
			result = withinSets
		}
	}
	return result
}

// A reachGroup is all that is said of one store, or of several of which one stands for others, inside the same loops.
type reachGroup struct {
	dims   []counter
	source []run   // each way to it
	made   [][]run // of each statement
	hidden bool    // some loops around it are written out in the bodies of the statements
	// stretches are numbers of nests that hold copies of one statement, by statement: those of different numbers are copies.
	stretches []int
}

// differ returns what is wrong with the statements and where, "" if nothing is. among keeps of a set what matters.
func (g *reachGroup) differ(among func(poly.Set) poly.Set) (what string, rest poly.Set) {
	made := slices.Concat(g.made...)
	mayRun, mayHave := setsOf(g.source, false), setsOf(made, false)
	runs, has := setsOf(g.source, true), setsOf(made, true)
	if !slices.ContainsFunc(g.source, func(r run) bool { return r.when.other }) { // both sides take what depends on data for true
		runs = mayRun
		if !slices.ContainsFunc(made, func(r run) bool { return r.when.other }) {
			has = mayHave
		}
	}
	if rest = among(has.union().Subtract(mayRun.union())); !rest.IsEmpty() {
		return "runs where the source does not run it", rest
	}
	if rest = among(runs.union().Subtract(mayHave.union())); !rest.IsEmpty() {
		return "does not run where the source runs it", rest
	}
	if g.hidden || slices.ContainsFunc(slices.Concat(g.source, made), run.isInexact) {
		return g.overlap(among)
	}
	for n := 2; n <= min(max(len(mayRun), len(mayHave)), maxTimes); n++ {
		x, y := mayHave.times(n), mayRun.times(n)
		if rest = among(x.Subtract(y).Union(y.Subtract(x))); !rest.IsEmpty() {
			return "does not run as often as in the source", rest
		}
		if x.IsEmpty() {
			break
		}
	}
	return "", poly.Set{}
}

// maxTimes bounds how many statements with one instance are told apart from more.
const maxTimes = 4

// overlap returns where two statements run a store that the source runs once.
func (g *reachGroup) overlap(among func(poly.Set) poly.Set) (what string, rest poly.Set) {
	var each setList
	for _, runs := range g.made {
		each = append(each, setsOf(runs, false).union())
	}
	if len(each) < 2 || !setsOf(g.source, false).times(2).IsEmpty() {
		return "", rest
	}
	for i, x := range each {
		for j, y := range each[:i] {
			if g.stretches[i] != g.stretches[j] {
				continue
			}
			if rest = among(x.Intersect(y)); !rest.IsEmpty() {
				return "runs twice", rest
			}
		}
	}
	return "", poly.Set{}
}

// A setList holds sets of one space.
type setList []poly.Set

// setsOf returns where runs run, for certain or perhaps.
func setsOf(runs []run, sure bool) (all setList) {
	for _, r := range runs {
		if sure {
			all = append(all, r.sure)
		} else {
			all = append(all, r.maybe)
		}
	}
	return all
}

func (ps setList) union() (all poly.Set) {
	for _, p := range ps {
		all = all.Union(p)
	}
	return all
}

// times returns what is in n or more of ps.
func (ps setList) times(n int) (all poly.Set) {
	if n == 1 {
		return ps.union()
	}
	for i, p := range ps {
		all = all.Union(p.Intersect(ps[i+1:].times(n - 1)))
	}
	return all
}
