package astgen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// cases calls f with schedules of the cases of pipeline.Some, with several tile sizes each.
func cases(t *testing.T, f func(t *testing.T, s *schedule.Schedule)) {
	for _, x := range pipeline.Some(t) {
		for n := range 2 {
			h := schedule.LegalH(x.Space.K)[n]
			sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h) + int64(n)}}
			for i := range x.Space.Space[1:] {
				sizes.W = append(sizes.W, int64(2+i+n))
			}
			s := x.Schedule(t, sizes)
			t.Run(fmt.Sprintf("%s %v", x.Name, sizes), func(t *testing.T) { f(t, s) })
		}
	}
}

// TestCases runs the loops of every case at many sizes: each instance runs
// once, full tiles are those that hold no other points, and few tiles are idle.
func TestCases(t *testing.T) {
	cases(t, func(t *testing.T, s *schedule.Schedule) {
		p := pipeline.Loops(t, s)
		dims := len(p.Names.Points)
		for _, params := range grids(p.Schedule.Canonical.Scop, dims) {
			values := map[string]int64{}
			for i, x := range p.Schedule.Canonical.Scop.Params {
				values[x.Name] = params[i]
			}
			r := &run{t: t, env: values, count: map[string]int{}, program: p, params: params}
			r.node(p.Body)
			require.Equal(t, instances(p.Schedule.Canonical.Scop, params, -1, 24), r.count, "%v\n%v", params, p)
			if r.full > 0 { // large enough to have an inside
				require.Less(t, r.idle, r.busy, "%v\n%v", params, p)
			}
		}
	})
}

// grids returns values of the parameters: time steps and extents from 0 to beyond a tile.
func grids(p *scop.Program, dims int) [][]int64 {
	extents := [][]int64{{0, 1, 2, 5, 13, 23}, {0, 1, 3, 7, 19}, {1, 4, 7, 11}, {2, 4, 6}}[dims-1]
	steps := [][]int64{{0, 1, 2, 7, 13}, {0, 1, 6, 11}, {0, 1, 5}, {0, 1, 3}}[dims-1]
	var all [][]int64
	for _, t := range steps {
		for i, n := range extents {
			var params []int64
			for k, x := range p.Params {
				switch {
				case isTime(x.Name):
					params = append(params, t)
				case k%2 == 0:
					params = append(params, n)
				default:
					params = append(params, extents[(i+1)%len(extents)])
				}
			}
			all = append(all, params)
		}
	}
	return all
}

// isTime reports whether a parameter of that name is a number of time steps in testdata.
func isTime(name string) bool {
	switch name {
	case "T", "steps", "tmax", "generations":
		return true
	}
	return false
}

// checkFull compares the condition of a full tile with the points of the tile.
func (r *run) checkFull(n astgen.If) {
	then, ok := n.Then.(astgen.Tile)
	partial, isTile := n.Else.(astgen.Tile)
	if r.program == nil || !ok || !isTile {
		return
	}
	type step struct {
		a  int64
		of *scop.Stmt
	}
	in := map[step]bool{} // of a full tile
	for _, s := range then.Steps {
		in[step{s.A, s.Stmt}] = true
	}
	full := true
	for _, s := range partial.Steps {
		r.box(s, 0, func() {
			inside := r.inDomain(s)
			full = full && inside == in[step{s.A, s.Stmt}]
		})
	}
	require.Equal(r.t, full, n.Cond.Holds(r.env), "%v at %v", n.Cond, r.env)
}

// box calls f with the local coordinates at every point of the box of s.
func (r *run) box(s astgen.Step, depth int, f func()) {
	if depth == len(s.Loops) {
		f()
		return
	}
	l := s.Loops[depth]
	for v := l.BoxLo; v <= l.BoxHi; v++ {
		r.env[l.Var] = v
		r.box(s, depth+1, f)
	}
	delete(r.env, l.Var)
}

// inDomain reports whether the point of s under env is an instance: it is in
// the domain, and where its nest runs.
func (r *run) inDomain(s astgen.Step) bool {
	var iters []int64
	for _, e := range s.Iters {
		iters = append(iters, affine.Eval(e, r.env))
	}
	for _, b := range s.Stmt.Bounds {
		if b.At(iters, r.params) < 0 {
			return false
		}
	}
	space := astgen.Slices(r.program.Schedule, r.program.Names, r.phase)
	for _, at := range space {
		if at.A != s.A || at.Stmt != s.Stmt {
			continue
		}
		for p, place := range r.program.Schedule.Canonical.Places[s.Stmt.Order] {
			if place.Iter < 0 && affine.Eval(at.Space[p], r.env) != place.Shift.At(nil, r.params) {
				return false
			}
		}
	}
	return true
}
