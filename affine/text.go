package affine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// String returns x in C's notation, such as 22*S0 - T + 3.
func (x Sum) String() string {
	var b strings.Builder
	for _, t := range x.Terms {
		writeTerm(&b, t)
	}
	switch {
	case b.Len() == 0:
		return strconv.FormatInt(x.Const, 10)
	case x.Const > 0:
		b.WriteString(" + ")
		b.WriteString(strconv.FormatInt(x.Const, 10))
	case x.Const < 0:
		b.WriteString(" - ")
		b.WriteString(strconv.FormatInt(-x.Const, 10))
	}
	return b.String()
}

// Text returns x like String, but with the variables of order first, in that order.
func (x Sum) Text(order []string) string {
	terms := make([]Term, 0, len(x.Terms))
	for _, name := range order {
		if c := x.Coef(name); c != 0 {
			terms = append(terms, Term{c, name})
		}
	}
	for _, t := range x.Terms {
		if !slices.Contains(order, t.Var) {
			terms = append(terms, t)
		}
	}
	return Sum{x.Const, terms}.String()
}

func writeTerm(b *strings.Builder, t Term) {
	c := t.Coef
	switch {
	case b.Len() > 0 && c < 0:
		b.WriteString(" - ")
		c = -c
	case b.Len() > 0:
		b.WriteString(" + ")
	case c < 0:
		b.WriteString("-")
		c = -c
	}
	if c != 1 {
		b.WriteString(strconv.FormatInt(c, 10))
		b.WriteByte('*')
	}
	b.WriteString(t.Var)
}

func (e FloorDiv) String() string { return fmt.Sprintf("floord(%v, %d)", e.X, e.D) }
func (e Mod) String() string      { return fmt.Sprintf("mod(%v, %d)", e.X, e.D) }
func (e Table) String() string    { return fmt.Sprintf("%v[%s]", e.Values, e.Var) }
func (e Min) String() string      { return list("min", e.Args) }
func (e Max) String() string      { return list("max", e.Args) }

func list(name string, args []Expr) string {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = fmt.Sprint(a)
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}
