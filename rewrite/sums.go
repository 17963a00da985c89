package rewrite

import (
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
		tests, violation, err := proveStmt(s, after.Stmts[i])
		p.Tests += tests
		switch {
		case err != nil:
			p.Holds, p.Undecided = false, err.Error()
			return p
		case violation != "":
			return fail("%s", violation)
		}
	}
	return p
}

// proveStmt says what t, which is made of s, sets to something else than s; "": nothing. It has compared so many terms. Variables in float and double that t does not set any more stand, in what s
// sets after that, for their values. The error says that a value has too many terms.
func proveStmt(s, t *scop.Stmt) (tests int, violation string, err error) {
	was, is := newValues(), newValues()
	k := 0
	for i, act := range s.Body {
		x, err := was.polynomial(scop.Assigned(act))
		if err != nil {
			return tests, "", err
		}
		same, d := k < len(t.Body) && sameTarget(act, t.Body[k]), ""
		if same {
			y, err := is.polynomial(scop.Assigned(t.Body[k]))
			if err != nil {
				return tests, "", err
			}
			d = x.differs(y)
		}
		let, isLet := act.(scop.Let)
		if isLet && (!same || d != "" && sets(s.Body[i:], let.Name) > sets(t.Body[k:], let.Name)) {
			if let.Type != let.Value.Type() || let.Type != scop.Float && let.Type != scop.Double {
				return tests, fmt.Sprintf("%s does not set %s", s.Name, let.Name), nil
			}
			was.known[let.Name] = x
			continue
		}
		k, tests = k+1, tests+max(1, len(x))
		switch {
		case !same:
			return tests, fmt.Sprintf("action %d of %s sets something else", k, s.Name), nil
		case d != "":
			return tests, fmt.Sprintf("action %d of %s: %s", k, s.Name, d), nil
		case isLet && t.Body[k-1].(scop.Let).Declare != (is.times[let.Name] == 0):
			return tests, fmt.Sprintf("action %d of %s declares %s again, or not at all", k, s.Name, let.Name), nil
		}
		was.after(act)
		is.after(t.Body[k-1])
	}
	if k < len(t.Body) {
		return tests, fmt.Sprintf("%s has %d actions more", s.Name, len(t.Body)-k), nil
	}
	return tests, "", nil
}

// sets counts the actions that set a variable.
func sets(actions []scop.Action, name string) (n int) {
	for _, act := range actions {
		if let, ok := act.(scop.Let); ok && let.Name == name {
			n++
		}
	}
	return n
}

// sameTarget reports whether two actions set the same variable or element.
func sameTarget(a, b scop.Action) bool {
	switch a := a.(type) {
	case scop.Let:
		b, ok := b.(scop.Let)
		return ok && a.Name == b.Name && a.Type == b.Type
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

// values are what is known while a body runs: variables that stand for what they were set to, and how often variables and arrays were set, by name and *scop.Array: what is read of them before
// that and after may be two things.
type values struct {
	known map[string]polynomials
	times map[any]int
}

func newValues() values { return values{map[string]polynomials{}, map[any]int{}} }

// after takes note of what an action sets.
func (v values) after(act scop.Action) {
	switch a := act.(type) {
	case scop.Let:
		delete(v.known, a.Name)
		v.times[a.Name]++
	case scop.Store:
		v.times[a.To.Array]++
	}
}

// version tells what a variable or an array holds from what it held before it was set.
func (v values) version(x any) string {
	if n := v.times[x]; n > 0 {
		return fmt.Sprintf("'%d", n)
	}
	return ""
}

// polynomial returns the value of e. The error says that it has too many monomials.
func (v values) polynomial(e scop.Expr) (polynomials, error) {
	t := e.Type()
	if t != scop.Float && t != scop.Double {
		a, err := v.atomOf(e)
		return polynomials{a: one()}, err
	}
	if c := constant(e); c != nil {
		x := polynomials{}
		x.add("", c) // nothing, where it is 0
		return x, nil
	}
	switch e := e.(type) {
	case scop.Var:
		if x := v.known[e.Name]; x != nil && e.Kind == scop.LocalVar {
			return x, nil
		}
	case scop.Unary:
		x, err := v.polynomial(e.X)
		if e.Op == "-" {
			x = x.times(polynomials{"": big.NewRat(-1, 1)})
		}
		return x, err
	case scop.Binary:
		x, err := v.polynomial(e.X)
		if err != nil {
			return nil, err
		}
		y, err := v.polynomial(e.Y)
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
	a, err := v.atomOf(e)
	return polynomials{a: one()}, err
}

// atomOf returns the key of e, which is no sum and no product of floating point.
func (v values) atomOf(e scop.Expr) (string, error) {
	var operands []scop.Expr
	head := ""
	switch e := e.(type) {
	case scop.Const:
		head = key(e, 0, 0)
	case scop.Var:
		if head = key(e, 0, 0); e.Kind == scop.LocalVar {
			head += v.version(e.Name)
		}
	case scop.Read:
		head = key(e, 0, 0) + v.version(e.From.Array)
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
		p, err := v.polynomial(x)
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
