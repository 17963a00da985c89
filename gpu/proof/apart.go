package proof

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file proves of tiles that wait for each other that no two of them use a common element of memory at the same time, though they copy
// more than their instances read: that a tile copies elements of its regions only, and that tiles whose
// regions have something in common are in the order that waits keep. Tiles of one phase and time tile are left out: they run at
// the same time where phases are launched, too. What is not copied is used by the instances of a tile alone, whose order is
// proved of the schedule.

// Apart proves that tiles of p, which was made of loops, are in order where they may use a common element.
func Apart(p *gpu.Program, loops *astgen.Program) schedule.Proof {
	return schedule.Prove("regions", "tiles that may copy common elements wait for each other", func(proof *schedule.Prover) {
		for _, v := range p.Versions() {
			for _, k := range v.Kernels {
				r := regions{astgen.NewAsker(proof, loops.Schedule), k}
				proof.Ask(fmt.Sprintf("tiles of phase %d use arrays that are copied in their regions alone", k.Phase), func() string {
					if bad := r.nodes(k.Body); bad != "" {
						return bad
					}
					return r.instances(p.Scop, loops)
				})
			}
		}
		for _, from := range p.Kernels {
			for _, to := range p.Kernels {
				proof.Ask(fmt.Sprintf("tiles of phase %d are after earlier ones of phase %d whose regions meet theirs", to.Phase, from.Phase), func() string {
					return meet(proof, p, loops, from, to)
				})
			}
		}
	})
}

// meet returns two tiles of these kernels whose regions have something in common and that are in no order, "" if there are none.
func meet(proof *schedule.Prover, p *gpu.Program, loops *astgen.Program, from, to *gpu.Kernel) string {
	s, n := loops.Schedule, loops.Names
	nest := s.Phases[0].Nest()
	ins, outs := map[string]affine.Sum{n.T: poly.In(0)}, map[string]affine.Sum{n.T: poly.Out(0)}
	for i, d := range nest {
		ins[n.Tiles[d]], outs[n.Tiles[d]] = poly.In(2+i), poly.Out(2+i)
	}
	var params []string
	for _, q := range p.Scop.Params {
		params = append(params, q.Name)
	}
	later := affine.Num(1)
	if from.Phase < to.Phase {
		later = affine.Num(0)
	}
	v := poly.Tuple{Dims: poly.Dims(2 + len(nest))}
	for _, x := range from.Copied {
		for _, y := range to.Copied {
			if x.Array != y.Array {
				continue
			}
			rows := []poly.Formula{
				poly.Equal(poly.In(1), affine.Num(int64(from.Phase))), poly.Equal(poly.Out(1), affine.Num(int64(to.Phase))),
				poly.AtMost(later, poly.Out(0).Minus(poly.In(0))),
			}
			for d := range x.Lo {
				if x.Lo[d] != nil && y.Lo[d] != nil {
					rows = append(rows, poly.AtMost(affine.Subst(x.Lo[d], ins), affine.Subst(y.Hi[d], outs)),
						poly.AtMost(affine.Subst(y.Lo[d], outs), affine.Subst(x.Hi[d], ins)))
				}
			}
			proof.Tests++
			if bad := poly.NewMap(params, v, v, rows...).Subtract(s.Order.Before); !bad.IsEmpty() {
				_, in, out, _ := bad.Sample()
				return fmt.Sprintf("tiles %v and %v may use a common element of %s, and neither waits for the other", in, out, x.Array.Name)
			}
		}
	}
	return ""
}

// A regions looks for what a kernel uses outside of its regions.
type regions struct {
	astgen.Asker
	kernel *gpu.Kernel
}

func (r *regions) nodes(nodes []gpu.Node) string {
	for _, n := range nodes {
		bad := ""
		switch n := n.(type) {
		case gpu.For:
			bad = r.nodes(n.Body)
		case gpu.If:
			if bad = r.nodes(n.Then); bad == "" {
				bad = r.nodes(n.Else)
			}
		case gpu.Threads:
			bad = r.threads(n)
		}
		if bad != "" {
			return bad
		}
	}
	return ""
}

// threads looks at what n uses, for each alternative of its guard.
func (r *regions) threads(n gpu.Threads) string {
	where := n.Guard
	if where == nil {
		where = astgen.Cond{nil}
	}
	for _, guard := range where {
		rows, vars := []affine.Sum{}, []string{}
		for _, l := range n.Loops {
			rows, vars = astgen.Inside(rows, l.Var, l.Lo, l.Hi), append(vars, l.Var)
		}
		for _, e := range guard {
			if row, ok := e.(affine.Sum); ok {
				rows = append(rows, row)
			}
		}
		in := astgen.NewFacts(rows, vars)
		for _, op := range n.Body {
			if !n.Role.Kind.Copies() {
				continue // of instances, see below
			}
			bad := ""
			gpu.EachRef(op, func(x gpu.Ref) {
				if bad == "" && x.Buffer == nil && !r.inside(x, in) {
					bad = fmt.Sprintf("%q copies %v, which is not known to be in a region of its tile", n.Role.String(), x)
				}
			})
			if bad != "" {
				return bad
			}
		}
	}
	return ""
}

// instances looks at what instances use in global memory.
func (r *regions) instances(p *scop.Program, loops *astgen.Program) string {
	uses := map[*scop.Array]bool{}
	global(r.kernel.Body, uses)
	for _, at := range astgen.Slices(loops.Schedule, loops.Names, r.kernel.Phase) {
		in := astgen.NewFacts(at.Instances(loops.Names), loops.Names.Points)
		for _, acc := range at.Stmt.Accesses {
			if !uses[acc.Array] {
				continue
			}
			index := at.Subscripts(p, acc)
			found := r.some(acc.Array, func(d int, lo, hi affine.Expr) bool {
				r.Tests++
				x, ok := index[d].(affine.Sum)
				return ok && r.Implies(in, astgen.Gate{{x.Minus(lo.(affine.Sum)), hi.(affine.Sum).Minus(x)}})
			})
			if !found {
				return fmt.Sprintf("%s is not known to be in a region of the tile", acc.Text)
			}
		}
	}
	return ""
}

// global notes the arrays that statements of nodes, and loads for them, use in global memory.
func global(nodes []gpu.Node, uses map[*scop.Array]bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			global(n.Body, uses)
		case gpu.If:
			global(n.Then, uses)
			global(n.Else, uses)
		case gpu.Threads:
			if n.Role.Kind.Copies() {
				continue
			}
			for _, op := range n.Body {
				gpu.EachRef(op, func(x gpu.Ref) { uses[x.Array] = uses[x.Array] || x.Buffer == nil })
			}
		}
	}
}

// some reports whether there is no region of the array, or one of which within holds in all dimensions that have bounds.
func (r *regions) some(array *scop.Array, within func(d int, lo, hi affine.Expr) bool) bool {
	any := false
	for _, g := range r.kernel.Copied {
		if g.Array != array {
			continue
		}
		any = true
		inside := true
		for d, lo := range g.Lo {
			inside = inside && (lo == nil || within(d, lo, g.Hi[d]))
		}
		if inside {
			return true
		}
	}
	return !any
}

// inside reports whether the element of x, in global memory, lies in a region of the kernel where in holds, if there are any of its array.
func (r *regions) inside(x gpu.Ref, in astgen.Facts) bool {
	return r.some(x.Array, func(d int, lo, hi affine.Expr) bool {
		r.Tests++
		at, ok := x.Index[d].(affine.Sum)
		return ok && r.Implies(in, astgen.Gate{{at.Minus(lo.(affine.Sum)), hi.(affine.Sum).Minus(at)}})
	})
}
