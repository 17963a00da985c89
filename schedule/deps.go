package schedule

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file computes dependences by their definition: two accesses, one of
// them a write, to one element, one before the other in the original order.

// Dependences returns all dependences of p, one for each pair of different
// accesses that has any, by source, then target. Instances depend on others only: what
// happens within one instance is no dependence. An error is a *poly.LimitError, or a
// diag.List that says that there are more than maxPairs to look at.
func Dependences(p *scop.Program) (deps []Dependence, err error) {
	return dependences(p, Before)
}

// dependencesOfIteration returns the parts of the dependences of p that relate instances of one iteration of the time loop.
func dependencesOfIteration(p *scop.Program) (deps []Dependence, err error) {
	return dependences(p, func(src, dst *scop.Stmt) poly.Map {
		if src.Order > dst.Order {
			return poly.Map{}
		}
		return Before(src, dst).Intersect(sameTime(src, dst))
	})
}

// dependences returns the dependences of p of instances on those that run earlier, in an order by statements.
func dependences(p *scop.Program, order func(src, dst *scop.Stmt) poly.Map) (deps []Dependence, err error) {
	firsts := make([][]*scop.Access, len(p.Stmts))
	for i, st := range p.Stmts {
		firsts[i] = distinct(st.Accesses)
	}
	if n := pairs(firsts); n > maxPairs {
		return nil, diag.List{{
			Code: "HX402", At: p.Start(),
			Msg:  fmt.Sprintf("%d pairs of accesses of the region may depend on each other: at most %d are looked at (maxPairs)", n, maxPairs),
			Help: "write fewer statements to one array: give an array of its own to each part that is computed apart",
		}}
	}
	err = poly.Limited(func() error {
		touches := make([][]touch, len(p.Stmts))
		parallel.For(len(p.Stmts), func(i int) {
			for _, a := range firsts[i] {
				touches[i] = append(touches[i], newTouch(p.Stmts[i], a))
			}
		})
		restrict := parallel.Map(p.Stmts, func(src *scop.Stmt) func(poly.Map) poly.Map { return within(src, p.Context) })
		of := make([][]Dependence, len(p.Stmts)*len(p.Stmts))
		parallel.For(len(of), func(k int) {
			i, j := k/len(p.Stmts), k%len(p.Stmts)
			src, dst := p.Stmts[i], p.Stmts[j]
			if !anyMayDepend(firsts[i], firsts[j]) {
				return
			}
			if earlier := order(src, dst); !earlier.IsEmpty() {
				of[k] = between(src, dst, touches[i], touches[j], earlier, restrict[i])
			}
		})
		deps = slices.Concat(of...)
		return nil
	})
	return deps, err
}

// maxPairs bounds the pairs of accesses between which dependences are looked for: each takes a part of a millisecond.
const maxPairs = 100_000

// pairs returns how many pairs of accesses, of which these are the distinct ones by statement, may be dependences.
func pairs(firsts [][]*scop.Access) (n int) {
	for _, xs := range firsts {
		for _, ys := range firsts {
			for _, x := range xs {
				for _, y := range ys {
					if mayDepend(x, y) {
						n++
					}
				}
			}
		}
	}
	return n
}

// mayDepend reports whether instances of x and y might depend on each other.
func mayDepend(x, y *scop.Access) bool {
	return x.Array == y.Array && (x.Write || y.Write) && !plainlyApart(x, y)
}

// anyMayDepend reports whether instances of one of xs and one of ys might depend on each other.
func anyMayDepend(xs, ys []*scop.Access) bool {
	return slices.ContainsFunc(xs, func(x *scop.Access) bool {
		return slices.ContainsFunc(ys, func(y *scop.Access) bool { return mayDepend(x, y) })
	})
}

// between returns the dependences of dst on src, of the accesses xs of src and ys of dst, in an order of their instances, for the
// parameters that restrict leaves. Most accesses of nests that were taken apart have no element in common, which costs less to see
// than to relate their instances.
func between(src, dst *scop.Stmt, xs, ys []touch, order poly.Map, restrict func(poly.Map) poly.Map) []Dependence {
	of := make([][]Dependence, len(xs)*len(ys))
	parallel.For(len(of), func(k int) {
		x, y := xs[k/len(ys)], ys[k%len(ys)]
		if !mayDepend(x.Access, y.Access) || x.isApart(y) {
			return
		}
		m := x.Map.ApplyRange(y.by).Intersect(order)
		if m = restrict(m); !m.IsEmpty() {
			of[k] = []Dependence{{kindOf(x.Access, y.Access), src, dst, x.Access, y.Access, m.Coalesce().Simplify()}}
		}
	})
	return slices.Concat(of...)
}

// within returns how to restrict what relates instances of st to the parameter
// values in context: not at all where there are no instances for others.
func within(st *scop.Stmt, context poly.Set) func(poly.Map) poly.Map {
	if st.Domain.IsSubset(st.Domain.IntersectParams(context)) {
		return func(m poly.Map) poly.Map { return m }
	}
	return func(m poly.Map) poly.Map { return m.IntersectParams(context) }
}

// distinct returns accesses without those that touch the elements that an
// earlier one touches in the same way.
func distinct(accesses []*scop.Access) (firsts []*scop.Access) {
	type how struct {
		array *scop.Array
		write bool
		index string
	}
	seen := map[how]bool{}
	for _, a := range accesses {
		if key := (how{a.Array, a.Write, indexKey(a.Index)}); !seen[key] {
			seen[key] = true
			firsts = append(firsts, a)
		}
	}
	return firsts
}

// indexKey returns a text that only equal subscripts share: coefficients of zero at the end of a list say nothing.
func indexKey(index []scop.Index) string {
	var key []byte
	for _, x := range index {
		for _, coefs := range [][]int64{x.Iters, x.Params} {
			for len(coefs) > 0 && coefs[len(coefs)-1] == 0 {
				coefs = coefs[:len(coefs)-1]
			}
			key = binary.AppendVarint(key, int64(len(coefs)))
			for _, c := range coefs {
				key = binary.AppendVarint(key, c)
			}
		}
		key = binary.AppendVarint(binary.AppendVarint(key, x.Const), x.Mod)
	}
	return string(key)
}

// SameIndex reports whether two subscripts are equal.
func SameIndex(a, b scop.Index) bool {
	return a.Mod == b.Mod && a.Const == b.Const && sameCoefs(a.Iters, b.Iters) && sameCoefs(a.Params, b.Params)
}

func sameCoefs(a, b []int64) bool {
	for i := range max(len(a), len(b)) {
		if coef(a, i) != coef(b, i) {
			return false
		}
	}
	return true
}

func kindOf(src, dst *scop.Access) Kind {
	switch {
	case src.Write && dst.Write:
		return Output
	case src.Write:
		return Flow
	}
	return Anti
}

// Before returns the relation of the instances of src to those of dst that run
// later: in a later iteration of the time loop, or in the same one and a later
// nest, or in the same one and nest, by the order of the loops.
func Before(src, dst *scop.Stmt) poly.Map {
	x, y := poly.Ins(len(src.Iters)), poly.Outs(len(dst.Iters))
	order := poly.Less(x[0], y[0])
	switch {
	case src.Order < dst.Order:
		order = poly.AtMost(x[0], y[0])
	case src.Order == dst.Order:
		equal := poly.Equal(x[0], y[0])
		for i := 1; i < len(x); i++ {
			next := poly.Less(x[i], y[i])
			if src.CountsDown(i) {
				next = poly.Less(y[i], x[i])
			}
			order = poly.Or(order, poly.And(equal, next))
			equal = poly.And(equal, poly.Equal(x[i], y[i]))
		}
	}
	return poly.NewMap(nil, src.Tuple(), dst.Tuple(), order)
}

var kindNames = [...]string{Flow: "flow", Anti: "anti", Output: "output"}

func (k Kind) String() string { return kindNames[k] }

// String returns the dependence as in
//
//	flow S0 -> S0: A[t+1][i] (3:5) -> A[t][i-1] (3:15): { S0[t, i] -> S0[1 + t, 1 + i] : ... }
func (d Dependence) String() string {
	return fmt.Sprintf("%v %s -> %s: %s -> %s: %v", d.Kind, d.Src.Name, d.Dst.Name,
		accessText(d.SrcAccess), accessText(d.DstAccess), d.Map)
}

// accessText returns the source of a and where it stands.
func accessText(a *scop.Access) string {
	return fmt.Sprintf("%s (%d:%d)", a.Text, a.Pos.Line, a.Pos.Col)
}
