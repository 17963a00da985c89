package scop

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// A Nest is the instances of a statement for given parameters: loops whose
// bounds are the statement's rows, each row at the innermost iterator it names.
type Nest struct {
	stmt  *Stmt
	empty bool    // a row without iterators does not hold
	rows  [][]row // by loop
}

// A row is coef*x + konst + terms over outer iterators >= 0.
type row struct {
	coef, konst int64
	terms       []term
}

// CountsDown reports whether loop d of s runs from its last value to its first.
func (s *Stmt) CountsDown(d int) bool { return len(s.Down) > d && s.Down[d] }

// HasOneValue reports whether the domain of s says which value iterator k has, by parameters and iterators outside of it: two of Bounds are an equation.
func (s *Stmt) HasOneValue(k int) bool {
	for i, x := range s.Bounds {
		if x.Iters[k] == 0 || slices.ContainsFunc(x.Iters[k+1:], func(c int64) bool { return c != 0 }) {
			continue
		}
		for _, y := range s.Bounds[:i] {
			opposite := func(a, b int64) bool { return a == -b }
			if x.Const == -y.Const && slices.EqualFunc(x.Iters, y.Iters, opposite) && slices.EqualFunc(x.Params, y.Params, opposite) {
				return true
			}
		}
	}
	return false
}

// NewNest returns the loops of s for the given parameters.
func NewNest(s *Stmt, params []int64) Nest {
	n := Nest{stmt: s, rows: make([][]row, len(s.Iters))}
	for _, b := range s.Bounds {
		konst := Affine{Const: b.Const, Params: b.Params}.At(nil, params)
		ts := terms(b.Iters)
		if len(ts) == 0 {
			n.empty = n.empty || konst < 0
			continue
		}
		last := ts[len(ts)-1]
		n.rows[last.iter] = append(n.rows[last.iter], row{last.coef, konst, ts[:len(ts)-1]})
	}
	return n
}

// Range returns the values lo <= hi of loop d inside the given outer iterators;
// ok is false if there are none.
func (n Nest) Range(d int, outer []int64) (lo, hi int64, ok bool) {
	if n.empty {
		return 0, -1, false
	}
	lo, hi = math.MinInt64, math.MaxInt64
	for i := range n.rows[d] {
		r := &n.rows[d][i]
		v := r.konst
		for _, t := range r.terms {
			v += t.coef * outer[t.iter]
		}
		if r.coef > 0 {
			lo = max(lo, -affine.Quotient(v, r.coef)) // x >= ceil(-v/coef)
		} else {
			hi = min(hi, affine.Quotient(v, -r.coef))
		}
	}
	if lo == math.MinInt64 || hi == math.MaxInt64 {
		panic(fmt.Sprintf("scop: Nest.Range: loop %s of %s has no bounds", n.stmt.Iters[d], n.stmt.Name))
	}
	return lo, hi, lo <= hi
}

// walk calls f for every instance inside iters[:d], in the order in which they run,
// with iters set, until f returns false. It reports whether it came to the end.
func (n Nest) walk(d int, iters []int64, f func() bool) bool {
	if d == len(iters) {
		return f()
	}
	lo, hi, ok := n.Range(d, iters)
	for k := int64(0); ok && k <= hi-lo; k++ {
		if iters[d] = lo + k; n.stmt.CountsDown(d) {
			iters[d] = hi - k
		}
		if !n.walk(d+1, iters, f) {
			return false
		}
	}
	return true
}

// All yields the instances in the order in which they run. The slice is reused.
func (n Nest) All(yield func(iters []int64) bool) {
	iters := make([]int64, len(n.rows))
	n.walk(0, iters, func() bool { return yield(iters) })
}

// Count returns the number of instances.
func (n Nest) Count() int64 { return n.count(0, make([]int64, len(n.rows))) }

// Walks returns about how many loop iterations Count makes: it steps through the
// loops that bounds of others depend on. lo and hi are the Box.
func (n Nest) Walks(lo, hi []int64) float64 {
	walks := 1.0
	for d := range n.rows {
		if n.uses(d) {
			walks *= float64(hi[d]-lo[d]) + 1
		}
	}
	return walks
}

func (n Nest) count(d int, iters []int64) (sum int64) {
	lo, hi, ok := n.Range(d, iters)
	if !ok {
		return 0
	}
	if d == len(iters)-1 {
		return hi - lo + 1
	}
	if !n.uses(d) { // every value gives the same
		iters[d] = lo
		return (hi - lo + 1) * n.count(d+1, iters)
	}
	for v := lo; v <= hi; v++ {
		iters[d] = v
		sum += n.count(d+1, iters)
	}
	return sum
}

// uses reports whether a bound of a loop inside loop d depends on d.
func (n Nest) uses(d int) bool {
	for _, rows := range n.rows[d+1:] {
		for _, r := range rows {
			if slices.ContainsFunc(r.terms, func(t term) bool { return t.iter == d }) {
				return true
			}
		}
	}
	return false
}

// Contains reports whether iters is an instance.
func (n Nest) Contains(iters []int64) bool {
	for d := range n.rows {
		if lo, hi, ok := n.Range(d, iters[:d]); !ok || iters[d] < lo || iters[d] > hi {
			return false
		}
	}
	return true
}

// Box returns a box lo[d] <= iters[d] <= hi[d] that holds all instances; it may
// be larger than need be where bounds depend on outer loops. It is empty, with
// ok false, only if there are no instances.
func (n Nest) Box() (lo, hi []int64, ok bool) {
	if n.empty {
		return nil, nil, false
	}
	for d := range n.rows {
		l, h := int64(math.MinInt64), int64(math.MaxInt64)
		for _, r := range n.rows[d] {
			v := r.konst
			for _, t := range r.terms {
				v += max(t.coef*lo[t.iter], t.coef*hi[t.iter])
			}
			if r.coef > 0 {
				l = max(l, -affine.Quotient(v, r.coef))
			} else {
				h = min(h, affine.Quotient(v, -r.coef))
			}
		}
		if l > h {
			return nil, nil, false
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	return lo, hi, true
}
