package schedule

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRepeatable compares what may run twice with runs at small sizes: an instance may not just if one reads an element that it stores to.
func TestRepeatable(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	subscript := func() string {
		return []string{"[i]", "[i-1]", "[i+2]", "[t]", "[t%2]", "[0]", "[N-i]", "[2*i]"}[rng.IntN(8)]
	}
	access := func() string { return []string{"A", "B"}[rng.IntN(2)] + subscript() }
	found := map[bool]int{}
	for range 400 {
		bounds := fmt.Sprintf("0 <= t < T and %d <= i < N-%d", rng.IntN(3), rng.IntN(4))
		p := program("N T", nest{"t i", bounds, access() + " = " + access() + " " + access()})
		twice := true
		for _, params := range []map[string]int64{{"N": 3, "T": 1}, {"N": 6, "T": 2}, {"N": 9, "T": 8}} {
			for _, e := range events(p, params, 9) {
				for i, to := range e.st.Accesses {
					for j, from := range e.st.Accesses {
						twice = twice && !(to.Write && !from.Write && e.touched[i] == e.touched[j])
					}
				}
			}
		}
		require.Equal(t, twice, Repeatable(p, p.Stmts[0]), "%v", p)
		found[twice]++
	}
	assert.Greater(t, found[true], 50)
	assert.Greater(t, found[false], 50)
}
