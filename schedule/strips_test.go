package schedule

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStripsAreProved makes a chain of each strip of the classical tiles of dimension 1 in three dimensions, and proves that the waits that are found keep
// the dependences. Each wait is needed: made shorter it does not.
func TestStripsAreProved(t *testing.T) {
	programs := cases(t)
	for _, name := range []string{"heat-3d", "heat-3d-27", "wave-3d", "fdtd-3d", "star-3d-2"} {
		t.Run(name, func(t *testing.T) {
			deps, c, cone := analyze(t, programs[name])
			for _, w1 := range []int64{2, 4, 7} {
				h := int64(2)*int64(c.K) - 1
				sizes := Sizes{H: h, W: []int64{max(20, MinW0(cone, h)), w1, 1}}
				s, err := HybridTiles(c, cone, sizes)
				require.NoError(t, err)
				chains, ok := FindStrips(s, cone)
				require.True(t, ok)
				tile := s.Dims[:s.tileDims()]
				t.Logf("%v\n%s", sizes, chains.Text(tile))
				s.Relate()
				holds := func(c Chains) bool {
					s.Wait(c)
					return ProveLegality(s, deps).Holds && ProveWaits(s, c).Holds
				}
				assert.True(t, holds(chains))
				if w1 != 4 {
					continue
				}
				for what, spoil := range map[string]func(c *Chains){
					"hexagons before": func(c *Chains) { c.Steps[1].Lo[0]++ },
					"hexagons behind": func(c *Chains) { c.Steps[0].Hi[0]-- },
					"strips":          func(c *Chains) { c.Steps[0].Lo[1]++ },
					"lag":             func(c *Chains) { c.Steps[1].Lag-- },
					"strip before":    func(c *Chains) { c.Along = false },
				} {
					short := chains.clone()
					spoil(&short)
					assert.False(t, holds(short), "%s\n%s", what, short.Text(tile))
				}
			}
		})
	}
}
