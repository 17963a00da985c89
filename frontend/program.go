package frontend

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file puts a scop.Program together: the last stage, which decides nothing.

// An assembly puts what was read together.
type assembly struct {
	*prover
	apart [][2]object // what is to be tested not to overlap
}

// program puts what was read together.
func (as *assembly) program() *scop.Program {
	fr := as.frame()
	p := &scop.Program{
		File: as.f.name, Source: as.f.text, Region: as.r.Region, Function: as.r.function.Declarator.Name(), Signature: as.signature(),
		Time: as.time.name, Timeless: as.timeless, Outer: as.outer(), Cxx: as.f.cxx != nil,
	}
	if as.runsClock() {
		p.Clock = as.r.clock.text
	}
	for _, d := range fr.params {
		q := as.params[d]
		if of, ok := as.quotients[d]; ok {
			q.Of = &scop.Quotient{Row: fr.affine(of.sum), By: of.by}
		}
		p.Params = append(p.Params, q)
	}
	for _, d := range inOrder(as.source, as.scalars) {
		p.Scalars = append(p.Scalars, as.scalars[d])
	}
	for _, d := range inOrder(as.source, as.arrays) {
		a := as.arrays[d]
		for _, e := range a.extents {
			a.Extents = append(a.Extents, fr.affine(e))
		}
		for _, e := range a.last {
			a.Last = append(a.Last, fr.affine(e))
		}
		for _, e := range a.first {
			a.First = append(a.First, fr.affine(e))
		}
		for _, e := range a.origin {
			a.Origin = append(a.Origin, fr.affine(e))
		}
		a.Const, a.Local = !a.stored, as.isLocal(a)
		if len(a.planes) == 0 {
			a.Fixed = as.fixed(a.decl, a.Elem)
		}
		if len(a.rows) > 0 {
			p.Rows = append(p.Rows, as.rowPointers(a, fr))
		}
		as.finishPlanes(a, fr)
		p.Arrays = append(p.Arrays, a.Array)
	}
	for i, n := range as.nests {
		n.stmt.Order, n.stmt.Name = i, fmt.Sprintf("S%d", i)
		as.complete(p, n, fr)
		p.Stmts = append(p.Stmts, n.stmt)
	}
	as.checkSeparated()
	as.checkSized(p.Rows)
	for _, o := range as.obligations {
		as.checkUnsigned(o, fr.with(o.loops))
	}
	p.Facts = as.settleFacts(fr)
	for _, pair := range as.apart {
		x, y := pair[0], pair[1]
		p.Apart = append(p.Apart, [2]scop.Object{{Array: x.Array, Index: x.index}, {Array: y.Array, Index: y.index}})
	}
	p.Context = poly.NewParamSet(fr.paramNames, fr.hold(as.known())...)
	p.Claims = as.claims()
	if p.Private = as.private(); p.Cxx {
		p.PrivateAt = as.privateAt()
	}
	return p
}

// complete fills in the sets of n, which is of p.
func (as *assembly) complete(p *scop.Program, n *nest, fr frame) {
	fr = fr.with(n.loops)
	n.stmt.Iters = fr.iterNames
	tuple, domain := n.stmt.Tuple(), fr.hold(n.constraints)
	if slices.ContainsFunc(n.loops, func(l loop) bool { return l.down }) {
		for _, l := range n.loops {
			n.stmt.Down = append(n.stmt.Down, l.down)
		}
	}
	n.stmt.Domain = poly.NewSet(fr.paramNames, tuple, domain...)
	for _, r := range n.constraints {
		n.stmt.Bounds = append(n.stmt.Bounds, fr.affine(r))
	}
	n.stmt.When, n.stmt.Settled = fr.residues(p, n.stmt, slices.Concat(n.constraints, as.known()))
	domain = append(domain, p.WhenFormula(n.stmt))
	for _, a := range n.accesses {
		var cells []affine.Expr
		for k, s := range a.index {
			a.Index = append(a.Index, scop.Index{Affine: fr.affine(as.byLoops(n, a, k, fr)), Mod: s.mod})
			cells = append(cells, fr.value(s))
		}
		a.Map = poly.NewFunction(fr.paramNames, tuple, poly.Tuple{Name: a.array.Name}, cells, domain...)
		n.stmt.Accesses = append(n.stmt.Accesses, a.Access)
		as.checkAccess(n, a, fr)
		as.checkFits(n, a, fr)
	}
	as.checkUnused(n, fr)
}

// outer returns the names of the variables that the region sets but that are
// declared outside, and reports those whose value may be read later; and the names of
// constants whose values it takes, and of functions that it calls.
func (as *assembly) outer() (names []string) {
	for _, d := range as.setOutside() {
		if !as.runsClock() || !as.r.clock.sets[d] {
			names = append(names, as.u.members.name(d))
			as.checkDead(d)
		}
	}
	for _, d := range as.constantsOutside() {
		if _, member := as.u.members.statics[d.Name()]; !member { // of those of a class no compiler says that they are not used
			names = append(names, as.f.cxx.qualified(d.Name()))
		}
	}
	for _, d := range as.stridesOutside() {
		if name := as.u.members.name(d); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range as.lambdasOutside() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range as.pointersOutside() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(as.expanded)) {
		if as.f.cxx == nil || !as.f.cxx.instances[name] { // of a template no compiler says that it is not used
			names = append(names, as.f.cxx.qualified(name))
		}
	}
	return names
}

// lambdasOutside returns the names of lambdas of C++ that the region calls.
func (as *assembly) lambdasOutside() (names []string) {
	if as.f.cxx == nil {
		return nil
	}
	for _, x := range as.f.cxx.called {
		if as.r.Start <= x.at && x.at < as.r.End && x.declared < as.r.Start {
			names = append(names, x.name)
		}
	}
	return names
}

// pointersOutside returns the names of pointers that the region sets but that are declared outside, and that its statements no longer name.
func (as *assembly) pointersOutside() (names []string) {
	set := map[*cc.Declarator]bool{}
	for _, s := range as.r.stmts {
		eachExprIn(s, func(e expr) {
			if a, ok := e.(assign); ok {
				if x, ok := a.x.(ident); ok && x.decl != nil && isPointer(x.decl) && !as.u.members.is(x.decl) && !as.inRegion(x.decl) && as.cycles[x.decl] == nil {
					set[x.decl] = true
				}
			}
		})
	}
	for _, d := range inOrder(as.source, set) {
		names = append(names, as.u.members.name(d))
	}
	return names
}

// stridesOutside returns the variables that the region names, but its statements no longer, since their values are written out.
func (as *assembly) stridesOutside() []*cc.Declarator {
	named := map[*cc.Declarator]bool{}
	strides := as.strides()
	for _, s := range as.r.stmts {
		eachExprIn(s, func(e expr) {
			if x, ok := e.(ident); ok && x.decl != nil {
				_, stride := strides[x.decl]
				_, param := as.params[x.decl]
				named[x.decl] = stride && !param && !as.u.members.is(x.decl)
			}
		})
	}
	return slices.DeleteFunc(inOrder(as.source, named), func(d *cc.Declarator) bool { return !named[d] })
}

// constantsOutside returns the constants outside of the region whose values were taken.
func (as *assembly) constantsOutside() []*cc.Declarator {
	taken := map[*cc.Declarator]bool{}
	for d, x := range as.consts {
		taken[d] = taken[d] || x.ok
	}
	for d, x := range as.values {
		taken[d] = taken[d] || x.ok
	}
	for key, values := range as.tables {
		taken[key.Declarator] = taken[key.Declarator] || values != nil
	}
	return slices.DeleteFunc(inOrder(as.source, taken), func(d *cc.Declarator) bool { return !taken[d] || as.inRegion(d) })
}

// setOutside returns the variables that the region sets but that are declared outside,
// but for pointers that rotate or are brought back.
func (as *assembly) setOutside() []*cc.Declarator {
	set := map[*cc.Declarator]bool{}
	for d := range as.iterators {
		set[d] = true
	}
	for d := range as.written {
		set[d] = true
	}
	for _, of := range as.split {
		for _, one := range of {
			if len(one.parts) > 0 {
				set[one.decl] = true
			}
		}
	}
	if as.r.clock != nil {
		for d := range as.r.clock.sets {
			set[d] = true
		}
	}
	return slices.DeleteFunc(inOrder(as.source, set), func(d *cc.Declarator) bool { return as.inRegion(d) || as.cycles[d] != nil || as.isBroughtBack(d) })
}

// runsClock reports whether someone may read what the time loop leaves in the variables that count its steps.
func (as *assembly) runsClock() bool {
	if as.r.clock == nil {
		return false
	}
	for d := range as.r.clock.sets {
		if _, live := as.readAfter(d); !as.inRegion(d) && (live || !as.isAutomatic(d)) {
			return true
		}
	}
	return false
}

// checkDead reports a use of d after the region that may read what the region
// would have left there.
func (as *assembly) checkDead(d *cc.Declarator) {
	if !as.isAutomatic(d) {
		as.note(&diag.Diagnostic{
			Code: "HX113", At: as.f.span(tokenAt(d.NameTok())),
			Msg:   fmt.Sprintf("'%s' is set by the region, and others may read it", d.Name()),
			Notes: []diag.Note{{Msg: "the generated code leaves no values in loop variables and local scalars"}},
			Help:  "declare it in the function, or in the head of the loop",
		})
		return
	}
	if at, live := as.readAfter(d); live {
		as.errorf("HX113", at, "the generated code leaves no values in loop variables and local scalars",
			fmt.Sprintf("set '%s' after #pragma endscop, or use another variable in the region", d.Name()),
			"'%s' is read after the region, which sets it", d.Name())
	}
}

// readAfter returns where d may be read after the region, before it is set again.
func (as *assembly) readAfter(d *cc.Declarator) (at where, found bool) {
	u := &liveness{source: as.source, decl: d}
	for i := len(as.r.around) - 1; i >= 0 && u.fate == unknown; i-- {
		switch s := as.r.around[i].(type) {
		case block:
			u.after(s.items)
		case forStmt, otherStmt: // a loop: after its end comes its beginning
			u.stmt(s)
			u.cannotEnd()
		}
	}
	return u.where, u.fate == read
}

func tooComplicated(r region, err error) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX402", At: r.at,
		Msg:  "the region is too complicated: " + err.Error(),
		Help: "simplify bounds and subscripts, or fix parameters to numbers with -D"}
}
