package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/tool"
)

// twoArrays is a function whose arrays are tested not to overlap.
const twoArrays = `void f(int T, int n, double *a, double *b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
    for (int i = 1; i < n - 1; i++)
      a[i] = b[i];
  }
#pragma endscop
}
`

// TestCompiledMutants: verify finds what is wrong with printed C, where the emulator has run the loops and found nothing: a wrong number, an element outside of an
// array, which only sanitizers find, since no result depends on it, and a test that does not test.
func TestCompiledMutants(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		tool.Missing(t, "no gcc: printed C is not compiled")
	}
	res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(twoArrays)}, hexcc.Options{Target: hexcc.OpenMP, NoAlias: true})
	require.NoError(t, err)
	request := emulate.Request{CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Sizes: []emulate.Size{{"T": 5, "n": 40}}, Seed: 1}
	v, err := emulate.Verify(request)
	require.NoError(t, err)
	require.True(t, v.OK())
	whole := res.C.Text
	run := func(sanitize bool) (string, error) {
		c := &verifyCmd{Target: "openmp", Device: "cpu", Sanitize: sanitize}
		c.File = "f.c"
		var said strings.Builder
		err := c.runCPU(&session{stdout: &said, stderr: &said}, res, res.Regions[0], request, v)
		return said.String(), err
	}
	said, err := run(true)
	require.NoError(t, err, said)
	require.Contains(t, said, "rows in loops, under sanitizers, with the file around it, at 1 sizes: all 79 elements are equal")
	require.Contains(t, said, "rows in vectors that fill cache lines, under sanitizers with T=5, n=40, where it does not hold that arrays a and b do not overlap: the original loops run, all 79 elements are equal")
	for name, mutant := range map[string]struct {
		old, changed, finds string
		sanitize            bool
	}{
		"a wrong number": {"0.25 * ", "0.26 * ", "elements differ", false},
		"a wild read":    {" = 0.25 * ", " = 0 * b[-1000000] + 0.25 * ", "", true},
		"no test":        {"if (hexcc_f_0", "if (1 || hexcc_f_0", "the tiled loops run", false},
	} {
		before, rest, found := strings.Cut(whole, "#pragma scop")
		if !found {
			before, rest = whole, ""
		}
		res.C.Text = strings.Replace(before, mutant.old, mutant.changed, 1) + rest
		require.NotEqual(t, whole, res.C.Text, name)
		said, err := run(mutant.sanitize)
		require.Error(t, err, "%s: %s", name, said)
		require.Contains(t, said, mutant.finds, name)
	}
}
