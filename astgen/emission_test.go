package astgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestEmission proves of the loops of all cases, spelled out and rolled, that they are the schedule.
func TestEmission(t *testing.T) {
	for _, x := range pipeline.Some(t) {
		t.Run(x.Name, func(t *testing.T) {
			s := x.Schedule(t, pipeline.Warps.Of(x.Space, x.Cone))
			for _, generate := range []func(*schedule.Schedule) (*astgen.Program, error){astgen.Generate, astgen.Roll} {
				p, err := generate(s)
				require.NoError(t, err)
				proof := astgen.ProveEmission(s, p.Names, p.Read)
				t.Logf("%v, %v", proof, proof.Took)
				require.True(t, proof.Holds, proof.Text(false))
			}
		})
	}
}
