package emulate

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// This file compiles integer expressions and conditions to closures. Variables
// are resolved while compiling: each is the address of an int64. A name that is
// not in scope there is a bug; so a thread's own variables cannot reach a
// condition that must be uniform.

// A scope is the variables that expressions may use while they are compiled.
type scope struct {
	vars    map[string]*int64
	uniform []*int64                       // those bound by bind, outermost first
	names   []string                       // of uniform
	beyond  func(e affine.Table, at int64) // called where a table has no such entry
}

// bind runs f with name bound to a new variable.
func (m *scope) bind(name string, f func(v *int64)) {
	old, shadows := m.vars[name]
	v := new(int64)
	m.vars[name] = v
	m.uniform, m.names = append(m.uniform, v), append(m.names, name)
	f(v)
	m.uniform, m.names = m.uniform[:len(m.uniform)-1], m.names[:len(m.names)-1]
	delete(m.vars, name)
	if shadows {
		m.vars[name] = old
	}
}

func (m *scope) variable(name string) *int64 {
	if v := m.vars[name]; v != nil {
		return v
	}
	panic(fmt.Sprintf("emulate: BUG: variable %q is not bound here, or not uniform", name))
}

// expr returns the code for e.
func (m *scope) expr(e affine.Expr) func() int64 {
	switch e := e.(type) {
	case affine.Sum:
		return m.sum(e).code()
	case affine.FloorDiv:
		x, d := m.expr(e.X), positive(e.D)
		return func() int64 { return affine.Quotient(x(), d) }
	case affine.Mod:
		x, d := m.expr(e.X), positive(e.D)
		return func() int64 { return floorMod(x(), d) }
	case affine.Table:
		at, values := m.variable(e.Var), e.Values
		return func() int64 {
			if uint64(*at) >= uint64(len(values)) {
				m.beyond(e, *at)
				return 0
			}
			return values[*at]
		}
	case affine.Min:
		return m.extreme(e.Args, func(a, b int64) bool { return a < b })
	case affine.Max:
		return m.extreme(e.Args, func(a, b int64) bool { return a > b })
	}
	panic(fmt.Sprintf("emulate: unknown expression %T", e))
}

func positive(d int64) int64 {
	if d <= 0 {
		panic(fmt.Sprintf("emulate: division by %d", d))
	}
	return d
}

// extreme is the argument that is better than all before it.
func (m *scope) extreme(args []affine.Expr, better func(a, b int64) bool) func() int64 {
	if len(args) == 0 {
		panic("emulate: minimum or maximum of nothing")
	}
	best := m.expr(args[0])
	for _, a := range args[1:] {
		x, y := best, m.expr(a)
		best = func() int64 {
			v, w := x(), y()
			if better(w, v) {
				return w
			}
			return v
		}
	}
	return best
}

// A linear is konst + the sum of coef * *v.
type linear struct {
	konst int64
	terms []linearTerm
}

type linearTerm struct {
	coef int64
	v    *int64
}

func (m *scope) sum(e affine.Sum) linear {
	l := linear{konst: e.Const}
	for _, t := range e.Terms {
		l.terms = append(l.terms, linearTerm{t.Coef, m.variable(t.Var)})
	}
	return l
}

func (l *linear) value() int64 {
	v := l.konst
	for i := range l.terms {
		v += l.terms[i].coef * *l.terms[i].v
	}
	return v
}

func (l linear) code() func() int64 {
	k := l.konst
	switch len(l.terms) {
	case 0:
		return func() int64 { return k }
	case 1:
		c, v := l.terms[0].coef, l.terms[0].v
		return func() int64 { return k + c**v }
	case 2:
		c, v := l.terms[0].coef, l.terms[0].v
		d, w := l.terms[1].coef, l.terms[1].v
		return func() int64 { return k + c**v + d**w }
	}
	return l.value
}

// cond returns the code for c; nil is true.
func (m *scope) cond(c astgen.Cond) func() bool {
	if c == nil {
		return func() bool { return true }
	}
	any := make([][]func() int64, len(c))
	for i, all := range c {
		for _, row := range all {
			any[i] = append(any[i], m.expr(row))
		}
	}
	return func() bool {
		for _, all := range any {
			if holds(all) {
				return true
			}
		}
		return false
	}
}

// holds reports whether all rows are at least 0.
func holds(rows []func() int64) bool {
	for _, row := range rows {
		if row() < 0 {
			return false
		}
	}
	return true
}

// floorMod is a modulo b, at least 0; b > 0.
func floorMod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}
