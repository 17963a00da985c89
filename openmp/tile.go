package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// A tileFunction runs the tiles of a phase at one place of the parallel dimension.
type tileFunction struct {
	name, text string
	phase      cpu.Phase
	args       []string // what it is passed: names that are the same outside, but for buffers, and the number of the phase
}

// tileFunctions returns the functions of all phases, by phase. Those that phases have in common are one function, whose text the first of them has.
func (r *region) tileFunctions() (all []tileFunction) {
	if r.common == nil {
		for _, ph := range r.prog.Phases {
			all = append(all, r.tileFunction(ph, fmt.Sprintf("phase%d", ph.Number), fmt.Sprintf("Phase %d", ph.Number), ph.Body))
		}
		return all
	}
	f := r.tileFunction(r.prog.Phases[0], "phases", "All phases", r.common.Body)
	at := slices.Index(f.args, r.common.Var)
	for i, ph := range r.prog.Phases {
		g := f
		g.phase, g.args = ph, slices.Clone(f.args)
		if at >= 0 {
			g.args[at] = fmt.Sprint(ph.Number)
		}
		if i > 0 {
			g.text = ""
		}
		all = append(all, g)
	}
	return all
}

// texts returns the functions as text.
func texts(functions []tileFunction) string {
	var b strings.Builder
	for _, f := range functions {
		if f.text != "" {
			b.WriteString(f.text + "\n")
		}
	}
	return b.String()
}

// tileFunction prints the function of a phase, or of all of them, which runs list. It is not inlined: compilers know
// of __restrict for parameters, and forget it for what they move to a parallel region.
func (r *region) tileFunction(ph cpu.Phase, name, which string, list []cpu.Node) tileFunction {
	f := tileFunction{name: r.names.Function() + "_" + name, phase: ph}
	r.begin()
	r.nodes(list)
	body := r.end()
	for _, text := range r.tableTexts {
		r.Line("%s", text)
	}
	r.tableTexts = nil
	var decls []string
	for _, name := range []string{r.prog.Names.T, ph.Tile} {
		if r.Uses[name] {
			decls, f.args = append(decls, fmt.Sprintf("%v %s", r.Index, name)), append(f.args, name)
		}
	}
	add := func(name, decl string) {
		if r.Uses[name] {
			decls, f.args = append(decls, decl), append(f.args, name)
		}
	}
	if r.common != nil {
		add(r.common.Var, fmt.Sprintf("%v %s", r.Index, r.common.Var))
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
		if r.prog.Buffer(a) != nil {
			continue
		}
		if r.isMade(a) {
			add(r.Outer[a.Name], fmt.Sprintf("%s*%s%s", ctext.Pointed(a), qualifier, r.Outer[a.Name]))
		}
		for _, o := range a.Objects() {
			add(r.Outer[o.Name], fmt.Sprintf("%s*%s%s", ctext.Pointed(a), qualifier, r.Outer[o.Name]))
		}
	}
	for _, a := range r.Scop.Arrays {
		for _, l := range r.local[a] {
			add(l.name, fmt.Sprintf("%v %s", r.Index, l.name))
		}
	}
	for _, name := range []string{r.from, r.to} {
		if name != "" {
			add(name, fmt.Sprintf("%v %s", r.Index, name))
		}
	}
	if len(r.prog.Buffers) > 0 {
		decls, f.args = r.passBuffers(decls, f.args)
	}
	add(r.mine, "struct hexcc_chain *"+r.mine)
	add(r.before, "const struct hexcc_chain *const *"+r.before)
	if r.Uses[r.before] {
		decls, f.args = append(decls, "int "+r.waits), append(f.args, r.waits)
		add(r.beside, "int "+r.beside)
	}
	r.Line("// %s of time tile %s: the tiles at %s.", which, r.prog.Names.T, ph.Tile)
	if r.common == nil {
		r.Line("__attribute__((noinline))")
	} else {
		r.Line("HEXCC_ONCE")
	}
	r.Line("static void %s(%s)", f.name, strings.Join(decls, ", "))
	r.Line("{")
	r.Depth = 1
	for _, line := range r.Constants() {
		r.Line("%s", line)
	}
	r.declarePlanes()
	r.declareBuffers()
	r.Depth = 0
	r.Raw(body)
	r.Line("}")
	f.text = r.Take()
	return f
}

// declarePlanes declares those arrays of pointers to the objects of an array that are used.
func (r *region) declarePlanes() {
	for _, a := range r.Scop.Arrays {
		if name := r.planes[a]; r.Uses[name] && name != "" {
			r.Line("%s*const %s[] = {%s};", ctext.Pointed(a), name, strings.Join(r.objects(a), ", "))
		}
	}
}

// objects returns the names of the objects of a.
func (r *region) objects(a *scop.Array) (names []string) {
	for _, o := range a.Objects() {
		names = append(names, r.Outer[o.Name])
	}
	return names
}

// nodes prints what one thread runs.
func (r *region) nodes(list []cpu.Node) {
	for _, n := range list {
		r.node(n)
	}
}

func (r *region) node(n cpu.Node) {
	switch n := n.(type) {
	case cpu.For:
		r.Braces(r.head(n.Var, n.Lo, n.Hi), func() { r.nodes(n.Body) })
	case cpu.If:
		r.Line("if (%s) {", r.Cond(n.Cond))
		r.Depth++
		r.nodes(n.Then)
		r.Depth--
		if n.Else != nil {
			r.Line("} else {")
			r.Depth++
			r.nodes(n.Else)
			r.Depth--
		}
		r.Line("}")
	case cpu.Tile:
		r.tile(n)
	case cpu.Await:
		r.await(n)
	case cpu.Signal:
		r.signal(n)
	default:
		panic(fmt.Sprintf("openmp: node: unexpected %T", n))
	}
}

// tile prints the steps of a tile.
func (r *region) tile(n cpu.Tile) {
	steps := func() {
		for _, nest := range n.InNests() {
			r.nest(n, nest)
		}
	}
	switch {
	case n.Var != "":
		r.Braces(r.head(n.Var, n.Lo, n.Hi), func() {
			if n.Pass != nil {
				r.pass(n)
			}
			steps()
		})
		return
	case n.Full:
		r.Line("// full tile")
	default:
		r.Line("// partial tile")
	}
	steps()
}

// head returns the head of a loop.
func (r *region) head(name string, lo, hi affine.Expr) string {
	return fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", r.Index, name, r.Expr(lo), name, r.Expr(hi), name)
}

// nest prints the nest that runs those of the steps of a tile.
func (r *region) nest(n cpu.Tile, numbers []int) {
	if len(numbers) == 1 {
		r.step(newPoint(r, n.Steps[numbers[0]], n.Var))
		return
	}
	r.step(newVariants(r, n.Nest(numbers), n.Var))
}

// step prints one step of a tile, or several that are variants.
func (r *region) step(p *point) {
	if n := len(p.variants); n > 0 {
		r.Line("{ // %s, and %d that differ in bounds and distances", p.variants[0].Stmt.Name, n-1)
	} else {
		r.Line("{ // %s", p.step.Stmt.Name)
	}
	r.Depth++
	if len(p.variants) > 0 {
		p.inVariants(p.nest)
	} else {
		p.nest()
	}
	r.Depth--
	r.Line("}")
}

// nest prints the loops of p, and what they need.
func (p *point) nest() {
	p.iterators(-1)
	guard := p.Cond(p.step.Guard)
	if guard != "" {
		p.Line("if (%s) {", guard)
		p.Depth++
	}
	for _, q := range p.pointers {
		p.Line("%s", q.declaration())
	}
	p.loops(0)
	if guard != "" {
		p.Depth--
		p.Line("}")
	}
}
