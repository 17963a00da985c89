package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestFronts proves of kernels by fronts that they run the schedule.
func TestFronts(t *testing.T) {
	cases.EachInPlace(t, func(t *testing.T, name, text string) {
		x := pipeline.InPlace(t, name, text)
		for _, width := range []int64{1, 4, 16} {
			sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[1]}
			for p := range x.Space.Space {
				sizes.W = append(sizes.W, width+int64(p))
			}
			s, err := schedule.TileFronts(x.Space, x.Cone, x.Deps, sizes)
			require.NoError(t, err)
			loops := pipeline.Loops(t, s)
			p, err := lower.Lower(loops, pipeline.Device(t, "sm_80"), lower.Options{})
			require.NoError(t, err)
			require.NoError(t, p.Verify())
			if width == 4 {
				t.Log(p)
			}
			e := proof.Emission(p, loops)
			require.True(t, e.Holds, "%v", e.Text(true))
			e = proof.Indices(p, s)
			require.True(t, e.Holds, "%v", e.Text(true))
			e = proof.Staging(p, loops)
			require.True(t, e.Holds, "%v\n%v", e.Text(true), p)
			v, err := emulate.Verify(emulate.Request{Program: p, Schedule: s, Points: 20_000, Jobs: 2})
			require.NoError(t, err, name)
			require.True(t, v.OK(), "%s\n%v\n%v", name, v, p)
		}
	})
}
