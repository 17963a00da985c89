package openmp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file runs programs whose space loops carry dependences, as parallelograms that wait for each other.

// wavefront translates a program in place; small: in small tiles.
func wavefront(t *testing.T, base, text string, target hexcc.Target, small bool) *hexcc.Result {
	t.Helper()
	o := hexcc.Options{Target: target, NoAlias: true}
	res := compile(t, base, text, o, true)
	if small {
		sizes := schedule.Sizes{H: schedule.LegalH(res.Space.K)[1]}
		for p := range res.Space.Space {
			sizes.W = append(sizes.W, 9+2*int64(p)) // rows for a group, and one
		}
		o.Tile = &sizes
		res = compile(t, base, text, o, true)
	}
	require.Equal(t, hexcc.Wavefront, res.Strategy)
	return res
}

// oddTrials are runs of the original at sizes that are easily forgotten, and at one of many tiles.
func oddTrials(t *testing.T, p *scop.Program) (all []oracle.Trial) {
	original := oracle.CompileC(t, p)
	large := []int64{0, 0, 301, 61, 23}[len(p.Stmts[0].Iters)]
	for i, x := range [][2]int64{{0, 5}, {1, 5}, {2, 7}, {3, 1}, {5, 2}, {13, 11}, {13, 0}, {17, 1}, {large, 29}} {
		params, ok := oracle.Sized(p, x[0], x[1])
		if !ok {
			continue
		}
		mem, err := scop.NewMemory(p, params, uint64(i))
		if err != nil { // an array of no elements less
			continue
		}
		all = append(all, oracle.Trial{Before: mem, After: original.Run(t, mem)})
	}
	require.Greater(t, len(all), 4)
	return all
}

// TestWavefronts compares parallelograms with the original bit for bit, run by as many threads as there are processors, fewer and more, with
// random delays, and by one thread in C.
func TestWavefronts(t *testing.T) {
	cases.InPlaceInTurns(t, func(t *testing.T, base, text string) {
		for _, small := range []bool{true, false} {
			res := wavefront(t, base, text, hexcc.OpenMP, small)
			trials := oddTrials(t, res.Scop)
			translated := *res.Scop
			translated.Source = []byte(delayed(res.C.Text))
			require.Contains(t, string(translated.Source), "test_delay(); hexcc_await(")
			ours := oracle.CompileWith(t, "gcc", &translated, cases.Level("-O2"), "-fopenmp", "-DHEXCC_GRAIN=0")
			for _, x := range trials {
				for _, threads := range []int{1, 2, 3, 7, 33} {
					runDelayed(t, ours, x, threads)
				}
			}
			alone := wavefront(t, base, text, hexcc.C, small)
			require.NotContains(t, alone.C.Text, "hexcc_await")
			translated.Source = []byte(alone.C.Text)
			ours = oracle.CompileWith(t, "gcc", &translated, "-O2")
			for _, x := range trials {
				x.Check(t, "one thread", ours.Run(t, x.Before))
			}
		}
	})
}

// TestWavefrontRaces runs them under the race detector, which finds a wait that is left out.
func TestWavefrontRaces(t *testing.T) {
	cases.InPlaceInTurns(t, func(t *testing.T, base, text string) {
		if base != "seidel-2d" && base != "gauss-seidel-line" && base != "seidel-load" && !cases.Every() {
			return // they wait as these do
		}
		res := wavefront(t, base, text, hexcc.OpenMP, true)
		trials := oddTrials(t, res.Scop)
		x := trials[len(trials)-1]
		right, says := raced(t, res.Scop, res.C.Text, x)
		require.True(t, right, says)
		require.Empty(t, says)
		bad := strings.Replace(res.C.Text, "if (chains && S0 > S0_first)", "if (0)", 1)
		require.NotEqual(t, res.C.Text, bad)
		for tries := 0; right && tries < 8; tries++ { // where threads have no processor of their own, one may end before the next begins
			right, _ = raced(t, res.Scop, bad, x)
		}
		require.False(t, right)
	})
}

// TestWavefrontPage checks the waits that docs/cpu.md shows.
func TestWavefrontPage(t *testing.T) {
	page, err := os.ReadFile("../docs/cpu.md")
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(cases.File(t, "testdata/wavefront"), "seidel-2d.c"))
	require.NoError(t, err)
	s := wavefront(t, "seidel-2d", string(text), hexcc.OpenMP, false).Schedule
	for line := range strings.Lines(s.Waits.Text(s.Dims[:4])) {
		require.Contains(t, string(page), "\n    "+line)
	}
	require.Contains(t, string(page), s.Sizes.String())
}

// TestWavefrontsOfCases runs cases that hexagons fit as parallelograms, too, in which points of a step are in any order.
func TestWavefrontsOfCases(t *testing.T) {
	cases.EachNth(t, 2, 0, func(t *testing.T, base, text string) {
		t.Parallel()
		first := compile(t, base, text, hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Strategy: hexcc.Wavefront}, true)
		sizes := schedule.Sizes{H: schedule.LegalH(first.Space.K)[0]}
		for p := range first.Space.Space {
			sizes.W = append(sizes.W, 5+3*int64(p))
		}
		res := compile(t, base, text, hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Strategy: hexcc.Wavefront, Tile: &sizes}, true)
		translated := *res.Scop
		translated.Source = []byte(delayed(res.C.Text))
		ours := oracle.CompileWith(t, "gcc", &translated, "-O1", "-fopenmp", "-DHEXCC_GRAIN=0")
		for _, x := range append(oracle.Trials(t, res.Scop, 3), largeTrial(t, res.Scop)) {
			for _, threads := range []int{1, 3, 7} {
				x.Check(t, fmt.Sprint(threads, " threads"), ours.Run(t, x.Before, fmt.Sprint("OMP_NUM_THREADS=", threads)))
			}
		}
	})
}
