package symbolic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/symbolic"
)

// TestFullTiles proves of the full tiles of all cases, in all variants, that they do what the program does.
func TestFullTiles(t *testing.T) {
	variants := []pipeline.Variant{pipeline.Staged, pipeline.Global, pipeline.Large, pipeline.By7, pipeline.By2, pipeline.Turns, pipeline.SpaceOnly}
	for _, x := range pipeline.Some(t) {
		for _, v := range variants {
			t.Run(x.Name+"/"+v.Name, func(t *testing.T) {
				if v.Name != "global" && v.Name != "staged" && v.Name != "space" && len(x.Space.Space) > 2 {
					v.Widths = pipeline.Narrow // the others do not fit for all cases
				}
				if v.Widths[0][0] > 4000 {
					v.Widths[0] = []int64{4000}
				}
				_, loops, p := v.Of(t, x)
				proof := symbolic.Prove(p, loops)
				t.Logf("%v, %v", proof, proof.Took)
				require.True(t, proof.Holds, proof.Text(false))
			})
		}
	}
}
