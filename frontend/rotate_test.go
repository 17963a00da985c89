package frontend_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestSpellings checks that buffers chosen by t % 2, t & 1 and by an exchange of
// pointers are one program, but for the text of the accesses.
func TestSpellings(t *testing.T) {
	const loops = `
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        OUT[i][j] = 0.2 * (IN[i][j] + IN[i - 1][j] + IN[i + 1][j] + IN[i][j - 1] + IN[i][j + 1]);
    AFTER
  }
#pragma endscop
`
	const modulo, swap = "double A[restrict 2][n][n]", "double (*restrict A)[n], double (*restrict B)[n]"
	cases := []struct{ name, params, before, in, out, after string }{
		{"modulo", modulo, "", "A[t % 2]", "A[(t + 1) % 2]", ""},
		{"minus", modulo, "", "A[t % 2]", "A[1 - t % 2]", ""},
		{"and", modulo, "", "A[t & 1]", "A[(t + 1) & 1]", ""},
		{"inner temporary", swap, "", "A", "B", "double (*tmp)[n] = A; A = B; B = tmp;"},
		{"outer temporary", swap, "double (*tmp)[n];", "A", "B", "tmp = A; A = B; B = tmp;"},
		{"other way", swap, "void *tmp;", "A", "B", "tmp = B, B = A, A = tmp;"},
		{"macro", swap, "", "A", "B", "do { void *tmp = A; A = B; B = tmp; } while (0);"},
		{"aliases", swap, "", "A", "B", "double (*x)[n] = B, (*y)[n] = A; A = x; B = y;"},
	}
	want := ""
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			text := loops
			for from, to := range map[string]string{"IN": c.in, "OUT": c.out, "AFTER": c.after} {
				text = regexp.MustCompile(`\b`+from+`\b`).ReplaceAllLiteralString(text, to)
			}
			text = "void f(int T, int n, " + c.params + ")\n{" + c.before + text + "}\n"
			res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(text)}, frontend.Options{})
			require.NoError(t, err, text)
			if want == "" {
				want = res.Programs[0].String()
			}
			require.Equal(t, want, res.Programs[0].String())
		})
	}
}
