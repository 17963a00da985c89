package e2e_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	testcases "github.com/hexcc/hexcc/internal/cases"
)

// TestIdiomsReady verifies every fifth program of testdata/idioms, or with HEXCC_TESTS=all each, with kernels whose tiles wait for each
// other: as many as have slopes.
func TestIdiomsReady(t *testing.T) {
	ready, all := make(chan bool, 10_000), 0
	t.Run("all", func(t *testing.T) {
		testcases.EachNthIdiom(t, 5, 2, func(t *testing.T, x testcases.Idiom) {
			res, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, hexcc.Options{Launch: hexcc.Ready})
			if err != nil && strings.Contains(err.Error(), "HX214") {
				why := "no slopes bound how far tiles reach"
				if x.Name == "unsharp" {
					why = "may use a common element of blury, and neither waits for the other"
				}
				require.ErrorContains(t, err, why)
				ready <- false
				return
			}
			require.NoError(t, err)
			ready <- true
			require.NotNil(t, res.GPU.Chains)
			v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
			require.NoError(t, err)
			require.True(t, v.OK(), "%v", v)
		})
	})
	close(ready)
	wait := 0
	for yes := range ready {
		all++
		if yes {
			wait++
		}
	}
	t.Logf("tiles of %d of %d idioms wait for each other", wait, all)
	require.Greater(t, 10*wait, 9*all)
}
