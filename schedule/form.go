package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// A form is the integer Const + the sum of its terms: an affine expression on
// its way into isl notation. Forms are immutable.
type form struct {
	Const int64
	Terms []term // of distinct names; coefficients may be 0
}

type term struct {
	coef int64
	name string
}

// number and variable return the forms c and name.
func number(c int64) form        { return form{Const: c} }
func variable(name string) form  { return form{Terms: []term{{1, name}}} }
func (f form) plus(c int64) form { return form{f.Const + c, f.Terms} }
func (f form) minus(g form) form { return f.add(g.times(-1)) }
func (f form) ge0() string       { return f.String() + " >= 0" }
func (f form) equals0() string   { return f.String() + " = 0" }

// times returns k·f.
func (f form) times(k int64) form {
	g := form{Const: k * f.Const, Terms: slices.Clone(f.Terms)}
	for i := range g.Terms {
		g.Terms[i].coef *= k
	}
	return g
}

// add returns f + g.
func (f form) add(g form) form {
	sum := form{Const: f.Const + g.Const, Terms: slices.Clone(f.Terms)}
	for _, t := range g.Terms {
		i := slices.IndexFunc(sum.Terms, func(u term) bool { return u.name == t.name })
		if i < 0 {
			sum.Terms = append(sum.Terms, t)
		} else {
			sum.Terms[i].coef += t.coef
		}
	}
	return sum
}

// terms returns the terms of f that are not 0.
func (f form) terms() []term {
	return slices.DeleteFunc(slices.Clone(f.Terms), func(t term) bool { return t.coef == 0 })
}

// String returns f in isl notation, such as 2*t + i - 1.
func (f form) String() string {
	var b strings.Builder
	for _, t := range f.terms() {
		sign(&b, t.coef)
		if c := max(t.coef, -t.coef); c != 1 {
			fmt.Fprintf(&b, "%d*", c)
		}
		b.WriteString(t.name)
	}
	if f.Const != 0 || b.Len() == 0 {
		sign(&b, f.Const)
		fmt.Fprint(&b, max(f.Const, -f.Const))
	}
	return b.String()
}

// sign writes what stands between the text so far and the size of x.
func sign(b *strings.Builder, x int64) {
	switch {
	case b.Len() > 0 && x < 0:
		b.WriteString(" - ")
	case b.Len() > 0:
		b.WriteString(" + ")
	case x < 0:
		b.WriteString("-")
	}
}

// affineForm returns a with iters and params as the names of its variables.
func affineForm(a scop.Affine, iters []string, params []scop.Param) form {
	f := number(a.Const)
	for i, c := range a.Iters {
		f.Terms = append(f.Terms, term{c, iters[i]})
	}
	for i, c := range a.Params {
		f.Terms = append(f.Terms, term{c, params[i].Name})
	}
	return f
}

// coef returns xs[i], or 0 where xs is short.
func coef(xs []int64, i int) int64 {
	if i < len(xs) {
		return xs[i]
	}
	return 0
}

// paramPrefix returns "[N, M] -> ", or nothing where there are no parameters.
func paramPrefix(p *scop.Program) string {
	if len(p.Params) == 0 {
		return ""
	}
	names := make([]string, len(p.Params))
	for i, param := range p.Params {
		names[i] = param.Name
	}
	return "[" + strings.Join(names, ", ") + "] -> "
}

// fresh returns name, with as many _ behind it as it takes to differ from the
// iterators of st and the parameters of p.
func fresh(name string, p *scop.Program, st *scop.Stmt) string {
	isParam := func(q scop.Param) bool { return q.Name == name }
	for slices.Contains(st.Iters, name) || slices.ContainsFunc(p.Params, isParam) {
		name += "_"
	}
	return name
}

// join returns the texts of xs between commas.
func join[T fmt.Stringer](xs []T) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = x.String()
	}
	return strings.Join(texts, ", ")
}
