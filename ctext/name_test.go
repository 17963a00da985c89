package ctext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
)

// TestNamesOfFiles checks that the names of different files give different macros and, but for - and _, different functions.
func TestNamesOfFiles(t *testing.T) {
	bases := []string{"a-b", "a_b", "a.b", "a b", "a$b", "A-b", "a-B", "é", "ü", "_", "__", "-", "é_", "名", "x\ny", "a-b_", "a__b"}
	guards, functions := map[string]string{}, map[string]string{}
	for _, b := range bases {
		guard, function := ctext.Guard(b), ctext.Functions{Base: b}.Run()
		require.Regexp(t, `^\w+$`, guard)
		require.Regexp(t, `^\w+$`, function)
		require.Empty(t, guards[guard], "%q: %s", b, guard)
		guards[guard] = b
		if other, ok := functions[function]; ok {
			require.Equal(t, strings.ReplaceAll(b, "-", "_"), strings.ReplaceAll(other, "-", "_"), "%q and %q: %s", b, other, function)
		}
		functions[function] = b
	}
	require.Equal(t, "HEXCC_JACOBI_2D_HEX_H", ctext.Guard("jacobi-2d"))
	require.Equal(t, "hexcc_jacobi_2d_0", ctext.Functions{Base: "jacobi-2d"}.Run())
}
