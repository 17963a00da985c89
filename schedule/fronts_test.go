package schedule

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// fronted returns the first proof of a schedule by fronts that does not hold, "" if all do.
func fronted(s *Schedule, deps []Dependence) string {
	for _, proof := range []Proof{ProvePartition(s), ProveLegality(s, deps)} {
		if !proof.Holds {
			return proof.String()
		}
	}
	return ""
}

// TestFrontsAreProved proves tilings by parallelograms, front by front, of programs in place.
func TestFrontsAreProved(t *testing.T) {
	inPlace(t, func(t *testing.T, name string, p *scop.Program) {
		deps, c, cone := skewed(t, p)
		for _, sizes := range wavefrontSizes(c) {
			start := time.Now()
			s, err := TileFronts(c, cone, deps, sizes)
			require.NoError(t, err)
			require.NoError(t, s.Verify())
			assert.Empty(t, fronted(s, deps), sizes)
			t.Logf("%v: %v\n%s", sizes, time.Since(start).Round(10*time.Microsecond), s.Fronts.Text(c.Space))
		}
	})
}

// TestFrontsNeedAll spoils fronts: weights that are one less, and waves whose points are in an order, or statements of a wave in none, are found out.
func TestFrontsNeedAll(t *testing.T) {
	inPlace(t, func(t *testing.T, name string, p *scop.Program) {
		deps, c, cone := skewed(t, p)
		spoil := map[string]func(s *Schedule) bool{
			"front": func(s *Schedule) bool { s.Fronts.Tiles--; return true },
			"wave":  func(s *Schedule) bool { s.Fronts.Points--; return true },
			"rank": func(s *Schedule) bool {
				i := slices.IndexFunc(s.Dims, func(d Dim) bool { return d.Name == "nest" })
				if i >= 0 {
					s.Dims[i].Role = Thread
				}
				return i >= 0 && name == "seidel-load" // whose statements share waves
			},
		}
		for what, do := range spoil {
			s, err := TileFronts(c, cone, deps, wavefrontSizes(c)[1])
			require.NoError(t, err)
			if !do(s) {
				continue
			}
			if what != "rank" {
				s.Relate()
			}
			require.NoError(t, s.Verify())
			assert.NotEmpty(t, fronted(s, deps), what)
		}
	})
}

// TestFrontTexts checks the weights of well-known programs: points of seidel-2d by four times the time, two rows, a column.
func TestFrontTexts(t *testing.T) {
	want := map[string]Fronts{
		"seidel-2d": {4, 4}, "sor-poisson": {3, 2}, "gauss-seidel-3d": {4, 2}, "box-3d": {7, 8}, "gauss-seidel-line": {2, 2}, "single-sweep": {1, 1},
	}
	inPlace(t, func(t *testing.T, name string, p *scop.Program) {
		deps, c, cone := skewed(t, p)
		s, err := TileFronts(c, cone, deps, wavefrontSizes(c)[1])
		require.NoError(t, err)
		if w, ok := want[name]; ok {
			require.Equal(t, w, *s.Fronts)
		}
	})
}
