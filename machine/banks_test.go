package machine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/machine"
)

// TestWavefronts has requests whose passes are known.
func TestWavefronts(t *testing.T) {
	for name, c := range map[string]struct {
		size, stride  int64
		lanes         int
		passes, least int64
	}{
		"side by side":      {4, 1, 32, 1, 1},
		"one for all":       {4, 0, 32, 1, 1},
		"every other":       {4, 2, 32, 2, 1},
		"a column of 32":    {4, 32, 32, 32, 1},
		"a column of 33":    {4, 33, 32, 1, 1},
		"nobody":            {4, 1, 0, 0, 0},
		"double":            {8, 1, 32, 2, 2},
		"double, half":      {8, 1, 16, 1, 1},
		"double, column":    {8, 16, 32, 32, 2},
		"double, of 17":     {8, 17, 32, 2, 2},
		"bytes":             {1, 1, 32, 1, 1},
		"bytes, every word": {1, 4, 32, 1, 1},
		"bytes, a column":   {1, 128, 32, 32, 1},
	} {
		var at [machine.WarpLanes]int64
		for lane := range at {
			if at[lane] = -1; lane < c.lanes {
				at[lane] = int64(lane) * c.stride * c.size
			}
		}
		passes, least := machine.Wavefronts(&at, c.size)
		require.Equal(t, []int64{c.passes, c.least}, []int64{passes, least}, name)
	}
}
