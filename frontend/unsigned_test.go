package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestUnsignedConditions checks that conditions whose sides C compares as unsigned numbers mean what the C compiler makes of them, also where one
// side would be negative: they are read as sums where that is proved or tested (tested says of what), and each instance tests them otherwise.
func TestUnsignedConditions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ condition, tested string }{
		{"i - r < 5", ""}, {"i - 3u < 5", ""}, {"(unsigned)(i - 3) < 5", ""}, {"i - 3 < 5u", ""}, {"m < r", "m >= 0"}, {"i < r && m < r", "m >= 0"}, {"i - 3u", ""},
		{"i < r - 4", "r >= 4"}, {"i >= 1 - r", ""}, {"i - m < 5u", ""}, {"!(i - r >= 5) || i == 2", ""}, {"i > r || i - 2u > r", ""},
		{"i >= 3 && i - 3u < 5", ""}, {"i < 3 || i - 3u < 5", ""}, {"i >= r && (i - r < 5 || i == n - 2)", ""}, {"(i >= 3 ? i - 3u < 5 : i == 1)", ""},
		{"i < r", ""}, {"i + 1 < r", ""}, {"t - 1u < 1", ""}, {"(unsigned long)(i - 3) < 5", ""}, {"i - 3 < 5ul", ""}, {"i + 4294967295u < 2", ""},
	} {
		t.Run(c.condition, func(t *testing.T) {
			t.Parallel()
			text := "double A[64], B[64];\nvoid f(int T, int n, int m, unsigned r)\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n    for (int i = 1; i < n - 1; i++) {\n      if (" +
				c.condition + ")\n        B[i] = A[i - 1] + A[i + 1];\n      else\n        B[i] = A[i];\n    }\n    for (int i = 0; i < n; i++)\n      A[i] = B[i];\n  }\n#pragma endscop\n}\n"
			res, err := frontend.Parse(frontend.Source{Name: "input.c", Text: []byte(text)}, frontend.Options{})
			require.NoError(t, err, text)
			p := res.Programs[0]
			var tested []string
			for _, f := range p.Facts {
				if !f.Range && (strings.Contains(f.Text, "r") || strings.Contains(f.Text, "m")) {
					tested = append(tested, f.Text)
				}
			}
			require.Equal(t, c.tested, strings.Join(tested, ", "))
			var mems []*scop.Memory
			for _, sizes := range []map[string]int64{
				{"T": 3, "n": 12, "m": -1, "r": 3}, {"T": 1, "n": 4, "m": 2, "r": 0}, {"T": 2, "n": 9, "m": 0, "r": 4}, {"T": 3, "n": 20, "m": 5, "r": 9},
			} {
				values := make([]int64, len(p.Params))
				for i, q := range p.Params {
					values[i] = sizes[q.Name]
				}
				holds := true
				for _, f := range p.Facts {
					holds = holds && f.Holds(values)
				}
				if !holds {
					continue // the loops run as they are
				}
				mem, err := scop.NewMemory(p, values, 1)
				require.NoError(t, err)
				mems = append(mems, mem)
			}
			require.NotEmpty(t, mems)
			oracle.SameAsC(t, p, mems...)
		})
	}
}
