package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file takes conditions on data for what keeps elements inside of their arrays where ranks run the region (hostloop_walls.go). None of them has
// all of the data, and there are no original loops: each rank tests the points that it owns, and all of them return where one does not hold. So
// what is tested has to be known by elements of arrays, not as a text. It is read as a nest of the region,
//
//	for (t = 0; t < T; t++) {
//	  ..
//	  for (int hexcc_at1 = 0; hexcc_at1 < n; hexcc_at1++)
//	    if (!(hexcc_at1 >= 1 && hexcc_at1 < n - 1) && !(solid[hexcc_at1])) hexcc_breach1[0] = 1;
//	}
//
// with all that is known, and proved, of others, and is then taken out of the program again, as one of its Walls.

// A breach is what nests store to of which walls are made.
type breach struct {
	name  string      // of the array: element k is of condition k
	conds []string    // in C
	at    []diag.Span // in the file that is written anew
}

// refused says that ranks cannot test b, and why.
func (b *breach) refused(why string) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX311", At: b.at[0], Msg: fmt.Sprintf("ranks cannot test that '%s' keeps what it guards inside of arrays: %s", b.conds[0], why),
		Help: "leave the points at the ends out of the loops, such as by i = 1; i < n - 1; i++"}
}

// walledOnRanks writes a region that holds f, with nests that test what keeps elements inside of their arrays in it.
func (h *hostLoops) walledOnRanks(f forStmt, edges []edge) bool {
	b := &breach{name: h.name("breach")}
	edits, tests, ok := h.walls(f, edges, func(cond expr) string {
		text := h.spelled(cond)
		if !slices.Contains(b.conds, text) {
			b.conds, b.at = append(b.conds, text), append(b.at, h.f.span(cond.at()))
		}
		return fmt.Sprintf("%s[%d] = 1", b.name, slices.Index(b.conds, text))
	})
	if !ok {
		return false
	}
	from, to := h.extent(f)
	h.upTo(from)
	h.line("{")
	h.line("int %s[%d];", b.name, len(b.conds))
	h.begin("", "")
	h.inner[len(h.inner)-1].breach = b
	nests := strings.Join(tests, "\n")
	if h.timeLike(f) {
		first, last := h.extent(f.body)
		edits, nests = slices.Concat([]edit{{first, first, "{ "}}, edits, []edit{{last, last, "\n" + nests + "\n}"}}), ""
	}
	h.edited(from, to, edits)
	h.line("%s", nests)
	h.end()
	h.line("}")
	h.skipTo(to)
	h.found = true
	return true
}

// walled returns p without the nests that store to b, which are its Walls; or why that cannot be.
func walled(p *scop.Program, b *breach) (out *scop.Program, why string) {
	is := func(a *scop.Array) bool { return a.Name == b.name }
	q := *p
	q.Stmts = nil
	for _, s := range p.Stmts {
		if !slices.ContainsFunc(s.Accesses, func(a *scop.Access) bool { return is(a.Array) }) {
			q.Stmts = append(q.Stmts, s)
			continue
		}
		w, ok := b.wall(s)
		if !ok {
			return nil, "that is no condition on elements which is the same in all steps"
		}
		q.Walls = append(q.Walls, w)
	}
	q.Arrays = slices.DeleteFunc(slices.Clone(p.Arrays), is)
	q.Apart = slices.DeleteFunc(slices.Clone(p.Apart), func(pair [2]scop.Object) bool { return is(pair[0].Array) || is(pair[1].Array) })
	q.Claims = slices.DeleteFunc(slices.Clone(p.Claims), func(c scop.Claim) bool { return strings.Contains(c.C, b.name) })
	return &q, ""
}

// wall returns the wall that s tests. That is no wall where it depends on the time step, or on elements that are no sums of loop variables, or are reached by several pointers.
func (b *breach) wall(s *scop.Stmt) (w scop.Wall, ok bool) {
	store, stores := s.Body[0].(scop.Store)
	bounds, ok := timeless(s)
	if !ok || !stores || len(s.Body) > 1 {
		return w, false
	}
	nest := &scop.Stmt{Name: s.Name, Iters: s.Iters[1:], Bounds: bounds, Pos: s.Pos}
	reads := map[*scop.Access]*scop.Access{}
	for _, a := range s.Accesses {
		if a.Array.Name == b.name && !a.Write {
			continue
		}
		x := &scop.Access{Array: a.Array, Write: a.Write, Pos: a.Pos, Text: a.Text}
		for _, k := range a.Index {
			sum, same := withoutTime(k.Affine)
			if !same || k.Mod > 0 || len(a.Array.Planes) > 0 || a.Array.Elem == scop.Half {
				return w, false
			}
			x.Index = append(x.Index, scop.Index{Affine: sum})
		}
		reads[a], nest.Accesses = x, append(nest.Accesses, x)
	}
	scop.Visit(store.Value, func(e scop.Expr) {
		v, named := e.(scop.Var)
		ok = ok && !(named && v.Name == s.Iters[0])
	})
	value := scop.WithReads(store.Value, func(r scop.Read) scop.Expr {
		if x := reads[r.From]; x != nil {
			r.From = x
			return r
		}
		return scop.Const{T: scop.Int} // as the array is where nothing was stored
	})
	nest.Body = []scop.Action{scop.Store{To: reads[store.To], Value: value}}
	return scop.Wall{Nest: nest, Text: b.conds[store.To.Index[0].Const]}, ok
}

// timeless returns the bounds of the loops of s over space, and of parameters: whether there is a time step at all; ok is false where those of space depend on it, or the first step is a quotient.
func timeless(s *scop.Stmt) (bounds []scop.Affine, ok bool) {
	var from, to []scop.Affine
	var by []int64 // of to
	for _, b := range s.Bounds {
		rest, same := withoutTime(b)
		switch {
		case same:
			bounds = append(bounds, rest)
		case slices.ContainsFunc(rest.Iters, func(c int64) bool { return c != 0 }) || b.Iters[0] > 1:
			return nil, false
		case b.Iters[0] == 1: // t >= -rest
			from = append(from, rest)
		default: // by * t <= rest
			to, by = append(to, rest), append(by, -b.Iters[0])
		}
	}
	for _, x := range from {
		for k, y := range to { // at the first step, t = -x
			sum := scop.Affine{Const: by[k]*x.Const + y.Const, Params: make([]int64, max(len(x.Params), len(y.Params)))}
			for i, c := range x.Params {
				sum.Params[i] += by[k] * c
			}
			for i, c := range y.Params {
				sum.Params[i] += c
			}
			bounds = append(bounds, sum)
		}
	}
	return bounds, true
}

// withoutTime returns a without the first iterator, which is that of time; same is false where it depends on that.
func withoutTime(a scop.Affine) (rest scop.Affine, same bool) {
	if len(a.Iters) == 0 {
		return a, true
	}
	return scop.Affine{Const: a.Const, Iters: a.Iters[1:], Params: a.Params}, a.Iters[0] == 0
}
