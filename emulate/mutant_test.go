package emulate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file breaks correct kernels, one place at a time, and requires that
// Verify notices and says why.

// A place is a node among its siblings.
type place struct {
	list   []gpu.Node
	i      int
	inFull bool // inside the full side of a full-tile If
}

func (p place) node() gpu.Node { return p.list[p.i] }

// role returns the role of the Threads at list[i+d], none if that is none.
func (p place) role(d int) gpu.Role {
	if i := p.i + d; i >= 0 && i < len(p.list) {
		if t, ok := p.list[i].(gpu.Threads); ok {
			return t.Role
		}
	}
	return gpu.Role{}
}

// An edit returns what stands in the place of a node, nil to keep it.
type edit func(place) []gpu.Node

// edited returns a copy of p with f applied to number at of the places it wants,
// and the number of those.
func edited(p *gpu.Program, at int, wants func(place) bool, f edit) (*gpu.Program, int) {
	seen := 0
	out := *p
	out.Kernels = nil
	for _, k := range p.Kernels {
		c := *k
		c.Body = apply(k.Body, false, func(x place) []gpu.Node {
			if !wants(x) {
				return nil
			}
			if seen++; seen-1 != at {
				return nil
			}
			return f(x)
		})
		out.Kernels = append(out.Kernels, &c)
	}
	return &out, seen
}

// apply returns list with f applied to all nodes in it and below.
func apply(list []gpu.Node, inFull bool, f edit) []gpu.Node {
	out := []gpu.Node{}
	for i, n := range list {
		if by := f(place{list, i, inFull}); by != nil {
			out = append(out, by...)
			continue
		}
		switch x := n.(type) {
		case gpu.For:
			x.Body = apply(x.Body, inFull, f)
			n = x
		case gpu.If:
			x.Then = apply(x.Then, inFull || x.Role.Kind == gpu.FullTile, f)
			x.Else = apply(x.Else, inFull, f)
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
		if b.Role.Kind == gpu.FullTile && (b.Then == 0 || b.Else == 0) && r.Points < 500_000 {
			r.Points *= 4
			return fullSize(t, r)
		}
	}
	r.First = true
	space := r.Schedule.Phases[0].Space
	sizes := max(6, space[len(space)-1].Stride) // at one of them the last tile is full
	if len(space) > 2 {
		sizes = 2 // they take long
	}
	for more := range sizes { // tile borders fall elsewhere
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

// caught verifies p in place of r.Program, at the sizes of r in turn, until it
// fails, and reports whether it does. It must say why: by one of the kinds, if any are given.
func caught(t *testing.T, r emulate.Request, p *gpu.Program, kinds ...emulate.Kind) bool {
	t.Helper()
	r.Program, r.OneVersion = p, true
	for _, size := range r.Sizes {
		at := r
		at.Sizes = []emulate.Size{size}
		v, err := emulate.Verify(at)
		require.NoError(t, err)
		if v.OK() {
			continue
		}
		require.Contains(t, v.String(), "verification failed")
		isKind := func(f emulate.Finding) bool { return slices.Contains(kinds, f.Kind) }
		found := slices.ContainsFunc(v.Trials, func(x emulate.Trial) bool { return slices.ContainsFunc(x.Report.Findings, isKind) })
		require.True(t, len(kinds) == 0 || found, v)
		return true
	}
	return false
}

// mustCatch requires that p is caught.
func mustCatch(t *testing.T, r emulate.Request, p *gpu.Program, what string, kinds ...emulate.Kind) {
	t.Helper()
	require.True(t, caught(t, r, p, kinds...), "not noticed: %s\n%v", what, p)
}

// tiny returns sizes for mutants: tiles of few points.
func (p plan) tiny() schedule.Sizes {
	s := p.small()
	if p.Space.K == 1 {
		s.H = 1
	}
	s.W[0] = schedule.MinW0(p.Cone, s.H) + 1
	for i := range s.W[1:] {
		s.W[i+1] = int64(3 + i)
	}
	return s
}

// mutants calls f for each telling case, at sizes with full tiles.
func mutants(t *testing.T, f func(t *testing.T, r emulate.Request)) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		r := p.request(t, p.tiny())
		r.Points = 30_000
		f(t, fullSize(t, r))
	})
}

// each makes mutants by f, one for each wanted place that runs at the sizes of r; of many, 16 spread evenly.
func each(t *testing.T, r emulate.Request, wants func(place) bool, f edit, what string, kinds ...emulate.Kind) {
	_, n := edited(r.Program, -1, wants, f)
	require.Positive(t, n, what)
	some(t, r, 16, wants, f, what, kinds...)
}

// some is each for so many places at most, or none at all.
func some(t *testing.T, r emulate.Request, most int, wants func(place) bool, f edit, what string, kinds ...emulate.Kind) {
	_, n := edited(r.Program, -1, wants, f)
	for i := range min(n, most) {
		i = i * max(n, most) / most
		if p, _ := edited(r.Program, i, wants, f); !caught(t, r, p, kinds...) {
			require.False(t, runs(t, r, i, wants), "not noticed: %s, number %d of %d\n%v", what, i, n, p)
		}
	}
}

// runs reports whether the i-th wanted place runs at some size of r.
func runs(t *testing.T, r emulate.Request, i int, wants func(place) bool) bool {
	r.Program, _ = edited(r.Program, i, wants, func(p place) []gpu.Node {
		return []gpu.Node{gpu.If{Cond: astgen.Cond{{}}, Then: []gpu.Node{p.node()}, Role: gpu.Role{Kind: gpu.Probe}}}
	})
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	for _, trial := range v.Trials {
		for _, b := range trial.Report.Branches {
			if b.Role.Kind == gpu.Probe && b.Then > 0 {
				return true
			}
		}
	}
	return false
}
