package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file distributes a nest over the arrays that it writes:
//
//	for i { x = f(u[i-1], u[i+1]); a[i] = x * u[i]; b[i] = x - u[i] }   =>   for i { x = f(u[i-1], u[i+1]); a[i] = x * u[i] }
//	                                                                         for i { x = f(u[i-1], u[i+1]); b[i] = x - u[i] }
//
// Each of the nests computes what it needs of the local variables itself, so that fewer values are alive at once, and each may be in a kernel of its own. (ARTEMIS, section VI-B.)

// codeFission is that of what cannot be distributed.
const codeFission diag.Code = "HX221"

// An output is an array that a statement writes, or several that depend on each other both ways, and what it takes to write them; or, where rows are shared out (rows.go), elements at one place.
type output struct {
	stores []int // the places of its stores in the body of the statement
	body   []scop.Action
	places []int // of the actions in the body of the statement
}

// Fission returns p where each statement of orders is several, in a row: one for each array that it writes, or for arrays of which one cannot be written
// before the other, nor behind it. Each value is the result of the operations that it was the result of. The error is a diag.List: what stands against it; or a
// *poly.LimitError, where that cannot be decided.
func Fission(p *scop.Program, orders []int) (r *Result, err error) {
	err = poly.Limited(func() error {
		var errs diag.List
		r, errs = fission(p, orders)
		if errs != nil {
			return errs
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func fission(p *scop.Program, orders []int) (*Result, diag.List) {
	q := *p
	q.Stmts = nil
	r := &Result{}
	var errs diag.List
	for i, s := range p.Stmts {
		parts := []*scop.Stmt{s}
		if slices.Contains(orders, i) {
			var d *diag.Diagnostic
			if parts, d = distributed(s); d != nil {
				errs = append(errs, d)
			}
		}
		for range parts {
			r.Orders = append(r.Orders, i)
		}
		q.Stmts = append(q.Stmts, parts...)
	}
	if errs != nil {
		return nil, errs
	}
	q.Uninlined, q.Combinations = p, 0
	r.Program = q.Split(make([][][]scop.Affine, len(q.Stmts)))
	return r, nil
}

// distributed returns the statements that s becomes, or why it stays one.
func distributed(s *scop.Stmt) ([]*scop.Stmt, *diag.Diagnostic) {
	outputs := outputsOf(s, func(x, y *scop.Access) bool { return x.Array == y.Array })
	if len(outputs) < 2 {
		return nil, &diag.Diagnostic{Code: codeFission, At: s.Pos, Msg: s.Name + " writes one array, and is one statement for that", Help: "leave it out of fission"}
	}
	parts := inOrder(s, outputs)
	if len(parts) < 2 {
		var names []string
		for _, o := range outputs {
			names = append(names, o.write().Array.Name)
		}
		return nil, &diag.Diagnostic{Code: codeFission, At: s.Pos,
			Msg:   fmt.Sprintf("%s writes %s, and none of them can be written in a nest before the others: each reads what the others overwrite", s.Name, strings.Join(names, " and ")),
			Help:  "leave it out of fission, or store to other arrays than those that are read",
			Notes: []diag.Note{{At: outputs[0].write().Pos, Msg: "written here"}, {At: outputs[1].write().Pos, Msg: "and here"}}}
	}
	return partsOf(s, parts), nil
}

// partsOf returns a statement for each output of s.
func partsOf(s *scop.Stmt, outputs []output) (all []*scop.Stmt) {
	for _, o := range outputs {
		part := *s
		part.Body, part.Accesses, part.Sharing = declared(o.body), accesses(o.body), nil
		all = append(all, &part)
	}
	return all
}

// declared returns actions in which the first Let of each variable declares it.
func declared(actions []scop.Action) []scop.Action {
	seen := map[string]bool{}
	out := slices.Clone(actions)
	for i, act := range out {
		if let, ok := act.(scop.Let); ok {
			let.Declare = !seen[let.Name]
			seen[let.Name], out[i] = true, let
		}
	}
	return out
}

// write returns the first access that writes o.
func (o output) write() *scop.Access {
	for _, act := range o.body {
		if store, ok := act.(scop.Store); ok {
			return store.To
		}
	}
	panic("rewrite: an output without a store")
}

// outputsOf returns those of s, one for all stores that are alike, in the order of their first ones.
func outputsOf(s *scop.Stmt, alike func(x, y *scop.Access) bool) (outputs []output) {
	var groups [][]int
	for i, act := range s.Body {
		store, ok := act.(scop.Store)
		if !ok {
			continue
		}
		if k := slices.IndexFunc(groups, func(g []int) bool { return alike(s.Body[g[0]].(scop.Store).To, store.To) }); k >= 0 {
			groups[k] = append(groups[k], i)
		} else {
			groups = append(groups, []int{i})
		}
	}
	for _, g := range groups {
		outputs = append(outputs, outputOf(s, g))
	}
	return outputs
}

// outputOf returns what s does for the stores at some places of its body: these, and what they need of local variables.
func outputOf(s *scop.Stmt, stores []int) output {
	o := output{stores: stores}
	wanted := map[int]bool{}
	for _, i := range stores {
		for _, place := range neededPlaces(s.Body, i) {
			wanted[place] = true
		}
	}
	for i, act := range s.Body {
		if wanted[i] {
			o.body, o.places = append(o.body, act), append(o.places, i)
		}
	}
	return o
}

// neededPlaces returns the places of what the Store at place needs, and that.
func neededPlaces(actions []scop.Action, place int) (places []int) {
	read := map[string]bool{}
	for i, act := range slices.Backward(actions[:place+1]) {
		let, isLet := act.(scop.Let)
		if i < place && (!isLet || !read[let.Name]) {
			continue
		}
		if isLet {
			delete(read, let.Name)
		}
		scop.Visit(scop.Assigned(act), func(e scop.Expr) {
			if v, ok := e.(scop.Var); ok && v.Kind == scop.LocalVar {
				read[v.Name] = true
			}
		})
		places = append(places, i)
	}
	slices.Reverse(places)
	return places
}

// inOrder returns outputs such that none has to be written before one that stands before it: those that would have to be, both ways, are one.
func inOrder(s *scop.Stmt, outputs []output) []output {
	n := len(outputs)
	earlier := poly.NewMap(nil, s.Tuple(), s.Tuple(), poly.Equal(poly.In(0), poly.Out(0))).Intersect(schedule.Before(s, s))
	same := poly.NewMap(nil, s.Tuple(), s.Tuple(), poly.And(equal(len(s.Iters))...))
	first := make([][]bool, n) // [i][j]: i has to run before j, at once or by others between
	for i := range first {
		first[i] = make([]bool, n)
		for j := range outputs {
			first[i][j] = i != j && precedes(outputs[i], outputs[j], earlier, same)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				first[i][j] = first[i][j] || first[i][k] && first[k][j]
			}
		}
	}
	done := make([]bool, n)
	var parts []output
	for len(parts) < n {
		next := -1
		for i := range n {
			ready := !done[i]
			for j := range n {
				ready = ready && (done[j] || !first[j][i] || first[i][j])
			}
			if ready {
				next = i
				break
			}
		}
		if next < 0 {
			break
		}
		var stores []int
		for j := range n {
			if j == next || first[next][j] && first[j][next] {
				done[j] = true
				stores = append(stores, outputs[j].stores...)
			}
		}
		parts = append(parts, outputOf(s, stores))
	}
	return parts
}

// precedes reports whether some access of a runs before one of b, in the same iteration of the time loop, to an element that one of them writes. earlier relates instances of such an
// iteration to those that run after them, same each to itself.
func precedes(a, b output, earlier, same poly.Map) bool {
	for _, x := range a.steps() {
		for _, y := range b.steps() {
			if x.access.Array != y.access.Array || !x.access.Write && !y.access.Write {
				continue
			}
			meet := x.access.Map.ApplyRange(y.access.Map.Inverse())
			if !meet.Intersect(earlier).IsEmpty() || x.at < y.at && !meet.Intersect(same).IsEmpty() {
				return true
			}
		}
	}
	return false
}

func equal(n int) (all []poly.Formula) {
	for i := range n {
		all = append(all, poly.Equal(poly.In(i), poly.Out(i)))
	}
	return all
}

// A step is an access, and when an instance makes it: a store behind what its value reads.
type step struct {
	access *scop.Access
	at     int
}

// steps returns those of o.
func (o output) steps() (all []step) {
	for i, act := range o.body {
		scop.Visit(scop.Assigned(act), func(e scop.Expr) {
			if read, ok := e.(scop.Read); ok {
				all = append(all, step{read.From, 2 * o.places[i]})
			}
		})
		if store, ok := act.(scop.Store); ok {
			all = append(all, step{store.To, 2*o.places[i] + 1})
		}
	}
	return all
}

// Parts says of each statement of the program before that is several now which these are, by Order.
func (r *Result) Parts() (all [][]int) {
	all = make([][]int, len(r.Program.Uninlined.Stmts))
	for i, from := range r.Orders {
		all[from] = append(all[from], i)
	}
	return all
}
