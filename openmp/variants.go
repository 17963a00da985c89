package openmp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints variants, steps that differ in where their loops begin and end and in distances between elements: one nest runs each of them in turn, and has variables for what differs.
//
//	for (long variant = 0; variant < 2; variant++) {
//	  long lo0, hi0, by0;
//	  switch (variant) {
//	  case 0: lo0 = 1 - 64*S1; hi0 = 1 - 64*S1; if (lo0 > hi0) continue; by0 = n; break;
//	  default: lo0 = 2 - 64*S1; hi0 = 63 - 64*S1; if (lo0 > hi0) continue; by0 = 0; break;
//	  }
//	  for (long b0 = lo0; b0 <= hi0; b0++) ..

// A difference is what a variable is, by variant.
type difference struct {
	name   string
	values []affine.Expr
}

// newVariants makes the text of steps that are variants, and notes what it uses.
func newVariants(r *region, of *cpu.Nest, count string) *point {
	lead, steps := *of.Lead, of.Steps
	p := &point{region: r, step: &lead, count: count, used: map[string]bool{}, values: map[string]affine.Sum{}, variants: steps, like: of.Like, alike: of.Alike()}
	lead.Loops, lead.Iters = slices.Clone(lead.Loops), slices.Clone(lead.Iters)
	for d := range lead.Loops {
		l := &lead.Loops[d]
		l.Lo = p.differing("lo", steps, func(s *cpu.Step) affine.Expr { return s.Loops[d].Lo })
		l.Hi = p.differing("hi", steps, func(s *cpu.Step) affine.Expr { return s.Loops[d].Hi })
	}
	inner := func(name string) bool {
		return slices.ContainsFunc(lead.Loops, func(l astgen.Loop) bool { return l.Var == name })
	}
	for i := range lead.Iters {
		lead.Iters[i] = p.apart("at", inner, func(k int) affine.Sum { return steps[k].Iters[i].(affine.Sum) })
	}
	p.text()
	return p
}

// differing returns an expression of all variants, or a variable for it if it is not the same.
func (p *point) differing(name string, steps []*cpu.Step, of func(*cpu.Step) affine.Expr) affine.Expr {
	values := make([]affine.Expr, len(steps))
	same := true
	for k, s := range steps {
		values[k] = of(s)
		same = same && affine.Same(values[k], values[0])
	}
	if same {
		return values[0]
	}
	return affine.Var(p.variable(name, values))
}

// apart returns a sum of all variants, which they have in common but for what is not over variables inside the nest: a variable stands for that, if it is not the same.
func (p *point) apart(name string, inside func(string) bool, of func(k int) affine.Sum) affine.Sum {
	first := of(0)
	common := affine.Num(0)
	for _, t := range first.Terms {
		if inside(t.Var) {
			common = common.Plus(affine.Var(t.Var).Times(t.Coef))
		}
	}
	values := make([]affine.Expr, len(p.variants))
	same := true
	for k := range p.variants {
		x := of(k)
		values[k], same = x.Minus(common), same && x.Equal(first)
	}
	if same {
		return first
	}
	return common.Plus(affine.Var(p.variable(name, values)))
}

// variable returns the name of what has such values.
func (p *point) variable(name string, values []affine.Expr) string {
	i := slices.IndexFunc(p.differences, func(d difference) bool { return slices.EqualFunc(d.values, values, affine.Same) })
	if i < 0 {
		i = len(p.differences)
		p.differences = append(p.differences, difference{p.numbered(name, i), values})
	}
	return p.differences[i].name
}

// indexOf returns subscript i of a, in terms of the iterators.
func (p *point) indexOf(a *scop.Access, i int) affine.Expr {
	if len(p.variants) == 0 || a.Index[i].Mod > 0 || p.alike {
		return p.subscript(a.Index[i])
	}
	inner := func(name string) bool { return slices.Contains(p.step.Stmt.Iters, name) }
	return p.apart("by", inner, func(k int) affine.Sum {
		return p.subscript(p.like[k][a].Index[i]).(affine.Sum)
	})
}

// inVariants prints what body does for each variant in turn that has points. Most tiles touch no edge: what a variant is that has none there, is not computed.
func (p *point) inVariants(body func()) {
	if len(p.differences) == 0 {
		panic(fmt.Sprintf("openmp: inVariants: all of %d variants are the same", len(p.variants)))
	}
	var names, common []string
	var tests []int // the loops whose bounds tell variants without points, edges first
	for _, d := range p.differences {
		names = append(names, d.name)
	}
	for d, l := range p.step.Loops {
		lo, hi := p.isVariable(l.Lo), p.isVariable(l.Hi)
		switch {
		case p.step.Depth(l.Lo) >= 0 || p.step.Depth(l.Hi) >= 0:
		case lo || hi:
			tests = append(tests, d)
		case p.step.Crosses(d):
			common = append(common, fmt.Sprintf("%s <= %s", p.Expr(l.Lo), p.Expr(l.Hi)))
		}
	}
	slices.SortStableFunc(tests, func(a, b int) int { return number(p.step.Crosses(b)) - number(p.step.Crosses(a)) })
	variants := func() {
		p.Braces(fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", p.variant, p.variant, len(p.variants), p.variant), func() {
			p.Line("%v %s;", p.Index, strings.Join(names, ", "))
			p.Line("switch (%s) {", p.variant)
			for k, s := range p.variants {
				label := fmt.Sprintf("case %d", k)
				if k == len(p.variants)-1 {
					label = "default"
				}
				p.Line("%s: // %s", label, s.Stmt.Name)
				p.Depth++
				p.set(k, tests)
				p.Line("break;")
				p.Depth--
			}
			p.Line("}")
			body()
		})
	}
	if len(common) > 0 {
		p.Braces("if ("+strings.Join(common, " && ")+")", variants)
		return
	}
	variants()
}

// set prints what the variables are for variant k, which is left out where one of the loops of tests has no turn.
func (p *point) set(k int, tests []int) {
	known := map[string]bool{}
	assign := func(name string) {
		i := slices.IndexFunc(p.differences, func(d difference) bool { return d.name == name })
		if i >= 0 && !known[name] {
			known[name] = true
			p.Line("%s = %s;", name, p.Expr(p.differences[i].values[k]))
		}
	}
	for _, d := range tests {
		l := p.step.Loops[d]
		affine.Vars(l.Lo, assign)
		affine.Vars(l.Hi, assign)
		p.Line("if (%s > %s)", p.Expr(l.Lo), p.Expr(l.Hi))
		p.Line("  continue;")
	}
	for _, d := range p.differences {
		assign(d.name)
	}
}

// isVariable reports whether e is what differs between variants.
func (p *point) isVariable(e affine.Expr) (found bool) {
	affine.Vars(e, func(name string) {
		found = found || slices.ContainsFunc(p.differences, func(d difference) bool { return d.name == name })
	})
	return found
}

// number returns 1 for true.
func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fetching returns the condition that the variant that runs fetches, "" where all do.
func (p *point) fetching() string {
	var all []string
	for k, s := range p.variants {
		if slices.ContainsFunc(s.Groups, func(g cpu.Group) bool { return len(g.Fetch) > 0 }) {
			all = append(all, fmt.Sprintf("%s == %d", p.variant, k))
		}
	}
	if len(all) == len(p.variants) {
		return ""
	}
	return strings.Join(all, " || ")
}

// statements returns the names of the statements that p runs.
func (p *point) statements() string {
	if len(p.variants) == 0 {
		return p.step.Stmt.Name
	}
	var names []string
	for _, s := range p.variants {
		names = append(names, s.Stmt.Name)
	}
	return strings.Join(names, ", ")
}
