package openmp

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file tells which bodies run in vectors: those of sums and products of numbers
// of one type, which vectors of GNU C compute element by element as C computes numbers.

// A kind says what a value is for the points of a row.
type kind int

const (
	uniform kind = iota // the same for all points
	varying             // a vector: one for each
	other               // what no vector computes
)

// lanes tells the kinds of the values of a body.
type lanes struct {
	elem   scop.Type // of all vectors
	along  int       // the iterator that runs along rows, and
	name   string    // its name
	body   []scop.Action
	locals map[string]kind
}

// lanes returns the kinds of the values of the step's body, nil if it does not run in vectors.
func (p *point) lanes() *lanes {
	to := p.step.Align
	if to == nil || !to.Array.Elem.IsFloat() {
		return nil
	}
	k := &lanes{elem: to.Array.Elem, along: -1, body: p.step.Stmt.Body, locals: map[string]kind{}}
	for i := range p.step.Stmt.Iters {
		if p.depth(p.step.Iters[i]) == len(p.step.Loops)-1 {
			k.along, k.name = i, p.step.Stmt.Iters[i]
		}
	}
	for again := true; again; { // a local is uniform until a vector is assigned to it
		again = false
		for _, action := range k.body {
			if let, ok := action.(scop.Let); ok {
				kind := max(k.locals[let.Name], k.of(let.Value))
				again = again || kind != k.locals[let.Name]
				k.locals[let.Name] = kind
			}
		}
	}
	for _, action := range k.body {
		if !k.runs(action) {
			return nil
		}
	}
	return k
}

// runs reports whether an action runs in vectors.
func (k *lanes) runs(action scop.Action) bool {
	switch a := action.(type) {
	case scop.Let:
		kind := k.locals[a.Name]
		return kind == uniform || kind == varying && a.Type == k.elem
	case scop.Store:
		return k.of(a.Value) != other && k.access(a.To) == varying
	}
	return false
}

// access returns what the element of a is: a vector where elements of points next to
// each other lie next to each other.
func (k *lanes) access(a *scop.Access) kind {
	last := len(a.Index) - 1
	for i, x := range a.Index {
		switch c := x.Coef(k.along); {
		case c != 0 && (i < last || c != 1 || x.Mod > 0):
			return other
		case i == last && c == 1 && a.Array.Elem != k.elem:
			return other
		case i == last && c == 1:
			return varying
		}
	}
	return uniform
}

// of returns what e is.
func (k *lanes) of(e scop.Expr) kind {
	switch e := e.(type) {
	case scop.Const:
		return uniform
	case scop.Read:
		return k.access(e.From)
	case scop.Var:
		return k.variable(e)
	case scop.Unary:
		return k.only(e.Op == "-" || e.Op == "+", k.of(e.X))
	case scop.Binary:
		arithmetic := e.Op == "+" || e.Op == "-" || e.Op == "*" || e.Op == "/"
		return k.only(arithmetic && e.Type() == k.elem, k.of(e.X), k.of(e.Y))
	case scop.Cast:
		return k.only(e.T == k.elem && e.X.Type() == k.elem, k.of(e.X))
	case scop.Call:
		kinds := make([]kind, len(e.Args))
		for i, a := range e.Args {
			kinds[i] = k.of(a)
		}
		return k.only(false, kinds...)
	case scop.Cond:
		return k.only(false, k.of(e.C), k.of(e.X), k.of(e.Y))
	}
	return other
}

// only returns what an operation on such operands is, if vectors is whether vectors have it.
func (k *lanes) only(vectors bool, operands ...kind) kind {
	most := uniform
	for _, o := range operands {
		most = max(most, o)
	}
	if most == varying && !vectors {
		return other
	}
	return most
}

func (k *lanes) variable(e scop.Var) kind {
	switch {
	case e.Kind == scop.LocalVar:
		return k.locals[e.Name]
	case e.Kind == scop.IterVar && e.Name == k.name:
		return other
	}
	return uniform
}

// repeatable reports whether points of a row may run twice: none reads what one stores in the same step.
func (p *point) repeatable() bool {
	ok := true
	for _, to := range p.step.Stmt.Accesses {
		for _, from := range p.step.Stmt.Accesses {
			ok = ok && (!to.Write || from.Write || to.Array != from.Array || p.apart(from, to))
		}
	}
	return ok
}

// apart reports whether subscripts that are the same for all points of a step keep two elements of an array apart.
func (p *point) apart(a, b *scop.Access) bool {
	for i, x := range a.Index {
		y := b.Index[i]
		same := slices.Equal(x.Iters, y.Iters) && slices.Equal(x.Params, y.Params) && x.Mod == y.Mod
		if difference := x.Const - y.Const; same && p.known(x) < 0 && difference != 0 && (x.Mod == 0 || difference%x.Mod != 0) {
			return true
		}
	}
	return false
}
