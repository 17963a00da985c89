package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
)

// This file splits subscripts into a symbolic part, which moves with the tile, and numbers. Two subscripts
// with the same symbolic part are equal just where the numbers are; modulo m, x + a and x + b are
// just where a and b are, modulo m. So the symbolic part can be left out, if it is the same wherever
// an element is meant. Where it is not, its residues modulo m are tried one after the other.

// maxResidues bounds the combinations of residues that are tried.
const maxResidues = 64

// A residue is the value of a sum of symbols modulo a number: some multiple of the greatest common
// divisor of both.
type residue struct {
	terms            []affine.Term
	mod, step, value int64
}

// residues are those met so far. Their values count through all combinations.
type residues struct {
	tried bool // else they are left out
	all   []*residue
}

// of returns the residue of a sum of symbols modulo m.
func (rs *residues) of(terms []affine.Term, m int64) *residue {
	for _, r := range rs.all {
		if r.mod == m && slices.Equal(r.terms, terms) {
			return r
		}
	}
	r := &residue{terms: terms, mod: m, step: m}
	for _, t := range terms {
		for a := t.Coef; a != 0; {
			r.step, a = a, r.step%a
		}
	}
	r.step = max(r.step, -r.step)
	rs.all = append(rs.all, r)
	n := int64(1)
	for _, r := range rs.all {
		if n *= r.mod / r.step; n > maxResidues {
			panic(undecided("subscripts are taken modulo numbers in too many ways"))
		}
	}
	return r
}

// next sets the residues to their next values; ok is false after the last.
func (rs *residues) next() (ok bool) {
	for _, r := range rs.all {
		if r.value += r.step; r.value < r.mod {
			return true
		}
		r.value = 0
	}
	return false
}

// A linear is konst + the sum of coefs[i] * vars[slots[i]].
type linear struct {
	konst int64
	slots []int
	coefs []int64
}

func (l *linear) value(vars []int64) int64 {
	v := l.konst
	for i, s := range l.slots {
		v += l.coefs[i] * vars[s]
	}
	return v
}

// add adds coef * vars[slot].
func (l *linear) add(slot int, coef int64) {
	for i, have := range l.slots {
		if have == slot {
			l.coefs[i] += coef
			return
		}
	}
	l.slots, l.coefs = append(l.slots, slot), append(l.coefs, coef)
}

// A subscript is a linear, modulo mod if mod > 0, less its symbolic part or with its residue.
type subscript struct {
	linear
	mod int64
	of  *residue // nil: none
}

func (s *subscript) value(vars []int64) int64 {
	v := s.linear.value(vars)
	if s.mod == 0 {
		return v
	}
	if s.of != nil {
		v += s.of.value
	}
	if v %= s.mod; v < 0 {
		v += s.mod
	}
	return v
}

// A scope knows the variables that are numbers, by slot. All others are symbols.
type scope struct {
	slots map[string]int
	vars  []int64
	residues
}

func (s *scope) slot(name string) int {
	i, ok := s.slots[name]
	if !ok {
		i = len(s.vars)
		s.slots[name] = i
		s.vars = append(s.vars, 0)
	}
	return i
}

// split returns the numbers of x, and its symbols. The index of the loop around tiles is both: a symbol
// for the first tile, and a number for those that follow it.
func (s *scope) split(x affine.Sum) (l linear, symbols []affine.Term) {
	l.konst = x.Const
	for _, t := range x.Terms {
		if i, ok := s.slots[t.Var]; ok {
			l.slots, l.coefs = append(l.slots, i), append(l.coefs, t.Coef)
		}
		if _, ok := s.slots[t.Var]; !ok || i0 == s.slots[t.Var] {
			symbols = append(symbols, t)
		}
	}
	return l, symbols
}

// i0 is the slot of the index of the loop around tiles.
const i0 = 0

// subscript compiles e; symbols is the text of its symbolic part, "" if the value of e is that of the subscript.
func (s *scope) subscript(e affine.Expr) (sub subscript, symbols string) {
	var terms []affine.Term
	switch e := e.(type) {
	case affine.Sum:
		sub.linear, terms = s.split(e)
	case affine.Mod:
		x, ok := e.X.(affine.Sum)
		if !ok {
			panic(undecided(fmt.Sprintf("a subscript %v", e)))
		}
		if less, ok := affine.Modulo(x, e.D).(affine.Mod); ok {
			x = less.X.(affine.Sum)
		} else {
			x = affine.Modulo(x, e.D).(affine.Sum)
		}
		sub.linear, terms = s.split(x)
		sub.mod, symbols = e.D, fmt.Sprintf("modulo %d: ", e.D)
		if s.tried && len(terms) > 0 {
			sub.of, terms = s.residues.of(terms, e.D), nil
		}
	default:
		panic(undecided(fmt.Sprintf("a subscript %v", e)))
	}
	if len(terms) == 0 {
		return sub, ""
	}
	texts := make([]string, len(terms))
	for i, t := range terms {
		texts[i] = fmt.Sprint(t.Coef, "*", t.Var)
	}
	return sub, symbols + strings.Join(texts, " + ")
}

// number compiles e, in which all variables are numbers.
func (s *scope) number(e affine.Expr) func(vars []int64) int64 {
	best := func(es []affine.Expr, better func(x, y int64) int64) func(vars []int64) int64 {
		var all []func([]int64) int64
		for _, e := range es {
			all = append(all, s.number(e))
		}
		return func(vars []int64) int64 {
			v := all[0](vars)
			for _, a := range all[1:] {
				v = better(v, a(vars))
			}
			return v
		}
	}
	switch e := e.(type) {
	case affine.Sum:
		l, symbols := s.split(e)
		if len(symbols) > 0 {
			panic(undecided(fmt.Sprintf("a bound %v of points of a full tile", e)))
		}
		return l.value
	case affine.Min:
		return best(e.Args, func(x, y int64) int64 { return min(x, y) })
	case affine.Max:
		return best(e.Args, func(x, y int64) int64 { return max(x, y) })
	}
	panic(undecided(fmt.Sprintf("a bound %v of points of a full tile", e)))
}
