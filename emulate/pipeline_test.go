package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// A plan is a region whose tilings are tried.
type plan struct{ pipeline.Stencil }

func newPlan(t testing.TB, name, text string) plan {
	t.Helper()
	return plan{pipeline.Read(t, name, text)}
}

// small returns tile sizes that are small, and legal.
func (p plan) small() schedule.Sizes {
	h := int64(2)
	for (h+1)%int64(p.Space.K) != 0 {
		h++
	}
	s := schedule.Sizes{H: h, W: []int64{schedule.MinW0(p.Cone, h) + 2}}
	for i := range p.Space.Space[1:] {
		s.W = append(s.W, []int64{5, 6}[i%2])
	}
	return s
}

// request returns the kernels of p at the given sizes, ready to verify.
func (p plan) request(t testing.TB, sizes schedule.Sizes) emulate.Request {
	return p.requestWith(t, sizes, lower.Options{})
}

func (p plan) requestWith(t testing.TB, sizes schedule.Sizes, o lower.Options) emulate.Request {
	return requestOf(t, p.Schedule(t, sizes), o)
}

func requestOf(t testing.TB, s *schedule.Schedule, o lower.Options) emulate.Request {
	return emulate.Request{Program: pipeline.Map(t, s, pipeline.Device(t, "sm_80"), o), Schedule: s, Points: 200_000}
}

// eachCase calls f for each case of testdata, in parallel.
func eachCase(t *testing.T, f func(t *testing.T, name string, p plan)) {
	eachNth(t, 1, 0, f)
}

// eachNth calls f for each n-th case in CI, from number first on, in parallel.
func eachNth(t *testing.T, n, first int, f func(t *testing.T, name string, p plan)) {
	cases.EachNth(t, n, first, func(t *testing.T, name, text string) {
		t.Parallel()
		f(t, name, newPlan(t, name, text))
	})
}

// tellingCases calls f for each of the cases that mutants are made of, in parallel.
func tellingCases(t *testing.T, f func(t *testing.T, name string, p plan)) {
	for _, c := range cases.Telling(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			f(t, c.Name, newPlan(t, c.Name, c.Text))
		})
	}
}

// TestCases verifies every case at sizes that are chosen for it.
func TestCases(t *testing.T) {
	eachCase(t, func(t *testing.T, name string, p plan) {
		v, err := emulate.Verify(p.request(t, p.small()))
		require.NoError(t, err)
		t.Log(v)
		require.True(t, v.OK(), v)
	})
}

// TestSpaceOnly verifies every case with tiles of space alone.
func TestSpaceOnly(t *testing.T) {
	eachCase(t, func(t *testing.T, name string, p plan) {
		widths := [][]int64{{9}, {3, 8}, {2, 3, 8}, {2, 2, 3, 5}}[len(p.Space.Space)-1]
		r := p.request(t, schedule.Sizes{H: schedule.NoHeight, W: widths})
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
