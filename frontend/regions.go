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

// This file lists the stages in which a region is read, and chooses among the ways to read it: whether its first loop is
// over time or over space, and whether loops in steps count their iterations or all of their values.
//
// Regions without a time loop, such as those inside of one:
//
//	for (t = 0; t < T; t++) {
//	#pragma scop
//	  for (i = ..) ..
//	#pragma endscop
//	}
//
// become programs with a time loop of one iteration.

// A made is what became of a region: what is known of it, and the program, nil if there are errors.
type made struct {
	*facts
	p       *scop.Program
	guessed bool      // the extent of a pointer is taken from the accesses
	refused diag.List // why the host does not run the loops around its nests, in places of the user's file; nil where that is not what stops the region
	onRanks bool      // and that is all that stops it
}

// A variant is one of the ways to read a region.
type variant struct {
	timeless bool             // it has no time loop
	strides  bool             // products that the function computes before the region, such as plane = n * m, are written out
	lifted   bool             // functions that guard elements stand in front of the statements that call them
	classes  bool             // nests are taken apart by remainders in subscripts and bounds: see nests_class.go
	colours  bool             // nests are taken apart by tests of remainders: see nests_colour.go
	dense    bool             // loops in steps of more than 1 run in steps of 1: see denseLoops
	divides  []*cc.Declarator // integers that conditions divide nests by
}

// nests reads region r up to its nests, stage by stage: each reads what those before it made.
func (v variant) nests(f *file, u *unit, r region, o Options) *nestReader {
	sv := newSurvey(newNotes(&source{f, u, r, o}))
	sym := newSymbols(sv)
	lr := newLoopReader(newAffineReader(sym))
	nr := &nestReader{storage: newStorage(lr), timeless: v.timeless, byClass: v.classes, byColour: v.colours}
	pragma, found := r.parallel(f)
	where := "stands"
	if team := u.teams[r.Index]; team != "" && !found {
		pragma, where, found = team, "may stand", true
	}
	if found {
		nr.note(&diag.Diagnostic{Code: "HX017", At: r.at, Msg: fmt.Sprintf("this region %s inside of '%s'", where, pragma),
			Notes: []diag.Note{{Msg: "each thread of the team would run all of it; what is written has its own threads"}},
			Help:  "begin the region in front of that pragma and end it behind its block"})
	}
	if v.timeless {
		nr.remarkTimeless()
	}
	stmts := sv.withoutCopies(sv.withFinals((&expander{survey: sv}).expand(sv.withCounters(slices.Clone(r.stmts)))))
	if v.lifted {
		stmts = sv.lifted(stmts)
	}
	stmts = sv.writeOut(sv.withoutScratch(sv.withoutStructs(sv.sameStrides(sv.sameMembers(stmts)), nil)), v.strides)
	stmts = mapAll(sv.withoutCollapsed(stmts), lr.colourLoops)
	if v.dense {
		stmts = mapAll(stmts, func(s stmt) stmt {
			if f, ok := s.(forStmt); ok && !v.timeless { // steps of time are counted
				f.body = lr.denseLoops(f.body)
				return f
			}
			return lr.denseLoops(s)
		})
	}
	for _, d := range v.divides {
		sv.affine[d] = true
	}
	sv.look(stmts)
	lr.findComponents(v.timeless)
	sym.takeNames()
	nr.region()
	return nr
}

// read reads region r: its nests, then what is known of the parameters and the arrays, then the program.
func (v variant) read(f *file, u *unit, r region, o Options) made {
	fs := &facts{nestReader: v.nests(f, u, r, o)}
	if fs.errs.HasErrors() {
		return made{facts: fs}
	}
	if v.divides == nil {
		for _, d := range inOrder(fs.source, fs.params) {
			if _, both := fs.scalars[d]; both { // read as a scalar before a condition divided a nest by it
				v.divides = append(v.divides, d)
			}
		}
		if v.divides != nil {
			return v.read(f, u, r, o)
		}
	}
	fs.checkKept()
	fs.stateFacts()
	fs.testCallbacks()
	fs.given()
	apart := (&aliasing{fs.storage, fs.nests}).checkAliasing()
	fs.checkSizesKept()
	fs.checkMembersApart()
	dm := newDimensions(fs)
	m, pr := made{facts: dm.facts}, &prover{dm.facts}
	pr.checkViews()
	if err := poly.Limited(func() error {
		pr.warnIdle()
		pr.testTurns()
		if dm.delinearize() && dm.findOrigins() && dm.guessExtents() {
			pr.checkBlocks(pr.nests)
			m.p = (&assembly{pr, apart}).program()
		}
		if m.p != nil && !m.errs.HasErrors() {
			(&storeCheck{dm.facts}).checkStores(m.p)
		}
		return nil
	}); err != nil {
		m.note(tooComplicated(r, err))
	}
	if m.guessed = dm.guessed; m.errs.HasErrors() {
		m.p = nil
	}
	return m
}

// build returns what becomes of region r: with what the function computes before it as parameters, or else, where
// those are products, with the products; with functions that guard elements in front of the statements that call them, and with nests taken apart by
// remainders in subscripts, where that helps.
func build(f *file, u *unit, r region, o Options) made {
	r = (&source{f, u, r, o}).clocked()
	sv := newSurvey(newNotes(&source{f, u, r, o}))
	expanded := sv.withoutCopies((&expander{survey: sv}).expand(slices.Clone(r.stmts)))
	ways := []variant{{timeless: r.space || cannotBeTimeLoop(expanded)}}
	another := func(change func(*variant)) {
		v := ways[len(ways)-1]
		change(&v)
		ways = append(ways, v)
	}
	if len(newSurvey(newNotes(&source{f, u, r, o})).strides()) > 0 {
		another(func(v *variant) { v.strides = true })
	}
	if sv.hasLiftable(expanded) {
		another(func(v *variant) { v.lifted = true })
	}
	m := ways[0].build(f, u, r, o)
	if m.mayFallIntoClasses() {
		for _, v := range slices.Clone(ways) {
			v.classes = true
			ways = append(ways, v)
		}
	}
	for _, v := range ways[1:] {
		if m.p != nil && !m.hopeless() {
			break
		}
		if with := v.build(f, u, r, o); with.p != nil && !with.hopeless() || m.p == nil && (with.p != nil || v.classes && !with.mayFallIntoClasses()) {
			m = with
		}
	}
	return m
}

// hopeless reports whether what m was read with the help of, which is tested when the program runs, holds for no parameters that are positive, as plane + m = 0 does, of a
// plane whose size is not understood. Parameters are sizes, most of them; where one may be less the program is no worse than others that were tried.
func (m made) hopeless() bool {
	var sizes []poly.Formula
	for _, q := range m.p.Params {
		sizes = append(sizes, poly.NotNegative(affine.Var(q.Name).Add(-1)))
	}
	return len(m.p.Facts) > 0 && m.p.Context.IntersectParams(poly.NewParamSet(m.p.ParamNames(), sizes...)).IsEmpty()
}

// mayFallIntoClasses reports whether what is wrong in m may be remainders in subscripts or bounds.
func (m made) mayFallIntoClasses() bool {
	return slices.ContainsFunc(m.errs, func(d *diag.Diagnostic) bool { return d.Code == "HX101" || d.Code == "HX119" }) &&
		slices.ContainsFunc(m.stmts, func(s stmt) bool { return contains(s, holdsRemainder) })
}

// build returns what becomes of region r. A region whose only loop may
// be either, over time or over space, is over space if no iteration of that loop
// depends on another.
func (v variant) build(f *file, u *unit, r region, o Options) made {
	m := v.read(f, u, r, o)
	if v.timeless || m.p != nil && (rotates(m.p) || carries(m.p, 0)) {
		return m.better(v)
	}
	space := variant{timeless: true, strides: v.strides, lifted: v.lifted, classes: v.classes}
	over := space.read(f, u, r, o)
	if over.p == nil || m.p == nil && (rotates(over.p) || carries(over.p, 1)) {
		return m.better(v)
	}
	return over.better(space)
}

func rotates(p *scop.Program) bool {
	return slices.ContainsFunc(p.Arrays, func(a *scop.Array) bool { return len(a.Turns) > 0 })
}

// carries reports whether some iteration of loop k of p, 0 for the time loop,
// depends on an earlier one. If none does, all loops may run in any order, and the
// loop that stands first is one over space as well.
func carries(p *scop.Program, k int) bool {
	found := false
	err := poly.Limited(func() error {
		for _, s := range p.Stmts {
			if len(s.Iters) <= k || s.Domain.IntersectParams(p.Context).IsEmpty() {
				found = true // it has no such loop, or says nothing, which was reported
				return nil
			}
		}
		found = slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool {
			return slices.ContainsFunc(s.Accesses, func(x *scop.Access) bool { return x.Write && carriesFrom(p, s, x, k) })
		})
		return nil
	})
	return found || err != nil
}

// carriesFrom reports whether x, a write in s, touches what other iterations of loop k touch.
func carriesFrom(p *scop.Program, s *scop.Stmt, x *scop.Access, k int) bool {
	for _, q := range p.Stmts {
		for _, y := range q.Accesses {
			if y.Array != x.Array {
				continue
			}
			both := x.Map.ApplyRange(y.Map.Inverse()).IntersectParams(p.Context)
			for _, order := range []compare{poly.Less, greater} {
				if !both.Intersect(poly.NewMap(nil, s.Tuple(), q.Tuple(), order(poly.In(k), poly.Out(k)))).IsEmpty() {
					return true
				}
			}
		}
	}
	return false
}

// conflicts reports whether two iterations of a nest, in one time step, use one element,
// and not both only read it.
func conflicts(p *scop.Program) bool {
	found := false
	err := poly.Limited(func() error {
		found = slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool { return meetsItself(p, s) })
		return nil
	})
	return found || err != nil
}

// overwrites reports whether two iterations of a nest, also in different time steps, set the same element.
func overwrites(p *scop.Program) bool {
	found := false
	err := poly.Limited(func() error {
		found = slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool {
			return meets(p, s, 0, func(x, y *scop.Access) bool { return x.Write && y.Write })
		})
		return nil
	})
	return found || err != nil
}

func meetsItself(p *scop.Program, s *scop.Stmt) bool {
	return meets(p, s, 1, func(x, _ *scop.Access) bool { return x.Write })
}

// meets reports whether two iterations of s, alike in the loops before from, touch the same element by accesses for which which holds.
func meets(p *scop.Program, s *scop.Stmt, from int, which func(x, y *scop.Access) bool) bool {
	for _, x := range s.Accesses {
		for _, y := range s.Accesses {
			if x.Array != y.Array || !which(x, y) {
				continue
			}
			both := x.Map.ApplyRange(y.Map.Inverse()).IntersectParams(p.Context)
			for k := from; k < len(s.Iters); k++ {
				for _, order := range []compare{poly.Less, greater} {
					where := append(equalBelow(from), order(poly.In(k), poly.Out(k)))
					if !both.Intersect(poly.NewMap(nil, s.Tuple(), s.Tuple(), where...)).IsEmpty() {
						return true
					}
				}
			}
		}
	}
	return false
}
