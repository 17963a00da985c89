package e2e_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestNames checks that constants keep their names in kernels: those that are one operand
// wherever they stand. One that headers may define, or that the text has for something
// else, gets an underscore; a second value of a name stays a number.
func TestNames(t *testing.T) {
	text, err := os.ReadFile("../testdata/idioms/named-constants.c")
	require.NoError(t, err)
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenMP} {
		res, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: text}, hexcc.Options{Target: target})
		require.NoError(t, err)
		out := res.Files.Kernel + res.C.Whole
		for _, line := range []string{
			"const double C0 = 0.75;", "const float C1 = 0.0625f;", "const float THIRD = 0.33333334f;", "const double HALF = 0.5;",
			"const int WEIGHT = 3;", "const double M_PI_ = 3.14159265358979323846;",
		} {
			require.Contains(t, out, line)
		}
		require.Contains(t, out, " - 0.25")
		require.NotContains(t, out, "NEGATIVE")
		require.NotContains(t, out, "0.33333334f /")
	}
}
