package scop

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// Run executes p in source order on mem: for each value of the time iterator
// the nests in order, each in lexicographic order of its loops. The error is a
// diagnostic: an access outside of its array, or an integer division by zero.
// Then mem is left as it was at that point.
func Run(p *Program, mem *Memory) error {
	r := runner{mem: mem}
	nests := make([]Nest, len(p.Stmts))
	codes := make([]*Code, len(p.Stmts))
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	for i, s := range p.Stmts {
		nests[i] = NewNest(s, mem.Params)
		codes[i] = r.compile(p, s)
		if l, h, ok := nests[i].Range(0, nil); ok {
			lo, hi = min(lo, l), max(hi, h)
		}
	}
	for t := lo; t <= hi; t++ {
		for i, n := range nests {
			if l, h, ok := n.Range(0, nil); !ok || t < l || t > h {
				continue
			}
			codes[i].Iters[0] = t
			if !n.walk(1, codes[i].Iters, func() bool { return r.step(codes[i]) }) {
				return r.fault
			}
		}
	}
	return nil
}

// A runner runs statements on a memory until one fails.
type runner struct {
	mem   *Memory
	fault *diag.Diagnostic
}

func (r *runner) step(c *Code) bool {
	c.Run()
	return r.fault == nil
}

// compile returns the body of s with every access checked.
func (r *runner) compile(p *Program, s *Stmt) *Code {
	var code *Code
	element := func(k int) (func() int, []uint64) {
		a := s.Accesses[k]
		store := r.mem.Storage(a.Array)
		dims := foldIndex(a, store, r.mem.Params)
		return func() int {
			off, ok := offset(dims, code.Iters)
			if !ok {
				r.outside(s, a, store, code.Iters)
				return -1
			}
			return off
		}, store.Cells
	}
	// The closures below run only once code is set.
	code = Compile(p, s, Binding{
		Memory: r.mem,
		Load: func(k int) func() uint64 {
			at, cells := element(k)
			return func() uint64 {
				if i := at(); i >= 0 {
					return cells[i]
				}
				return 0
			}
		},
		Store: func(k int) func(uint64) {
			at, cells := element(k)
			return func(bits uint64) {
				if i := at(); i >= 0 && r.fault == nil {
					cells[i] = bits
				}
			}
		},
		Fault: func(msg string) {
			if r.fault == nil {
				r.fault = &diag.Diagnostic{Code: codeDivide, At: s.Pos,
					Msg: msg + " at " + s.Instance(code.Iters) + r.with()}
			}
		},
	})
	return code
}

func (r *runner) outside(s *Stmt, a *Access, store *Storage, iters []int64) {
	if r.fault != nil {
		return
	}
	index := make([]int64, len(a.Index))
	for i, x := range a.Index {
		index[i] = x.At(iters, r.mem.Params)
	}
	r.fault = &diag.Diagnostic{Code: codeOutside, At: a.Pos,
		Msg: fmt.Sprintf("%s is outside of array %s at %s%s",
			elementName(a.Array.Name, index), elementName(a.Array.Name, store.Extent), s.Instance(iters), r.with())}
}

// with names the sizes of the run, if there are any.
func (r *runner) with() string {
	if len(r.mem.Params) == 0 {
		return ""
	}
	return " with " + r.mem.Sizes()
}

// Instance names an instance of s: S0[t=1, i=4].
func (s *Stmt) Instance(iters []int64) string {
	list := make([]string, len(iters))
	for i, v := range iters {
		list[i] = fmt.Sprintf("%s=%d", s.Iters[i], v)
	}
	return s.Name + "[" + strings.Join(list, ", ") + "]"
}

// A subscript is konst + first + more, modulo mod if mod > 0.
type subscript struct {
	konst, mod, extent int64
	first              term
	more               []term
}

type term struct {
	coef int64
	iter int
}

// foldIndex returns the subscripts of a with the parameters put in.
func foldIndex(a *Access, s *Storage, params []int64) []subscript {
	dims := make([]subscript, len(a.Index))
	for i, x := range a.Index {
		dims[i] = subscript{
			konst: Affine{Const: x.Const, Params: x.Params}.At(nil, params),
			mod:   x.Mod, extent: s.Extent[i],
		}
		if ts := terms(x.Iters); len(ts) > 0 {
			dims[i].first, dims[i].more = ts[0], ts[1:]
		}
	}
	return dims
}

func terms(coefs []int64) (ts []term) {
	for i, c := range coefs {
		if c != 0 {
			ts = append(ts, term{c, i})
		}
	}
	return ts
}

// offset returns the number of the element in row-major order, and whether it exists.
func offset(dims []subscript, iters []int64) (int, bool) {
	off := int64(0)
	for i := range dims {
		d := &dims[i]
		v := d.konst + d.first.coef*iters[d.first.iter]
		for _, t := range d.more {
			v += t.coef * iters[t.iter]
		}
		if d.mod > 0 {
			v %= d.mod
		}
		if uint64(v) >= uint64(d.extent) {
			return 0, false
		}
		off = off*d.extent + v
	}
	return int(off), true
}

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
			lo = max(lo, -floorDiv(v, r.coef)) // x >= ceil(-v/coef)
		} else {
			hi = min(hi, floorDiv(v, -r.coef))
		}
	}
	if lo == math.MinInt64 || hi == math.MaxInt64 {
		panic(fmt.Sprintf("scop: Nest.Range: loop %s of %s has no bounds", n.stmt.Iters[d], n.stmt.Name))
	}
	return lo, hi, lo <= hi
}

// walk calls f for every instance inside iters[:d], in lexicographic order, with
// iters set, until f returns false. It reports whether it came to the end.
func (n Nest) walk(d int, iters []int64, f func() bool) bool {
	if d == len(iters) {
		return f()
	}
	lo, hi, ok := n.Range(d, iters)
	for v := lo; ok && v <= hi; v++ {
		iters[d] = v
		if !n.walk(d+1, iters, f) {
			return false
		}
	}
	return true
}

// All yields the instances in lexicographic order. The slice is reused.
func (n Nest) All(yield func(iters []int64) bool) {
	iters := make([]int64, len(n.rows))
	n.walk(0, iters, func() bool { return yield(iters) })
}

// Count returns the number of instances.
func (n Nest) Count() int64 { return n.count(0, make([]int64, len(n.rows))) }

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
				l = max(l, -floorDiv(v, r.coef))
			} else {
				h = min(h, floorDiv(v, -r.coef))
			}
		}
		if l > h {
			return nil, nil, false
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	return lo, hi, true
}

// floorDiv is a/b rounded down, b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
