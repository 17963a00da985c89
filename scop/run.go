package scop

import (
	"fmt"
	"math"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// Run executes p in source order on mem: for each value of the time iterator
// the nests in order, each in the order of its loops. The error is a
// diagnostic: an access outside of its array, or an integer division by zero.
// Then mem is left as it was at that point.
func Run(p *Program, mem *Memory) error { return RunWith(p, mem, nil) }

// RunWith is Run with functions in place of those of math.h.
func RunWith(p *Program, mem *Memory, f Functions) error {
	r := runner{mem: mem, functions: f}
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

// RunOriginal is RunWith for what p equals bit for bit, p.Original(), on a memory of p.
func RunOriginal(p *Program, mem *Memory, f Functions) error { return runBefore(p.Original(), mem, f) }

// RunAsWritten is RunWith for the program of the source, p.AsWritten(), on a memory of p.
func RunAsWritten(p *Program, mem *Memory, f Functions) error {
	return runBefore(p.AsWritten(), mem, f)
}

// runBefore runs q, of which the program of mem was made, on mem. Arrays that mem does not have any more are given to it meanwhile.
func runBefore(q *Program, mem *Memory, f Functions) error {
	all := &Memory{Program: q, Params: mem.Params, Scalars: mem.Scalars}
	for _, a := range q.Arrays {
		s := mem.find(a)
		if s == nil {
			var err error
			if s, err = newStorage(q, a, mem.Params); err != nil {
				return err
			}
			if s.size() > maxCells {
				return &diag.Diagnostic{Code: codeTooBig, At: a.Pos, Msg: fmt.Sprintf("with %s array %s has more than %d elements", mem.Sizes(), a.Name, int64(maxCells))}
			}
			s.Cells = make([]uint64, s.size())
		}
		all.Arrays = append(all.Arrays, s)
	}
	return RunWith(q, all, f)
}

// A runner runs statements on a memory until one fails.
type runner struct {
	mem       *Memory
	functions Functions
	fault     *diag.Diagnostic
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
		Memory: r.mem, Functions: r.functions,
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

// Offsets returns what tells the number of the element in s that a touches, in row-major order, from iterators, for these
// parameters: whether it exists, too.
func (a *Access) Offsets(s *Storage, params []int64) func(iters []int64) (int, bool) {
	dims := foldIndex(a, s, params)
	return func(iters []int64) (int, bool) { return offset(dims, iters) }
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
			v = floorMod(v, d.mod)
		}
		if uint64(v) >= uint64(d.extent) {
			return 0, false
		}
		off = off*d.extent + v
	}
	return int(off), true
}
