package affine

import "fmt"

// This file builds expressions. Every function of this package returns a simple form of
// what its name says: sums are collected, constants folded, and a rounding
// division or remainder drops what it can prove away. All variables are
// integers of any size, so a rule holds for all values or is not used.

// Floor returns x/d rounded down, for d > 0.
func Floor(x Expr, d int64) Expr {
	if d <= 0 {
		panic(fmt.Sprintf("affine: division of %v by %d", x, d))
	}
	if d == 1 {
		return x
	}
	switch x := x.(type) {
	case FloorDiv: // floor(floor(y/c)/d) = floor(y/(c*d))
		return Floor(x.X, Times(x.D, d))
	case Sum:
		return floorSum(x, d)
	case Linear: // parts that d divides move out
		var out Expr = Num(0)
		in := Linear{Sum: x.Sum}
		for _, p := range x.Parts {
			if p.Coef%d == 0 {
				out = Total(out, p.Coef/d, p.X)
			} else {
				in.Parts = append(in.Parts, p)
			}
		}
		if len(in.Parts) < len(x.Parts) {
			return Total(out, 1, Floor(in.simple(), d))
		}
	}
	return FloorDiv{x, d}
}

// floorSum is Floor of a sum: terms that d divides move out where nothing else
// is left, and a common factor of d and all coefficients is cancelled.
func floorSum(x Sum, d int64) Expr {
	if g := GCD(x.gcd(), d); g > 1 {
		x, d = x.divide(g), d/g
	}
	if d == 1 || x.IsNum() {
		return Sum{Const: Quotient(x.Const, d), Terms: x.Terms}
	}
	return FloorDiv{x, d}
}

// Offset returns e + c.
func Offset(e Expr, c int64) Expr {
	switch e := e.(type) {
	case Sum:
		return e.Add(c)
	case FloorDiv:
		if x, ok := e.X.(Sum); ok {
			return Floor(x.Add(Times(c, e.D)), e.D)
		}
		return Total(e, 1, Num(c))
	case Min:
		return MinOf(offsets(e.Args, c)...)
	case Max:
		return MaxOf(offsets(e.Args, c)...)
	case Mod, Linear:
		return Total(e, 1, Num(c))
	}
	panic(fmt.Sprintf("affine: cannot add %d to %v", c, e))
}

func offsets(args []Expr, c int64) []Expr {
	out := make([]Expr, len(args))
	for i, a := range args {
		out[i] = Offset(a, c)
	}
	return out
}

// Negative returns -e.
func Negative(e Expr) Expr {
	switch e := e.(type) {
	case Sum:
		return e.Times(-1)
	case FloorDiv:
		if x, ok := e.X.(Sum); ok {
			return Ceil(x.Times(-1), e.D)
		}
		return Scaled(e, -1)
	case Min:
		return MaxOf(negatives(e.Args)...)
	case Max:
		return MinOf(negatives(e.Args)...)
	case Table:
		values := make([]int64, len(e.Values))
		for i, v := range e.Values {
			values[i] = Minus(0, v)
		}
		return Table{e.Var, values}
	case Mod, Linear:
		return Scaled(e, -1)
	}
	panic(fmt.Sprintf("affine: cannot negate %v", e))
}

func negatives(args []Expr) []Expr {
	out := make([]Expr, len(args))
	for i, a := range args {
		out[i] = Negative(a)
	}
	return out
}

// Ceil returns x/d rounded up, for d > 0.
func Ceil(x Sum, d int64) Expr { return Floor(x.Add(d-1), d) }

// Modulo returns x - d*floor(x/d), for d > 0.
func Modulo(x Sum, d int64) Expr {
	if d <= 0 {
		panic(fmt.Sprintf("affine: remainder of %v by %d", x, d))
	}
	r := Sum{Const: Remainder(x.Const, d)}
	for _, t := range x.Terms {
		if c := Remainder(t.Coef, d); c != 0 {
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
		panic("affine: extreme of nothing")
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
