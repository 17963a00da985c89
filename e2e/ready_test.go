package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	testcases "github.com/hexcc/hexcc/internal/cases"
)

// neverReady are the idioms whose tiles cannot wait for each other, with why.
var neverReady = map[string]string{
	"advection-uv":       "may use a common element of vv, and neither waits for the other",
	"fast-waves":         "may use a common element of u, and neither waits for the other",
	"hydrostatic":        "no slopes bound how far tiles reach",
	"unsharp":            "may use a common element of blury, and neither waits for the other",
	"vertical-advection": "no slopes bound how far tiles reach",
	"vertical-diffusion": "no slopes bound how far tiles reach",
}

// TestIdiomsReady verifies every fifth program of testdata/idioms, in CI those whose round it is, or with HEXCC_TESTS=all each, with kernels whose tiles wait for each
// other: all that have slopes.
func TestIdiomsReady(t *testing.T) {
	testcases.EachNthIdiom(t, 5, 2, func(t *testing.T, x testcases.Idiom) {
		res, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, hexcc.Options{Launch: hexcc.Ready})
		if why := neverReady[x.Name]; why != "" {
			require.ErrorContains(t, err, why)
			require.ErrorContains(t, err, "HX214")
			return
		}
		require.NoError(t, err)
		require.NotNil(t, res.GPU.Chains)
		v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
		require.NoError(t, err)
		require.True(t, v.OK(), "%v", v)
	})
}
