package cuda

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// This file prints integer expressions: bounds, subscripts and conditions.

// An indexer prints integer expressions and notes what they use.
type indexer struct {
	*spelling
	uses map[string]bool // spelled variables, arrays and helpers
}

func newIndexer(s *spelling) indexer { return indexer{s, map[string]bool{}} }

// use returns the spelling of a variable of an index and notes it.
func (x indexer) use(name string) string {
	s := x.of(name)
	x.uses[s] = true
	return s
}

// expr returns e as an operand of a comparison or an argument.
func (x indexer) expr(e astgen.Expr) string {
	switch e := e.(type) {
	case astgen.Sum:
		return x.sum(e)
	case astgen.FloorDiv:
		x.uses["floord"] = true
		return fmt.Sprintf("floord(%s, %d)", x.expr(e.X), e.D)
	case astgen.Mod:
		if name := x.columnOf[e.String()]; name != "" {
			return name
		}
		return x.mod(e)
	case astgen.Min:
		return x.fold("min", e.Args)
	case astgen.Max:
		return x.fold("max", e.Args)
	}
	panic(fmt.Sprintf("cuda: expr: unknown expression %T", e))
}

// mod returns e; modulo a power of two it is a bit mask, which agrees for negative numbers too.
func (x indexer) mod(e astgen.Mod) string {
	s, ok := e.X.(astgen.Sum)
	if ok {
		s = centered(e)
	}
	switch {
	case ok && e.D&(e.D-1) == 0:
		return fmt.Sprintf("%s & %d", x.factor(s), e.D-1)
	case ok:
		x.uses["mod"] = true
		return fmt.Sprintf("mod(%s, %d)", x.expr(s), e.D)
	}
	x.uses["mod"] = true
	return fmt.Sprintf("mod(%s, %d)", x.expr(e.X), e.D)
}

// factor returns the sum s as an operand of a product.
func (x indexer) factor(s astgen.Sum) string {
	if text := x.sum(s); len(s.Terms) > 1 || len(s.Terms) == 1 && s.Const != 0 || strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	} else {
		return text
	}
}

// fold returns min or max of all args, two at a time. CUDA has them for equal types only.
func (x indexer) fold(name string, args []astgen.Expr) string {
	text := x.typed(args[0])
	for _, a := range args[1:] {
		text = fmt.Sprintf("%s(%s, %s)", name, text, x.typed(a))
	}
	return text
}

// typed returns e with the type of indices.
func (x indexer) typed(e astgen.Expr) string {
	if s, ok := e.(astgen.Sum); ok && len(s.Terms) == 0 && x.index == scop.Long {
		return strings.TrimSuffix(integer(s.Const), "L") + "L"
	}
	return x.expr(e)
}

// integer returns a literal.
func integer(c int64) string {
	switch {
	case c == math.MinInt64:
		return "(-9223372036854775807L - 1)"
	case c > math.MaxInt32 || c < math.MinInt32:
		return strconv.FormatInt(c, 10) + "L"
	case c == math.MinInt32:
		return "(-2147483647 - 1)"
	}
	return strconv.FormatInt(c, 10)
}

// sum returns x with what is added before what is subtracted.
func (x indexer) sum(s astgen.Sum) string {
	return x.terms(positive(s.Terms), negative(s.Terms), s.Const)
}

// terms returns the sum of plus, less minus, plus c. Coefficients are positive.
func (x indexer) terms(plus, minus []astgen.Term, c int64) string {
	var b strings.Builder
	for i, t := range plus {
		if i > 0 {
			b.WriteString(" + ")
		}
		b.WriteString(x.term(t))
	}
	switch {
	case len(plus) == 0 && len(minus) == 0:
		return integer(c)
	case len(plus) == 0 && c >= 0:
		b.WriteString(integer(c)) // 5 - b0
		c = 0
	case len(plus) == 0:
		b.WriteString("-" + x.term(minus[0]))
		minus = minus[1:]
	}
	for _, t := range minus {
		b.WriteString(" - " + x.term(t))
	}
	switch {
	case c > 0:
		b.WriteString(" + " + integer(c))
	case c < 0:
		b.WriteString(" - " + strings.TrimPrefix(integer(c), "-"))
	}
	return b.String()
}

func (x indexer) term(t astgen.Term) string {
	if t.Coef == 1 {
		return x.use(t.Var)
	}
	return fmt.Sprintf("%s*%s", integer(t.Coef), x.use(t.Var))
}

// positive returns the terms with positive factors, negative the others, negated.
func positive(terms []astgen.Term) (out []astgen.Term) {
	for _, t := range terms {
		if t.Coef > 0 {
			out = append(out, t)
		}
	}
	return out
}

func negative(terms []astgen.Term) (out []astgen.Term) {
	for _, t := range terms {
		if t.Coef < 0 {
			out = append(out, astgen.Term{Coef: -t.Coef, Var: t.Var})
		}
	}
	return out
}

// cond returns c as a condition, "" if it is always true.
func (x indexer) cond(c astgen.Cond) string {
	if c == nil {
		return ""
	}
	var any []string
	for _, rows := range c {
		if len(rows) == 0 {
			return ""
		}
		all := make([]string, len(rows))
		for i, r := range rows {
			all[i] = x.row(r)
		}
		text := strings.Join(all, " && ")
		if len(c) > 1 && len(rows) > 1 {
			text = "(" + text + ")"
		}
		any = append(any, text)
	}
	if len(any) == 0 {
		return "false"
	}
	return strings.Join(any, " || ")
}

// row returns the condition e >= 0. Of a sum, each term goes to the side where
// it is positive and the constant to the right: n - i - 2 >= 0 is i <= n - 2.
func (x indexer) row(e astgen.Expr) string {
	s, ok := e.(astgen.Sum)
	if !ok {
		return x.expr(e) + " >= 0"
	}
	plus, minus := positive(s.Terms), negative(s.Terms)
	switch {
	case len(minus) == 0:
		return fmt.Sprintf("%s >= %s", x.terms(plus, nil, 0), x.terms(nil, nil, -s.Const))
	case len(plus) == 0, x.onlyParams(plus):
		return fmt.Sprintf("%s <= %s", x.terms(minus, nil, 0), x.terms(plus, nil, s.Const))
	}
	return fmt.Sprintf("%s >= %s", x.terms(plus, nil, 0), x.terms(minus, nil, -s.Const))
}

func (x indexer) onlyParams(terms []astgen.Term) bool {
	for _, t := range terms {
		if x.vars[t.Var] {
			return false
		}
	}
	return true
}

// affine returns a, which is over parameters only.
func (x indexer) affine(a scop.Affine) astgen.Sum {
	s := astgen.Num(a.Const)
	for i, c := range a.Params {
		s = s.Plus(astgen.Var(x.prog.Scop.Params[i].Name).Times(c))
	}
	return s
}
