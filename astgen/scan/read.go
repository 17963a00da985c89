package scan

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file reads loops back: from the text alone, which instances each call runs, and when. It shares nothing with what writes loops.

// A reading is one call of loops as a relation.
type reading struct {
	call *Call
	path []step // from the outermost node to the call
	vars []string
	// when holds of parameters and variables where the call runs.
	when   []poly.Formula
	params []string
}

// A step on the way to a call is a variable of a loop, or the position of a child.
type step struct {
	loop *For // nil: a position
	at   int
}

// read returns all calls of loops.
func read(n Node, params []string) (list []*reading, err error) {
	r := &reader{params: params, used: map[string]int{}}
	defer func() {
		if p, ok := recover().(*problem); ok {
			err = p
		} else if p != nil {
			panic(p)
		}
	}()
	r.node(n, nil, nil, nil, map[string]affine.Sum{})
	return r.list, nil
}

// A reader walks through loops.
type reader struct {
	params []string
	used   map[string]int
	list   []*reading
}

// node reads a node below a path. Loops that have one name get different ones: of is what a name in the text stands for.
func (r *reader) node(n Node, path []step, vars []string, when []poly.Formula, of map[string]affine.Sum) {
	path, when, vars = path[:len(path):len(path)], when[:len(when):len(when)], vars[:len(vars):len(vars)]
	switch n := n.(type) {
	case nil:
	case Block:
		for i, c := range n {
			r.node(c, append(path, step{at: i}), vars, when, of)
		}
	case *For:
		name := fmt.Sprintf("%s#%d", n.Var, r.used[n.Var])
		r.used[n.Var]++
		v := affine.Var(name)
		lo := affine.Subst(n.Lo, of)
		when = append(when, atLeast(lo, v, false), atLeast(affine.Subst(n.Hi, of), v, true))
		if n.Step != 1 {
			d := affine.Total(v, -1, lo)
			when = append(when, poly.Equal(affine.Total(d, -n.Step, affine.Floor(d, n.Step)), affine.Num(0)))
		}
		inner := map[string]affine.Sum{}
		for k, x := range of {
			inner[k] = x
		}
		inner[n.Var] = v
		r.node(n.Body, append(path, step{loop: n}), append(vars, name), when, inner)
	case *If:
		c := formula(n.Cond, of)
		r.node(n.Then, append(path, step{at: 0}), vars, append(when, c), of)
		r.node(n.Else, append(path, step{at: 1}), vars, append(when, poly.Not(c)), of)
	case *Call:
		call := &Call{n.Stmt, affine.SubstAll(n.Args, of), affine.SubstAll(n.Times, of), n.Leaf}
		r.list = append(r.list, &reading{call, path, vars, when, r.params})
	case *Mark:
		r.node(n.Body, path, vars, when, of)
	default:
		panic(fmt.Sprintf("scan: unknown node %T", n))
	}
}

// atLeast returns x <= v, or x >= v if above: of the least and the greatest of several as what holds of each.
func atLeast(x affine.Expr, v affine.Sum, above bool) poly.Formula {
	each := func(args []affine.Expr) (list []poly.Formula) {
		for _, a := range args {
			list = append(list, atLeast(a, v, above))
		}
		return list
	}
	switch x := x.(type) {
	case affine.Max:
		if above {
			return poly.Or(each(x.Args)...)
		}
		return poly.And(each(x.Args)...)
	case affine.Min:
		if above {
			return poly.And(each(x.Args)...)
		}
		return poly.Or(each(x.Args)...)
	}
	if above {
		return poly.AtMost(v, x)
	}
	return poly.AtMost(x, v)
}

// formula returns a condition.
func formula(c Cond, of map[string]affine.Sum) poly.Formula {
	var some []poly.Formula
	for _, conj := range c {
		var all []poly.Formula
		for _, r := range conj {
			x, y := affine.Subst(r.Left, of), affine.Subst(r.Right, of)
			switch r.Op {
			case AtLeast:
				all = append(all, poly.AtMost(y, x))
			case AtMost:
				all = append(all, poly.AtMost(x, y))
			case Equal:
				all = append(all, poly.Equal(x, y))
			}
		}
		some = append(some, poly.And(all...))
	}
	if len(some) == 0 {
		return poly.False()
	}
	return poly.Or(some...)
}

// runs returns the relation of values of the variables to the instances that the call runs with them.
func (r *reading) runs(known poly.Set) poly.Map {
	in := poly.Tuple{Dims: r.vars}
	return poly.NewFunction(r.params, in, poly.Tuple{Name: r.call.Stmt}, r.call.Args, r.when...).IntersectParams(known)
}
