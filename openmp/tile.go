package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// A tileFunction runs the tiles of a phase at one place of the parallel dimension.
type tileFunction struct {
	name, text string
	loop       astgen.For  // the parallel loop that calls it
	work       astgen.Work // where it is called at all
	args       []string    // what it is passed: names that are the same outside
}

// tileFunction prints the function of a launch. It is not inlined: compilers know
// of __restrict for parameters, and forget it for what they move to a parallel region.
func (r *region) tileFunction(n astgen.Launch) tileFunction {
	loop, ok := n.Body.(astgen.For)
	if !ok {
		panic(fmt.Sprintf("openmp: tileFunction: no loop over tiles but %T", n.Body))
	}
	f := tileFunction{name: fmt.Sprintf("%s_phase%d", r.names.Function(), n.Phase), loop: loop, work: n.Work}
	r.begin()
	r.node(loop.Body)
	body := r.end()
	for _, text := range r.tableTexts {
		r.Line("%s", text)
	}
	r.tableTexts = nil
	var decls []string
	for _, name := range []string{r.prog.Names.T, loop.Var} {
		if r.Uses[name] {
			decls, f.args = append(decls, fmt.Sprintf("%v %s", r.Index, name)), append(f.args, name)
		}
	}
	add := func(name, decl string) {
		if r.Uses[name] {
			decls, f.args = append(decls, decl), append(f.args, name)
		}
	}
	for _, q := range r.Scop.Params {
		add(r.Outer[q.Name], fmt.Sprintf("%v %s", r.Index, r.Outer[q.Name]))
	}
	for _, q := range r.Scop.Scalars {
		add(r.Outer[q.Name], fmt.Sprintf("%v %s", q.Type, r.Outer[q.Name]))
	}
	for _, a := range r.Scop.Arrays {
		qualifier := "__restrict "
		if a.Shared { // see ctext.Parameters
			qualifier = ""
		}
		for _, o := range a.Objects() {
			add(r.Outer[o.Name], fmt.Sprintf("%s*%s%s", ctext.Pointed(a), qualifier, r.Outer[o.Name]))
		}
	}
	r.Line("// Phase %d of time tile %s: the tiles at %s.", n.Phase, r.prog.Names.T, loop.Var)
	r.Line("__attribute__((noinline))")
	r.Line("static void %s(%s)", f.name, strings.Join(decls, ", "))
	r.Line("{")
	r.Depth = 1
	for _, line := range r.Constants() {
		r.Line("%s", line)
	}
	for _, a := range r.Scop.Arrays {
		if name := r.planes[a]; r.Uses[name] && name != "" {
			r.Line("%s*const %s[] = {%s};", ctext.Pointed(a), name, strings.Join(r.objects(a), ", "))
		}
	}
	r.Depth = 0
	r.Raw(body)
	r.Line("}")
	f.text = r.take()
	return f
}

// objects returns the names of the objects of a.
func (r *region) objects(a *scop.Array) (names []string) {
	for _, o := range a.Objects() {
		names = append(names, r.Outer[o.Name])
	}
	return names
}

// node prints what runs inside the parallel loop.
func (r *region) node(n astgen.Node) {
	switch n := n.(type) {
	case astgen.Block:
		for _, m := range n {
			r.node(m)
		}
	case astgen.For:
		r.Braces(r.head(n.Var, n.Lo, n.Hi), func() { r.node(n.Body) })
	case astgen.If:
		r.Line("if (%s) {", r.Cond(n.Cond))
		r.Depth++
		r.node(n.Then)
		r.Depth--
		if n.Else != nil {
			r.Line("} else {")
			r.Depth++
			r.node(n.Else)
			r.Depth--
		}
		r.Line("}")
	case astgen.Tile:
		if n.Full {
			r.Line("// full tile")
		} else {
			r.Line("// partial tile")
		}
		for _, s := range n.Steps {
			r.step(s)
		}
	case astgen.Rolled:
		r.Braces(r.head(n.Var, n.Lo, n.Hi), func() {
			for _, s := range n.Steps {
				r.step(s)
			}
		})
	default:
		panic(fmt.Sprintf("openmp: node: unexpected %T", n))
	}
}

// head returns the head of a loop.
func (r *region) head(name string, lo, hi astgen.Expr) string {
	return fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", r.Index, name, r.Expr(lo), name, r.Expr(hi), name)
}

// step prints one step of a tile: its points in any order, the last dimension innermost.
func (r *region) step(s astgen.Step) {
	p := point{region: r, step: s, used: map[string]bool{}}
	p.body = p.lines()
	r.Line("{ // %s", s.Stmt.Name)
	r.Depth++
	p.iterators(-1, 0)
	guard := r.Cond(s.Guard)
	if guard != "" {
		r.Line("if (%s) {", guard)
		r.Depth++
	}
	for _, q := range p.pointers {
		r.Line("%s", q.declaration())
	}
	p.loops(0)
	if guard != "" {
		r.Depth--
		r.Line("}")
	}
	r.Depth--
	r.Line("}")
}

// A point prints the instance of a statement at one point of a step.
type point struct {
	*region
	step     astgen.Step
	body     []string        // its statements, in terms of the iterators
	used     map[string]bool // iterators that the text names
	pointers []pointer       // declared outside of the loops
	// direct has the values of iterators that are not declared where an address is printed.
	direct map[string]astgen.Sum
}

// loops prints the loops from dimension d inwards.
func (p *point) loops(d int) {
	last := len(p.step.Loops) - 1
	l := p.step.Loops[d]
	switch {
	case d == last:
		p.row(1)
	case d == last-1 && p.step.Rows > 1:
		p.sideBySide(l)
	default:
		p.Braces(p.head(l.Var, l.Lo, l.Hi), func() {
			p.iterators(d, 0)
			p.loops(d + 1)
		})
	}
}

// sideBySide prints the loop l over rows, which run several at a time, and one by one at the end.
func (p *point) sideBySide(l astgen.Loop) {
	p.Line("%v %s = %s;", p.Index, l.Var, p.Expr(l.Lo))
	p.Line("const %v %s = %s;", p.Index, p.rows, p.Expr(l.Hi))
	p.Braces(fmt.Sprintf("for (; %s + %d <= %s; %s += %d)", l.Var, p.step.Rows-1, p.rows, l.Var, p.step.Rows), func() {
		p.row(p.step.Rows)
	})
	p.Braces(fmt.Sprintf("for (; %s <= %s; %s++)", l.Var, p.rows, l.Var), func() {
		p.iterators(len(p.step.Loops)-2, 0)
		p.row(1)
	})
}

// row prints the innermost loop, for so many rows side by side: up to where a
// cache line starts point by point, from there such that compilers vectorise it.
func (p *point) row(rows int) {
	l := p.step.Loops[len(p.step.Loops)-1]
	lo, hi := p.Expr(l.Lo), p.Expr(l.Hi)
	if p.step.Align != nil {
		p.Line("const %v %s = %s;", p.Index, p.stop, hi)
		p.Line("%v %s = %s;", p.Index, p.start, lo)
		lo, hi = p.start, p.stop
		p.Braces(fmt.Sprintf("while (%s <= %s && %s)", p.start, p.stop, p.misaligned(rows)), func() {
			p.Line("const %v %s = %s++;", p.Index, l.Var, p.start)
			p.points(rows)
		})
	}
	p.simd()
	p.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", p.Index, l.Var, lo, l.Var, hi, l.Var), func() { p.points(rows) })
}

// misaligned returns the condition that the element of Align at the start of a row
// does not start a cache line.
func (p *point) misaligned(rows int) string {
	last := len(p.step.Loops) - 1
	p.direct = map[string]astgen.Sum{}
	for i, name := range p.step.Stmt.Iters {
		d := p.depth(p.step.Iters[i])
		if d == last || rows > 1 && d == last-1 {
			at := astgen.Subst(p.step.Iters[i], map[string]astgen.Sum{p.step.Loops[last].Var: astgen.Var(p.start)})
			p.direct[name] = at.(astgen.Sum)
		}
	}
	text := p.ref(p.step.Align)
	p.direct = nil
	return fmt.Sprintf("(__UINTPTR_TYPE__)&%s %% %d != 0", text, cacheLine)
}

// cacheLine is the bytes of a cache line, and of the widest vectors.
const cacheLine = 64

// points prints the body at one point of each of some rows side by side.
func (p *point) points(rows int) {
	last := len(p.step.Loops) - 1
	for r := range rows {
		print := func() {
			if rows > 1 {
				p.iterators(last-1, r)
			}
			p.iterators(last, r)
			for _, line := range p.body {
				p.Line("%s", line)
			}
		}
		if rows > 1 {
			p.Braces("", print)
		} else {
			print()
		}
	}
}

// iterators declares those iterators that are used and known inside loop d, on
// the row that many after the current one.
func (p *point) iterators(d, row int) {
	for i, name := range p.step.Stmt.Iters {
		if !p.used[p.iters[name]] || p.depth(p.step.Iters[i]) != d {
			continue
		}
		at := p.step.Iters[i]
		if row > 0 {
			over := p.step.Loops[len(p.step.Loops)-2].Var
			at = astgen.Subst(at, map[string]astgen.Sum{over: astgen.Var(over).Add(int64(row))})
		}
		p.Line("const %v %s = %s;", p.Index, p.iters[name], p.Expr(at))
	}
}

// depth returns the innermost loop of the step whose variable e has, -1 if none.
func (p *point) depth(e astgen.Expr) int {
	d := -1
	astgen.Vars(e, func(name string) {
		d = max(d, slices.IndexFunc(p.step.Loops, func(l astgen.Loop) bool { return l.Var == name }))
	})
	return d
}

// builtin returns the name by which compilers know a function of math.h, included or not.
func builtin(name string) string { return "__builtin_" + name }

// lines returns the statements of the body, in terms of the iterators.
func (p *point) lines() (lines []string) {
	v := ctext.Valuer{Indexer: p.Indexer, Iters: map[string]astgen.Expr{}, Function: builtin}
	for _, name := range p.step.Stmt.Iters {
		delete(p.Uses, p.iters[name])
		v.Iters[name] = astgen.Var(p.iters[name])
	}
	v.Read = p.ref
	for _, action := range p.step.Stmt.Body {
		switch a := action.(type) {
		case scop.Let:
			lines = append(lines, ctext.Let(a, p.step.Stmt, p.Local[a.Name], v.Assigned(a.Value, true)))
		case scop.Store:
			lines = append(lines, fmt.Sprintf("%s = %s;", p.ref(a.To), v.Assigned(a.Value, false)))
		default:
			panic(fmt.Sprintf("openmp: lines: unknown action %T", action))
		}
	}
	for _, name := range p.step.Stmt.Iters {
		p.used[p.iters[name]] = p.Uses[p.iters[name]]
	}
	return lines
}
