package openmp

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
)

// This file prints rows of points in order that run at once, each one place behind the one before.

// staggered prints the points of a group: those at places that all rows have without a test.
func (p *point) staggered(g group) {
	last := len(p.step.Loops) - 1
	l, over := p.step.Loops[last], p.step.Loops[last-1].Var
	var los, his []affine.Expr
	var has []string // the condition that a row has a point, by row
	for k := range g.Size {
		lo, hi := p.numbered("first", k), p.numbered("last", k)
		next := map[string]affine.Sum{over: affine.Var(over).Add(int64(k))}
		p.Line("const %v %s = %s%s, %s = %s%s;", p.Index, lo, p.Expr(affine.Subst(l.Lo, next)), ctext.Plus(int64(k)), hi, p.Expr(affine.Subst(l.Hi, next)), ctext.Plus(int64(k)))
		los, his = append(los, affine.Var(lo)), append(his, affine.Var(hi))
		has = append(has, fmt.Sprintf("%s <= %s && %s <= %s", lo, l.Var, l.Var, hi))
	}
	p.Line("%v %s = %s;", p.Index, l.Var, p.Expr(affine.MinOf(los...)))
	p.Line("const %v %s = %s, %s = %s, %s = %s;", p.Index, p.start, p.Expr(affine.MaxOf(los...)), p.stop, p.Expr(affine.MinOf(his...)), p.lastVector, p.Expr(affine.MaxOf(his...)))
	some := func() {
		p.iterators(last)
		for k, lines := range g.each {
			p.Braces("if ("+has[k]+")", func() {
				p.running(func() {
					for _, line := range lines {
						p.Line("%s", line)
					}
				})
			})
		}
	}
	p.Braces(fmt.Sprintf("for (; %s < %s && %s <= %s; %s++)", l.Var, p.start, l.Var, p.lastVector, l.Var), some)
	p.Braces(fmt.Sprintf("for (; %s <= %s; %s++)", l.Var, p.stop, l.Var), func() { p.points(g) })
	p.Braces(fmt.Sprintf("for (; %s <= %s; %s++)", l.Var, p.lastVector, l.Var), some)
}
