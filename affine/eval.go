package affine

import (
	"fmt"
	"slices"
)

// Same reports whether x and y are the same expression. It is syntactic: false is not certain.
func Same(x, y Expr) bool {
	switch x := x.(type) {
	case Sum:
		y, ok := y.(Sum)
		return ok && x.Equal(y)
	case FloorDiv:
		y, ok := y.(FloorDiv)
		return ok && x.D == y.D && Same(x.X, y.X)
	case Mod:
		y, ok := y.(Mod)
		return ok && x.D == y.D && Same(x.X, y.X)
	case Table:
		y, ok := y.(Table)
		return ok && x.Var == y.Var && slices.Equal(x.Values, y.Values)
	case Min:
		y, ok := y.(Min)
		return ok && slices.EqualFunc(x.Args, y.Args, Same)
	case Max:
		y, ok := y.(Max)
		return ok && slices.EqualFunc(x.Args, y.Args, Same)
	case Linear:
		y, ok := y.(Linear)
		return ok && x.equal(y)
	}
	panic(fmt.Sprintf("affine: unknown expression %T", x))
}

// Eval returns the value of e where env gives the value of every variable in it.
func Eval(e Expr, env map[string]int64) int64 {
	switch e := e.(type) {
	case Sum:
		v := e.Const
		for _, t := range e.Terms {
			x, ok := env[t.Var]
			if !ok {
				panic(fmt.Sprintf("affine: no value for %s in %v", t.Var, e))
			}
			v = Plus(v, Times(t.Coef, x))
		}
		return v
	case FloorDiv:
		return Quotient(Eval(e.X, env), e.D)
	case Mod:
		return Remainder(Eval(e.X, env), e.D)
	case Table:
		return e.Values[Eval(Var(e.Var), env)]
	case Min:
		v := Eval(e.Args[0], env)
		for _, a := range e.Args[1:] {
			v = min(v, Eval(a, env))
		}
		return v
	case Max:
		v := Eval(e.Args[0], env)
		for _, a := range e.Args[1:] {
			v = max(v, Eval(a, env))
		}
		return v
	case Linear:
		return e.eval(env)
	}
	panic(fmt.Sprintf("affine: unknown expression %T", e))
}

// Subst returns e with variables replaced by sums, that of a Table by a number.
func Subst(e Expr, by map[string]Sum) Expr {
	switch e := e.(type) {
	case Table:
		if x, ok := by[e.Var]; !ok {
			return e
		} else if x.IsNum() {
			return Num(e.Values[x.Const])
		}
	case Sum:
		return e.Subst(by)
	case FloorDiv:
		return Floor(Subst(e.X, by), e.D)
	case Mod:
		x := Subst(e.X, by)
		if x, ok := x.(Sum); ok {
			return Modulo(x, e.D)
		}
		return Mod{x, e.D}
	case Min:
		return MinOf(SubstAll(e.Args, by)...)
	case Max:
		return MaxOf(SubstAll(e.Args, by)...)
	case Linear:
		return e.subst(by)
	}
	panic(fmt.Sprintf("affine: unknown expression %T", e))
}

// SubstAll returns expressions with sums for variables.
func SubstAll(args []Expr, by map[string]Sum) []Expr {
	out := make([]Expr, len(args))
	for i, a := range args {
		out[i] = Subst(a, by)
	}
	return out
}

// Subst returns x with variables replaced by sums.
func (x Sum) Subst(by map[string]Sum) Sum {
	if !slices.ContainsFunc(x.Terms, func(t Term) bool { _, ok := by[t.Var]; return ok }) {
		return x
	}
	y := Num(x.Const)
	for _, t := range x.Terms {
		if s, ok := by[t.Var]; ok {
			y = y.Plus(s.Times(t.Coef))
		} else {
			y = y.Plus(Sum{Terms: []Term{t}})
		}
	}
	return y
}

// Substituted returns sums after Subst.
func Substituted(sums []Sum, by map[string]Sum) []Sum {
	out := make([]Sum, len(sums))
	for i, x := range sums {
		out[i] = x.Subst(by)
	}
	return out
}

// Vars calls f with the name of each variable in e, as often as it occurs.
func Vars(e Expr, f func(name string)) {
	switch e := e.(type) {
	case Sum:
		for _, t := range e.Terms {
			f(t.Var)
		}
	case FloorDiv:
		Vars(e.X, f)
	case Mod:
		Vars(e.X, f)
	case Table:
		f(e.Var)
	case Min:
		for _, a := range e.Args {
			Vars(a, f)
		}
	case Max:
		for _, a := range e.Args {
			Vars(a, f)
		}
	case Linear:
		Vars(e.Sum, f)
		for _, p := range e.Parts {
			Vars(p.X, f)
		}
	default:
		panic(fmt.Sprintf("affine: unknown expression %T", e))
	}
}
