package openmp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs programs whose nests carry dependences along one loop each, there and back, as boxes in order.

// sweeping translates a program that sweeps; width: of its boxes, 0: as chosen.
func sweeping(t *testing.T, base, text string, target hexcc.Target, width int64) *hexcc.Result {
	t.Helper()
	o := hexcc.Options{Target: target, NoAlias: true}
	res := compile(t, base, text, o, true)
	if width > 0 {
		sizes := schedule.Sizes{H: schedule.NoHeight}
		for p := range res.Space.Space {
			sizes.W = append(sizes.W, width+int64(p))
		}
		o.Tile, o.Strategy = &sizes, hexcc.Space
		res = compile(t, base, text, o, true)
	}
	require.Equal(t, hexcc.Space, res.Strategy)
	require.NotNil(t, res.Space.Sweeps)
	return res
}

// TestSweeps compares boxes in order with the original bit for bit, at odd sizes, run by as many threads as there are processors, fewer and
// more, and by one thread in C.
func TestSweeps(t *testing.T) {
	cases.SweptInTurns(t, func(t *testing.T, base, text string) {
		for _, width := range []int64{0, 1, 4} {
			res := sweeping(t, base, text, hexcc.OpenMP, width)
			trials := oddTrials(t, res.Scop)
			translated := *res.Scop
			translated.Source = []byte(res.C.Text)
			ours := oracle.CompileWith(t, "gcc", &translated, cases.Level("-O2"), "-fopenmp", "-DHEXCC_GRAIN=0")
			for _, x := range trials {
				for _, threads := range []int{1, 2, 3, 7, 33} {
					x.Check(t, fmt.Sprint(threads, " threads"), ours.Run(t, x.Before, fmt.Sprint("OMP_NUM_THREADS=", threads)))
				}
			}
			alone := sweeping(t, base, text, hexcc.C, width)
			translated.Source = []byte(alone.C.Text)
			ours = oracle.CompileWith(t, "gcc", &translated, "-O2")
			for _, x := range trials {
				x.Check(t, "one thread", ours.Run(t, x.Before))
			}
		}
	})
}

// TestSweepRaces runs them under the race detector, which finds that threads do not wait for each other between levels.
func TestSweepRaces(t *testing.T) {
	cases.SweptInTurns(t, func(t *testing.T, base, text string) {
		res := sweeping(t, base, text, hexcc.OpenMP, 3)
		trials := oddTrials(t, res.Scop)
		x := trials[len(trials)-1]
		right, says := raced(t, res.Scop, res.C.Text, x)
		require.True(t, right, says)
		require.Empty(t, says)
		if base != "adi" {
			return
		}
		for _, spoil := range [][2]string{
			{"hexcc_meet(&meeting);", ""}, {"&meeting->turn, __ATOMIC_ACQUIRE) == turn", "&meeting->turn, __ATOMIC_RELAXED) == turn"},
			{"== hexcc_threads()", "== hexcc_threads() - 1"}, {"turn + 1, __ATOMIC_RELEASE", "turn + 1, __ATOMIC_RELAXED"},
		} {
			bad := strings.ReplaceAll(res.C.Text, spoil[0], spoil[1])
			require.NotEqual(t, res.C.Text, bad, spoil)
			require.True(t, isWrong(t, res.Scop, bad, x), spoil)
		}
	})
}
