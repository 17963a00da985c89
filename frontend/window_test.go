package frontend

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongBodies reads loops between numbers over a whole grid beside loops that are written out: none of their iterations are left out. A grid of 32
// points a side is a nest; bodies that are too long are refused, whichever loop passes the bound.
func TestLongBodies(t *testing.T) {
	read := func(loops, store string) (*Result, error) {
		return Parse(Source{Name: "s.c", Text: []byte("void f(int T, float a[restrict 40000])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n" + loops + store + "\n#pragma endscop\n}\n")}, Options{})
	}
	res, err := read("for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++) for (int k = 0; k < 32; k++)",
		"{ if ((i + j + k) & 1) continue; a[(i * 32 + j) * 32 + k] = 0.5f * a[(i * 32 + j) * 32 + k]; }")
	require.NoError(t, err)
	require.Len(t, res.Programs[0].Stmts[0].Iters, 4)
	res, err = read("for (int c = 0; c < 2; c++) for (int i = 0; i < 32; i++) for (int j = 0; j < 32; j++) for (int k = 0; k < 32; k++)",
		"{ if ((i + j + k + c) & 1) continue; a[(i * 32 + j) * 32 + k] = 0.5f * a[(i * 32 + j) * 32 + k]; }")
	if err == nil { // else it says so
		for _, st := range res.Programs[0].Stmts {
			require.Greater(t, len(st.Iters), 3)
		}
	}
	_, err = read("for (int i = 0; i < 300; i++) { float s = 0; for (int p = 0; p < 20; p++) for (int q = 0; q <= p; q++) for (int r = 0; r < 32; r++)", "s += a[i + p + q + r]; a[30000 + i] = s; }")
	require.ErrorContains(t, err, "too long a body")
}
