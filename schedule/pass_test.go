package schedule

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPasses proves passes: a step has to be as many rows and places behind the one before as reads, and what they read before it is stored anew, lie
// ahead of a point: here up to two rows, and three places.
func TestPasses(t *testing.T) {
	asymmetric := program("N T", nest{"t i j", "0 <= t < T and 3 <= i < N-3 and 3 <= j < N-3", "A[t+1 %2][i][j] = A[t %2][i+2][j] A[t %2][i-1][j] A[t %2][i][j-2] A[t %2][i][j+3]"})
	for _, x := range []struct {
		k            kernel
		rows, places int64
	}{
		{find(t, "jacobi-2d"), 1, 1},
		{find(t, "heat-2d"), 1, 1},
		{find(t, "wave-2d"), 1, 1},
		{kernel{name: "asymmetric", p: asymmetric, sizes: Sizes{H: 3, W: []int64{12, 16}}}, 2, 3},
	} {
		deps, y := builder(t, x.k)
		y.cone.Lo[1] = big.NewRat(8, 1)
		s := y.schedule()
		for _, try := range []struct {
			pass  Pass
			holds bool
		}{
			{Pass{2, x.rows, x.places}, true},
			{Pass{4, x.rows, x.places}, true},
			{Pass{2, x.rows + 1, 8}, true},
			{Pass{2, x.rows - 1, 8}, false},
			{Pass{2, x.rows, x.places - 1}, false},
			{Pass{3, 0, 8}, false},
		} {
			p := ProvePass(s, deps, try.pass)
			assert.Equal(t, try.holds, p.Holds, "%s %v: %v", x.k.name, try.pass, p)
			require.Empty(t, p.Undecided)
			assert.NotZero(t, p.Tests)
		}
	}
}
