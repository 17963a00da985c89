package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file decides which arrays go to the device and come back.

// A Transfer says whether the values of an array are copied to the device before
// the region runs there, and back afterwards, and why not.
type Transfer struct {
	Array   *scop.Array
	In, Out bool
	Absent  bool   // no kernel uses it in global memory: it is not on the device
	Why     string // "" where all is copied that can be
}

// Transfers returns the transfers of the arrays of p. What comes back is what the
// region writes, but for arrays that nobody else can see and whose values do not
// reach the next run of the region. What is copied in is what it may read before
// it writes it, and what comes back without being written as a whole.
func Transfers(p *scop.Program) (list []Transfer) {
	for _, a := range p.Arrays {
		list = append(list, transferOf(p, a))
	}
	return list
}

func transferOf(p *scop.Program, a *scop.Array) Transfer {
	t := Transfer{Array: a, In: true, Out: !a.Const}
	whole := func() bool {
		return asked(func() bool { return elements(p, a).Subtract(written(p, a)).IntersectParams(p.Context).IsEmpty() })
	}
	anew := func() bool { return asked(func() bool { return !readsOld(p, a) }) }
	switch {
	case a.Const:
		t.Why = "only read: not copied back"
	case a.Local && anew():
		t.In, t.Out = false, false
		t.Why = "nothing else sees it, and the region writes it before it reads it: not copied"
	case len(a.First) == 0 && len(a.Last) == 0 && whole() && anew():
		t.In = false
		t.Why = "all of it is written, before it is read: not copied in"
	}
	return t
}

// asked returns what f does, or false where that takes more than sets may: then more is copied than need be.
func asked(f func() bool) (yes bool) {
	err := poly.Limited(func() error {
		yes = f()
		return nil
	})
	return yes && err == nil
}

// elements returns all elements of a.
func elements(p *scop.Program, a *scop.Array) poly.Set {
	var inside []poly.Formula
	for i, e := range a.Extents {
		inside = append(inside, poly.NotNegative(poly.Out(i)), poly.Less(poly.Out(i), p.Sum(e, nil)))
	}
	return poly.NewSet(p.ParamNames(), poly.Tuple{Name: a.Name, Dims: poly.Dims(len(a.Extents))}, inside...)
}

// written returns the elements of a that the region writes: it always does, as
// a store runs at each instance of its statement.
func written(p *scop.Program, a *scop.Array) (all poly.Set) {
	for _, st := range p.Stmts {
		for _, w := range st.Accesses {
			if w.Write && w.Array == a {
				all = all.Union(w.Map.Range())
			}
		}
	}
	return all
}

// readsOld reports whether an instance reads an element of a that no instance
// before it, nor itself before it reads, has written.
func readsOld(p *scop.Program, a *scop.Array) bool { return readsOlder(p, a, Before) }

// readsOlder is readsOld for those of the instances before that earlier relates to later ones.
func readsOlder(p *scop.Program, a *scop.Array, earlier func(src, dst *scop.Stmt) poly.Map) bool {
	for _, st := range p.Stmts {
		for i, r := range st.Accesses {
			if r.Array == a && !r.Write && readsFound(p, st, i, earlier) {
				return true
			}
		}
	}
	return false
}

// readsFound reports whether an instance of st reads, by its access i, an element that no instance before it by earlier, nor itself
// before it reads, has written.
func readsFound(p *scop.Program, st *scop.Stmt, i int, earlier func(src, dst *scop.Stmt) poly.Map) bool {
	r := st.Accesses[i]
	if slices.ContainsFunc(st.Accesses[:i], func(w *scop.Access) bool {
		return w.Write && w.Array == r.Array && slices.EqualFunc(w.Index, r.Index, SameIndex)
	}) {
		return false
	}
	fresh := r.Map
	for _, src := range p.Stmts {
		order := earlier(src, st).Inverse()
		for _, w := range src.Accesses {
			if w.Write && w.Array == r.Array {
				fresh = fresh.Subtract(order.ApplyRange(w.Map))
			}
		}
	}
	return !fresh.IntersectParams(p.Context).IsEmpty()
}
