package schedule

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// analyze returns all that comes before the schedule of p.
func analyze(t testing.TB, p *scop.Program) ([]Dependence, *Canonical, Cone) {
	t.Helper()
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := Canonicalize(p, deps)
	require.NoError(t, err)
	require.NoError(t, c.Verify())
	cone, err := BoundCone(c, deps)
	require.NoError(t, err)
	require.NoError(t, cone.Verify())
	return deps, c, cone
}

func TestKernelsAreProved(t *testing.T) {
	for _, k := range kernels() {
		t.Run(k.name, func(t *testing.T) {
			start := time.Now()
			lap := func(what string) {
				t.Logf("%-10s %v", what, time.Since(start).Round(10*time.Microsecond))
				start = time.Now()
			}
			deps, c, cone := analyze(t, k.p)
			lap("analyze")
			assert.Equal(t, k.cone, strings.ReplaceAll(strings.TrimSpace(cone.String()), "\n", "; "))
			s, err := Hybrid(c, cone, k.sizes)
			require.NoError(t, err)
			lap("schedule")
			require.NoError(t, s.Verify())
			lap("verify")
			partition := ProvePartition(s)
			assert.True(t, partition.Holds, "%v", partition)
			lap("partition")
			legality := ProveLegality(s, deps)
			assert.True(t, legality.Holds, "%v", legality)
			lap("legality")
			t.Logf("%d deps, %v, %v", len(deps), partition, legality)
		})
	}
}
