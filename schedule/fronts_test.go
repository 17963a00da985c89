package schedule

import (
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
