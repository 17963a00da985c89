package affine

import "slices"

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
	sum := Sum{Const: Plus(x.Const, y.Const), Terms: make([]Term, 0, len(x.Terms)+len(y.Terms))}
	a, b := x.Terms, y.Terms
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Var < b[0].Var:
			sum.Terms, a = append(sum.Terms, a[0]), a[1:]
		case len(a) == 0 || b[0].Var < a[0].Var:
			sum.Terms, b = append(sum.Terms, b[0]), b[1:]
		default:
			if c := Plus(a[0].Coef, b[0].Coef); c != 0 {
				sum.Terms = append(sum.Terms, Term{c, a[0].Var})
			}
			a, b = a[1:], b[1:]
		}
	}
	return sum
}

// Add returns x + c.
func (x Sum) Add(c int64) Sum { return Sum{Const: Plus(x.Const, c), Terms: x.Terms} }

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
		terms[i] = Term{Times(k, t.Coef), t.Var}
	}
	return Sum{Const: Times(k, x.Const), Terms: terms}
}

// Minus returns x - y.
func (x Sum) Minus(y Sum) Sum {
	if x.Parallel(y) {
		return Sum{Const: Minus(x.Const, y.Const)}
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

// Cancels reports whether a variable of x and y has no term in their sum.
func (x Sum) Cancels(y Sum) bool {
	a, b := x.Terms, y.Terms
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Var < b[0].Var:
			a = a[1:]
		case b[0].Var < a[0].Var:
			b = b[1:]
		case a[0].Coef == -b[0].Coef:
			return true
		default:
			a, b = a[1:], b[1:]
		}
	}
	return false
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

// Negated returns the row that is >= 0 just where x is not: -x - 1.
func (x Sum) Negated() Sum { return x.Times(-1).Add(-1) }

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

// divide returns the sum y with floor(x/g) = y, where g divides all coefficients of x.
func (x Sum) divide(g int64) Sum {
	terms := make([]Term, len(x.Terms))
	for i, t := range x.Terms {
		terms[i] = Term{t.Coef / g, t.Var}
	}
	return Sum{Const: Quotient(x.Const, g), Terms: terms}
}

// Solve returns the bound that row >= 0 puts on the variable: a least value, a greatest, or neither.
func Solve(row Sum, name string) (lo, hi Expr) {
	rest := row.Without(name)
	switch c := row.Coef(name); {
	case c > 0:
		return Ceil(rest.Times(-1), c), nil
	case c < 0:
		return nil, Floor(rest, -c)
	}
	return nil, nil
}

// Over returns x / k for k != 0; ok is false if that is no sum of integers.
func (x Sum) Over(k int64) (y Sum, ok bool) {
	if k < 0 {
		x, k = x.Times(-1), Times(k, -1)
	}
	if k == 0 || x.Const%k != 0 || x.gcd()%k != 0 {
		return Sum{}, false
	}
	return x.divide(k), true
}
