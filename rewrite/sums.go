package rewrite

import (
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file proves that sums that are regrouped are the same in exact arithmetic. Values in float and double are expanded to polynomials with rational coefficients, in
// which literals are the numbers that they are. What is no sum and no product is an atom: an element, a variable, 1/x of a polynomial x, a conversion or a call of polynomials. Two values are
// the same where their polynomials are. So a term that is left out, one of another place, or another factor are found, whatever the data.

// ProveSums proves that each value of after is that of before but for rounding, and stored to the same element.
func ProveSums(before, after *scop.Program) schedule.Proof {
	p := schedule.Proof{Name: "sums", Claim: "each sum that is regrouped is the same in exact arithmetic", Holds: true, Unit: "term"}
	fail := func(format string, args ...any) schedule.Proof {
		p.Holds, p.Violation = false, fmt.Sprintf(format, args...)
		return p
	}
	if len(before.Stmts) != len(after.Stmts) {
		return fail("%d statements are %d", len(before.Stmts), len(after.Stmts))
	}
	for i, s := range before.Stmts {
		t := after.Stmts[i]
		if len(s.Body) != len(t.Body) {
			return fail("%s has %d actions in place of %d", s.Name, len(t.Body), len(s.Body))
		}
		for k, act := range s.Body {
			if !sameTarget(act, t.Body[k]) {
				return fail("action %d of %s sets something else", k+1, s.Name)
			}
			x, err := polynomial(scop.Assigned(act))
			y, wrong := polynomial(scop.Assigned(t.Body[k]))
			if err := errors.Join(err, wrong); err != nil {
				p.Holds, p.Undecided = false, err.Error()
				return p
			}
			p.Tests += max(1, len(x))
			if d := x.differs(y); d != "" {
				return fail("action %d of %s: %s", k+1, s.Name, d)
			}
		}
	}
	return p
}

// sameTarget reports whether two actions set the same variable or element.
func sameTarget(a, b scop.Action) bool {
	switch a := a.(type) {
	case scop.Let:
		b, ok := b.(scop.Let)
		return ok && a.Name == b.Name && a.Type == b.Type && a.Declare == b.Declare
	case scop.Store:
		b, ok := b.(scop.Store)
		return ok && a.To == b.To
	}
	panic(fmt.Sprintf("rewrite: unknown action %T", a))
}

// polynomials are sums of products: coefficients by monomial, which is the keys of its atoms in order, each with a line end.
type polynomials map[string]*big.Rat

// mostMonomials bounds a polynomial.
const mostMonomials = 1 << 12

// polynomial returns the value of e. The error says that it has too many monomials.
func polynomial(e scop.Expr) (polynomials, error) {
	t := e.Type()
	if t != scop.Float && t != scop.Double {
		a, err := atomOf(e)
		return polynomials{a: one()}, err
	}
	if c := constant(e); c != nil {
		x := polynomials{}
		x.add("", c) // nothing, where it is 0
		return x, nil
	}
	switch e := e.(type) {
	case scop.Unary:
		x, err := polynomial(e.X)
		if e.Op == "-" {
			x = x.times(polynomials{"": big.NewRat(-1, 1)})
		}
		return x, err
	case scop.Binary:
		x, err := polynomial(e.X)
		if err != nil {
			return nil, err
		}
		y, err := polynomial(e.Y)
		if err != nil {
			return nil, err
		}
		switch e.Op {
		case "+":
			return x.plus(y), nil
		case "-":
			return x.plus(y.times(polynomials{"": big.NewRat(-1, 1)})), nil
		case "/":
			y = polynomials{fmt.Sprintf("%v 1/(%s)\n", t, y.key()): one()}
		}
		if len(x)*len(y) > mostMonomials {
			return nil, fmt.Errorf("a product has more than %d terms", mostMonomials)
		}
		return x.times(y), nil
	}
	a, err := atomOf(e)
	return polynomials{a: one()}, err
}

// atomOf returns the key of e, which is no sum and no product of floating point.
func atomOf(e scop.Expr) (string, error) {
	var operands []scop.Expr
	head := ""
	switch e := e.(type) {
	case scop.Const, scop.Var, scop.Read:
		head = key(e, 0, 0)
	case scop.Unary:
		head, operands = e.Op, []scop.Expr{e.X}
	case scop.Binary:
		head, operands = e.Op, []scop.Expr{e.X, e.Y}
	case scop.Cast:
		head, operands = e.T.String(), []scop.Expr{e.X}
	case scop.Call:
		head, operands = e.T.String()+" "+e.Func, e.Args
	case scop.Cond:
		head, operands = "?", []scop.Expr{e.C, e.X, e.Y}
	default:
		panic(fmt.Sprintf("rewrite: unknown expression %T", e))
	}
	for _, x := range operands {
		p, err := polynomial(x)
		if err != nil {
			return "", err
		}
		head += fmt.Sprintf(" %v(%s)", x.Type(), p.key())
	}
	return head + "\n", nil
}

// key returns what equal polynomials share, in a line.
func (x polynomials) key() string {
	var all []string
	for _, m := range slices.Sorted(maps.Keys(x)) {
		all = append(all, x[m].RatString()+" "+strings.ReplaceAll(strings.TrimSuffix(m, "\n"), "\n", "*"))
	}
	return strings.Join(all, " + ")
}

func (x polynomials) plus(y polynomials) polynomials {
	sum := maps.Clone(x)
	for m, c := range y {
		sum.add(m, c)
	}
	return sum
}

func (x polynomials) add(m string, c *big.Rat) {
	if old := x[m]; old != nil {
		c = new(big.Rat).Add(old, c)
	}
	if x[m] = c; c.Sign() == 0 {
		delete(x, m)
	}
}

func (x polynomials) times(y polynomials) polynomials {
	product := polynomials{}
	for m, c := range x {
		for n, d := range y {
			atoms := slices.Sorted(slices.Values(append(slices.Collect(strings.Lines(m)), slices.Collect(strings.Lines(n))...)))
			product.add(strings.Join(atoms, ""), new(big.Rat).Mul(c, d))
		}
	}
	return product
}

// differs says of a monomial that has another coefficient in y; "": there is none.
func (x polynomials) differs(y polynomials) string {
	for _, m := range slices.Sorted(maps.Keys(x.plus(y.times(polynomials{"": big.NewRat(-1, 1)})))) {
		return fmt.Sprintf("the factor of %s is %s in place of %s", strings.ReplaceAll(strings.TrimSpace(m), "\n", " * "), y.coefficient(m), x.coefficient(m))
	}
	return ""
}

func (x polynomials) coefficient(m string) string {
	if c := x[m]; c != nil {
		return c.RatString()
	}
	return "0"
}
