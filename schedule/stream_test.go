package schedule

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStream asks for the proofs of tiles that stream, and spoils their delays.
func TestStream(t *testing.T) {
	kept := program("T N M", nest{"t i j", "0 <= t < T and 1 <= i < N-1 and 1 <= j < M-1", "A[t+1][i][j] = A[t][i-1][j] A[t][i+1][j] A[t][i][j-1] A[t][i][j+1]"})
	planes := program("T N M", nest{"t i j", "0 <= t < T and 1 <= i < N-1 and 1 <= j < M-1", "A[t+1 %2][i][j] = A[t %2][i-1][j] A[t %2][i+1][j] A[t %2][i][j-1] A[t %2][i][j+1]"})
	diffusion := program("N M",
		nest{"t i j", "t = 0 and 1 <= i < N-1 and 1 <= j < M-1", "lap[i][j] = in[i][j] in[i-1][j] in[i+1][j] in[i][j-1] in[i][j+1]"},
		nest{"t i j", "t = 0 and 1 <= i < N-2 and 2 <= j < M-2", "fli[i][j] = lap[i+1][j] lap[i][j] in[i+1][j] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 1 <= j < M-2", "flj[i][j] = lap[i][j+1] lap[i][j] in[i][j+1] in[i][j]"},
		nest{"t i j", "t = 0 and 2 <= i < N-2 and 2 <= j < M-2", "out[i][j] = fli[i][j] fli[i-1][j] flj[i][j] flj[i][j-1] in[i][j]"})
	for _, x := range []struct {
		name   string
		of     func() (*Schedule, []Dependence)
		delays [][]int64
	}{
		{"kept", overlappedOf(t, kept, Sizes{H: 3, W: []int64{16, 8}, Stream: new(int)}), [][]int64{{0, 1, 2}}},
		{"planes", overlappedOf(t, planes, Sizes{H: 2, W: []int64{8, 16}, Stream: new(1)}), [][]int64{{0, 1, 0, 0}}},
		{"diffusion", overlappedOf(t, diffusion, Sizes{H: 1, W: []int64{32, 8}, Stream: new(int)}), nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			s, deps := x.of()
			require.NoError(t, s.Verify())
			if x.delays != nil {
				require.Equal(t, x.delays, s.Phases[0].Stream.Delays)
			}
			partition, legality := ProvePartition(s), ProveLegality(s, deps)
			require.True(t, partition.Holds, "%v\n%v", partition, s)
			require.True(t, legality.Holds, "%v\n%v", legality, s)
			less := 0
			for i, own := range s.Phases[0].Stream.Delays {
				for a, delay := range own {
					if delay == 0 {
						continue
					}
					t.Run(fmt.Sprintf("S%d, step %d", i, a), func(t *testing.T) {
						s, deps := x.of()
						s.Phases[0].Stream.Delays[i][a]--
						s.Relate()
						require.NoError(t, s.Verify())
						require.False(t, ProveLegality(s, deps).Holds)
					})
					less++
				}
			}
			require.Positive(t, less)
		})
	}
}
