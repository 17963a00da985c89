package ctext

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// This file prints integer expressions: bounds, subscripts and conditions.

// An Indexer prints integer expressions and notes what they use.
type Indexer struct {
	*Spelling
	Uses map[string]bool // spelled variables, arrays and helpers
	// Table returns the name of an array that holds the values; nil: there are no tables.
	Table func(affine.Table) string
}

// NewIndexer returns an indexer that has noted nothing.
func NewIndexer(s *Spelling) Indexer {
	return Indexer{Spelling: s, Uses: map[string]bool{}}
}

// Use returns the spelling of a variable of an index and notes it.
func (x Indexer) Use(name string) string {
	s := x.Of(name)
	x.Uses[s] = true
	return s
}

// Expr returns e as an operand of a comparison or an argument.
func (x Indexer) Expr(e affine.Expr) string {
	switch e := e.(type) {
	case affine.Sum:
		return x.Sum(e)
	case affine.FloorDiv:
		x.Uses["floord"] = true
		return fmt.Sprintf("%sfloord(%s, %d)", x.Prefix, x.Expr(e.X), e.D)
	case affine.Mod:
		if name := x.ColumnOf[e.String()]; name != "" {
			return name
		}
		return x.Mod(e)
	case affine.Table:
		return fmt.Sprintf("%s[%s]", x.Table(e), x.Use(e.Var))
	case affine.Min:
		return x.fold(x.Prefix+"min", e.Args)
	case affine.Max:
		return x.fold(x.Prefix+"max", e.Args)
	case affine.Linear:
		return x.linear(e)
	}
	panic(fmt.Sprintf("ctext: expr: unknown expression %T", e))
}

// Mod returns e; modulo a power of two it is a bit mask, which agrees for negative numbers too.
func (x Indexer) Mod(e affine.Mod) string {
	s, ok := e.X.(affine.Sum)
	if ok {
		s = Centered(e)
	}
	switch {
	case ok && e.D&(e.D-1) == 0:
		return fmt.Sprintf("%s & %d", x.Factor(s), e.D-1)
	case ok:
		x.Uses["mod"] = true
		return fmt.Sprintf("%smod(%s, %d)", x.Prefix, x.Expr(s), e.D)
	}
	x.Uses["mod"] = true
	return fmt.Sprintf("%smod(%s, %d)", x.Prefix, x.Expr(e.X), e.D)
}

// linear returns e: what is no sum first, in brackets where it binds less than a product.
func (x Indexer) linear(e affine.Linear) string {
	var b strings.Builder
	for i, p := range e.Parts {
		c := p.Coef
		switch {
		case c < 0 && i > 0:
			b.WriteString(" - ")
			c = -c
		case c < 0:
			b.WriteString("-")
			c = -c
		case i > 0:
			b.WriteString(" + ")
		}
		if c != 1 {
			b.WriteString(Integer(c) + "*")
		}
		if text := x.Expr(p.X); strings.Contains(text, " & ") {
			b.WriteString("(" + text + ")")
		} else {
			b.WriteString(text)
		}
	}
	if e.Sum.IsNum() && e.Sum.Const == 0 {
		return b.String()
	}
	if text := x.Sum(e.Sum); strings.HasPrefix(text, "-") {
		b.WriteString(" - " + text[1:])
	} else {
		b.WriteString(" + " + text)
	}
	return b.String()
}

// Zero returns the condition that all of these are 0; "" if there are none, or all are the number.
func (x Indexer) Zero(remainders []affine.Expr) string {
	var all []string
	for _, e := range remainders {
		switch e := e.(type) {
		case affine.Sum:
			if !e.IsNum() || e.Const != 0 {
				all = append(all, fmt.Sprintf("%s == 0", x.Expr(e)))
			}
		default:
			all = append(all, fmt.Sprintf("(%s) == 0", x.Expr(e)))
		}
	}
	return strings.Join(all, " && ")
}

// Factor returns the sum s as an operand of a product.
func (x Indexer) Factor(s affine.Sum) string {
	if text := x.Sum(s); len(s.Terms) > 1 || len(s.Terms) == 1 && s.Const != 0 || strings.HasPrefix(text, "-") {
		return "(" + text + ")"
	} else {
		return text
	}
}

// fold returns min or max of all args, two at a time, with equal types.
func (x Indexer) fold(name string, args []affine.Expr) string {
	x.Uses[strings.TrimPrefix(name, x.Prefix)] = true
	text := x.Typed(args[0])
	for _, a := range args[1:] {
		text = fmt.Sprintf("%s(%s, %s)", name, text, x.Typed(a))
	}
	return text
}

// Typed returns e with the type of indices.
func (x Indexer) Typed(e affine.Expr) string {
	if s, ok := e.(affine.Sum); ok && len(s.Terms) == 0 && x.Index == scop.Long {
		return strings.TrimSuffix(Integer(s.Const), "L") + "L"
	}
	return x.Expr(e)
}

// Integer returns a literal.
func Integer(c int64) string {
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

// Sum returns s with what is added before what is subtracted.
func (x Indexer) Sum(s affine.Sum) string { return x.chain(s.Chain()) }

// chain returns a sum as it is calculated.
func (x Indexer) chain(c affine.Chain) string {
	var b strings.Builder
	for i, l := range c {
		sign := " + "
		switch {
		case l.Minus && i == 0:
			sign = "-"
		case l.Minus:
			sign = " - "
		case i == 0:
			sign = ""
		}
		b.WriteString(sign)
		b.WriteString(x.link(l))
	}
	return b.String()
}

func (x Indexer) link(l affine.Link) string {
	switch {
	case l.Var == "":
		return Integer(l.Coef)
	case l.Coef == 1:
		return x.Use(l.Var)
	}
	return fmt.Sprintf("%s*%s", Integer(l.Coef), x.Use(l.Var))
}

// Cond returns c as a condition, "" if it is always true.
func (x Indexer) Cond(c astgen.Cond) string {
	if c == nil {
		return ""
	}
	if len(c) == 0 {
		return "false"
	}
	all, rest := common(c)
	texts := x.rows(all)
	var any []string
	for _, rows := range rest {
		text := strings.Join(x.rows(rows), " && ")
		if len(rest) > 1 && len(rows) > 1 {
			text = "(" + text + ")"
		}
		any = append(any, text)
	}
	if text := strings.Join(any, " || "); len(any) > 1 && len(texts) > 0 {
		texts = append(texts, "("+text+")")
	} else if text != "" {
		texts = append(texts, text)
	}
	return strings.Join(texts, " && ")
}

// common returns the rows that all alternatives of c have, and what is left of each; nothing where one has no other.
func common(c astgen.Cond) (all []affine.Expr, rest astgen.Cond) {
	has := func(rows []affine.Expr, r affine.Expr) bool {
		return slices.ContainsFunc(rows, func(o affine.Expr) bool { return affine.Same(o, r) })
	}
	for _, r := range c[0] {
		if !slices.ContainsFunc(c[1:], func(rows []affine.Expr) bool { return !has(rows, r) }) {
			all = append(all, r)
		}
	}
	for _, rows := range c {
		own := slices.DeleteFunc(slices.Clone(rows), func(r affine.Expr) bool { return has(all, r) })
		if len(own) == 0 {
			return all, nil
		}
		rest = append(rest, own)
	}
	return all, rest
}

// rows returns the conditions that each of some expressions is >= 0.
func (x Indexer) rows(rows []affine.Expr) (texts []string) {
	for _, r := range rows {
		texts = append(texts, x.Row(r))
	}
	return texts
}

// Work returns w as a condition, "" if it is always true.
func (x Indexer) Work(w astgen.Work) string {
	var any []string
	for _, r := range w {
		var all []string
		for _, e := range r.Rows {
			all = append(all, x.Row(e))
		}
		if r.Lo != nil {
			all = append(all, x.Expr(r.Lo)+" <= "+x.Expr(r.Hi))
		}
		text := strings.Join(all, " && ")
		if len(w) > 1 && len(all) > 1 {
			text = "(" + text + ")"
		}
		any = append(any, text)
	}
	return strings.Join(any, " || ")
}

// Row returns the condition e >= 0. Of a sum, each term goes to the side where
// it is positive and the constant to the right: n - i - 2 >= 0 is i <= n - 2.
func (x Indexer) Row(e affine.Expr) string {
	s, ok := e.(affine.Sum)
	if !ok {
		return x.Expr(e) + " >= 0"
	}
	plus, _ := s.Sides()
	c := s.Compare(x.onlyParams(plus))
	sign := ">="
	if c.AtMost {
		sign = "<="
	}
	return fmt.Sprintf("%s %s %s", x.chain(c.Left), sign, x.chain(c.Right))
}

func (x Indexer) onlyParams(terms []affine.Term) bool {
	for _, t := range terms {
		if x.Vars[t.Var] {
			return false
		}
	}
	return true
}

// Affine returns a, which is over parameters only.
func (x Indexer) Affine(a scop.Affine) affine.Sum {
	return x.Scop.Sum(a, nil)
}

// Centered returns the argument of m with its number nearest to 0.
func Centered(m affine.Mod) affine.Sum {
	x := m.X.(affine.Sum)
	if x.Const > m.D/2 {
		return x.Add(-m.D)
	}
	return x
}
