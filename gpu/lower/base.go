package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file takes the common part out of addresses in global memory. In a full tile most elements
// of an array lie at distances from each other that are numbers along each dimension. So one address
// is computed for each array, its base address, and the others from it by products of a number and a
// stride, of 32 bits each:
//
//	A[n*(22*S0 - 9) + 32*S1 + tx + 5]   is   base[3*n + 5]   with   base = &A[n*(22*S0 - 12) + 32*S1 + tx]

// fits32 reports whether s is below 2^32 whatever the parameters: a single extent that is an int is.
func fits32(s gpu.Stride, p *scop.Program) bool {
	number, others := s.Factors()
	return number == 1 && len(others) == 1 && !slices.ContainsFunc(p.Params, gpu.IsWide)
}

// fromBases returns n, a full tile, with elements addressed from base addresses.
func (ph *plan) fromBases(n gpu.If) gpu.If {
	c := addressing{plan: ph, of: map[string]*cluster{}}
	eachGlobal(n.Then, c.see)
	used := maps.Clone(ph.used)
	for _, g := range c.all {
		g.choose(used)
	}
	n.Then = addressed(n.Then, c.from)
	for _, g := range c.all {
		if g.base == nil {
			continue
		}
		n.Bases = append(n.Bases, g.base)
		for d, far := range g.far {
			s := gpu.Stride{Array: g.base.Array, Dim: d}
			if _, others := s.Factors(); !far || len(others) == 0 || slices.ContainsFunc(n.Strides, s.Same) {
				continue
			}
			n.Strides = append(n.Strides, s)
			if !fits32(s, ph.scop) {
				n.Tested = append(n.Tested, s)
			}
		}
	}
	return n
}

// A addressing collects the elements of a full tile.
type addressing struct {
	*plan
	of  map[string]*cluster // by array and the subscripts that are no sums of variables
	all []*cluster
}

// A cluster is the elements of a plane of an array, by the variable parts of
// their subscripts.
type cluster struct {
	array  *scop.Array
	number int // among those of the array
	kinds  []kind
	chosen string // the kind that base is of
	base   *gpu.Base
	far    []bool // along which dimensions some element is not in line with the base address
}

type kind struct {
	key   string
	refs  int
	first gpu.Ref
}

// keys returns what tells clusters apart, and kinds. ok is false for an element
// that gains nothing, or whose address has the variable of a loop in it.
func (c *addressing) keys(r gpu.Ref, n gpu.Threads) (plane, key string, ok bool) {
	if r.Buffer != nil || len(r.Index) < 2 {
		return "", "", false
	}
	for _, l := range n.Loops {
		if !slices.Contains(c.threadVars, l.Var) && slices.ContainsFunc(r.Index, func(e affine.Expr) bool { return usesLoops(e, []gpu.ThreadLoop{l}) }) {
			return "", "", false
		}
	}
	plane = r.Array.Name
	for _, e := range r.Index {
		if s, isSum := e.(affine.Sum); isSum && !s.IsNum() {
			key += s.Add(-s.Const).String() + ","
			plane += ",*"
		} else {
			plane += fmt.Sprint(",", e)
		}
	}
	return plane, key, true
}

func (c *addressing) see(n gpu.Threads, r gpu.Ref) {
	plane, key, ok := c.keys(r, n)
	if !ok {
		return
	}
	g := c.of[plane]
	if g == nil {
		g = &cluster{array: r.Array}
		for _, o := range c.all {
			if o.array == r.Array {
				g.number++
			}
		}
		c.of[plane], c.all = g, append(c.all, g)
	}
	g.see(key, r)
}

func (g *cluster) see(key string, r gpu.Ref) {
	i := slices.IndexFunc(g.kinds, func(k kind) bool { return k.key == key })
	if i < 0 {
		i, g.kinds = len(g.kinds), append(g.kinds, kind{key: key, first: r})
	}
	k := &g.kinds[i]
	k.refs++
	first := k.first
	first.Index = slices.Clone(first.Index)
	for d, e := range r.Index {
		if s, ok := e.(affine.Sum); ok && s.Const < first.Index[d].(affine.Sum).Const {
			first.Index[d] = s
		}
	}
	k.first = first
}

// choose sets the base address of the kind with the most elements, if those are several.
func (g *cluster) choose(used astgen.Used) {
	best := slices.MaxFunc(g.kinds, func(a, b kind) int { return a.refs - b.refs })
	if best.refs < 2 {
		return
	}
	name := g.array.Name + "_tile"
	for _, e := range best.first.Index {
		if s, ok := e.(affine.Sum); !ok {
			name += string(rune('A' + g.number%26))
		} else if s.IsNum() {
			name += fmt.Sprint(s.Const)
		}
	}
	g.chosen, g.far = best.key, make([]bool, len(g.array.Extents))
	g.base = &gpu.Base{Name: used.Fresh(name), Array: g.array, Index: best.first.Index}
}

// from returns r as addressed from its base address, if it has one.
func (c *addressing) from(n gpu.Threads, r gpu.Ref) gpu.Ref {
	plane, key, ok := c.keys(r, n)
	if !ok {
		return r
	}
	g := c.of[plane]
	if g.base == nil || key != g.chosen {
		return r
	}
	r.Base, r.Offset = g.base, make([]int64, len(r.Index))
	for d, e := range r.Index {
		if s, ok := e.(affine.Sum); ok {
			r.Offset[d] = s.Const - g.base.Index[d].(affine.Sum).Const
			g.far[d] = g.far[d] || r.Offset[d] != 0 && d < len(r.Index)-1
		}
	}
	return r
}

// eachGlobal calls f with each element that the nodes name.
func eachGlobal(nodes []gpu.Node, f func(gpu.Threads, gpu.Ref)) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.If:
			eachGlobal(n.Then, f)
			eachGlobal(n.Else, f)
		case gpu.Threads:
			for _, op := range n.Body {
				gpu.EachRef(op, func(r gpu.Ref) { f(n, r) })
			}
		}
	}
}

// addressed returns nodes with each element as f, which gives base addresses, has it.
func addressed(nodes []gpu.Node, f func(gpu.Threads, gpu.Ref) gpu.Ref) []gpu.Node {
	out := make([]gpu.Node, len(nodes))
	for i, n := range nodes {
		switch x := n.(type) {
		case gpu.If:
			x.Then, x.Else = addressed(x.Then, f), addressed(x.Else, f)
			n = x
		case gpu.Threads:
			body := make([]gpu.Op, len(x.Body))
			for j, op := range x.Body {
				body[j] = at(op, func(r gpu.Ref) gpu.Ref { return f(x, r) })
			}
			x.Body = body
			n = x
		}
		out[i] = n
	}
	return out
}

// at returns op with each element as f, which gives base addresses, has it: op itself where f changes none.
func at(op gpu.Op, f func(gpu.Ref) gpu.Ref) gpu.Op {
	switch o := op.(type) {
	case gpu.Copy:
		if to, from := f(o.To), f(o.From); to.Base != o.To.Base || from.Base != o.From.Base {
			return gpu.Copy{To: to, From: from}
		}
		return op
	case gpu.Load:
		if from := f(o.From); from.Base != o.From.Base {
			return gpu.Load{Reg: o.Reg, From: from}
		}
		return op
	case gpu.Compute:
		own := false
		for i, r := range o.Refs {
			to := f(r)
			if to.Base == r.Base {
				continue
			}
			if !own {
				o.Refs, own = slices.Clone(o.Refs), true
			}
			o.Refs[i] = to
		}
		if own {
			return o
		}
		return op
	}
	panic(fmt.Sprintf("lower: at: unknown operation %T", op))
}
