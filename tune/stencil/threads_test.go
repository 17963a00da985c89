package stencil

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/tune"
)

// TestFewerThreads checks which numbers of threads are tried on machines of several kinds: as many as there are cores where these run several threads, and halves for as long as they are faster.
func TestFewerThreads(t *testing.T) {
	t.Setenv(numThreads, "")
	u, err := New(Request{Source: hexcc.Source{Name: "heat.c", Text: []byte(heat)}, Options: hexcc.Options{Target: hexcc.OpenMP, Grid: map[string]int64{"n": 150, "T": 20}}})
	require.NoError(t, err)
	// tried returns the numbers, where so many threads take some seconds; 0 is all processors.
	tried := func(processors, cores int, seconds func(n int) float64) (numbers []int) {
		done := []tune.Outcome{
			{Candidate: tune.Candidate{Name: Plain, Reference: true}, Seconds: []float64{0.1}},
			{Candidate: u.candidate(u.First), Seconds: []float64{seconds(processors)}},
		}
		for _, level := range u.fewerThreads(processors, cores) {
			for _, c := range level.Candidates(done) {
				w, ours := u.way(c.Name)
				require.True(t, ours)
				require.Equal(t, u.First.Flags(), w.Flags())
				numbers = append(numbers, c.Threads)
				if !slices.ContainsFunc(done, func(o tune.Outcome) bool { return o.Name == c.Name }) {
					done = append(done, tune.Outcome{Candidate: c, Seconds: []float64{seconds(c.Threads)}})
				}
			}
		}
		return numbers
	}
	more := func(n int) float64 { return 1 / float64(n) }
	fewer := func(n int) float64 { return float64(n) }
	require.Empty(t, tried(1, 1, more))
	require.Equal(t, []int{1}, tried(2, 2, fewer))
	require.Equal(t, []int{1}, tried(2, 0, fewer))
	require.Equal(t, []int{4, 4}, tried(8, 4, more), "two threads a core; measured once")
	require.Equal(t, []int{4, 4, 2, 1}, tried(8, 4, fewer))
	require.Equal(t, []int{8, 4, 2, 1}, tried(16, 16, fewer))
	require.Equal(t, []int{6, 3, 1}, tried(12, 12, fewer))
	require.Equal(t, []int{8, 4}, tried(16, 16, func(n int) float64 { return max(8/float64(n), float64(n)/8) }))

	t.Setenv(numThreads, "3") // what the user says
	require.Empty(t, tried(8, 4, fewer))
	t.Setenv(numThreads, "")
	u.Options.Target = hexcc.C
	require.Empty(t, tried(8, 4, fewer))
}

// TestThreadsSet runs a program whose results are right in one thread only.
func TestThreadsSet(t *testing.T) {
	t.Setenv(numThreads, "3")
	cc := filepath.Join(t.TempDir(), "cc")
	script := "#!/bin/sh\nif grep -q hexcc_heat input.c 2>/dev/null; then sed '1s/^/extern int omp_get_max_threads(void);\\n/;s/0\\.2 \\*/0.2 * omp_get_max_threads() */' input.c >spoilt.c && mv spoilt.c input.c; fi\nexec " + compiler(t) + " \"$@\"\n"
	require.NoError(t, os.WriteFile(cc, []byte(script), 0o777))
	u := tuner(t, heat, cc, hexcc.OpenMP)
	c := u.candidate(u.First)
	s := tune.Search{Runner: u, Budget: 1 << 40, Limit: 1 << 36, Least: 1 << 36, Levels: []tune.Level{
		{Candidates: func([]tune.Outcome) []tune.Candidate {
			return []tune.Candidate{{Name: Plain, Reference: true}, c, u.in(u.First, 1)}
		}},
	}}
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, tune.Wrong, r.Of(c.Name).Rejected.Kind)
	require.Nil(t, r.Outcomes[2].Rejected, "%v", r.Outcomes[2].Rejected)
}
