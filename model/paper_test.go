package model_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// box27 is the 3-D box of 27 points, jacobi5 the 2-D star of 5.
func box27(t *testing.T) pipeline.Stencil {
	var terms []string
	for d := range 27 {
		terms = append(terms, fmt.Sprintf("A[t%%2][i%+d][j%+d][k%+d]", d/9-1, d/3%3-1, d%3-1))
	}
	return pipeline.Read(t, "box27", `void f(int T, int n, float A[2][n][n][n]) {
#pragma scop
for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
  A[(t+1)%2][i][j][k] = `+strings.Join(terms, " + ")+`;
#pragma endscop
}`)
}

func jacobi5(t *testing.T) pipeline.Stencil {
	return pipeline.Read(t, "jacobi5", `void f(int T, int n, float A[2][n][n]) {
#pragma scop
for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
  A[(t+1)%2][i][j] = A[t%2][i][j] + A[t%2][i-1][j] + A[t%2][i+1][j] + A[t%2][i][j-1] + A[t%2][i][j+1];
#pragma endscop
}`)
}

// counted returns what a full tile of x costs on sm_80 if it uses nothing of the tile before, as the papers count.
func counted(t *testing.T, x pipeline.Stencil, h int64, w ...int64) lower.Counts {
	d := pipeline.Device(t, "sm_80")
	tiles, err := schedule.HybridTiles(x.Space, x.Cone, schedule.Sizes{H: h, W: w})
	require.NoError(t, err)
	return lower.NewCounter(x.Space, d, lower.Options{Strategy: lower.Staged}).Counts(tiles)[0]
}

// TestPaper checks numbers of the papers and of their closed forms.
func TestPaper(t *testing.T) {
	jacobi, box := jacobi5(t), box27(t)

	n := counted(t, jacobi, 2, 3, 32)
	require.Equal(t, []int64{1152, 588, 552, 512}, []int64{n.Points, n.Loads, n.Stores, n.Fresh})
	require.InDelta(t, 0.510, float64(n.Loads)/float64(n.Points), 0.0005)
	n = counted(t, jacobi, 5, 5, 256)
	require.InDelta(t, 0.235, float64(n.Loads)/float64(n.Points), 0.0005)

	// 3-D heat: 2(1 + 2h + h² + w0(h+1)) w1 w2 iterations; 19,200 for these sizes.
	n = counted(t, box, 2, 7, 10, 32)
	require.Equal(t, []int64{19200, 12736, 11008}, []int64{n.Points, n.Loads, n.Fresh})
	for h := range int64(4) {
		for _, w := range [][]int64{{0, 2, 32}, {1, 3, 32}, {5, 4, 7}} {
			require.Equal(t, 2*(1+2*h+h*h+w[0]*(h+1))*w[1]*w[2], counted(t, box, h, w...).Points)
		}
	}

	// Hexagons of slope 1 have 2(h+1)(h+1+w0) points, 36 for h=2, w0=3; those of
	// slopes 1 and 2, of the paper's figure 4, 42.
	line := pipeline.Read(t, "line", `void f(int T, int n, float A[2][n]) {
#pragma scop
for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) A[(t+1)%2][i] = A[t%2][i-1] + A[t%2][i] + A[t%2][i+1];
#pragma endscop
}`)
	require.EqualValues(t, 36, counted(t, line, 2, 3).Points)
	for h := range int64(6) {
		for w := range int64(6) {
			require.Equal(t, 2*(h+1)*(h+1+w), counted(t, line, h, w).Points)
		}
	}
	for _, x := range pipeline.All(t) {
		if x.Name == "asymmetric" {
			require.EqualValues(t, 42, counted(t, x, 2, 3).Points)
			return
		}
	}
	t.Fatal("testdata lacks the asymmetric case")
}

// TestDocsSizes: sizes that docs say are chosen, and the reason against others that they show, are those of today.
func TestDocsSizes(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	for _, c := range []struct{ name, file, quote string }{
		{"jacobi-2d", "../docs/tiles.md", `(?m)^    (h=\S+ +\d+ % slower: .*)$`},
		{"heat-3d", "../docs/kernels.md", "hexcc chooses\\s`(.*?)`"},
	} {
		doc, err := os.ReadFile(c.file)
		require.NoError(t, err)
		shown := regexp.MustCompile(c.quote).FindSubmatch(doc)
		require.NotNil(t, shown, c.file)
		x := pipeline.Case(t, c.name)
		choice, err := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
		require.NoError(t, err)
		if c.name == "heat-3d" {
			require.Equal(t, choice.Best[0].Sizes.String(), string(shown[1]))
		} else {
			require.Contains(t, choice.String(), string(shown[1]))
		}
	}
}

// TestDocs checks the worked example of docs/tiles.md; -update rewrites it.
func TestDocs(t *testing.T) {
	const file, open, end = "../docs/tiles.md", "```choice\n", "```\n"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), open)
	require.True(t, ok)
	shown, after, ok := strings.Cut(rest, end)
	require.True(t, ok)

	d := pipeline.Device(t, "sm_80")
	x := jacobi5(t)
	c, err := model.Assess(x.Space, x.Cone, d, model.Typical{"n": 4096, "T": 1000}, schedule.Sizes{H: 2, W: []int64{3, 32}}, model.Asked{})
	require.NoError(t, err)
	if *golden.Update {
		require.NoError(t, os.WriteFile(file, []byte(before+open+c.String()+end+after), 0o666))
		return
	}
	require.Equal(t, shown, c.String())
}
