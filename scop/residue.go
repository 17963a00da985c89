package scop

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file finds statements that do something at some points of a grid only, such as those of one colour of a checkerboard:
//
//	if ((i + j) % 2 == 0)
//	  u[i][j] = ..;               S0[t, i, j] runs where (i + j) mod 2 = 0
//
// The body of such a statement stores what is there already wherever its condition does not hold, so an instance may as well be left out there:
// then it reads and writes nothing, and there is no dependence on it. Its domain stays whole, as boxes and bounds do.

// A Residue holds where Affine is a multiple of Mod, which is at least 2. No coefficient is negative, nor Mod or more.
type Residue struct {
	Affine
	Mod int64
}

// Holds reports whether r holds at an instance.
func (r Residue) Holds(iters, params []int64) bool { return r.At(iters, params)%r.Mod == 0 }

// Along returns the coefficient of iterator i.
func (r Residue) Along(i int) int64 {
	if i < 0 || i >= len(r.Iters) {
		return 0
	}
	return r.Iters[i]
}

// Idle reports whether an instance of s is one that may be left out.
func (s *Stmt) Idle(iters, params []int64) bool {
	return slices.ContainsFunc(s.When, func(r Residue) bool { return !r.Holds(iters, params) })
}

// Remainders returns what is 0 just at those instances st[iters] at which all of When hold.
func (p *Program) Remainders(st *Stmt, iters []affine.Sum) (all []affine.Expr) {
	for _, r := range st.When {
		all = append(all, affine.Modulo(p.Sum(r.Affine, iters), r.Mod))
	}
	return all
}

// WhenFormula returns where all of When hold, by the names of the iterators.
func (p *Program) WhenFormula(s *Stmt) poly.Formula {
	iters := make([]affine.Sum, len(s.Iters))
	for i, name := range s.Iters {
		iters[i] = affine.Var(name)
	}
	var all []poly.Formula
	for _, x := range p.Remainders(s, iters) {
		all = append(all, poly.Equal(x, affine.Num(0)))
	}
	return poly.And(all...)
}

// Actions returns what an instance of s does at which When holds.
func (s *Stmt) Actions() []Action {
	if !s.Settled {
		return s.Body
	}
	out := slices.Clone(s.Body)
	for i, a := range out {
		if store, ok := a.(Store); ok {
			out[i] = Store{store.To, store.Value.(Cond).X}
		}
	}
	return withoutUnread(out)
}

// withoutUnread returns actions without those that set what none reads, and read no elements themselves.
func withoutUnread(actions []Action) (kept []Action) {
	read := map[string]bool{}
	note := func(e Expr) {
		Visit(e, func(e Expr) {
			if v, ok := e.(Var); ok && v.Kind == LocalVar {
				read[v.Name] = true
			}
		})
	}
	for _, a := range slices.Backward(actions) {
		switch a := a.(type) {
		case Let:
			elements := false
			Visit(a.Value, func(e Expr) { _, ok := e.(Read); elements = elements || ok })
			if !read[a.Name] && !elements {
				continue
			}
			delete(read, a.Name)
			note(a.Value)
		case Store:
			note(a.Value)
		}
		kept = append(kept, a)
	}
	slices.Reverse(kept)
	return declared(kept)
}

// declared returns actions with each local declared where it is first set.
func declared(actions []Action) []Action {
	seen := map[string]bool{}
	for i, a := range actions {
		if let, ok := a.(Let); ok {
			let.Declare = !seen[let.Name]
			seen[let.Name], actions[i] = true, let
		}
	}
	return actions
}

// Residues returns what holds wherever an instance of a statement of these iterators and that body may change anything: every store of it sets,
// where one of them does not hold, an element to the value that it has. settled: where all hold, the conditions of all stores do. notNegative
// is asked of sums over all instances; where C's remainder would be negative, it is not that of a Residue.
func Residues(params []Param, iters []string, body []Action, notNegative func(Affine) bool) (all []Residue, settled bool) {
	r := residueReader{params: params, iters: iters, lets: map[string]Expr{}, notNegative: notNegative}
	set := map[string]int{}
	for _, a := range body {
		if let, ok := a.(Let); ok {
			set[let.Name]++
			r.lets[let.Name] = let.Value
		}
	}
	for name, times := range set {
		if times > 1 {
			delete(r.lets, name)
		}
	}
	first := true
	settled = true
	for _, a := range body {
		store, ok := a.(Store)
		if !ok {
			continue
		}
		choice, ok := store.Value.(Cond)
		if !ok {
			return nil, false
		}
		if kept, ok := choice.Y.(Read); !ok || kept.From.Array != store.To.Array || kept.From.Text != store.To.Text {
			return nil, false
		}
		here, exact := r.implied(choice.C)
		if first {
			all, first, settled = here, false, exact
			continue
		}
		both := slices.DeleteFunc(slices.Clone(all), func(x Residue) bool { return !slices.ContainsFunc(here, x.equal) })
		settled = settled && exact && len(both) == len(all) && len(both) == len(here)
		all = both
	}
	return all, settled && len(all) > 0
}

func (r Residue) equal(q Residue) bool {
	return r.Mod == q.Mod && r.Const == q.Const && slices.Equal(r.Iters, q.Iters) && slices.Equal(r.Params, q.Params)
}

// A residueReader reads conditions and integers by their remainders.
type residueReader struct {
	params      []Param
	iters       []string
	lets        map[string]Expr // the values of locals that are set once
	notNegative func(Affine) bool
	reads       int
}

// maxResidueReads bounds the expressions that are looked at in one statement: a local is looked at wherever it is used.
const maxResidueReads = 10_000

// bare returns e without conversions between integers, and without the names of locals.
func (r *residueReader) bare(e Expr) Expr {
	for r.reads++; r.reads < maxResidueReads; r.reads++ {
		switch x := e.(type) {
		case Cast:
			if x.T.IsFloat() || x.T.IsNarrow() || x.X.Type().IsFloat() {
				return e
			}
			e = x.X
			continue
		case Var:
			if v := r.lets[x.Name]; v != nil && x.Kind == LocalVar {
				e = v
				continue
			}
		}
		return e
	}
	return Const{T: Float} // it is nothing that is known
}

// implied returns what holds wherever condition c does; exact: c holds wherever all of that does.
func (r *residueReader) implied(c Expr) (all []Residue, exact bool) {
	if x, ok := r.bare(c).(Binary); ok && x.Op == "&&" {
		a, exact1 := r.implied(x.X)
		b, exact2 := r.implied(x.Y)
		return append(a, b...), exact1 && exact2
	}
	if p, ok := r.parity(c); ok { // it is 1
		p.Const++
		return r.nontrivial(p, 2, true)
	}
	x, ok := r.bare(c).(Binary)
	if truth, named := r.truth(x); ok && named {
		return r.implied(truth)
	}
	if !ok || x.Op != "==" {
		return nil, false
	}
	for _, side := range [2][2]Expr{{x.X, x.Y}, {x.Y, x.X}} {
		if m := r.modulus(side[0]); m >= 2 {
			a, ok1 := r.modulo(side[0], m)
			b, ok2 := r.modulo(side[1], m)
			k, isConst := r.bare(side[1]).(Const)
			remains := isConst && 0 <= k.I && k.I < m
			if ok1 && ok2 {
				return r.nontrivial(plus(a, -1, b), m, remains && (k.I == 0 || r.remainder(side[0])))
			}
		}
	}
	return nil, false
}

// truth returns the condition c of c != 0, as one is tested that a local holds.
func (r *residueReader) truth(x Binary) (c Expr, ok bool) {
	if x.Op != "!=" {
		return nil, false
	}
	zero, isConst := r.bare(x.Y).(Const)
	if c = r.bare(x.X); !isConst || zero.T.IsFloat() || zero.I != 0 || c.Type() != Bool {
		return nil, false
	}
	return c, true
}

// remainder reports whether e, a remainder modulo a number, is never negative.
func (r *residueReader) remainder(e Expr) bool {
	x := r.bare(e).(Binary)
	if x.Op == "&" || x.Type().IsUnsigned() {
		return true
	}
	whole, ok := r.sum(x.X)
	return ok && r.notNegative(whole)
}

// nontrivial returns that a is a multiple of m, unless that says nothing of the instances.
func (r *residueReader) nontrivial(a Affine, m int64, exact bool) (all []Residue, isExact bool) {
	a = reduced(a, m)
	if !slices.ContainsFunc(a.Iters, func(k int64) bool { return k != 0 }) {
		return nil, false
	}
	return []Residue{{a, m}}, exact
}

// modulus returns m, if e is a remainder modulo m; else 0.
func (r *residueReader) modulus(e Expr) int64 {
	x, ok := r.bare(e).(Binary)
	if !ok {
		return 0
	}
	k, ok := r.bare(x.Y).(Const)
	switch {
	case !ok || k.T.IsFloat() || k.I < 1 || k.I >= 1<<20:
	case x.Op == "%":
		return k.I
	case x.Op == "&" && k.I&(k.I+1) == 0:
		return k.I + 1
	}
	return 0
}

// modulo returns a sum that leaves the same remainder as e modulo m.
func (r *residueReader) modulo(e Expr, m int64) (a Affine, ok bool) {
	if m&(m-1) != 0 && !r.whole(e) {
		return Affine{}, false
	}
	switch x := r.bare(e).(type) {
	case Const:
		return Affine{Const: affine.Remainder(x.I, m)}, !x.T.IsFloat()
	case Var:
		return r.variable(x)
	case Unary:
		switch a, ok := r.modulo(x.X, m); x.Op {
		case "-":
			return reduced(plus(Affine{}, -1, a), m), ok
		case "+":
			return a, ok
		}
	case Binary:
		if n := r.modulus(x); n > 0 {
			if n%m != 0 {
				return Affine{}, false
			}
			return r.modulo(x.X, m)
		}
		a, ok1 := r.modulo(x.X, m)
		b, ok2 := r.modulo(x.Y, m)
		switch {
		case !ok1 || !ok2:
		case x.Op == "+", x.Op == "^" && m == 2:
			return reduced(plus(a, 1, b), m), true
		case x.Op == "-":
			return reduced(plus(a, -1, b), m), true
		case x.Op == "*" && a.isNumber():
			return reduced(plus(Affine{}, a.Const, b), m), true
		case x.Op == "*" && b.isNumber():
			return reduced(plus(Affine{}, b.Const, a), m), true
		}
	case Cond:
		p, ok1 := r.parity(x.C)
		a, ok2 := r.modulo(x.X, m)
		b, ok3 := r.modulo(x.Y, m)
		if m == 2 && ok1 && ok2 && ok3 && a.isNumber() && b.isNumber() {
			return reduced(plus(b, a.Const-b.Const, p), m), true
		}
	}
	if m == 2 && r.bare(e).Type() == Bool {
		return r.parity(e)
	}
	return Affine{}, false
}

// whole reports whether no part of e is computed modulo a power of two, as unsigned integers are, or cut down to fewer bits.
func (r *residueReader) whole(e Expr) bool {
	ok := true
	Visit(e, func(e Expr) {
		switch x := e.(type) {
		case Cast:
			ok = ok && !x.T.IsUnsigned() && x.T.Size() >= x.X.Type().Size()
		case Var:
			ok = ok && !x.T.IsUnsigned() && x.Kind != LocalVar
		}
	})
	return ok
}

// parity returns a sum that is odd where condition c holds, and even where it does not.
func (r *residueReader) parity(c Expr) (a Affine, ok bool) {
	switch x := r.bare(c).(type) {
	case Unary:
		if x.Op == "!" {
			a, ok = r.parity(x.X)
			a.Const++
			return reduced(a, 2), ok
		}
	case Binary:
		if x.Op != "==" && x.Op != "!=" {
			break
		}
		a, ok1 := r.bit(x.X)
		b, ok2 := r.bit(x.Y)
		if k, isConst := r.bare(x.Y).(Const); isConst && k.I == 0 && !ok1 && r.modulus(x.X) == 2 { // -1 is not 0 either
			a, ok1 = r.modulo(x.X, 2)
		}
		sum := plus(a, 1, b)
		if x.Op == "==" {
			sum.Const++
		}
		return reduced(sum, 2), ok1 && ok2
	}
	return Affine{}, false
}

// bit returns a sum that leaves e modulo 2, if e is 0 or 1.
func (r *residueReader) bit(e Expr) (a Affine, ok bool) {
	x := r.bare(e)
	if x.Type() == Bool {
		return r.parity(x)
	}
	switch y := x.(type) {
	case Const:
		return Affine{Const: y.I}, !y.T.IsFloat() && (y.I == 0 || y.I == 1)
	case Var:
		a, ok = r.variable(y)
		return a, ok && r.notNegative(a) && r.notNegative(plus(Affine{Const: 1}, -1, a))
	case Binary:
		if y.Op == "^" {
			a, ok1 := r.bit(y.X)
			b, ok2 := r.bit(y.Y)
			return reduced(plus(a, 1, b), 2), ok1 && ok2
		}
		if r.modulus(y) != 2 {
			return Affine{}, false
		}
		if !r.remainder(y) {
			return Affine{}, false
		}
		return r.modulo(y, 2)
	}
	return Affine{}, false
}

// sum returns e, if that is a sum.
func (r *residueReader) sum(e Expr) (a Affine, ok bool) {
	switch x := r.bare(e).(type) {
	case Const:
		return Affine{Const: x.I}, !x.T.IsFloat() && -1<<40 < x.I && x.I < 1<<40
	case Var:
		return r.variable(x)
	case Binary:
		a, ok1 := r.sum(x.X)
		b, ok2 := r.sum(x.Y)
		switch {
		case !ok1 || !ok2:
		case x.Op == "+":
			return plus(a, 1, b), true
		case x.Op == "-":
			return plus(a, -1, b), true
		}
	}
	return Affine{}, false
}

func (r *residueReader) variable(v Var) (a Affine, ok bool) {
	a = Affine{Iters: make([]int64, len(r.iters)), Params: make([]int64, len(r.params))}
	k := -1
	switch v.Kind {
	case IterVar:
		if k = slices.Index(r.iters, v.Name); k >= 0 {
			a.Iters[k] = 1
		}
	case ParamVar:
		if k = slices.IndexFunc(r.params, func(p Param) bool { return p.Name == v.Name }); k >= 0 {
			a.Params[k] = 1
		}
	}
	return a, k >= 0
}

// plus returns a + k*b.
func plus(a Affine, k int64, b Affine) Affine {
	add := func(x, y []int64) (sum []int64) {
		sum = make([]int64, max(len(x), len(y)))
		for i := range sum {
			if i < len(x) {
				sum[i] = x[i]
			}
			if i < len(y) {
				sum[i] = affine.Plus(sum[i], affine.Times(k, y[i]))
			}
		}
		return sum
	}
	return Affine{affine.Plus(a.Const, affine.Times(k, b.Const)), add(a.Iters, b.Iters), add(a.Params, b.Params)}
}

// reduced returns a with its coefficients modulo m.
func reduced(a Affine, m int64) Affine {
	rest := func(xs []int64) (out []int64) {
		for _, x := range xs {
			out = append(out, affine.Remainder(x, m))
		}
		return out
	}
	return Affine{affine.Remainder(a.Const, m), rest(a.Iters), rest(a.Params)}
}
