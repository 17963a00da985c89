package tree

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file enumerates points of sets and relations for given values of the parameters. It uses nothing of package poly but the rows of
// constraints: values are tried one after the other, in the intervals that the constraints leave for them, and a point counts only where
// all constraints hold for it. So it is an oracle for all that is found by other means.

// A points is a set or relation with numbers for parameters.
type points struct{ parts []part }

// A part is a conjunction: its columns are dimensions of the first tuple, of the second one, and divs.
type part struct {
	in, out poly.Tuple
	rows    []numbers
	divs    []numbers // num - den*div, which is from 0 to den - 1
	dens    []int64
	basic   poly.Basic
	params  map[string]int64
}

// A numbers is the sum of c0 and c[i] times column i; where eq is set it is 0, otherwise at least 0.
type numbers struct {
	c0 int64
	c  []int64
	eq bool
}

func pointsOf(basics []poly.Basic, params map[string]int64) points {
	var p points
	for _, b := range basics {
		p.parts = append(p.parts, partOf(b, params))
	}
	return p
}

func partOf(b poly.Basic, params map[string]int64) part {
	space := b.Space()
	p := part{in: space.In, out: space.Out, basic: b, params: params}
	dims, divs := len(space.In.Dims)+len(space.Out.Dims), b.Divs()
	of := func(a poly.Affine, eq bool) numbers {
		n := numbers{a.Const, make([]int64, dims+len(divs)), eq}
		for i, k := range a.Params {
			v, ok := params[space.Params[i]]
			if !ok {
				panic(fmt.Sprintf("tree: no value for the parameter %s", space.Params[i]))
			}
			n.c0 += k * v
		}
		copy(n.c, a.In)
		copy(n.c[len(space.In.Dims):], a.Out)
		copy(n.c[dims:], a.Divs)
		return n
	}
	for i, d := range divs {
		n := of(d.Num, false)
		n.c[dims+i] -= d.Den
		p.divs, p.dens = append(p.divs, n), append(p.dens, d.Den)
	}
	for _, c := range b.Constraints() {
		p.rows = append(p.rows, of(c.Affine, c.Eq))
	}
	return p
}

// An interval has the values from lo to hi; infinity is none of them.
type interval struct{ lo, hi int64 }

const infinity = math.MaxInt64 / 4

// each calls f with each second point that belongs to the first point in, once, for all parts whose first tuple is called name. Where in
// is nil, the parts are of a set.
func (p points) each(name string, in []int64, f func(name string, out []int64)) {
	type key struct{ name, point string }
	var seen map[key]bool
	if len(p.parts) > 1 {
		seen = map[key]bool{}
	}
	for _, a := range p.parts {
		if a.in.Name != name || len(a.in.Dims) != len(in) {
			continue
		}
		a.each(in, func(out []int64) {
			if seen != nil {
				k := key{a.out.Name, fmt.Sprint(out)}
				if seen[k] {
					return
				}
				seen[k] = true
			}
			f(a.out.Name, out)
		})
	}
}

// has reports whether p, a set, has the point x of the tuple called name.
func (p points) has(name string, x []int64) bool {
	return slices.ContainsFunc(p.parts, func(a part) bool {
		return a.out.Name == name && len(a.out.Dims) == len(x) && a.holds(x)
	})
}

// holds reports whether p has the point x, of both tuples one after the other.
func (p part) holds(x []int64) bool {
	all := slices.Concat(x, make([]int64, len(p.divs)))
	for i, d := range p.divs {
		v, at := d.value(all), len(x)+i // num, since the div is still 0
		all[at] = v / p.dens[i]
		if v%p.dens[i] < 0 {
			all[at]--
		}
	}
	for _, r := range p.rows {
		if v := r.value(all); v < 0 || r.eq && v != 0 {
			return false
		}
	}
	return true
}

func (n numbers) value(x []int64) int64 {
	v := n.c0
	for i, k := range n.c {
		v += k * x[i]
	}
	return v
}

// each calls f with the second points for the first point in.
func (p part) each(in []int64, f func(out []int64)) {
	x := make([]interval, len(in)+len(p.out.Dims)+len(p.divs))
	for i := range x {
		x[i] = interval{-infinity, infinity}
		if i < len(in) {
			x[i] = interval{in[i], in[i]}
		}
	}
	p.walk(x, f)
}

// walk tries the values of one column after the other, of that with the fewest first.
func (p part) walk(x []interval, f func(out []int64)) {
	if !p.narrow(x) {
		return
	}
	dims := len(p.in.Dims) + len(p.out.Dims)
	at, free := -1, -1
	for i, v := range x {
		if v.lo == v.hi {
			continue
		}
		if i < dims {
			free = i
		}
		if v.finite() && (at < 0 || v.hi-v.lo < x[at].hi-x[at].lo) {
			at = i
		}
	}
	if free < 0 {
		point := make([]int64, dims)
		for i := range point {
			point[i] = x[i].lo
		}
		if p.holds(point) {
			f(point[len(p.in.Dims):])
		}
		return
	}
	if at < 0 {
		at = free
		x[at] = p.box(at, x[:dims])
	}
	for v := x[at].lo; v <= x[at].hi; v++ {
		next := slices.Clone(x)
		next[at] = interval{v, v}
		p.walk(next, f)
	}
}

func (v interval) finite() bool { return v.lo > -infinity && v.hi < infinity }

// An UnboundedError says that a set, or what a relation relates a point to, is not finite.
type UnboundedError struct{ Of poly.Basic }

func (e *UnboundedError) Error() string { return fmt.Sprintf("infinitely many instances: %v", e.Of) }

// box returns the values of a dimension where some others are fixed, from package poly: constraints that bound dimensions only together
// leave none of them an interval of its own.
func (p part) box(at int, x []interval) interval {
	names := make([]string, len(x))
	for i := range names {
		names[i] = fmt.Sprintf("x%d", i)
	}
	n, isMap := len(p.in.Dims), len(p.in.Dims) > 0 || p.in.Name != ""
	tuple, s := p.out.Print(names[n:]), poly.Set{}
	if isMap {
		tuple, s = "["+p.in.Print(names[:n])+" -> "+tuple+"]", poly.MustMap(p.basic.String()).Wrap()
	} else {
		s = poly.MustSet(p.basic.String())
	}
	for name, v := range p.params {
		if slices.Contains(s.Params(), name) {
			s = s.FixParam(name, v)
		}
	}
	for i, v := range x {
		if v.lo == v.hi {
			s = s.FixDim(i, v.lo)
		}
	}
	values := poly.MustMap("{ " + tuple + " -> [" + names[at] + "] }").Apply(s)
	if values.IsEmpty() {
		return interval{0, -1}
	}
	_, lo, bounded := values.LexMin().Sample()
	_, hi, also := values.LexMax().Sample()
	if !bounded || !also {
		panic(&UnboundedError{p.basic})
	}
	return interval{lo[0], hi[0]}
}

// narrow takes values from x that no point has. It returns false if a column has none left.
func (p part) narrow(x []interval) bool {
	for range 20 {
		changed := false
		for _, r := range p.rows {
			if !r.narrow(x, 0, &changed) {
				return false
			}
			if r.eq && !r.negative().narrow(x, 0, &changed) {
				return false
			}
		}
		for i, d := range p.divs {
			if !d.narrow(x, 0, &changed) || !d.negative().narrow(x, p.dens[i]-1, &changed) {
				return false
			}
		}
		if !changed {
			break
		}
	}
	return true
}

func (n numbers) negative() numbers {
	m := numbers{c0: -n.c0, c: make([]int64, len(n.c))}
	for i, k := range n.c {
		m.c[i] = -k
	}
	return m
}

// narrow takes values from x where n + slack >= 0 does not hold.
func (n numbers) narrow(x []interval, slack int64, changed *bool) bool {
	most, unbounded, free := n.c0+slack, 0, -1
	for i, k := range n.c {
		if k == 0 {
			continue
		}
		v := x[i].hi
		if k < 0 {
			v = x[i].lo
		}
		if v == infinity || v == -infinity {
			unbounded, free = unbounded+1, i
			continue
		}
		most += k * v
	}
	if unbounded > 1 {
		return true
	}
	if unbounded == 0 && most < 0 {
		return false
	}
	for i, k := range n.c {
		if k == 0 || unbounded == 1 && i != free {
			continue
		}
		rest := most // of all others, and the number
		if unbounded == 0 && k > 0 {
			rest -= k * x[i].hi
		} else if unbounded == 0 {
			rest -= k * x[i].lo
		}
		switch { // k*x + rest >= 0
		case k > 0:
			if lo := -affine.Quotient(rest, k); lo > x[i].lo {
				x[i].lo, *changed = lo, true
			}
		case k < 0:
			if hi := affine.Quotient(rest, -k); hi < x[i].hi {
				x[i].hi, *changed = hi, true
			}
		}
		if x[i].lo > x[i].hi {
			return false
		}
	}
	return true
}
