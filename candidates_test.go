package hexcc_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

const heat = `void heat(int T, int n, double A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.2 * (A[t % 2][i][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j] + A[t % 2][i - 1][j]);
#pragma endscop
}
`

// TestCandidates checks for each target that the model's choice is among the ways, that each way says what the model expects, and that its flags
// and its pragma make the same text.
func TestCandidates(t *testing.T) {
	for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C, hexcc.CUDA} {
		src := hexcc.Source{Name: "heat.c", Text: []byte(heat)}
		o := hexcc.Options{Target: target, Grid: map[string]int64{"n": 2000, "T": 100}}
		ways, err := hexcc.Candidates(src, o)
		require.NoError(t, err)
		require.Equal(t, target == hexcc.CUDA, ways.Seconds)
		require.Positive(t, ways.Plain)
		strategies := map[hexcc.Strategy]bool{}
		for i, w := range ways.Ways {
			strategies[w.Strategy] = true
			if target == hexcc.CUDA && w.Strategy == hexcc.Wavefront { // of which the model of GPUs knows no time
				require.Zero(t, w.PerPoint)
				continue
			}
			require.Positive(t, w.PerPoint, w.Flags())
			require.True(t, i == 0 || ways.Ways[i-1].PerPoint <= w.PerPoint)
		}
		require.True(t, strategies[hexcc.Hybrid] && strategies[hexcc.Space], "%v", ways.Refused)
		made, err := hexcc.Compile(src, o)
		require.NoError(t, err)
		require.True(t, textOf(made) == translated(t, src, o, ways.First), "the first is the model's choice: %s", ways.First.Flags())

		first := map[hexcc.Strategy]bool{}
		for _, w := range ways.Ways {
			if first[w.Strategy] {
				continue
			}
			first[w.Strategy] = true
			for _, w := range append(ways.Near(w)[:min(1, len(ways.Near(w)))], w) {
				byFlags := translated(t, src, o, w)
				marked := src
				marked.Text = []byte(strings.Replace(heat, "#pragma scop", w.Pragma()+"\n#pragma scop", 1))
				res, err := hexcc.Compile(marked, o)
				require.NoError(t, err, w.Pragma())
				require.True(t, withoutPragma(byFlags, w) == withoutPragma(textOf(res), w), "%s, %s", w.Flags(), w.Pragma())
			}
		}
	}
}

// translated is the text of a way.
func translated(t *testing.T, src hexcc.Source, o hexcc.Options, w hexcc.Way) string {
	o, err := w.With(o)
	require.NoError(t, err)
	res, err := hexcc.Compile(src, o)
	require.NoError(t, err, w.Flags())
	return textOf(res)
}

func textOf(r *hexcc.Result) string { return r.C.Text + r.Files.Kernel + r.Files.Host + r.Files.Header }

var places = regexp.MustCompile(`lines? \d+( to \d+)?|:\d+|#line \d+`)

// withoutPragma is a text without the line that asks for a way, and without numbers of lines of the source.
func withoutPragma(text string, w hexcc.Way) string {
	var kept []string
	for line := range strings.Lines(strings.ReplaceAll(text, w.Pragma()+"\n", "")) {
		kept = append(kept, places.ReplaceAllString(line, ""))
	}
	return strings.Join(kept, "")
}
