package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestEmission proves of the kernels of all cases, in all variants and versions, that they run the schedule.
func TestEmission(t *testing.T) {
	eachVariant(t, func(t *testing.T, v pipeline.Variant, x pipeline.Stencil) {
		_, loops, p := v.Of(t, x)
		proof := proof.Emission(p, loops)
		t.Logf("%v, %v", proof, proof.Took)
		require.True(t, proof.Holds, proof.Text(false))
	})
}

// eachVariant calls f with all cases, in variants that fit the device.
func eachVariant(t *testing.T, f func(t *testing.T, v pipeline.Variant, x pipeline.Stencil)) {
	variants := []pipeline.Variant{pipeline.Staged, pipeline.Global, pipeline.Large, pipeline.By7, pipeline.By2, pipeline.Turns, pipeline.SpaceOnly, pipeline.Untiled}
	for _, x := range pipeline.Some(t) {
		for _, v := range variants {
			if v.Name != "global" && v.Name != "staged" && v.Name != "space" && v.Name != "untiled" && len(x.Space.Space) > 2 {
				v.Widths = pipeline.Narrow // the others do not fit for all cases
			}
			if v.Name == "large" && len(x.Space.Space) == 1 || v.Name == "by7" && len(x.Space.Space) == 1 {
				v.Widths[0] = []int64{4000}
			}
			t.Run(x.Name+"/"+v.Name, func(t *testing.T) { f(t, v, x) })
		}
	}
}
