package rewrite

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds combinations of elements, each of an array at one place, and makes the nests that compute them.

// A combination is a value that is made of elements, numbers and scalars, of each array at one place. It is what it is used as but for a shift of the loops.
type combination struct {
	key   string
	value scop.Expr // at shift 0
}

// A use of a combination: its value where the loops are shifted by so much.
type use struct {
	stmt  *scop.Stmt
	value scop.Expr
	shift []int64 // by iterator of stmt; that of the time loop is 0
}

// at returns where u is in the source.
func (u use) at(c combination) (at diag.Span) {
	scop.Visit(u.value, func(e scop.Expr) {
		if read, ok := e.(scop.Read); ok && at == (diag.Span{}) {
			at = read.From.Pos
		}
	})
	return at
}

// combinations returns all of p, the largest first.
func combinations(p *scop.Program) (all []combination) {
	known := map[string]bool{}
	for _, s := range p.Stmts {
		s.Visit(func(e scop.Expr) {
			if c, _, ok := combinationOf(p, s, e); ok && !known[c.key] {
				known[c.key] = true
				all = append(all, c)
			}
		})
	}
	slices.SortStableFunc(all, func(a, b combination) int { return cmp.Compare(nodes(b.value), nodes(a.value)) })
	return all
}

// combinationOf returns the combination that e is, of statement s, and its shift; ok is false if it is none.
func combinationOf(p *scop.Program, s *scop.Stmt, e scop.Expr) (c combination, shift []int64, ok bool) {
	if t := e.Type(); t != scop.Float && t != scop.Double || len(s.When) > 0 {
		return c, nil, false
	}
	shift = make([]int64, len(s.Iters))
	followed := make([]bool, len(s.Iters))
	at := map[*scop.Array]*scop.Access{}
	ok = true
	operations := 0
	scop.Visit(e, func(e scop.Expr) {
		switch e := e.(type) {
		case scop.Const:
		case scop.Var:
			ok = ok && (e.Kind == scop.ScalarVar || e.Kind == scop.ParamVar)
		case scop.Read:
			other := at[e.From.Array]
			ok = ok && (other == nil || slices.EqualFunc(other.Index, e.From.Index, schedule.SameIndex))
			at[e.From.Array] = e.From
			for _, x := range e.From.Index {
				for d := 1; d < len(s.Iters); d++ {
					if x.Mod == 0 && only(x.Affine, d) && !followed[d] {
						shift[d], followed[d] = x.Const, true
					}
				}
			}
		case scop.Unary, scop.Binary, scop.Call:
			operations++
		case scop.Cast:
		default:
			ok = false
		}
	})
	if !ok || operations == 0 || slices.Contains(followed[1:], false) {
		return c, nil, false
	}
	value := scop.WithReads(e, func(r scop.Read) scop.Expr { return scop.Read{From: shifted(r.From, shift, -1)} })
	return combination{fmt.Sprintf("%d %s", len(s.Iters), key(value, 0, 0)), value}, shift, true
}

// shifted returns x where the loops are at a multiple of shift more.
func shifted(x *scop.Access, shift []int64, times int64) *scop.Access {
	y := *x
	y.Index = slices.Clone(x.Index)
	for k, i := range y.Index {
		for d, o := range shift {
			i.Const = affine.Plus(i.Const, affine.Times(affine.Times(times, o), at(i.Iters, d)))
		}
		if i.Mod > 0 {
			i.Const = (i.Const%i.Mod + i.Mod) % i.Mod
		}
		y.Index[k] = i
	}
	return &y
}

// arrays returns those that c is made of, in their order.
func (c combination) arrays() (all []*scop.Array) {
	scop.Visit(c.value, func(e scop.Expr) {
		if read, ok := e.(scop.Read); ok && !slices.Contains(all, read.From.Array) {
			all = append(all, read.From.Array)
		}
	})
	return all
}

// usesIn returns the uses of c in p, but those of arrays that the same instance may have stored to before: there they have other values than where it starts.
func (c combination) usesIn(p *scop.Program) (uses []use) {
	for _, s := range p.Stmts {
		for k, act := range s.Body {
			if stored(s.Body[:k], c) {
				break
			}
			scop.Visit(scop.Assigned(act), func(e scop.Expr) {
				if other, shift, ok := combinationOf(p, s, e); ok && other.key == c.key {
					uses = append(uses, use{s, e, shift})
				}
			})
		}
	}
	return uses
}

// stored reports whether actions store to what c reads, unless in another plane of it.
func stored(actions []scop.Action, c combination) (found bool) {
	for _, act := range actions {
		if store, ok := act.(scop.Store); ok {
			scop.Visit(c.value, func(e scop.Expr) {
				read, ok := e.(scop.Read)
				found = found || ok && read.From.Array == store.To.Array && !planesApart(store.To, read.From)
			})
		}
	}
	return found
}

// places returns the shifts of uses, each once.
func places(uses []use) (all []string) {
	for _, u := range uses {
		if text := fmt.Sprint(u.shift); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// writer returns the statement that computes c for uses, over a box around all their places, with the loops of first, or why there is none.
func (f *folder) writer(c combination, uses []use, first *scop.Stmt) (*scop.Stmt, *diag.Diagnostic) {
	w := &scop.Stmt{Name: "folded", Iters: first.Iters, Pos: first.Pos, Text: first.Text}
	at := uses[0].at(c)
	bounds := map[string]scop.Affine{}
	rows := func(s *scop.Stmt) (all []string) {
		for _, r := range s.Bounds {
			all = append(all, fmt.Sprint(trimmed(r.Iters), trimmed(r.Params)))
		}
		return all
	}
	for _, u := range uses {
		if !slices.Equal(slices.Sorted(slices.Values(rows(u.stmt))), slices.Sorted(slices.Values(rows(first)))) {
			return nil, f.refusal(at, fmt.Sprintf("the loops of %s and %s have other bounds", first.Name, u.stmt.Name))
		}
		for i, name := range rows(u.stmt) {
			r := u.stmt.Bounds[i]
			for d, o := range u.shift { // r >= 0 at the point is what it is at the place, less what lies between
				r.Const = affine.Plus(r.Const, -affine.Times(scop.Affine{Iters: r.Iters}.Coef(d), o))
			}
			if old, ok := bounds[name]; !ok || old.Const < r.Const {
				bounds[name] = r
			}
		}
	}
	var holds []poly.Formula
	for _, name := range rows(first) {
		if r, ok := bounds[name]; ok {
			delete(bounds, name)
			w.Bounds = append(w.Bounds, r)
			holds = append(holds, poly.NotNegative(f.now.Sum(r, iterators(w))))
		}
	}
	w.Domain = poly.NewSet(f.now.ParamNames(), w.Tuple(), holds...)
	x := inliner{Program: *f.now}
	value := scop.WithReads(c.value, func(r scop.Read) scop.Expr {
		return scop.Read{From: x.access(w, r.From.Array, r.From.Index, false, r.From.Pos)}
	})
	for _, a := range accesses([]scop.Action{scop.Store{To: &scop.Access{}, Value: value}}) {
		if a.Array != nil && !x.exists(w, a) {
			return nil, f.refusal(at, fmt.Sprintf("%s may have no elements at some places of a box around all of %s", a.Array.Name, a.Text))
		}
	}
	to := f.array(c, w)
	store := scop.Store{To: x.access(w, to.array, to.index, true, at), Value: value}
	w.Body = []scop.Action{store}
	w.Accesses = accesses(w.Body)
	return w, nil
}

// access returns an access of s.
func (x *inliner) access(s *scop.Stmt, a *scop.Array, index []scop.Index, write bool, pos diag.Span) *scop.Access {
	y := &scop.Access{Array: a, Index: index, Write: write, Pos: pos}
	y.Map = x.elements(s, y)
	y.Text = x.AccessText(s, y)
	return y
}

// exists reports whether all elements that s accesses by a are known to exist.
func (x *inliner) exists(s *scop.Stmt, a *scop.Access) bool {
	cells := poly.Outs(len(a.Index))
	var in []poly.Formula
	for k, e := range a.Array.Extents {
		in = append(in, poly.NotNegative(cells[k]), poly.Less(cells[k], x.Sum(e, nil)))
	}
	skip := len(a.Array.Extents) - len(a.Array.ObjectExtents())
	if last := a.Array.Last; len(last) > 0 {
		in = append(in, notBehind(cells[skip:], sums(x, last)))
	}
	if first := a.Array.First; len(first) > 0 {
		in = append(in, notBehind(sums(x, first), cells[skip:]))
	}
	there := poly.NewSet(x.ParamNames(), poly.Tuple{Name: a.Array.Name, Dims: poly.Dims(len(cells))}, in...)
	return x.elements(s, a).Range().IsSubset(there)
}

func sums(x *inliner, all []scop.Affine) (out []affine.Sum) {
	for _, e := range all {
		out = append(out, x.Sum(e, nil))
	}
	return out
}

// notBehind says that a is b or comes before it in lexicographic order.
func notBehind(a, b []affine.Sum) poly.Formula {
	if len(a) == 0 {
		return poly.True()
	}
	return poly.Or(poly.Less(a[0], b[0]), poly.And(poly.Equal(a[0], b[0]), notBehind(a[1:], b[1:])))
}

// A target is the elements of an array that a nest stores to.
type target struct {
	array *scop.Array
	index []scop.Index
}

// array returns a new array for c, with a subscript for each loop of w, as elements of c have them.
func (f *folder) array(c combination, w *scop.Stmt) target {
	var names []string
	for _, a := range c.arrays() {
		names = append(names, a.Name)
	}
	name, used := strings.Join(names, "_"), f.now.Names()
	for base, n := name, 2; used[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	t := target{array: &scop.Array{Name: name, Elem: c.value.Type(), Local: true, Scratch: true, Pos: w.Pos}}
	followed := make([]bool, len(w.Iters))
	scop.Visit(c.value, func(e scop.Expr) {
		read, ok := e.(scop.Read)
		if !ok {
			return
		}
		for k, x := range read.From.Index {
			for d := 1; d < len(w.Iters); d++ {
				if x.Mod == 0 && only(x.Affine, d) && !followed[d] {
					followed[d] = true
					t.index, t.array.Extents = append(t.index, x), append(t.array.Extents, read.From.Array.Extents[k])
				}
			}
		}
	})
	return t
}

// reader returns s with what w computes in place of its uses of c.
func (f *folder) reader(c combination, uses []use, w *scop.Stmt, s *scop.Stmt) *scop.Stmt {
	out := *s
	if !slices.ContainsFunc(uses, func(u use) bool { return u.stmt == s }) {
		return &out
	}
	x := inliner{Program: *f.now}
	to := w.Accesses[len(w.Accesses)-1]
	known := map[string]*scop.Access{}
	var replaced func(e scop.Expr) scop.Expr
	replaced = func(e scop.Expr) scop.Expr {
		if other, shift, ok := combinationOf(f.now, s, e); ok && other.key == c.key {
			name := fmt.Sprint(shift)
			if known[name] == nil {
				known[name] = x.access(s, to.Array, shifted(to, shift, 1).Index, false, use{s, e, shift}.at(c))
			}
			return scop.Read{From: known[name]}
		}
		return scop.WithOperands(e, replaced)
	}
	out.Body = slices.Clone(s.Body)
	for k := range out.Body {
		if stored(s.Body[:k], c) {
			break
		}
		out.Body[k] = scop.WithValues(out.Body[k:k+1], replaced)[0]
	}
	out.Accesses, out.Sharing = accesses(out.Body), nil
	return &out
}
