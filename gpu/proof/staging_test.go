package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestStaging proves of the partial tiles of all cases, in all variants and versions, that they stage what they use.
func TestStaging(t *testing.T) {
	eachVariant(t, func(t *testing.T, v pipeline.Variant, x pipeline.Stencil) {
		_, loops, p := v.Of(t, x)
		proof := proof.Staging(p, loops)
		t.Logf("%v, %v", proof, proof.Took)
		require.True(t, proof.Holds, proof.Text(false))
	})
}
