package astgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestFronts reads loops of fronts back, and proves that they are the schedule.
func TestFronts(t *testing.T) {
	testcases.EachInPlace(t, func(t *testing.T, name, text string) {
		x := pipeline.InPlace(t, name, text)
		for _, width := range []int64{1, 4, 16} {
			sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[1]}
			for p := range x.Space.Space {
				sizes.W = append(sizes.W, width+int64(p))
			}
			s, err := schedule.TileFronts(x.Space, x.Cone, x.Deps, sizes)
			require.NoError(t, err)
			p, err := astgen.Generate(s)
			require.NoError(t, err)
			require.NoError(t, p.Verify())
			if width == 4 {
				t.Log(p)
			}
			proof := astgen.ProveEmission(s, p.Names, p.Read)
			require.True(t, proof.Holds, "%v", proof.Text(true))
		}
	})
}
