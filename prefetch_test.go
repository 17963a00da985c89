package hexcc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
)

// TestPrefetchWish asks how far ahead planes, and rows that stream, are loaded: rings grow with it, sizes are chosen with them, and what cannot be kept is an error with a way out.
func TestPrefetchWish(t *testing.T) {
	compile := func(n int64, pragma string, o Options) (*Result, error) {
		o.NoAlias = true
		if pragma == "" {
			o.Prefetch = &n
		}
		return Compile(Source{Name: "f.c", Text: []byte(fmt.Sprintf(smoothed, pragma))}, o)
	}
	bytes := func(r *Result) (sum int64) {
		for _, b := range r.GPU.Kernels[0].Shared {
			sum += b.Bytes()
		}
		return sum
	}
	given, err := Overlapped.ParseTile("w0=16,w1=4,w2=32")
	require.NoError(t, err)
	last := int64(0)
	for n := range int64(3) {
		r, err := compile(n, "", Options{Stream: "i", Tile: given})
		require.NoError(t, err)
		require.Greater(t, bytes(r), last)
		last = bytes(r)
		require.Len(t, r.Kept, 1)
		require.Contains(t, r.Kept[0], fmt.Sprintf("prefetch(%d): a plane is loaded ", n))
		require.Equal(t, []string{fmt.Sprintf("prefetch(%d)", n)}, r.Clauses)
		same, err := compile(n, fmt.Sprintf("#pragma hexcc stream(i) tile(w0=16,w1=4,w2=32) prefetch(%d)\n", n), Options{})
		require.NoError(t, err)
		require.Equal(t, last, bytes(same))
	}
	r, err := compile(8, "", Options{Stream: "i"})
	require.NoError(t, err, "sizes are chosen with rings that are longer")
	require.LessOrEqual(t, bytes(r), int64(166912))

	two, err := Compile(Source{Name: "f.c", Text: []byte(cases.TwoPointers)}, Options{NoAlias: true, Strategy: Hybrid, Wishes: Wishes{Prefetch: new(int64)}})
	require.NoError(t, err)
	require.Equal(t, []string{"prefetch(0): tiles load all they need before their first step"}, two.Kept)

	jacobi := `void f(int T, int n, float A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
`
	for _, x := range []struct {
		n    int64
		o    Options
		says string // "": it is kept
	}{
		{1, Options{Strategy: Hybrid}, "prefetch(1) cannot be kept: tiles that do not stream load all they need before their first step"},
		{1, Options{Strategy: Space, Memory: lower.Static}, "prefetch(1) cannot be kept: tiles that do not stream"},
		{1, Options{Kernel: Streaming}, ""},
		{2, Options{Kernel: Streaming}, ""},
		{3, Options{Kernel: Streaming}, ""},
		{0, Options{Kernel: Streaming}, "prefetch(0) cannot be kept: rows that stream through registers are loaded 1 to 8 periods before they are used"},
		{3, Options{Kernel: Streaming, Pipeline: &stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Ahead: 4}}, "prefetch(3) cannot be kept: the pipeline is columns=2,steps=2,warps=2,period=1,ahead=4"},
	} {
		x.o.Prefetch = &x.n
		r, err := Compile(Source{Name: "f.c", Text: []byte(jacobi)}, x.o)
		if x.says == "" {
			require.NoError(t, err)
			require.Equal(t, []string{fmt.Sprintf("prefetch(%[1]d): rows are loaded %[1]d periods before they are used", x.n)}, r.Kept)
			p := r.GPU.Kernels[0].Pipeline()
			require.Equal(t, int(x.n)*p.Period, p.Ahead)
			require.GreaterOrEqual(t, p.Slots, p.Ahead+p.Period)
			continue
		}
		var list diag.List
		require.ErrorAs(t, err, &list)
		require.Equal(t, diag.Code("HX303"), list[0].Code)
		require.Contains(t, list[0].Msg, x.says)
		require.NotEmpty(t, list[0].Help)
	}
	for _, value := range []string{"", "-1", "9", "one"} {
		require.Error(t, new(Wishes).Set("prefetch", value))
	}
}
