package schedule

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// cases returns the programs of the repository's test archives by name.
func cases(t testing.TB) map[string]*scop.Program {
	programs := map[string]*scop.Program{}
	for _, c := range testcases.All(t) {
		res, err := frontend.Parse(frontend.Source{Name: "input.c", Text: []byte(c.Text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, c.Name)
		programs[c.Name] = res.Programs[0]
	}
	return programs
}

// someSizes returns sizes for tests: small, at the bound, and large.
func someSizes(c *Canonical, cone Cone) (list []Sizes) {
	hs := LegalH(c.K)
	for _, x := range []struct{ h, more, w int64 }{{hs[0], 0, 1}, {hs[min(1, len(hs)-1)], 2, 32}, {hs[min(5, len(hs)-1)], 5, 64}} {
		s := Sizes{H: x.h, W: []int64{MinW0(cone, x.h) + x.more}}
		for range c.Space[1:] {
			s.W = append(s.W, x.w)
		}
		list = append(list, s)
	}
	return list
}

func TestCasesAreProved(t *testing.T) {
	programs := cases(t)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		p := programs[name]
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			deps, c, cone := analyze(t, p)
			t.Logf("%d dependences, %v in %v", len(deps), strings.Fields(cone.String()), time.Since(start).Round(10*time.Microsecond))
			for _, sizes := range someSizes(c, cone) {
				s, err := Hybrid(c, cone, sizes)
				require.NoError(t, err)
				require.NoError(t, s.Verify())
				start = time.Now()
				partition := ProvePartition(s)
				half := time.Now()
				legality := ProveLegality(s, deps)
				assert.True(t, partition.Holds, "%v: %v", sizes, partition)
				assert.True(t, legality.Holds, "%v: %v", sizes, legality)
				t.Logf("%v: partition %v, legality %v", sizes, half.Sub(start).Round(10*time.Microsecond), time.Since(half).Round(10*time.Microsecond))
			}
		})
	}
}

// BenchmarkCases measures all of the package on each case.
func BenchmarkCases(b *testing.B) {
	programs := cases(b)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		p := programs[name]
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				deps, c, cone := analyze(b, p)
				s, err := Hybrid(c, cone, someSizes(c, cone)[1])
				if err != nil || !ProvePartition(s).Holds || !ProveLegality(s, deps).Holds {
					b.Fatal(err)
				}
			}
		})
	}
}
