package emulate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
)

// These mutants run in a wrong order: barriers, phases and tiles.

// TestDroppedBarrier drops one barrier at a time. One that is not missed must
// be so by chance only: the threads that copy elements out happen to be those
// that computed them. It must be missed once copies are dealt to other threads.
func TestDroppedBarrier(t *testing.T) { mutants(t, dropBarriers) }

// dropBarriers leaves out each barrier of r in turn.
func dropBarriers(t *testing.T, r emulate.Request) {
	drop := func(place) []gpu.Node {
		return []gpu.Node{gpu.If{Cond: astgen.Cond{}, Role: gpu.Role{Kind: gpu.Probe}}}
	}
	wants := func(p place) bool { _, ok := p.node().(gpu.Barrier); return ok }
	_, n := edited(r.Program, -1, wants, drop)
	require.Positive(t, n)
	chance := 0
	for i := range n {
		p, _ := edited(r.Program, i, wants, drop)
		if caught(t, r, p, emulate.SharedRace, emulate.GlobalRace) {
			continue
		}
		chance++
		other := dealtAnew(r.Program)
		require.False(t, caught(t, r, other), "%v", other)
		other, _ = edited(other, i, wants, drop)
		require.True(t, caught(t, r, other, emulate.SharedRace, emulate.GlobalRace), "barrier %d of %d is not missed\n%v", i, n, p)
	}
	require.LessOrEqual(t, chance, 4)
}

// straight reports whether the loops of n run the same values in every tile.
func straight(n gpu.Threads) bool {
	for _, l := range n.Loops {
		affine.Vars(l.Lo, func(string) { n.Loops = nil })
		affine.Vars(l.Hi, func(string) { n.Loops = nil })
	}
	return n.Loops != nil
}

// dealtAnew returns p with the points that loops of partial tiles copy out dealt to the threads next to them.
func dealtAnew(p *gpu.Program) *gpu.Program {
	out := *p
	out.Kernels = nil
	for _, k := range p.Kernels {
		c := *k
		c.Body = apply(k.Body, false, func(x place) []gpu.Node {
			if n, ok := x.node().(gpu.Threads); ok && x.role(0).Kind == gpu.CopyOut && !straight(n) {
				return []gpu.Node{shifted(n)}
			}
			return nil
		})
		out.Kernels = append(out.Kernels, &c)
	}
	return &out
}

// shifted starts the loops of n one earlier, and has its guard say where they started.
func shifted(n gpu.Threads) gpu.Threads {
	n.Loops = slices.Clone(n.Loops)
	var rows []affine.Expr
	for i := range n.Loops {
		l := &n.Loops[i]
		bounds := []affine.Expr{l.Lo}
		if m, ok := l.Lo.(affine.Max); ok {
			bounds = m.Args
		}
		for _, b := range bounds {
			rows = append(rows, affine.Var(l.Var).Minus(b.(affine.Sum)))
		}
		l.Lo = affine.Max{Args: lessOne(bounds)}
	}
	guard := astgen.Cond{nil}
	if n.Guard != nil {
		guard = n.Guard
	}
	n.Guard = nil
	for _, all := range guard {
		n.Guard = append(n.Guard, slices.Concat(all, rows))
	}
	return n
}

func TestSwappedPhases(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		p := *r.Program
		p.Kernels = slices.Clone(p.Kernels)
		slices.Reverse(p.Kernels)
		r.First = false
		mustCatch(t, r, &p, "phases swapped")
	})
}

// TestMisprint uses floor(delta1*h) where equation (3) of the paper needs
// floor(delta0*h); they differ for asymmetric stencils.
func TestMisprint(t *testing.T) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		sizes := p.small()
		s := p.Schedule(t, sizes)
		d := &s.Phases[0].Space[0]
		f0 := -d.Offset - sizes.W[0] - 1
		f1 := d.Stride - 2*sizes.W[0] - 2 - f0
		d.Offset = -(f1 + sizes.W[0] + 1)
		r := requestOf(t, s, lower.Options{})
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.Equal(t, f0 == f1, v.OK(), "f0=%d f1=%d\n%v", f0, f1, v)
		if name == "asymmetric" {
			require.NotEqual(t, f0, f1)
			require.Positive(t, v.Trials[0].Report.Missing+v.Trials[0].Report.Duplicated)
		}
	})
}
