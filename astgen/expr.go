package astgen

import (
	"fmt"
	"slices"
)

// This file builds expressions. Every function here returns a simple form of
// what its name says: sums are collected, constants folded, and a rounding
// division or remainder drops what it can prove away. All variables are
// integers of any size, so a rule holds for all values or is not used.

// Num returns the constant c.
func Num(c int64) Sum { return Sum{Const: c} }

// Var returns the variable of that name.
func Var(name string) Sum { return Sum{Terms: []Term{{1, name}}} }

// Plus returns x + y. Terms are in the order of their names.
func (x Sum) Plus(y Sum) Sum {
	switch {
	case x.IsNum():
		return y.Add(x.Const)
	case y.IsNum():
		return x.Add(y.Const)
	}
	sum := Sum{Const: x.Const + y.Const, Terms: make([]Term, 0, len(x.Terms)+len(y.Terms))}
	a, b := x.Terms, y.Terms
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Var < b[0].Var:
			sum.Terms, a = append(sum.Terms, a[0]), a[1:]
		case len(a) == 0 || b[0].Var < a[0].Var:
			sum.Terms, b = append(sum.Terms, b[0]), b[1:]
		default:
			if c := a[0].Coef + b[0].Coef; c != 0 {
				sum.Terms = append(sum.Terms, Term{c, a[0].Var})
			}
			a, b = a[1:], b[1:]
		}
	}
	return sum
}

// Add returns x + c.
func (x Sum) Add(c int64) Sum { return Sum{Const: x.Const + c, Terms: x.Terms} }

// Times returns k*x.
func (x Sum) Times(k int64) Sum {
	switch k {
	case 0:
		return Sum{}
	case 1:
		return x
	}
	terms := make([]Term, len(x.Terms))
	for i, t := range x.Terms {
		terms[i] = Term{k * t.Coef, t.Var}
	}
	return Sum{Const: k * x.Const, Terms: terms}
}

// Minus returns x - y.
func (x Sum) Minus(y Sum) Sum {
	if x.Parallel(y) {
		return Sum{Const: x.Const - y.Const}
	}
	return x.Plus(y.Times(-1))
}

// Coef returns the factor of the variable, 0 if it does not occur.
func (x Sum) Coef(name string) int64 {
	for _, t := range x.Terms {
		if t.Var == name {
			return t.Coef
		}
	}
	return 0
}

// Without returns x less the term of the variable.
func (x Sum) Without(name string) Sum {
	terms := slices.DeleteFunc(slices.Clone(x.Terms), func(t Term) bool { return t.Var == name })
	return Sum{Const: x.Const, Terms: terms}
}

// IsNum reports whether x has no variables.
func (x Sum) IsNum() bool { return len(x.Terms) == 0 }

// Equal reports whether x and y are the same sum.
func (x Sum) Equal(y Sum) bool { return x.Const == y.Const && x.Parallel(y) }

// Parallel reports whether x - y is a constant.
func (x Sum) Parallel(y Sum) bool { return slices.Equal(x.Terms, y.Terms) }

// gcd returns the greatest common divisor of the coefficients of x, 0 if it has none.
func (x Sum) gcd() int64 {
	var g int64
	for _, t := range x.Terms {
		for a := t.Coef; a != 0; {
			g, a = a, g%a
		}
	}
	return max(g, -g)
}

// Tighten returns the row that the same integers make >= 0 as x, with coefficients of greatest common divisor 1.
func (x Sum) Tighten() Sum {
	g := x.gcd()
	if g <= 1 {
		return x
	}
	return x.divide(g)
}

// floorDiv returns a/d rounded down, for d > 0.
func floorDiv(a, d int64) int64 {
	q := a / d
	if a%d < 0 {
		q--
	}
	return q
}

// Floor returns x/d rounded down, for d > 0.
func Floor(x Expr, d int64) Expr {
	if d <= 0 {
		panic(fmt.Sprintf("astgen: division of %v by %d", x, d))
	}
	if d == 1 {
		return x
	}
	switch x := x.(type) {
	case FloorDiv: // floor(floor(y/c)/d) = floor(y/(c*d))
		return Floor(x.X, x.D*d)
	case Sum:
		return floorSum(x, d)
	}
	return FloorDiv{x, d}
}

// floorSum is Floor of a sum: terms that d divides move out where nothing else
// is left, and a common factor of d and all coefficients is cancelled.
func floorSum(x Sum, d int64) Expr {
	if g := gcd(x.gcd(), d); g > 1 {
		x, d = x.divide(g), d/g
	}
	if d == 1 || x.IsNum() {
		return Sum{Const: floorDiv(x.Const, d), Terms: x.Terms}
	}
	return FloorDiv{x, d}
}

// divide returns the sum y with floor(x/g) = y, where g divides all coefficients of x.
func (x Sum) divide(g int64) Sum {
	terms := make([]Term, len(x.Terms))
	for i, t := range x.Terms {
		terms[i] = Term{t.Coef / g, t.Var}
	}
	return Sum{Const: floorDiv(x.Const, g), Terms: terms}
}

// gcd returns the greatest common divisor of a and b, which are not negative; gcd(0, b) = b.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Offset returns e + c.
func Offset(e Expr, c int64) Expr {
	switch e := e.(type) {
	case Sum:
		return e.Add(c)
	case FloorDiv:
		if x, ok := e.X.(Sum); ok {
			return Floor(x.Add(c*e.D), e.D)
		}
	case Min:
		return MinOf(offsets(e.Args, c)...)
	case Max:
		return MaxOf(offsets(e.Args, c)...)
	}
	panic(fmt.Sprintf("astgen: cannot add %d to %v", c, e))
}

func offsets(args []Expr, c int64) []Expr {
	out := make([]Expr, len(args))
	for i, a := range args {
		out[i] = Offset(a, c)
	}
	return out
}

// Ceil returns x/d rounded up, for d > 0.
func Ceil(x Sum, d int64) Expr { return Floor(x.Add(d-1), d) }

// Modulo returns x - d*floor(x/d), for d > 0.
func Modulo(x Sum, d int64) Expr {
	if d <= 0 {
		panic(fmt.Sprintf("astgen: remainder of %v by %d", x, d))
	}
	r := Sum{Const: x.Const - d*floorDiv(x.Const, d)}
	for _, t := range x.Terms {
		if c := t.Coef - d*floorDiv(t.Coef, d); c != 0 {
			r.Terms = append(r.Terms, Term{c, t.Var})
		}
	}
	if r.IsNum() {
		return r
	}
	return Mod{r, d}
}

// MinOf returns the least of the expressions, of which there is at least one.
func MinOf(args ...Expr) Expr {
	return extreme(args, func(x, y int64) bool { return x <= y }, func(e Expr) []Expr {
		if m, ok := e.(Min); ok {
			return m.Args
		}
		return nil
	}, func(args []Expr) Expr { return Min{args} })
}

// MaxOf returns the greatest of the expressions, of which there is at least one.
func MaxOf(args ...Expr) Expr {
	return extreme(args, func(x, y int64) bool { return x >= y }, func(e Expr) []Expr {
		if m, ok := e.(Max); ok {
			return m.Args
		}
		return nil
	}, func(args []Expr) Expr { return Max{args} })
}

// extreme flattens args and keeps, of two that differ by a constant, the one that wins.
func extreme(args []Expr, wins func(x, y int64) bool, inner func(Expr) []Expr, join func([]Expr) Expr) Expr {
	var flat []Expr
	for _, a := range args {
		if in := inner(a); in != nil {
			flat = append(flat, in...)
		} else {
			flat = append(flat, a)
		}
	}
	var kept []Expr
next:
	for _, a := range flat {
		for i, k := range kept {
			if x, y, ok := constants(k, a); ok {
				if !wins(x, y) {
					kept[i] = a
				}
				continue next
			}
		}
		kept = append(kept, a)
	}
	if len(kept) == 0 {
		panic("astgen: extreme of nothing")
	}
	if len(kept) == 1 {
		return kept[0]
	}
	return join(kept)
}

// constants reports whether x and y are ordered as two constants, which it
// returns: sums of the same terms, or such sums divided by the same number.
func constants(x, y Expr) (a, b int64, ok bool) {
	switch x := x.(type) {
	case Sum:
		if y, is := y.(Sum); is && x.Parallel(y) {
			return x.Const, y.Const, true
		}
	case FloorDiv:
		if y, is := y.(FloorDiv); is && x.D == y.D {
			return constants(x.X, y.X)
		}
	}
	return 0, 0, Same(x, y)
}
