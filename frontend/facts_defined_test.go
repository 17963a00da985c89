package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestSizesSetByStatements checks that a size which a statement sets from one that keeps a number is known, so that nothing is guessed, and that it is not where that changes.
func TestSizesSetByStatements(t *testing.T) {
	const text = `#include <stdlib.h>
const float weights[3] = {0, 0.75f, 0.3f};
int main(void)
{
  int n = 1001, rows, stages = 3, t, s, i;
  SET
  float *u = malloc(rows * sizeof *u), *old = malloc(rows * sizeof *old);
#pragma scop
  for (t = 0; t < 9; t++) {
    for (i = 0; i < rows; i++) old[i] = u[i];
    for (s = 0; s < stages; s++) {
      for (i = 0; i < n; i++) u[i + 2] = weights[s] * old[i + 2] + 0.5f * u[i + 2];
      u[n + 3] = u[3];
    }
  }
#pragma endscop
}`
	for set, guesses := range map[string]bool{
		"rows = n + 2 + 2;":                false,
		"rows = n;":                        false,
		"rows = n + 4; rows = atoi(\"\");": true,
		"rows = atoi(\"\");":               true,
	} {
		res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(strings.Replace(text, "SET", set, 1))}, frontend.Options{})
		require.NoError(t, err)
		said := strings.Contains(res.Warnings.Error(), "HX109")
		require.Equal(t, guesses, said, "%s\n%s", set, res.Warnings)
	}
}
