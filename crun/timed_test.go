package crun_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// TestTimed times a program, how often is as asked for, and compares others with it: of one that differs, the element is named.
func TestTimed(t *testing.T) {
	res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(cases.TwoPointers)}, hexcc.Options{NoAlias: true, Target: hexcc.C})
	require.NoError(t, err)
	cc, err := crun.Compiler()
	require.NoError(t, err)
	mem, err := scop.NewMemory(res.Scop, []int64{5, 40}, 1)
	require.NoError(t, err)
	image, err := crun.NewImage(crun.Input{Memory: mem}, t.TempDir())
	require.NoError(t, err)
	compile := func(text string) *crun.Timed {
		b, err := crun.CompileTimed(t.Context(), cc, t.TempDir(), res.Scop, []byte(text), "-O1", "-ffp-contract=off")
		require.NoError(t, err)
		return b
	}
	original := compile(cases.TwoPointers)
	for i, c := range []struct {
		often crun.Repeat
		runs  int
	}{{crun.Repeat{Runs: 1, Enough: 9}, 1}, {crun.Repeat{Runs: 3, Enough: 9}, 3}, {crun.Repeat{Runs: 2, Most: 7, Seconds: 9, Enough: 9}, 7}, {crun.Repeat{Runs: 5}, 1}, {crun.Repeat{}, 1}} {
		seconds, d, err := original.Run(t.Context(), image, c.often)
		require.NoError(t, err)
		require.Len(t, seconds, c.runs, i)
		require.Zero(t, d.Differ)
	}
	seconds, d, err := compile(res.C.Text).Run(t.Context(), image, crun.Repeat{Runs: 2, Enough: 9})
	require.NoError(t, err)
	require.Len(t, seconds, 2)
	require.Zero(t, d.Differ)

	require.Equal(t, 1, strings.Count(cases.TwoPointers, "n - 1; i++)\n      b"), cases.TwoPointers)
	_, d, err = compile(strings.Replace(cases.TwoPointers, "n - 1; i++)\n      b", "n - 2; i++)\n      b", 1)).Run(t.Context(), image, crun.Repeat{Runs: 2, Enough: 9})
	require.NoError(t, err)
	require.Positive(t, d.Differ)
	require.Regexp(t, `^[ab]\[\d+\]$`, d.First)
	require.NotEqual(t, d.A, d.B)

	sleepy := compile(strings.Replace(cases.TwoPointers, "{\n", "{\n  extern int usleep(unsigned); usleep(20000);\n", 1))
	seconds, _, err = sleepy.Run(t.Context(), image, crun.Repeat{Runs: 2, Enough: 9})
	require.NoError(t, err)
	for _, s := range seconds {
		require.True(t, s > 0.02 && s < 10*time.Second.Seconds(), "%v", seconds)
	}
}
