package scop

import (
	"fmt"
	"slices"
	"strings"
)

// This file turns arrays of coefficients into scalars. The elements of such an array are
// the same wherever an instance runs, so its reads need no memory: a device gets them with the
// arguments of a kernel, which lie in its memory for constants, where all threads of
// a warp read one address at once and most operations take it as an operand.

// MaxCoefficients bounds the scalars that arrays of a program become: 512 bytes of
// doubles. OpenCL warrants 1024 bytes of arguments, CUDA 4096.
const MaxCoefficients = 64

// An Element is one element of an array.
type Element struct {
	Array *Array
	Index []int64
}

// Number returns the number of e in row-major order.
func (e Element) Number() (n int64) {
	for d, i := range e.Index {
		n = n*e.Array.Extents[d].Const + i
	}
	return n
}

// c returns the C expression for the value of e.
func (e Element) c() string {
	subscripts := ""
	for _, i := range e.Index {
		subscripts += fmt.Sprintf("[%d]", i)
	}
	if len(e.Array.Origin) > 0 { // numbers, as the subscripts are
		n := int64(0)
		for d, i := range e.Array.Origin {
			n = n*e.Array.Extents[d].Const + i.Const
		}
		return fmt.Sprintf("((const %v *)(%s))[%d]", e.Array.Elem, e.Array.Flat, e.Number()-n)
	}
	if object, ok := strings.CutSuffix(e.Array.Flat, strings.Repeat("[0]", len(e.Index))); ok && strings.HasPrefix(object, "&") {
		return object[1:] + subscripts
	}
	return fmt.Sprintf("((const %v *)(%s))[%d]", e.Array.Elem, e.Array.Flat, e.Number())
}

// WithCoefficients returns p with each element that is read of an array of
// coefficients as a Scalar of its own. An array holds coefficients if it is only read, every
// subscript is a number, so is every extent, and p has
// with it no more than MaxCoefficients of them.
func WithCoefficients(p *Program) *Program {
	c := &coefficients{program: p, scalars: map[*Access]Scalar{}, names: p.Names()}
	out := *p
	out.Scalars, out.Arrays, out.Stmts, out.Walls = slices.Clone(p.Scalars), nil, nil, nil
	for _, a := range p.Arrays {
		if scalars, ok := c.of(a); ok {
			out.Scalars = append(out.Scalars, scalars...)
		} else {
			out.Arrays = append(out.Arrays, a)
		}
	}
	if len(c.scalars) == 0 {
		return p
	}
	for _, s := range p.Stmts {
		out.Stmts = append(out.Stmts, c.statement(s))
	}
	for _, w := range p.Walls {
		out.Walls = append(out.Walls, Wall{c.statement(w.Nest), w.Text})
	}
	return &out
}

// CoefficientArrays returns the arrays whose elements are Scalars of p, in the order of those.
func (p *Program) CoefficientArrays() (arrays []*Array) {
	for _, s := range p.Scalars {
		if s.Of != nil && !slices.Contains(arrays, s.Of.Array) {
			arrays = append(arrays, s.Of.Array)
		}
	}
	return arrays
}

// Tested returns p with all arrays that Apart names, those whose elements are Scalars too: a test of what is
// assumed gets these arrays, which nothing else does.
func (p *Program) Tested() *Program {
	q := *p
	q.Arrays = slices.Clone(p.Arrays)
	for _, a := range p.CoefficientArrays() {
		if slices.ContainsFunc(p.Apart, func(pair [2]Object) bool { return pair[0].Array == a || pair[1].Array == a }) {
			q.Arrays = append(q.Arrays, a)
		}
	}
	return &q
}

type coefficients struct {
	program *Program
	scalars map[*Access]Scalar // by the access that reads it
	names   map[string]bool
	count   int
}

// of returns the scalars that a becomes; ok is false if it stays an array.
func (c *coefficients) of(a *Array) (scalars []Scalar, ok bool) {
	if !a.Const || a.Local || a.Shared || a.Elem == Bool || a.Elem == Half || len(a.Planes) > 0 || !slices.ContainsFunc(c.program.Stmts, func(s *Stmt) bool { return s.reads(a) }) {
		return nil, false
	}
	elements := map[*Access]Element{}
	var distinct []Element
	for _, s := range c.program.nests() {
		for _, acc := range s.Accesses {
			if acc.Array != a {
				continue
			}
			e, ok := acc.element()
			if !ok {
				return nil, false
			}
			elements[acc] = e
			if !slices.ContainsFunc(distinct, func(d Element) bool { return d.Number() == e.Number() }) {
				distinct = append(distinct, e)
			}
		}
	}
	if c.count+len(distinct) > MaxCoefficients {
		return nil, false
	}
	c.count += len(distinct)
	slices.SortFunc(distinct, func(x, y Element) int { return int(x.Number() - y.Number()) })
	for _, d := range distinct {
		scalar := Scalar{Name: c.name(d), Type: a.Elem, C: d.c(), Of: &d}
		scalars = append(scalars, scalar)
		for acc, e := range elements {
			if e.Number() == d.Number() {
				c.scalars[acc] = scalar
			}
		}
	}
	return scalars, true
}

// reads reports whether s uses a.
func (s *Stmt) reads(a *Array) bool {
	return slices.ContainsFunc(s.Accesses, func(acc *Access) bool { return acc.Array == a })
}

// Writes reports whether a statement of p writes a.
func (p *Program) Writes(a *Array) bool {
	return slices.ContainsFunc(p.Stmts, func(s *Stmt) bool {
		return slices.ContainsFunc(s.Accesses, func(acc *Access) bool { return acc.Write && acc.Array == a })
	})
}

// element returns the element that a touches, if that is the same in every
// instance and for all parameters, and surely exists.
func (a *Access) element() (e Element, ok bool) {
	e.Array = a.Array
	for d, x := range a.Index {
		extent := a.Array.Extents[d]
		if !x.isNumber() || !extent.isNumber() || x.At(nil, nil) < 0 || x.At(nil, nil) >= extent.Const {
			return Element{}, false
		}
		e.Index = append(e.Index, x.At(nil, nil))
	}
	return e, true
}

// isNumber reports whether a has neither iterators nor parameters.
func (a Affine) isNumber() bool {
	return !slices.ContainsFunc(slices.Concat(a.Iters, a.Params), func(c int64) bool { return c != 0 })
}

// name returns a new name for e: c_0, w_1_2.
func (c *coefficients) name(e Element) string {
	name := e.Array.Name
	for _, i := range e.Index {
		name += fmt.Sprintf("_%d", i)
	}
	for c.names[name] {
		name += "_"
	}
	c.names[name] = true
	return name
}

// statement returns s with scalars for the elements that became some.
func (c *coefficients) statement(s *Stmt) *Stmt {
	out := *s
	out.Accesses, out.Body = nil, WithValues(s.Body, c.expr)
	for _, acc := range s.Accesses {
		if _, scalar := c.scalars[acc]; !scalar {
			out.Accesses = append(out.Accesses, acc)
		}
	}
	return &out
}

// expr returns e with scalars for the elements that became some.
func (c *coefficients) expr(e Expr) Expr {
	return WithReads(e, func(r Read) Expr {
		if s, ok := c.scalars[r.From]; ok {
			return Var{T: s.Type, Name: s.Name, Kind: ScalarVar}
		}
		return r
	})
}
