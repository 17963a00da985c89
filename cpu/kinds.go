package cpu

import (
	"github.com/hexcc/hexcc/scop"
)

// This file tells which bodies run in vectors: those of sums and products of numbers
// of one type, which vectors of GNU C compute element by element as C computes numbers, and of fused multiply-adds.

// A Kind says what a value is for the points of a row.
type Kind int

// The kinds.
const (
	Uniform Kind = iota // the same for all points
	Varying             // a vector: one for each
	Other               // what no vector computes
)

// Kinds tell the kinds of the values of a body.
type Kinds struct {
	elem   scop.Type // of all vectors
	along  int       // the iterator that runs along rows, and
	name   string    // its name
	body   []scop.Action
	locals map[string]Kind
}

// kinds returns the kinds of the values of the body of s, which stores elements of to next to each other, nil if it does not run in vectors.
func (s *Step) kinds(to *scop.Access) *Kinds {
	if to == nil || to.Array.Elem != scop.Float && to.Array.Elem != scop.Double {
		return nil
	}
	k := &Kinds{elem: to.Array.Elem, along: -1, body: s.Stmt.Actions(), locals: map[string]Kind{}}
	for i := range s.Stmt.Iters {
		if s.Depth(s.Iters[i]) == len(s.Loops)-1 {
			k.along, k.name = i, s.Stmt.Iters[i]
		}
	}
	for again := true; again; { // a local is Uniform until a vector is assigned to it
		again = false
		for _, action := range k.body {
			if let, ok := action.(scop.Let); ok {
				kind := max(k.locals[let.Name], k.Of(let.Value))
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
func (k *Kinds) runs(action scop.Action) bool {
	switch a := action.(type) {
	case scop.Let:
		kind := k.locals[a.Name]
		return kind == Uniform || kind == Varying && a.Type == k.elem
	case scop.Store:
		return k.Of(a.Value) != Other && k.Access(a.To) == Varying
	}
	return false
}

// Access returns what the element of a is: a vector where elements of points next to
// each other lie next to each other.
func (k *Kinds) Access(a *scop.Access) Kind {
	last := len(a.Index) - 1
	for i, x := range a.Index {
		switch c := x.Coef(k.along); {
		case c != 0 && (i < last || c != 1 || x.Mod > 0):
			return Other
		case i == last && c == 1 && a.Array.Elem != k.elem:
			return Other
		case i == last && c == 1:
			return Varying
		}
	}
	return Uniform
}

// Of returns what e is.
func (k *Kinds) Of(e scop.Expr) Kind {
	switch e := e.(type) {
	case scop.Const:
		return Uniform
	case scop.Read:
		return k.Access(e.From)
	case scop.Var:
		return k.variable(e)
	case scop.Unary:
		return k.only(e.Op == "-" || e.Op == "+", k.Of(e.X))
	case scop.Binary:
		arithmetic := e.Op == "+" || e.Op == "-" || e.Op == "*" || e.Op == "/"
		return k.only(arithmetic && e.Type() == k.elem, k.Of(e.X), k.Of(e.Y))
	case scop.Cast:
		return k.only(e.T == k.elem && e.X.Type() == k.elem, k.Of(e.X))
	case scop.Call:
		kinds := make([]Kind, len(e.Args))
		for i, a := range e.Args {
			kinds[i] = k.Of(a)
		}
		return k.only(e.IsFMA() && e.T == k.elem, kinds...)
	case scop.Cond:
		return k.only(false, k.Of(e.C), k.Of(e.X), k.Of(e.Y))
	}
	return Other
}

// Local returns what a local scalar is.
func (k *Kinds) Local(name string) Kind { return k.locals[name] }

// only returns what an operation on such operands is, if vectors is whether vectors have it.
func (k *Kinds) only(vectors bool, operands ...Kind) Kind {
	most := Uniform
	for _, o := range operands {
		most = max(most, o)
	}
	if most == Varying && !vectors {
		return Other
	}
	return most
}

func (k *Kinds) variable(e scop.Var) Kind {
	switch {
	case e.Kind == scop.LocalVar:
		return k.locals[e.Name]
	case e.Kind == scop.IterVar && e.Name == k.name:
		return Other
	}
	return Uniform
}
