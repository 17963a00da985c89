package stencil

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/tune"
)

// TestSummary checks what is said of a search: the fastest beside others, flags as a shell takes them, the pragma, and tiles of several heights where one leaves a rest.
func TestSummary(t *testing.T) {
	u, err := New(Request{
		Source: hexcc.Source{Name: "heat.c", Text: []byte(heat)}, Options: hexcc.Options{Target: hexcc.OpenMP, Grid: map[string]int64{"n": 150}}, Repetitions: 2,
	})
	require.NoError(t, err)
	require.Equal(t, []string{"T"}, u.Assumed)
	require.Equal(t, "T=100, n=150", u.Sizes())
	require.Contains(t, u.About(), "(assumed: T; -DNAME=V gives others)")
	list := u.DryRun()
	require.Equal(t, len(u.All())+4, strings.Count(list, "\n")-len(u.Refused))
	require.Equal(t, 1, strings.Count(list, "(the model's choice)"))

	outcome := func(w hexcc.Way, seconds float64) tune.Outcome {
		return tune.Outcome{Candidate: u.candidate(w), Seconds: []float64{seconds}}
	}
	way := func(text string) hexcc.Way {
		w, err := hexcc.ParseWay(text)
		require.NoError(t, err)
		return w
	}
	r := &tune.Result{Outcomes: []tune.Outcome{
		{Candidate: tune.Candidate{Name: Plain, Reference: true}, Seconds: []float64{4}},
		{Candidate: tune.Candidate{Name: Parallel, Reference: true}, Rejected: &tune.Rejection{Kind: tune.Wrong, Why: "at element A[1]"}},
		outcome(u.First, 3),
		outcome(way("--strategy=hybrid --tile=h=14,w0=15,w1=64 --launch=phases"), 1), // 30 steps: 4 passes for 100
		outcome(way("--strategy=hybrid --tile=h=4,w0=15,w1=64 --launch=phases"), 1.5),
		{Candidate: u.candidate(way("--strategy=space --tile=w0=7,w1=70")), Rejected: &tune.Rejection{Kind: tune.Crashed, Why: "signal: killed"}},
	}}
	require.EqualValues(t, 30, r.Best().Steps)
	text := u.Summary(r, []string{"--assume=n >= 20", "it's.c"})
	require.Contains(t, text, "\nas flags:  hexcc --strategy=hybrid --tile=h=14,w0=15,w1=64 --launch=phases '--assume=n >= 20' 'it'\\''s.c'\n")
	require.Contains(t, text, "\nas a line before #pragma scop:  #pragma hexcc strategy(hybrid) tile(h=14,w0=15,w1=64) launch(phases)\n")
	require.Regexp(t, `(?m)^fastest +1\.000 s +--strategy=hybrid --tile=h=14`, text)
	require.Regexp(t, `(?m)^model's choice +3\.000 s  3\.00 times as long`, text)
	require.Regexp(t, `(?m)^omp parallel for +- s  wrong`, text)
	require.Regexp(t, `(?m)^plain loops +4\.000 s  4\.00 times as long`, text)
	// A pass of 30 steps takes 1/4 s, one of 10 steps 1.5/10 s: 3 x 1/4 + 0.15.
	require.Contains(t, text, "100 steps are no multiple of the 30 of a tile: by what was measured 30x3 + 10x1 (steps of a tile x tiles) would take 0.9000 s")
	table := u.Table(r)
	require.Contains(t, table, "rejected: --strategy=space --tile=w0=7,w1=70: crashed: signal: killed\n")
	require.Contains(t, table, "rejected: omp parallel for: wrong: at element A[1]\n")
	require.Regexp(t, `(?m)^ +4\.000 +4\.00 +- +plain loops$`, table)
	require.NotContains(t, text, "nothing that hexcc makes")
	r.Outcomes[0].Seconds[0] = 0.5
	require.Contains(t, u.Summary(r, nil), "nothing that hexcc makes is as fast as plain loops at these sizes\n")
	require.Equal(t, "no candidate was measured\n", u.Summary(&tune.Result{}, nil))

	// In one thread, and faster when it ran again: the setting is said beside the flags, which do not have it. Where it gains next to nothing, it is not chosen.
	alone := tune.Outcome{Candidate: u.in(u.First, 1), Seconds: []float64{0.4}, Final: []float64{0.45, 0.42}}
	r.Outcomes[3].Final = []float64{0.43}
	r.Outcomes = append(r.Outcomes, alone)
	require.Equal(t, r.Outcomes[3].Name, r.Best().Name)
	r.Outcomes[3].Final = []float64{0.45}
	require.Equal(t, "OMP_NUM_THREADS=1 "+u.First.Flags(), alone.Name)
	require.Equal(t, alone.Name, r.Best().Name)
	text = u.Summary(r, nil)
	require.Contains(t, text, "\nas flags:  hexcc "+u.First.Flags()+"\n")
	require.Contains(t, text, "it ran in fewer threads than there are processors, which is a setting of the environment:  OMP_NUM_THREADS=1 ./program\n")
	require.Regexp(t, `(?m)^fastest +0\.4200 s +OMP_NUM_THREADS=1 --strategy=`, text)
	table = u.Table(r)
	require.Contains(t, table, "* the fastest 2 ran again in the end, by turns")
	require.Regexp(t, `(?m)^ +0\.4200 +1\.00 +- +OMP_NUM_THREADS=1 --strategy=.*   \*$`, table)
	c := u.Choice(*r.Best())
	require.Equal(t, []any{u.First.Flags(), 1, 0.42}, []any{c.Flags, c.Threads, c.Seconds})

	p := tune.Progress{Level: "sizes", Done: 3, Total: 9, Left: 61e9, Last: &r.Outcomes[1], Best: &r.Outcomes[3]}
	require.Equal(t, "tune: 3 of 9 (sizes), 1:01 left; best 0.4500 s: --strategy=hybrid --tile=h=14,w0=15,w1=64 --launch=phases", Progress(p))
	require.Equal(t, "tune: omp parallel for: wrong: at element A[1]", Last(p))
	for s, want := range map[float64]string{123.4: "123.4", 1: "1.000", 0.0123456: "0.01235", 0: "0.000000000"} {
		require.Equal(t, want, seconds(s), fmt.Sprint(s))
	}
}
