package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file regroups sums of floating point so that neighbouring points have parts in common:
//
//	b[i][j] = w*a[i-1][j-1] + w*a[i][j-1] + w*a[i+1][j-1]       =>      b[i][j] = w*(((a[i-1][j-1] + a[i][j-1]) + a[i+1][j-1])
//	        + w*a[i-1][j]   + w*a[i][j]   + w*a[i+1][j]                            + ((a[i-1][j]   + a[i][j])   + a[i+1][j])
//	        + w*a[i-1][j+1] + w*a[i][j+1] + w*a[i+1][j+1]                          + ((a[i-1][j+1] + a[i][j+1]) + a[i+1][j+1]))
//
// The sum of a column is the same subexpression at three points next to each other along j. Where code holds several of them, as a lane does with the
// columns of a row, compilers compute it once: that is what they do with equal subexpressions, and no array is needed for it.
//
// The value of a sum is the same only in exact arithmetic: it is rounded otherwise. ProveSums shows that it is that.

// neighbours is how many points next to each other along a loop are taken to be computed by one piece of code, in which equal subexpressions are computed once.
const neighbours = 8

// A Regrouping is what Reassociate made of a program.
type Regrouping struct {
	Program *scop.Program // has the other one as its Unregrouped
	Stmts   []Regrouped
}

// A Regrouped is a statement whose sums are regrouped. Operations are for each of so many points along a loop, as scop.Stmt.Operations counts them, but negations.
type Regrouped struct {
	Stmt        *scop.Stmt // as it is now
	Points      int
	Along       string // the iterator of the loop; "" where there is one point
	Before, Now float64
}

// Loops says of a statement along which of its loops code computes several points at once, by iterators, those first that are to be taken where others save as much; none: along none.
type Loops func(s *scop.Stmt) []string

// AnyLoop are all loops, the innermost first.
func AnyLoop(s *scop.Stmt) []string {
	loops := slices.Clone(s.Iters[1:])
	slices.Reverse(loops)
	return loops
}

// Reassociate returns p with the sums of its statements regrouped where that takes fewer operations, nil if it does nowhere. fma says that products are to be fused with
// the sums that they feed, and cost nothing there. Each sum stays the same in exact arithmetic. Only sums in float and double are regrouped, and no part of one leaves a cast, by
// which it is rounded; an assignment only to a variable of the type of the sum, which then is no action of the statement any more. Of the loops along which points are neighbours, that
// counts for each statement for which they take the fewest operations.
func Reassociate(p *scop.Program, fma bool, loops Loops) *Regrouping {
	q := *p
	r := &Regrouping{Program: &q}
	q.Stmts = slices.Clone(p.Stmts)
	for i, s := range p.Stmts {
		if best, what, ok := regrouped(s, fma, loops(s)); ok {
			q.Stmts[i] = best
			r.Stmts = append(r.Stmts, what)
		}
	}
	if len(r.Stmts) == 0 {
		return nil
	}
	q.Unregrouped = p
	return r
}

// regrouped returns s with its sums regrouped, for points next to each other along the one of some loops for which it takes the fewest operations. ok is false where none takes
// fewer than s.
func regrouped(s *scop.Stmt, fma bool, loops []string) (best *scop.Stmt, what Regrouped, ok bool) {
	if !decidable(s) {
		return nil, what, false
	}
	var least cost
	points := neighbours
	if len(loops) == 0 {
		loops, points = s.Iters[len(s.Iters)-1:], 1
	}
	bodies := [][]scop.Action{s.Body} // with more and more variables in the sums that they are terms of
	for _, many := range []bool{false, true} {
		if actions := throughLocals(s.Body, many); actions != nil && len(actions) < len(bodies[len(bodies)-1]) {
			bodies = append(bodies, actions)
		}
	}
	for _, loop := range loops {
		g := grouper{stmt: s, along: slices.Index(s.Iters, loop), points: points, fma: fma, done: map[string]scop.Expr{}}
		before := g.bodyCost(s.Body)
		for _, actions := range bodies {
			body := g.body(actions)
			now := g.bodyCost(body)
			if !now.less(before) || best != nil && !now.less(least) || len(actions) < len(s.Body) && !sameSums(s, body) {
				continue
			}
			copied := *s
			copied.Body, copied.Accesses, copied.Sharing = body, accesses(body), nil
			if points > 1 {
				copied.Sharing = &scop.Sharing{Iter: g.along, Operations: float64(now.along) / float64(points)}
			}
			best, least = &copied, now
			what = Regrouped{Stmt: best, Points: points, Along: loop, Before: float64(before.along) / float64(points), Now: float64(now.along) / float64(points)}
			if points == 1 {
				what.Along = ""
			}
		}
	}
	return best, what, best != nil
}

// A grouper regroups the sums of a statement.
type grouper struct {
	stmt   *scop.Stmt
	along  int // the iterator along which points are neighbours
	points int // how many
	fma    bool
	done   map[string]scop.Expr // by expression: what it is regrouped to, since parts are asked for again and again
}

// body returns actions, which do what the statement does, with their sums regrouped.
func (g *grouper) body(actions []scop.Action) []scop.Action { return scop.WithValues(actions, g.expr) }

// mostTerms bounds the sums that are regrouped: beyond, there are too many ways to do it.
const mostTerms = 512

// expr returns e with the sums in it regrouped.
func (g *grouper) expr(e scop.Expr) scop.Expr {
	if !isSum(e) {
		return g.parts(e)
	}
	name := fmt.Sprint(e) // elements are pointers to accesses there
	if known := g.done[name]; known != nil {
		return known
	}
	best := g.best(e)
	g.done[name] = best
	return best
}

// best returns e, a sum, with the form of it and of the sums in it that takes the fewest operations.
func (g *grouper) best(e scop.Expr) scop.Expr {
	c := collector{grouper: g, t: e.Type()}
	c.add(e, one(), nil)
	best := g.kept(e)
	if len(c.terms) < 2 || len(c.terms) > mostTerms {
		return best
	}
	least := g.cost(best)
	for _, order := range g.orders() {
		items := c.grouped(c.terms, order)
		if tried := c.combine(items); tried != nil {
			if now := g.cost(tried); now.less(least) {
				best, least = tried, now
			}
		}
	}
	return best
}

// kept returns e, a sum or a product, with its terms where they are, and the sums in them regrouped.
func (g *grouper) kept(e scop.Expr) scop.Expr {
	switch e := e.(type) {
	case scop.Unary:
		e.X = g.kept(e.X)
		return e
	case scop.Binary:
		if isSum(e) {
			e.X, e.Y = g.kept(e.X), g.kept(e.Y)
			return e
		}
	}
	return g.parts(e)
}

// parts returns e with the sums in its operands regrouped.
func (g *grouper) parts(e scop.Expr) scop.Expr { return scop.WithOperands(e, g.expr) }

// orders returns the orders of loops along which columns are looked for, none first.
func (g *grouper) orders() (all [][]int) {
	all = [][]int{nil}
	var extend func(order []int)
	extend = func(order []int) {
		for d := len(g.stmt.Iters) - 1; d >= 1; d-- {
			if !slices.Contains(order, d) {
				next := append(slices.Clone(order), d)
				if all = append(all, next); len(next) < 3 {
					extend(next)
				}
			}
		}
	}
	extend(nil)
	return all
}

// isSum reports whether e is a sum, a difference, or a product of one with factors that may go into it, in a type whose sums are regrouped.
func isSum(e scop.Expr) bool {
	if t := e.Type(); t != scop.Float && t != scop.Double {
		return false
	}
	switch e := e.(type) {
	case scop.Unary:
		return isSum(e.X)
	case scop.Binary:
		switch e.Op {
		case "+", "-":
			return true
		case "*":
			return isSum(e.X) && invariant(e.Y) || isSum(e.Y) && invariant(e.X)
		}
	}
	return false
}

// invariant reports whether e is the same for all instances of a statement.
func invariant(e scop.Expr) bool {
	same := true
	scop.Visit(e, func(e scop.Expr) {
		switch e := e.(type) {
		case scop.Read:
			same = false
		case scop.Var:
			same = same && e.Kind != scop.IterVar && e.Kind != scop.LocalVar
		}
	})
	return same
}

// Before returns the program that r is made of.
func (r *Regrouping) Before() *scop.Program { return r.Program.Unregrouped }

// Prove proves that each value is what it was, but for rounding.
func (r *Regrouping) Prove() schedule.Proof { return ProveSums(r.Before(), r.Program) }

// String says which statements take fewer operations.
func (r *Regrouping) String() string {
	var lines []string
	for _, s := range r.Stmts {
		line := fmt.Sprintf("%s: %g operations for a point in place of %g", s.Stmt.Name, s.Now, s.Before)
		if s.Along != "" {
			line += fmt.Sprintf(", of %d in a row along %s", s.Points, s.Along)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// decidable reports whether the values of s are small enough for ProveSums.
func decidable(s *scop.Stmt) bool { return sameSums(s, s.Body) }

// sameSums reports whether ProveSums shows that actions set what s does.
func sameSums(s *scop.Stmt, actions []scop.Action) bool {
	t := *s
	t.Body = actions
	_, violation, err := proveStmt(s, &t)
	return violation == "" && err == nil
}

// Verify checks that statements and arrays are those of the program before.
func (r *Regrouping) Verify() error {
	if len(r.Stmts) == 0 {
		return errors.New("no sum is regrouped")
	}
	return r.Program.Verify()
}
