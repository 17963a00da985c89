package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/astgen/mapped"
	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
)

// This file prints the loops of a schedule that the user has written: as they are, the outermost of those that are parallel for threads, the
// innermost for vectors.

// PrintMapped prints the function of one region, whose loops have so much to do.
func PrintMapped(p *mapped.Program, grains map[*scan.For]cpu.Grain, names Names) Printed {
	r := spelled(p.Scop, &cpu.Program{}, names, scan.Variables(p.Loops))
	r.grains = grains
	return r.printed(p.Scop, r.mapped(p))
}

// mapped returns the function that does what the region does.
func (r *region) mapped(p *mapped.Program) string {
	r.begin()
	r.withMade(func() { r.loops(p.Loops, false) })
	body := r.end()
	r.Line("static %s", r.declared())
	r.Line("{")
	r.Depth = 1
	r.convert()
	for _, line := range r.Constants() {
		r.Line("%s", line)
	}
	r.declarePlanes()
	r.Depth = 0
	r.Raw(body)
	r.Line("}")
	return r.Take()
}

// loops prints a node, among threads if a loop around it is.
func (r *region) loops(n scan.Node, shared bool) {
	switch n := n.(type) {
	case nil:
	case scan.Block:
		for _, c := range n {
			r.loops(c, shared)
		}
	case *scan.For:
		inner := !hasLoop(n.Body)
		switch {
		case n.Parallel && !shared && inner:
			r.team(r.grains[n], "omp parallel for simd")
			shared = true
		case n.Parallel && !shared:
			r.team(r.grains[n], "omp parallel for")
			shared = true
		case n.Parallel && inner:
			r.simd()
		}
		step := n.Var + "++"
		if n.Step != 1 {
			step = fmt.Sprintf("%s += %d", n.Var, n.Step)
		}
		r.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s)", r.Index, n.Var, r.Expr(n.Lo), n.Var, r.Expr(n.Hi), step), func() { r.loops(n.Body, shared) })
	case *scan.If:
		r.Line("if (%s) {", r.condition(n.Cond))
		r.Depth++
		r.loops(n.Then, shared)
		r.Depth--
		if n.Else != nil {
			r.Line("} else {")
			r.Depth++
			r.loops(n.Else, shared)
			r.Depth--
		}
		r.Line("}")
	case *scan.Call:
		r.instance(n)
	case *scan.Mark:
		r.Line("// %s", ctext.CommentSafe(n.Name))
		r.loops(n.Body, shared)
	default:
		panic(fmt.Sprintf("openmp: loops: unexpected %T", n))
	}
}

// hasLoop reports whether there is a loop in n.
func hasLoop(n scan.Node) bool { return len(scan.Variables(n)) > 0 }

// condition returns c in C.
func (r *region) condition(c scan.Cond) string {
	var some []string
	for _, conj := range c {
		var all []string
		for _, x := range conj {
			op := map[scan.Op]string{scan.AtLeast: ">=", scan.AtMost: "<=", scan.Equal: "=="}[x.Op]
			all = append(all, fmt.Sprintf("%s %s %s", r.operand(x.Left), op, r.operand(x.Right)))
		}
		text := strings.Join(all, " && ")
		if all == nil {
			text = "1"
		}
		if len(c) > 1 && len(all) > 1 {
			text = "(" + text + ")"
		}
		some = append(some, text)
	}
	if some == nil {
		return "0"
	}
	return strings.Join(some, " || ")
}

// operand returns e as an operand of a comparison, which binds more than & does.
func (r *region) operand(e affine.Expr) string {
	if text := r.Expr(e); strings.Contains(text, " & ") {
		return "(" + text + ")"
	} else {
		return text
	}
}

// instance prints what an instance of a statement does.
func (r *region) instance(n *scan.Call) {
	for _, st := range r.Scop.Stmts {
		if st.Name != n.Stmt {
			continue
		}
		s := &cpu.Step{Step: astgen.Step{Stmt: st, Iters: n.Args}, Groups: []cpu.Group{{Size: 1}}}
		p := newPoint(r, s, "")
		var iters []affine.Sum
		for _, name := range st.Iters {
			iters = append(iters, affine.Var(name))
		}
		where := r.Zero(r.Scop.Remainders(st, iters)) // others do nothing
		for _, name := range st.Iters {
			p.used[r.iters[name]] = p.used[r.iters[name]] || r.Uses[r.iters[name]]
		}
		r.Braces("", func() {
			p.iterators(-1)
			if where != "" {
				r.Line("if (%s) {", where)
				defer r.Line("}")
			}
			p.running(func() {
				for _, q := range append(p.pointers, p.groups[0].pointers...) {
					r.Line("%s", q.declaration())
				}
				for _, line := range p.groups[0].body {
					r.Line("%s", line)
				}
			})
		})
		return
	}
	panic("openmp: instance: no statement " + n.Stmt)
}
