package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestLocalArrays says which arrays nobody but the region sees.
func TestLocalArrays(t *testing.T) {
	const text = `#include <stdlib.h>
void see(float *);
void f(int T, int n, float A[n]DECLARE_PARAM)
{
  BEFORE
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = A[i - 1] + A[i + 1];
    for (int i = 1; i < n - 1; i++)
      A[i] = B[i];
  }
#pragma endscop
  AFTER
}
`
	for _, x := range []struct {
		param, before, after string
		want                 bool
	}{
		{"", "float B[n];", "", true},
		{"", "float *B = malloc(n * sizeof *B);", "free(B);", true},
		{"", "float *B = malloc(n * sizeof *B);", "A[0] = 1, free(B);", true},
		{"", "float *B = malloc(n * sizeof *B);", "see(B), free(B);", false},
		{"", "float *B = (float *)calloc(n, sizeof(float));", "", true},
		{"", "float B[n]; if (n > 4) {", "}", true},
		{"", "float B[n];", "see(B);", false},
		{"", "float B[n]; see(B);", "", false},
		{"", "float B[n];", "A[0] = B[1];", false},
		{"", "float B[n]; float *p = B;", "see(p);", false},
		{"", "float *B = A + n;", "", false},
		{"", "float *B = malloc(4 * n); float *p = B;", "see(p);", false},
		{"", "static float B[1000];", "", false},
		{", float B[n]", "", "", false},
	} {
		src := strings.NewReplacer("DECLARE_PARAM", x.param, "BEFORE", x.before, "AFTER", x.after).Replace(text)
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(src)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, src)
		for _, a := range res.Programs[0].Arrays {
			require.Equal(t, a.Name == "B" && x.want, a.Local, "%s\n%s", a.Name, src)
		}
	}
}
