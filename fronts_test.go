package hexcc_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/schedule"
)

var randomFronts = flag.Int("random-fronts", 40, "random programs in place that TestRandomFronts translates")

// randomInPlace returns a program whose statements read what they and others have just written, up to two points away in each dimension;
// some nests set a wall, and some statements set two elements.
func randomInPlace(rng *rand.Rand) string {
	dims := 1 + rng.IntN(3)
	iters, sizes := []string{"i", "j", "k"}[:dims], []string{"n", "m", "l"}[:dims]
	nests := 1 + rng.IntN(2)
	elem := []string{"float", "double", "int"}[rng.IntN(3)]
	var b strings.Builder
	fmt.Fprintf(&b, "void f(int T, int %s, %s u[%s], %s v[%s])\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n",
		strings.Join(sizes, ", int "), elem, strings.Join(sizes, "]["), elem, strings.Join(sizes, "]["))
	wall, where := -1, "" // a dimension in which a nest has one place
	at := func(array string, by []int) string {
		for d, x := range by {
			if d == wall {
				array += fmt.Sprintf("[%s%+d]", where, max(0, x)*(1-2*strings.Count(where, "-")))
			} else {
				array += fmt.Sprintf("[%s%+d]", iters[d], x)
			}
		}
		return strings.ReplaceAll(strings.ReplaceAll(array, "+0", ""), "[0+", "[")
	}
	for range nests {
		down := rng.IntN(5) == 0
		if wall = -1; dims > 1 && rng.IntN(5) == 0 {
			wall = rng.IntN(dims)
			where = []string{"0", sizes[wall] + " - 1"}[rng.IntN(2)]
		}
		for d, x := range iters {
			if d == wall {
				continue
			}
			lo, hi := 2, 2
			if rng.IntN(3) == 0 {
				lo, hi = 2+rng.IntN(2), 2+rng.IntN(2)
			}
			if down {
				fmt.Fprintf(&b, "    for (int %s = %s - %d; %s >= %d; %s--)\n", x, sizes[d], hi+1, x, lo, x)
			} else {
				fmt.Fprintf(&b, "    for (int %s = %d; %s < %s - %d; %s++)\n", x, lo, x, sizes[d], hi, x)
			}
		}
		to := []string{"u", "v"}[min(1, rng.IntN(3))]
		var terms []string
		for range 2 + rng.IntN(4) {
			from, by := []string{"u", "v"}[min(1, rng.IntN(3))], make([]int, dims)
			for d := range by {
				by[d] = rng.IntN(3) - 1
				if rng.IntN(6) == 0 {
					by[d] *= 2
				}
			}
			terms = append(terms, at(from, by))
		}
		value := strings.Join(terms, " + ")
		if elem == "int" {
			value = "(" + value + ") % 1009"
		} else {
			value = "0.2f * (" + value + ")"
		}
		if rng.IntN(4) == 0 {
			fmt.Fprintf(&b, "      if (%s > %d)\n", terms[0], rng.IntN(3)-1)
		}
		fmt.Fprintf(&b, "      {\n        %s = %s;\n", at(to, make([]int, dims)), value)
		if rng.IntN(5) == 0 {
			by := make([]int, dims)
			by[rng.IntN(dims)] = rng.IntN(2)
			fmt.Fprintf(&b, "        %s = %s + 1;\n", at([]string{"u", "v"}[rng.IntN(2)], by), terms[len(terms)-1])
		}
		b.WriteString("      }\n")
	}
	b.WriteString("  }\n#pragma endscop\n}\n")
	return b.String()
}

// smallAtRandom returns legal sizes of small tiles.
func smallAtRandom(rng *rand.Rand, space *schedule.Canonical) *schedule.Sizes {
	hs := schedule.LegalH(space.K)
	sizes := &schedule.Sizes{H: hs[rng.IntN(min(4, len(hs)))]}
	for range space.Space {
		sizes.W = append(sizes.W, 1+rng.Int64N(9))
	}
	return sizes
}

// TestRandomFronts translates random programs whose points use what others of the same step have written by parallelograms that run front by front, in tiles of
// random sizes, and runs them in the emulator: those that are taken compute what the source does, bit for bit, without races.
func TestRandomFronts(t *testing.T) {
	taken, fronts := make([]bool, *randomFronts), make([]bool, *randomFronts)
	t.Run("seeds", func(t *testing.T) {
		for seed := range taken {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(uint64(seed), 17))
				text := randomInPlace(rng)
				o := hexcc.Options{NoAlias: true, Strategy: hexcc.Wavefront, Stop: "space"}
				first, err := hexcc.Compile(source([]byte(text)), o)
				var list diag.List
				if errors.As(err, &list) {
					return
				}
				require.NoError(t, err, text)
				o.Stop, o.Tile = "", smallAtRandom(rng, first.Space)
				res, err := hexcc.Compile(source([]byte(text)), o)
				if errors.As(err, &list) {
					t.Logf("%s%v", text, err)
					require.Contains(t, []diag.Code{"HX202", "HX402"}, list[0].Code, text)
					return
				}
				require.NoError(t, err, text)
				taken[seed], fronts[seed] = true, res.Schedule.Fronts != nil
				v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Points: 3000, First: true, Seed: uint64(seed)})
				require.NoError(t, err, text)
				require.True(t, v.OK(), "%s%v\n%v", text, o.Tile, v)
			})
		}
	})
	count := func(of []bool) (n int) {
		for _, yes := range of {
			if yes {
				n++
			}
		}
		return n
	}
	t.Logf("%d of %d are taken", count(taken), len(taken))
	require.Greater(t, 2*count(taken), len(taken))
	require.Equal(t, count(taken), count(fronts))
}

// TestFrontsPage checks the sums that docs/tiling.md shows.
func TestFrontsPage(t *testing.T) {
	page, err := os.ReadFile("docs/tiling.md")
	require.NoError(t, err)
	text, err := os.ReadFile("testdata/wavefront/seidel-2d.c")
	require.NoError(t, err)
	res, err := hexcc.Compile(source(text), hexcc.Options{Tile: &schedule.Sizes{H: 3, W: []int64{6, 12}}})
	require.NoError(t, err)
	for line := range strings.Lines(res.Schedule.Fronts.Text(res.Space.Space)) {
		require.Contains(t, string(page), "\n    "+line)
	}
}
