package gpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
)

func TestMapJacobi(t *testing.T) {
	two := jacobi(2)
	d, _ := gpu.LookupDevice("sm_80")
	p, err := gpu.Map(generate(hexagonal(two, straight(two, 2), 2, 3, 32)), d, gpu.Options{})
	require.NoError(t, err)
	require.NoError(t, p.Verify())
	t.Log(p)
}
