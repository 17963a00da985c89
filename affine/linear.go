package affine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file has sums of other things than variables: i - 4*floor(j/4).

// A Linear is Sum + the sum of Coef*X over Parts, of which there is at least one, none 0, and whose X are different and neither a
// Sum nor a Linear.
type Linear struct {
	Sum   Sum
	Parts []Part
}

// A Part is Coef*X.
type Part struct {
	Coef int64
	X    Expr
}

func (Linear) expr() {}

// Total returns x + k*y.
func Total(x Expr, k int64, y Expr) Expr {
	if k == 0 {
		return x
	}
	l := linear(x).clone()
	r := linear(y)
	l.Sum = l.Sum.Plus(r.Sum.Times(k))
	for _, p := range r.Parts {
		l.add(Times(k, p.Coef), p.X)
	}
	return l.simple()
}

// Scaled returns k*x.
func Scaled(x Expr, k int64) Expr { return Total(Num(0), k, x) }

// linear returns x as a Linear, which may have no parts.
func linear(x Expr) Linear {
	switch x := x.(type) {
	case Linear:
		return x
	case Sum:
		return Linear{Sum: x}
	}
	return Linear{Parts: []Part{{1, x}}}
}

func (l Linear) clone() Linear { return Linear{l.Sum, slices.Clone(l.Parts)} }

// add adds k*x to l, whose parts are its own.
func (l *Linear) add(k int64, x Expr) {
	i := slices.IndexFunc(l.Parts, func(p Part) bool { return sameKind(p.X, x) && Same(p.X, x) })
	switch {
	case i < 0:
		l.Parts = append(l.Parts, Part{k, x})
	case l.Parts[i].Coef == -k:
		l.Parts = slices.Delete(l.Parts, i, i+1)
	default:
		l.Parts[i].Coef = Plus(l.Parts[i].Coef, k)
	}
}

// sameKind reports whether x and y have the same type.
func sameKind(x, y Expr) bool { return fmt.Sprintf("%T", x) == fmt.Sprintf("%T", y) }

// simple returns l as what it is: a sum, a part alone, or l.
func (l Linear) simple() Expr {
	switch {
	case len(l.Parts) == 0:
		return l.Sum
	case len(l.Parts) == 1 && l.Parts[0].Coef == 1 && l.Sum.IsNum() && l.Sum.Const == 0:
		return l.Parts[0].X
	}
	return l
}

// Remainders returns x with remainders where that is shorter: i - 4*floor(i/4) is mod(i, 4).
func Remainders(x Expr) Expr {
	l, ok := x.(Linear)
	if !ok {
		return x
	}
	l = l.clone()
	for i, p := range l.Parts {
		f, ok := p.X.(FloorDiv)
		if !ok || p.Coef%f.D != 0 {
			continue
		}
		y, ok := f.X.(Sum)
		if !ok {
			continue
		}
		k := -p.Coef / f.D
		rest := l.Sum.Minus(y.Times(k)) // k*y - k*D*floor(y/D) = k*mod(y, D)
		if len(rest.Terms) < len(l.Sum.Terms) {
			l.Sum, l.Parts[i] = rest, Part{k, Modulo(y, f.D)}
		}
	}
	return l.simple()
}

// equal reports whether l and m are written alike.
func (l Linear) equal(m Linear) bool {
	return l.Sum.Equal(m.Sum) && slices.EqualFunc(l.Parts, m.Parts, func(p, q Part) bool {
		return p.Coef == q.Coef && Same(p.X, q.X)
	})
}

// eval returns the value of l.
func (l Linear) eval(env map[string]int64) int64 {
	v := Eval(l.Sum, env)
	for _, p := range l.Parts {
		v = Plus(v, Times(p.Coef, Eval(p.X, env)))
	}
	return v
}

// subst returns l with variables replaced.
func (l Linear) subst(by map[string]Sum) Expr {
	var e Expr = l.Sum.Subst(by)
	for _, p := range l.Parts {
		e = Total(e, p.Coef, Subst(p.X, by))
	}
	return e
}

// String returns l in C's notation: i - 4*floord(j, 4) + 1.
func (l Linear) String() string {
	var b strings.Builder
	for _, t := range l.Sum.Terms {
		writeTerm(&b, t)
	}
	for _, p := range l.Parts {
		writeTerm(&b, Term{p.Coef, fmt.Sprint(p.X)})
	}
	switch c := l.Sum.Const; {
	case c > 0:
		b.WriteString(" + " + strconv.FormatInt(c, 10))
	case c < 0:
		b.WriteString(" - " + strconv.FormatInt(-c, 10))
	}
	return b.String()
}
