package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// Mentions reports whether a bound of a loop, the guard or the body of n uses the variable.
func (n Threads) Mentions(name string) bool {
	found := false
	see := func(es ...affine.Expr) {
		for _, e := range es {
			affine.Vars(e, func(v string) { found = found || v == name })
		}
	}
	for _, l := range n.Loops {
		see(l.Lo, l.Hi)
	}
	for _, rows := range n.Guard {
		see(rows...)
	}
	for _, op := range n.Body {
		EachRef(op, func(r Ref) { see(r.Index...) })
		if c, ok := op.(Compute); ok {
			see(c.Iters...)
		}
	}
	return found
}

// EachIndex calls f with every subscript of the operations of nodes, in order.
func EachIndex(nodes []Node, f func(affine.Expr)) {
	see := func(r Ref) {
		for _, e := range r.Index {
			f(e)
		}
	}
	EachOp(nodes, func(op Op) { EachRef(op, see) })
}

// EachOp calls f with every operation of nodes, in order.
func EachOp(nodes []Node, f func(Op)) {
	for _, n := range nodes {
		switch n := n.(type) {
		case For:
			EachOp(n.Body, f)
		case If:
			EachOp(n.Then, f)
			EachOp(n.Else, f)
		case Threads:
			for _, op := range n.Body {
				f(op)
			}
		}
	}
}

// LoopVars returns the variables that the nodes bind.
func LoopVars(nodes []Node) (names []string) {
	for _, n := range nodes {
		switch n := n.(type) {
		case For:
			names = append(append(names, n.Var), LoopVars(n.Body)...)
		case If:
			names = append(append(names, LoopVars(n.Then)...), LoopVars(n.Else)...)
		case Threads:
			for _, l := range n.Loops {
				names = append(names, l.Var)
			}
		}
	}
	return names
}

// EachRef calls f with every element that op names.
func EachRef(op Op, f func(Ref)) {
	switch op := op.(type) {
	case Copy:
		f(op.To)
		f(op.From)
	case Load:
		f(op.From)
	case Compute:
		for _, r := range op.Refs {
			f(r)
		}
	}
}

// Fetches reports whether n only loads registers, which other nodes read.
func (n Threads) Fetches() bool {
	return !slices.ContainsFunc(n.Body, func(op Op) bool { _, loads := op.(Load); return !loads })
}

// Repeats reports whether threads run the body of n several times each, in loops
// that their own index does not bound.
func (n Threads) Repeats() bool {
	return slices.ContainsFunc(n.Loops, func(l ThreadLoop) bool { return l.Axis < 0 })
}

// CopiesAsync reports whether a kernel of p copies to shared memory without waiting.
func (p *Program) CopiesAsync() bool {
	var inside func(ns []Node) bool
	inside = func(ns []Node) bool {
		return slices.ContainsFunc(ns, func(n Node) bool {
			switch n := n.(type) {
			case For:
				return inside(n.Body)
			case If:
				return inside(n.Then) || inside(n.Else)
			case Arrive:
				return true
			}
			return false
		})
	}
	return slices.ContainsFunc(p.Kernels, func(k *Kernel) bool { return inside(k.Body) })
}
