package emulate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file breaks correct kernels, one place at a time, and requires that
// Verify notices and says why.

// An editor copies kernels. change is called for each node, numbered in order,
// and returns what stands in its place, or nil to keep it.
type editor struct {
	n      int
	inFull bool // inside the full side of a full-tile If
	change func(i int, inFull bool, n gpu.Node) []gpu.Node
}

// edited returns a copy of p with one change, number at, made by change among
// the nodes that want it; false if there are not so many.
func edited(p *gpu.Program, at int, wants func(inFull bool, n gpu.Node) bool, change func(gpu.Node) []gpu.Node) (*gpu.Program, bool) {
	seen := 0
	out := *p
	out.Kernels = nil
	e := editor{change: func(_ int, inFull bool, n gpu.Node) []gpu.Node {
		if !wants(inFull, n) {
			return nil
		}
		if seen++; seen-1 != at {
			return nil
		}
		return change(n)
	}}
	for _, k := range p.Kernels {
		c := *k
		c.Body = e.nodes(k.Body)
		out.Kernels = append(out.Kernels, &c)
	}
	return &out, seen > at
}

func (e *editor) nodes(list []gpu.Node) []gpu.Node {
	out := []gpu.Node{}
	for _, n := range list {
		e.n++
		if by := e.change(e.n, e.inFull, n); by != nil {
			out = append(out, by...)
			continue
		}
		switch x := n.(type) {
		case gpu.For:
			x.Body = e.nodes(x.Body)
			n = x
		case gpu.If:
			full := e.inFull
			e.inFull = full || x.Note == "full tile"
			x.Then = e.nodes(x.Then)
			e.inFull = full
			x.Else = e.nodes(x.Else)
			n = x
		}
		out = append(out, n)
	}
	return out
}

// fullSize returns values of the parameters at which several full tiles run.
func fullSize(t *testing.T, r emulate.Request) emulate.Request {
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.True(t, v.OK(), v)
	size := emulate.Size{}
	for i, p := range r.Program.Scop.Params {
		size[p.Name] = v.Trials[0].Params[i]
	}
	for _, b := range v.Trials[0].Report.Branches {
		if b.Note == "full tile" {
			require.Positive(t, b.Then, v)
			require.Positive(t, b.Else, v)
		}
	}
	r.First = true
	for more := range int64(6) { // tile borders fall elsewhere
		r.Sizes = append(r.Sizes, enlarged(size, r, more))
	}
	if r.Schedule.Phases[0].Space[0].Drift != 0 { // and move from one time tile to the next
		size = enlarged(size, r, 0)
		size[r.Program.Scop.Params[0].Name] *= 4
		r.Sizes = append(r.Sizes, size)
	}
	return r
}

// enlarged is size with all parameters but the first, of time, larger by more.
func enlarged(size emulate.Size, r emulate.Request, more int64) emulate.Size {
	out := emulate.Size{}
	for i, p := range r.Program.Scop.Params {
		if out[p.Name] = size[p.Name]; i > 0 {
			out[p.Name] += more
		}
	}
	return out
}

// caught verifies p in place of r.Program, at the sizes of r in turn, and
// requires a finding of one of the kinds.
func caught(t *testing.T, r emulate.Request, p *gpu.Program, what string, kinds ...emulate.Kind) {
	t.Helper()
	r.Program = p
	for _, size := range r.Sizes {
		at := r
		at.Sizes = []emulate.Size{size}
		v, err := emulate.Verify(at)
		require.NoError(t, err)
		if !v.OK() {
			requireKind(t, v, what, kinds)
			return
		}
	}
	require.Fail(t, "not noticed", "%s\n%v", what, p)
}

// requireKind requires that v says why it failed: by one of the kinds, if any.
func requireKind(t *testing.T, v *emulate.Verification, what string, kinds []emulate.Kind) {
	t.Helper()
	require.Contains(t, v.String(), "verification failed")
	for _, f := range v.Trials[0].Report.Findings {
		if slices.Contains(kinds, f.Kind) {
			require.NotEmpty(t, f.String())
			return
		}
	}
	require.Empty(t, kinds, "%s\n%v", what, v)
}

// tiny returns sizes for mutants: tiles of few points.
func (p plan) tiny() schedule.Sizes {
	s := p.small()
	if p.canonical.K == 1 {
		s.H = 1
	}
	s.W[0] = schedule.MinW0(p.cone, s.H) + 1
	for i := range s.W[1:] {
		s.W[i+1] = int64(3 + i)
	}
	return s
}

// mutants calls f for each case, at sizes with full tiles.
func mutants(t *testing.T, f func(t *testing.T, r emulate.Request)) {
	cases(t, func(t *testing.T, name string, p plan) {
		r := p.request(t, p.tiny())
		r.Points = 50_000
		f(t, fullSize(t, r))
	})
}

func isBarrier(_ bool, n gpu.Node) bool {
	_, ok := n.(gpu.Barrier)
	return ok
}

// each edits one node after the other until there are no more.
func each(t *testing.T, r emulate.Request, wants func(bool, gpu.Node) bool, change func(gpu.Node) []gpu.Node, what string, kinds ...emulate.Kind) {
	n := 0
	for ; ; n++ {
		p, ok := edited(r.Program, n, wants, change)
		if !ok {
			break
		}
		caught(t, r, p, fmt.Sprintf("%s, number %d", what, n), kinds...)
	}
	require.Positive(t, n, what)
	t.Logf("%s: %d mutants", what, n)
}

func TestDroppedBarrier(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		drop := func(gpu.Node) []gpu.Node { return []gpu.Node{gpu.If{Cond: astgen.Cond{}, Note: "no barrier here"}} }
		each(t, r, isBarrier, drop, "a barrier dropped", emulate.SharedRace, emulate.GlobalRace)
	})
}

func TestSwappedPhases(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		p := *r.Program
		p.Kernels = slices.Clone(p.Kernels)
		slices.Reverse(p.Kernels)
		r.First = false
		caught(t, r, &p, "phases swapped")
	})
}

// TestMisprint uses floor(delta1*h) where equation (3) of the paper needs
// floor(delta0*h); they differ for asymmetric stencils.
func TestMisprint(t *testing.T) {
	cases(t, func(t *testing.T, name string, p plan) {
		sizes := p.small()
		s, err := schedule.Hybrid(p.canonical, p.cone, sizes)
		require.NoError(t, err)
		d := &s.Phases[0].Space[0]
		f0 := -d.Offset - sizes.W[0] - 1
		f1 := d.Stride - 2*sizes.W[0] - 2 - f0
		d.Offset = -(f1 + sizes.W[0] + 1)
		r := requestOf(t, s)
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.Equal(t, f0 == f1, v.OK(), "f0=%d f1=%d\n%v", f0, f1, v)
		if name == "asymmetric" {
			require.NotEqual(t, f0, f1)
			require.Positive(t, v.Trials[0].Report.Missing+v.Trials[0].Report.Duplicated)
		}
	})
}

func TestShrunkBuffer(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		for i, k := range r.Program.Kernels {
			for _, b := range k.Shared {
				for d := range b.Shape {
					p := rebuffered(r.Program, i, b, func(c *gpu.Buffer) { c.Shape[d]-- })
					caught(t, r, p, fmt.Sprintf("%s of %s, dimension %d shrunk", b.Name, k.Name, d), emulate.OutOfBounds)
				}
			}
		}
	})
}

func TestWrongOrigin(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		for i, k := range r.Program.Kernels {
			for _, b := range k.Shared {
				for d := range b.Shape {
					if b.Mod[d] == 1 {
						continue // all the same
					}
					p := rebuffered(r.Program, i, b, func(c *gpu.Buffer) {
						c.Origin[d] = astgen.Min{Args: []astgen.Expr{plusOne(c.Origin[d])}}
					})
					caught(t, r, p, fmt.Sprintf("%s of %s, origin %d moved", b.Name, k.Name, d), emulate.Misplaced)
				}
			}
		}
	})
}

// plusOne is e+1 for any e, by way of 2*floor(e/1) - ... : sums take variables only.
func plusOne(e astgen.Expr) astgen.Expr {
	if s, ok := e.(astgen.Sum); ok {
		s.Const++
		return s
	}
	return astgen.Num(-77) // wrong too
}

// rebuffered returns p with buffer b of kernel i changed, in all references.
func rebuffered(p *gpu.Program, i int, b *gpu.Buffer, change func(*gpu.Buffer)) *gpu.Program {
	c := *b
	c.Shape, c.Origin, c.Mod = slices.Clone(b.Shape), slices.Clone(b.Origin), slices.Clone(b.Mod)
	change(&c)
	out := *p
	out.Kernels = slices.Clone(p.Kernels)
	k := *p.Kernels[i]
	k.Shared = slices.Clone(k.Shared)
	k.Shared[slices.Index(k.Shared, b)] = &c
	swap := func(r gpu.Ref) gpu.Ref {
		if r.Buffer == b {
			r.Buffer = &c
		}
		return r
	}
	e := editor{change: func(_ int, _ bool, n gpu.Node) []gpu.Node {
		t, ok := n.(gpu.Threads)
		if !ok {
			return nil
		}
		t.Body = slices.Clone(t.Body)
		for i, op := range t.Body {
			switch op := op.(type) {
			case gpu.Copy:
				t.Body[i] = gpu.Copy{To: swap(op.To), From: swap(op.From)}
			case gpu.Compute:
				op.Refs = slices.Clone(op.Refs)
				for j, r := range op.Refs {
					op.Refs[j] = swap(r)
				}
				t.Body[i] = op
			}
		}
		return []gpu.Node{t}
	}}
	k.Body = e.nodes(k.Body)
	out.Kernels[i] = &k
	return &out
}

// copying selects the copies of full tiles with notes that start so.
func copying(note string) func(bool, gpu.Node) bool {
	return func(inFull bool, n gpu.Node) bool {
		t, ok := n.(gpu.Threads)
		return ok && inFull && strings.HasPrefix(t.Note, note)
	}
}

// oneLess makes the innermost loop end one earlier.
func oneLess(n gpu.Node) []gpu.Node {
	t := n.(gpu.Threads)
	t.Loops = slices.Clone(t.Loops)
	last := &t.Loops[len(t.Loops)-1]
	switch hi := last.Hi.(type) {
	case astgen.Sum:
		hi.Const--
		last.Hi = hi
	case astgen.Min:
		last.Hi = astgen.Min{Args: lessOne(hi.Args)}
	default:
		panic(fmt.Sprintf("bound %T", hi))
	}
	return []gpu.Node{t}
}

func lessOne(args []astgen.Expr) []astgen.Expr {
	args = slices.Clone(args)
	for i, a := range args {
		s := a.(astgen.Sum)
		s.Const--
		args[i] = s
	}
	return args
}

func TestCopyOneLess(t *testing.T) {
	mutants(t, func(t *testing.T, r emulate.Request) {
		each(t, r, copying("copy in"), oneLess, "copy in one cell less")
		r.First = false
		each(t, r, copying("copy out"), oneLess, "copy out one cell less")
	})
}
