package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file turns a region into a scop.Program. What is wrong is noted and the
// rest of the region is still read, so that one run reports everything.

// A source is a region as its file has it. Nothing in it changes while the region is read.
type source struct {
	f *file
	u *unit
	r region
	o Options
}

// notes is what the reading of a region leaves beside its product: what is wrong, what is still to be proved,
// and what was left out. Each stage adds to it.
type notes struct {
	*source
	errs        diag.List
	refused     map[*cc.Declarator]diag.List // what is wrong with variables: see refuse
	obligations []obligation
	joined      [][2]diag.Pos // stores of one branch that are one with those of another: see joins
	idles       []idle        // what was left out
}

// A survey is what a look over a whole region finds, before it is read in order.
type survey struct {
	*notes
	stmts     []stmt                   // the statements of the region, with those of the functions that it calls as statements
	iterators map[*cc.Declarator]bool  // of the loops of the region
	written   map[*cc.Declarator]where // what the region assigns, and where first
	affine    map[*cc.Declarator]bool  // what stands in bounds, subscripts and extents
	inlined   []where                  // bodies of functions that are part of the region
	expanded  map[string]bool          // the functions that the region no longer calls
	flows     []flow
}

// symbols are the variables of the program: its parameters, scalars and constants, and the names of all.
type symbols struct {
	*survey
	params  map[*cc.Declarator]scop.Param
	scalars map[*cc.Declarator]scop.Scalar
	consts  map[*cc.Declarator]known
	tables  map[*cc.Declarator][]int64 // the elements of constant arrays: see tableValue
	names   map[string]bool            // of variables declared outside the region
	nameIn  map[*cc.Declarator]string  // the names that variables declared outside the region have in the program
	own     map[string]bool            // the names of iterators and locals of all nests
}

// An affineReader reads expressions that are sums of iterators and parameters.
type affineReader struct {
	*symbols
	vars *variables
}

// A loopReader reads the heads of loops.
type loopReader struct {
	*affineReader
	components map[where]bool                    // the loops over components, by their heads
	counts     map[*cc.Declarator]*cc.Declarator // what counts the iterations of a loop in steps, by its variable
}

// A storage is the arrays of a region, and the pointers that lead to them.
type storage struct {
	*loopReader
	arrays map[*cc.Declarator]*array
	used   map[*array][]usedMember
	time   loop                              // what pointers hold may depend on its steps
	holds  map[*cc.Declarator]*cc.Declarator // at this place of the time loop: see moves
	chosen map[*cc.Declarator]*choice        // what pointers are set to at this place of the time loop
	moved  map[*cc.Declarator]move           // the last of each pointer
	cycles map[*cc.Declarator]*cycle
}

// A statementReader reads the statements of one nest.
type statementReader struct {
	*storage
	n        *nest
	calls    callStack // around this place
	actions  []scop.Action
	tests    []scop.Expr // what holds at this place
	returned *resultOf   // of the function that is being inlined
	all      map[*local]bool
	byName   map[string]*local
	byAccess map[*scop.Access]*access
}

// A nestReader reads the nests of a region, in order.
type nestReader struct {
	*storage
	timeless bool // the region has no time loop
	nests    []*nest
	loopIDs  int
}

// facts are what is known of the parameters of a region.
type facts struct {
	*nestReader
	stated []linear // that hold wherever the region runs
	tested []fact   // that are tested before
}

// A nest is a loop nest of the time loop on its way to a scop.Stmt.
type nest struct {
	stmt     *scop.Stmt
	loops    []loop // loops[0] is the time loop
	rows     []linear
	accesses []*access
	locals   map[*cc.Declarator]*local
	names    map[string]bool // of iterators and locals
	path     []int           // the loops of the source that it comes from: see piece
	turns    []turn          // of loops that were written out around it
	early    []*access       // reads that were moved behind other nests
	unused   []*access       // reads whose value nobody uses: they are dropped
	stretch  int             // of a body with copies of a statement, the number of the nest that it was taken apart into; else 0
	olds     []oldValue      // the reads of what stores overwrite
}

// An access is a scop.Access on its way.
type access struct {
	*scop.Access
	array *array
	index []subscript
	where
	subs []expr     // as written
	flat polynomial // the only subscript, where it holds products of variables
}

// A subscript is linear, or linear modulo mod if mod > 0.
type subscript struct {
	linear
	mod  int64
	left *linear // what C's % is applied to, which must not be negative; nil for none
}

// newNestReader returns a reader of region r, whose loops are all over space if timeless is set.
func newNestReader(f *file, u *unit, r region, o Options, timeless bool) *nestReader {
	ns := &notes{source: &source{f, u, r, o}, refused: map[*cc.Declarator]diag.List{}}
	sv := &survey{
		notes: ns, iterators: map[*cc.Declarator]bool{}, written: map[*cc.Declarator]where{}, affine: map[*cc.Declarator]bool{},
		expanded: map[string]bool{},
	}
	sym := &symbols{
		survey: sv, params: map[*cc.Declarator]scop.Param{}, scalars: map[*cc.Declarator]scop.Scalar{},
		consts: map[*cc.Declarator]known{}, tables: map[*cc.Declarator][]int64{},
		names: map[string]bool{}, nameIn: map[*cc.Declarator]string{}, own: map[string]bool{},
	}
	lr := &loopReader{
		affineReader: &affineReader{symbols: sym, vars: &variables{remainders: map[*cc.Declarator]subscript{}}},
		counts:       map[*cc.Declarator]*cc.Declarator{},
	}
	return &nestReader{
		storage:  &storage{loopReader: lr, arrays: map[*cc.Declarator]*array{}, used: map[*array][]usedMember{}},
		timeless: timeless,
	}
}

// A made is what became of a region: what is known of it, and the program, nil if there are errors.
type made struct {
	*facts
	p *scop.Program
	// guessed: the extent of a pointer is taken from the accesses
	guessed bool
}

// A variant is one of the ways to read a region.
type variant struct {
	timeless bool // it has no time loop
	dense    bool // loops in steps of more than 1 run in steps of 1: see denseLoops
}

// read reads region r.
func (v variant) read(f *file, u *unit, r region, o Options) made {
	nr := newNestReader(f, u, r, o, v.timeless)
	if v.timeless {
		nr.remarkTimeless()
	}
	nr.lookOver(v.dense)
	nr.region()
	fs := &facts{nestReader: nr}
	m := made{facts: fs}
	if !nr.errs.HasErrors() {
		fs.stateFacts()
		fs.given()
		m.p, m.guessed = fs.finish()
	}
	if nr.errs.HasErrors() {
		m.p = nil
	}
	return m
}

// finish makes the program of what was read, nil where that cannot be; guessed says that the extent of a pointer was taken from the accesses.
func (fs *facts) finish() (p *scop.Program, guessed bool) {
	dm, as := &dimensions{facts: fs}, &assembly{facts: fs}
	fs.orderPlanes()
	as.apart = (&aliasing{fs.storage}).checkAliasing()
	fs.checkSizesKept()
	fs.checkMembersApart()
	fs.checkViews()
	if err := poly.Limited(func() error {
		(&prover{fs}).warnIdle()
		if dm.delinearize() && dm.guessExtents() {
			p = as.program()
		}
		if p != nil && !fs.errs.HasErrors() {
			(&storeCheck{fs}).checkStores(p)
		}
		return nil
	}); err != nil {
		fs.errs = append(fs.errs, tooComplicated(fs.r, err))
	}
	return p, dm.guessed
}

// errorf notes an error at w, with what is allowed, or why, and what to do.
func (ns *notes) errorf(code diag.Code, w where, note, help, format string, args ...any) {
	d := &diag.Diagnostic{Code: code, At: ns.f.span(w), Msg: fmt.Sprintf(format, args...), Help: help}
	if m := ns.f.macroAt(w); m != "" {
		d.Notes = append(d.Notes, diag.Note{Msg: fmt.Sprintf("in the expansion of macro '%s'", m)})
	}
	d.Notes = append(d.Notes, diag.Note{Msg: note})
	ns.errs = append(ns.errs, d)
}

// errorCount returns how many errors there are: remarks and warnings do not count.
func (ns *notes) errorCount() (n int) {
	for _, d := range ns.errs {
		if d.Severity == diag.Error {
			n++
		}
	}
	return n
}

// textOf returns e as the user wrote it, on one line. Of what a macro expands
// to, it returns the expansion.
func (src *source) textOf(e expr) string {
	w := e.at()
	if from, _, ok := src.f.bytes(w); !ok || w.first == w.last && src.f.text[from] != '(' {
		return exprText(e)
	}
	return oneLine(src.f.slice(w))
}

// warnIdle warns of the nests that never run, whatever the parameters.
func (pr *prover) warnIdle() {
	for _, n := range pr.nests {
		fr := pr.frame().with(n.loops)
		if fr.points(slices.Concat(n.rows, pr.assumptions()), "0 = 0").IsEmpty() {
			pr.errs = append(pr.errs, &diag.Diagnostic{Severity: diag.Warning, Code: "HX115", At: n.stmt.Pos,
				Msg: "this loop nest never runs: its bounds exclude each other"})
		}
	}
}

// An assembly puts what was read together.
type assembly struct {
	*facts
	apart [][2]object // what is to be tested not to overlap
}

// program puts what was read together.
func (as *assembly) program() *scop.Program {
	fr := as.frame()
	p := &scop.Program{
		File: as.f.name, Source: as.f.text, Region: as.r.Region, Function: as.r.function.Declarator.Name(), Signature: as.signature(),
		Time: as.time.name, Timeless: as.timeless, Outer: as.outer(),
	}
	for _, d := range fr.params {
		p.Params = append(p.Params, as.params[d])
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
		a.Const, a.Local = !a.stored, as.isLocal(a)
		if len(a.planes) == 0 {
			a.Fixed = as.fixed(a.decl, a.Elem)
		}
		as.finishPlanes(a, fr)
		p.Arrays = append(p.Arrays, a.Array)
	}
	for i, n := range as.nests {
		n.stmt.Order, n.stmt.Name = i, fmt.Sprintf("S%d", i)
		as.complete(n, fr)
		p.Stmts = append(p.Stmts, n.stmt)
	}
	(&prover{as.facts}).checkSeparated()
	for _, o := range as.obligations {
		(&prover{as.facts}).checkUnsigned(o, fr.with(o.loops))
	}
	p.Facts = as.settleFacts(fr)
	for _, pair := range as.apart {
		x, y := pair[0], pair[1]
		p.Apart = append(p.Apart, [2]scop.Object{{Array: x.Array, Index: x.index}, {Array: y.Array, Index: y.index}})
	}
	p.Context = poly.MustSet(fr.set("", fr.conditions(as.known())))
	p.Claims = as.claims()
	return p
}

func tooComplicated(r region, err error) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX402", At: r.at,
		Msg:  "the region is too complicated: " + err.Error(),
		Help: "simplify bounds and subscripts, or fix parameters to numbers with -D"}
}

// with returns fr with the iterators of loops.
func (fr frame) with(loops []loop) frame {
	for _, l := range loops {
		fr.iters = append(fr.iters[:len(fr.iters):len(fr.iters)], l.decl)
		fr.iterNames = append(fr.iterNames[:len(fr.iterNames):len(fr.iterNames)], l.name)
	}
	return fr
}

// frame returns the columns of the parameters, in order of declaration.
func (sym *symbols) frame() frame {
	fr := frame{params: inOrder(sym.source, sym.params)}
	for _, d := range fr.params {
		fr.paramNames = append(fr.paramNames, sym.params[d].Name)
	}
	return fr
}

// inOrder returns the keys of m in order of declaration.
func inOrder[V any](src *source, m map[*cc.Declarator]V) []*cc.Declarator {
	var ds []*cc.Declarator
	for d := range m {
		ds = append(ds, d)
	}
	slices.SortFunc(ds, src.u.members.compare)
	return ds
}

// complete fills in the sets of n.
func (as *assembly) complete(n *nest, fr frame) {
	fr = fr.with(n.loops)
	tuple := n.stmt.Name + "[" + list(fr.iterNames) + "]"
	domain := fr.conditions(n.rows)
	n.stmt.Iters = fr.iterNames
	if slices.ContainsFunc(n.loops, func(l loop) bool { return l.down }) {
		for _, l := range n.loops {
			n.stmt.Down = append(n.stmt.Down, l.down)
		}
	}
	n.stmt.Domain = poly.MustSet(fr.set(tuple, domain))
	for _, r := range n.rows {
		n.stmt.Bounds = append(n.stmt.Bounds, fr.affine(r))
	}
	for _, a := range n.accesses {
		var cells []string
		for k, s := range a.index {
			a.Index = append(a.Index, scop.Index{Affine: fr.affine((&prover{as.facts}).byLoops(n, a, k, fr)), Mod: s.mod})
			text := fr.text(s.linear)
			if s.mod > 0 {
				text = fmt.Sprintf("(%s) mod %d", text, s.mod)
			}
			cells = append(cells, text)
		}
		a.Map = poly.MustMap(fr.set(tuple+" -> "+a.array.Name+"["+list(cells)+"]", domain))
		n.stmt.Accesses = append(n.stmt.Accesses, a.Access)
		(&prover{as.facts}).checkAccess(n, a, fr)
	}
	(&prover{as.facts}).checkUnused(n, fr)
}

// added returns rows with r, unless that says nothing more.
func added(rows []linear, r linear) []linear {
	if r.isConstant() || slices.ContainsFunc(rows, r.equal) {
		return rows
	}
	return append(rows, r)
}

// declaredFacts returns what declarations say of the parameters, as rows that are >= 0.
func (st *storage) declaredFacts() (rows []linear) {
	add := func(r linear) { rows = added(rows, r) }
	for _, d := range inOrder(st.source, st.params) {
		if st.params[d].Type.IsUnsigned() {
			add(variable(d))
		}
		if t, _ := storedType(d.Type()); t.IsNarrow() {
			lo, hi := t.Range()
			add(variable(d).addc(-lo))
			add(constant(hi).sub(variable(d)))
		}
	}
	for _, d := range inOrder(st.source, st.arrays) {
		for i, e := range st.arrays[d].extents {
			if a := st.arrays[d]; i > a.lead && !a.inferred || !isPointer(d) && st.arrays[d].table == 0 { // the outermost extent of a parameter says nothing
				add(e.addc(-1)) // C 6.7.6.2: the size of an array is greater than zero
			}
		}
	}
	return rows
}
