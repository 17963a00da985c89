package symbolic_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/symbolic"
)

// TestFullTurns proves of the streams of cases that full turns do what the program does.
func TestFullTurns(t *testing.T) {
	for _, x := range pipeline.Some(t) {
		if len(x.Space.Space) != 2 {
			continue
		}
		for _, shape := range []stream.Shape{
			{Columns: 2, Steps: 2, Warps: 2, Period: 1},
			{Columns: 4, Steps: 2, Warps: 4, Period: 2},
			{Columns: 8, Steps: 4, Warps: 4, Period: 2},
			{Columns: 5, Steps: 3, Warps: 2, Period: 3},
		} {
			t.Run(fmt.Sprint(x.Name, shape), func(t *testing.T) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, shape)
				if why != "" {
					t.Log(why)
					return
				}
				proof := symbolic.ProveStreams(s.Program, s.Schedule)
				t.Logf("%v, %v", proof, proof.Took)
				require.True(t, proof.Holds, proof.Text(false))
			})
		}
	}
}
