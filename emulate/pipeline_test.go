package emulate_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A plan is a program with a cone that its tilings must respect.
type plan struct {
	canonical *schedule.Canonical
	cone      schedule.Cone
}

func newPlan(t testing.TB, p *scop.Program) plan {
	deps, err := schedule.Dependences(p)
	require.NoError(t, err)
	c, err := schedule.Canonicalize(p, deps)
	require.NoError(t, err)
	cone, err := schedule.BoundCone(c, deps)
	require.NoError(t, err)
	return plan{c, cone}
}

// small returns tile sizes that are small, and legal.
func (p plan) small() schedule.Sizes {
	h := int64(2)
	for (h+1)%int64(p.canonical.K) != 0 {
		h++
	}
	s := schedule.Sizes{H: h, W: []int64{schedule.MinW0(p.cone, h) + 2}}
	for i := range p.canonical.Space[1:] {
		s.W = append(s.W, []int64{5, 6}[i%2])
	}
	return s
}

// request returns the kernels of p at the given sizes, ready to verify.
func (p plan) request(t testing.TB, sizes schedule.Sizes) emulate.Request {
	return p.requestWith(t, sizes, gpu.Options{})
}

func (p plan) requestWith(t testing.TB, sizes schedule.Sizes, o gpu.Options) emulate.Request {
	s, err := schedule.Hybrid(p.canonical, p.cone, sizes)
	require.NoError(t, err)
	return requestOf(t, s, o)
}

func requestOf(t testing.TB, s *schedule.Schedule, o gpu.Options) emulate.Request {
	loops, err := astgen.Generate(s)
	require.NoError(t, err)
	d, ok := gpu.LookupDevice("sm_80")
	require.True(t, ok)
	k, err := gpu.Map(loops, d, o)
	require.NoError(t, err)
	require.NoError(t, k.Verify())
	return emulate.Request{Program: k, Schedule: s, Points: 200_000}
}

// cases calls f for each case of testdata, in parallel.
func cases(t *testing.T, f func(t *testing.T, name string, p plan)) {
	all := oracle.Cases(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, name, newPlan(t, all[name]))
		})
	}
}

// telling are the cases that mutants are made of: one of each kind.
var telling = []string{"asymmetric", "em-2d", "fdtd-2d", "heat-3d", "jacobi-1d", "jacobi-2d", "life", "rician-2d", "wave-2d"}

// tellingCases calls f for each of the telling cases, in parallel.
func tellingCases(t *testing.T, f func(t *testing.T, name string, p plan)) {
	all := oracle.Cases(t)
	for _, name := range telling {
		require.Contains(t, all, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, name, newPlan(t, all[name]))
		})
	}
}

// TestCases verifies every case at sizes that are chosen for it.
func TestCases(t *testing.T) {
	cases(t, func(t *testing.T, name string, p plan) {
		v, err := emulate.Verify(p.request(t, p.small()))
		require.NoError(t, err)
		t.Log(v)
		require.True(t, v.OK(), v)
	})
}

// TestSpaceOnly verifies every case with tiles of space alone.
func TestSpaceOnly(t *testing.T) {
	cases(t, func(t *testing.T, name string, p plan) {
		widths := [][]int64{{9}, {3, 8}, {2, 3, 8}, {2, 2, 3, 5}}[len(p.canonical.Space)-1]
		s, err := schedule.Space(p.canonical, schedule.Sizes{W: widths})
		require.NoError(t, err)
		r := requestOf(t, s, gpu.Options{})
		r.Points = 20_000
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.True(t, v.OK(), v)
		for _, x := range v.Trials {
			for _, l := range x.Report.Launches {
				require.Equal(t, l.T, x.Report.Launches[0].T+int64(launchesBefore(x.Report.Launches, l.T)), "each time step is launched once")
			}
		}
	})
}

// launchesBefore returns the number of different T before the given one.
func launchesBefore(all []emulate.Launch, t int64) int {
	seen := map[int64]bool{}
	for _, l := range all {
		if l.T < t {
			seen[l.T] = true
		}
	}
	return len(seen)
}
