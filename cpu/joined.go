package cpu

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file joins the bodies of variants. A body that keeps an element in a local scalar, and uses that where another one reads a neighbour,
//
//	const double c = A[i], north = A[i - 1];     const double c = A[i], north = c; // at the edge
//
// reads the element there in what both have in common.

// joined returns n with x, whose loops are those of n, nil if their bodies differ by more than distances of elements.
func (n *Nest) joined(x *Step) *Nest {
	j := joiner{lead: n.Lead, with: x, from: map[*scop.Access]*scop.Access{}, like: map[*scop.Access]*scop.Access{}, held: [2]map[string]*scop.Access{held(n.Lead.Stmt), held(x.Stmt)}}
	a, b := n.Lead.Stmt.Actions(), x.Stmt.Actions()
	if len(a) != len(b) {
		return nil
	}
	body := make([]scop.Action, len(a))
	for i := range a {
		ok := false
		if body[i], ok = j.action(a[i], b[i]); !ok {
			return nil
		}
	}
	lead := *n.Lead
	if lead.Align == nil {
		if i := slices.IndexFunc(j.accesses, func(to *scop.Access) bool { return x.Align != nil && j.like[to] == x.Align }); i >= 0 {
			lead.Align = j.accesses[i]
		}
	} else if x.Align != nil && j.like[lead.Align] != x.Align {
		return nil
	}
	st := *lead.Stmt
	st.Body, st.Settled, st.Accesses = body, false, j.accesses
	lead.Stmt = &st
	joined := &Nest{Lead: &lead, Steps: append(slices.Clip(n.Steps), x)}
	for _, old := range n.Like {
		like := map[*scop.Access]*scop.Access{}
		for a, from := range j.from {
			like[a] = old[from]
		}
		joined.Like = append(joined.Like, like)
	}
	joined.Like = append(joined.Like, j.like)
	return joined
}

// held returns what local scalars of st hold all the time that is an element: the access that reads it.
func held(st *scop.Stmt) map[string]*scop.Access {
	all, set := map[string]*scop.Access{}, map[string]int{}
	for _, action := range st.Actions() {
		let, ok := action.(scop.Let)
		if !ok {
			break // elements change from here on
		}
		set[let.Name]++
		if read, ok := let.Value.(scop.Read); ok && let.Type == read.Type() {
			all[let.Name] = read.From
		}
	}
	for _, action := range st.Actions() {
		if let, ok := action.(scop.Let); ok && (set[let.Name] != 1 || !let.Declare) {
			delete(all, let.Name)
		}
	}
	return all
}

// A joiner makes one body of that of a step and that of another one.
type joiner struct {
	lead, with *Step
	from, like map[*scop.Access]*scop.Access // the accesses of both steps, by those of the body
	held       [2]map[string]*scop.Access
	accesses   []*scop.Access // those of the body, in order
	stored     bool           // an action before the present one stores something
}

func (j *joiner) action(a, b scop.Action) (scop.Action, bool) {
	switch a := a.(type) {
	case scop.Let:
		b, ok := b.(scop.Let)
		if !ok || a.Name != b.Name || a.Type != b.Type || a.Declare != b.Declare {
			return nil, false
		}
		a.Value, ok = j.expr(a.Value, b.Value)
		return a, ok
	case scop.Store:
		b, ok := b.(scop.Store)
		if !ok {
			return nil, false
		}
		if a.Value, ok = j.expr(a.Value, b.Value); !ok {
			return nil, false
		}
		a.To, ok = j.access(a.To, b.To, a.To)
		j.stored = true
		return a, ok
	}
	return nil, false
}

func (j *joiner) expr(a, b scop.Expr) (scop.Expr, bool) {
	if a.Type() != b.Type() {
		return nil, false
	}
	x, xReads := j.read(a, 0)
	y, yReads := j.read(b, 1)
	_, plainly := a.(scop.Read)
	_, too := b.(scop.Read)
	if xReads && yReads && (plainly || too) {
		name := x
		if !plainly { // of its own: the scalar may be used elsewhere
			copied := *x
			name = &copied
		}
		to, ok := j.access(x, y, name)
		return scop.Read{From: to}, ok
	}
	switch a := a.(type) {
	case scop.Const:
		b, same := b.(scop.Const)
		return a, same && math.Float64bits(a.F) == math.Float64bits(b.F) && a.I == b.I && a.Text == b.Text && a.Name == b.Name
	case scop.Var:
		b, same := b.(scop.Var)
		if !same || a.Kind != b.Kind {
			return nil, false
		}
		if a.Kind == scop.IterVar {
			return a, slices.Index(j.lead.Stmt.Iters, a.Name) == slices.Index(j.with.Stmt.Iters, b.Name)
		}
		return a, a.Name == b.Name
	}
	if !sameOperation(a, b) {
		return nil, false
	}
	others := scop.Operands(b)
	ok := true
	joined := scop.WithOperands(a, func(x scop.Expr) scop.Expr {
		y := others[0]
		if others = others[1:]; ok {
			x, ok = j.expr(x, y)
		}
		return x
	})
	return joined, ok
}

// sameOperation reports whether a and b do the same with as many operands, whatever these are.
func sameOperation(a, b scop.Expr) bool {
	switch a := a.(type) {
	case scop.Unary:
		b, same := b.(scop.Unary)
		return same && a.Op == b.Op
	case scop.Binary:
		b, same := b.(scop.Binary)
		return same && a.Op == b.Op
	case scop.Cast:
		b, same := b.(scop.Cast)
		return same && a.Implicit == b.Implicit
	case scop.Call:
		b, same := b.(scop.Call)
		return same && a.Func == b.Func && len(a.Args) == len(b.Args)
	case scop.Cond:
		_, same := b.(scop.Cond)
		return same
	}
	return false
}

// read returns the access whose element e is, in the body of the first or the second step.
func (j *joiner) read(e scop.Expr, of int) (*scop.Access, bool) {
	switch e := e.(type) {
	case scop.Read:
		return e.From, true
	case scop.Var:
		a := j.held[of][e.Name]
		return a, e.Kind == scop.LocalVar && a != nil && !j.stored
	}
	return nil, false
}

// access returns to, which stands for a in one body and b in the other one, if they are the same but for the distance.
func (j *joiner) access(a, b, to *scop.Access) (*scop.Access, bool) {
	if a.Array != b.Array || a.Write != b.Write || len(a.Index) != len(b.Index) {
		return nil, false
	}
	for i, x := range a.Index {
		y := b.Index[i]
		along := i == len(a.Index)-1 && !j.lead.SinglePoints()
		if x.Mod != y.Mod || !slices.Equal(x.Iters, y.Iters) ||
			(x.Mod > 0 || along || i == 0 && len(a.Array.Planes) > 0) && (x.Const != y.Const || !slices.Equal(x.Params, y.Params)) {
			return nil, false
		}
	}
	if old := j.like[to]; old != nil && old != b {
		return nil, false
	}
	if j.like[to] == nil {
		j.accesses = append(j.accesses, to)
	}
	j.from[to], j.like[to] = a, b
	return to, true
}
