package schedule_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	. "github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file runs what comes out of schedules: proofs first, then the kernels
// on the emulator against the program.

// parseC returns the program of a C file.
func parseC(t testing.TB, text string) *scop.Program {
	res, err := frontend.Parse(frontend.Source{Name: "input.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err)
	return res.Programs[0]
}

// region returns a C function with the given declarations of arrays around a body.
func region(params, body string) string {
	return fmt.Sprintf("void f(%s) {\n#pragma scop\n%s\n#pragma endscop\n}\n", params, body)
}

// smallSizes returns small sizes that c allows.
func smallSizes(c *Canonical, cone Cone) Sizes {
	h := LegalH(c.K)[0]
	if h == 0 {
		h = int64(c.K)*2 - 1
	}
	s := Sizes{H: h, W: []int64{MinW0(cone, h) + 1}}
	for i := range c.Space[1:] {
		s.W = append(s.W, []int64{3, 4, 5}[i%3])
	}
	return s
}

// plan returns the schedule of p with layout l at small sizes.
func plan(t testing.TB, p *scop.Program, l Layout) (*Schedule, []Dependence) {
	t.Helper()
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := l.Canonicalize(p, deps)
	require.NoError(t, err)
	require.NoError(t, c.Verify())
	cone, err := BoundCone(c, deps)
	require.NoError(t, err)
	require.NoError(t, cone.Verify())
	s, err := Hybrid(c, cone, smallSizes(c, cone))
	require.NoError(t, err)
	require.NoError(t, s.Verify())
	return s, deps
}

// proved proves s.
func proved(t testing.TB, s *Schedule, deps []Dependence) {
	t.Helper()
	for _, proof := range []Proof{ProvePartition(s), ProveLegality(s, deps)} {
		require.True(t, proof.Holds, "%v\n%v", proof, s)
	}
}

// emulated runs the kernels of s, with parameters up to a size, against the program.
func emulated(t testing.TB, s *Schedule, sizes ...emulate.Size) {
	t.Helper()
	loops, err := astgen.Generate(s)
	require.NoError(t, err)
	device, ok := machine.LookupDevice("sm_80")
	require.True(t, ok)
	kernels, err := lower.Lower(loops, device, lower.Options{})
	require.NoError(t, err)
	for _, r := range kernels.Remarks {
		t.Log("remark:", r)
	}
	v, err := emulate.Verify(emulate.Request{Program: kernels, Schedule: s, Sizes: sizes, Seed: 1, Points: 20000, Jobs: 2})
	require.NoError(t, err)
	require.NotEmpty(t, v.Trials)
	require.True(t, v.OK(), "%v", v)
}

const laplacian3d = `
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 2; k < n - 1; k++)
          A[(t + 1) % 2][i][j][k] = 0.25f * (A[t % 2][i][j][k] + A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k]
            + A[t % 2][i][j - 1][k] - A[t % 2][i][j + 1][k + 1] + A[t % 2][i][j][k - 2]);`

// TestOrdersOfDimensions proves and runs all orders of three dimensions.
func TestOrdersOfDimensions(t *testing.T) {
	p := parseC(t, region("int T, int n, float A[2][n][n][n]", laplacian3d))
	for _, x := range []struct{ order, space, cone string }{
		{"", "[t, i, j, k]", "1 1 1 1 2 2"},
		{"i j k", "[t, i, j, k]", "1 1 1 1 2 2"},
		{"j i k", "[t, j, i, k]", "1 1 1 1 2 2"},
		{"i k j", "[t, i, k, j]", "1 1 2 2 1 1"},
		{"j k i", "[t, j, k, i]", "1 1 2 2 1 1"},
	} {
		s, deps := plan(t, p, Layout{Order: strings.Fields(x.order)})
		assert.Equal(t, "S0[t, i, j, k] -> "+x.space+"\n", s.Canonical.String())
		var slopes []string
		for i := range s.Cone.Lo {
			slopes = append(slopes, s.Cone.Hi[i].RatString(), s.Cone.Lo[i].RatString())
		}
		assert.Equal(t, x.cone, strings.Join(slopes, " "))
		proved(t, s, deps)
		emulated(t, s, emulate.Size{"n": 9, "T": 5})
	}
}

func TestOrdersThatCannotBe(t *testing.T) {
	p := parseC(t, region("int T, int n, float A[2][n][n][n]", laplacian3d))
	for order, want := range map[string]string{
		"k i j":   "the k loop runs through neighbouring elements and cannot be the first space dimension",
		"k j i":   "the k loop runs through neighbouring elements",
		"i j":     "the order i,j of space dimensions does not name each space loop once",
		"i j j":   "does not name each",
		"i j k k": "does not name each",
		"i j x":   "does not name each",
		"t i j k": "does not name each",
	} {
		_, err := Layout{Order: strings.Fields(order)}.Canonicalize(p, nil)
		var list diag.List
		require.ErrorAs(t, err, &list, order)
		assert.Equal(t, diag.Code("HX206"), list[0].Code)
		assert.Contains(t, list[0].Msg, want)
		assert.NotEmpty(t, list[0].Help)
	}
	line := parseC(t, region("int T, int n, float A[2][n]", `
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1];`))
	_, err := Layout{Order: []string{"i"}}.Canonicalize(line, nil)
	require.NoError(t, err)
}

// TestOrderOfNests reorders nests of different depth and loop order.
func TestOrderOfNests(t *testing.T) {
	p := parseC(t, region("int T, int n, float A[n][n][n], float B[n][n][n]", `
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        A[0][j][k] = B[0][j][k];
    for (int k = 1; k < n - 1; k++)
      for (int j = 1; j < n - 1; j++)
        for (int i = 1; i < n - 1; i++)
          B[i][j][k] = A[i - 1][j][k] + A[i][j + 1][k] + A[i][j][k + 1];
    for (int x = 1; x < n - 1; x++)
      for (int y = 1; y < n - 1; y++)
        for (int z = 1; z < n - 1; z++)
          A[x][y][z] = B[x][y][z - 1] + B[x + 1][y - 1][z];
  }`))
	for _, order := range []string{"i j k", "j i k", "j k i", "i k j"} {
		s, deps := plan(t, p, Layout{Order: strings.Fields(order)})
		t.Log(s.Canonical, s.Cone)
		proved(t, s, deps)
		emulated(t, s, emulate.Size{"n": 7, "T": 4})
	}
}

const laplacian4d = `
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          for (int l = 1; l < n - 1; l++)
            A[(t + 1) % 2][i][j][k][l] = 0.125f * (A[t % 2][i][j][k][l] + A[t % 2][i - 1][j][k][l] + A[t % 2][i + 1][j][k][l]
              + A[t % 2][i][j - 1][k][l] + A[t % 2][i][j + 1][k][l] + A[t % 2][i][j][k - 1][l] + A[t % 2][i][j][k + 1][l]
              + A[t % 2][i][j][k][l - 1] + A[t % 2][i][j][k][l + 1]);`

// TestFourDimensions goes all the way with four space dimensions.
func TestFourDimensions(t *testing.T) {
	p := parseC(t, region("int T, int n, float A[2][n][n][n][n]", laplacian4d))
	s, deps := plan(t, p, Layout{})
	assert.Equal(t, []string{"s0", "s1", "s2", "s3"}, s.Canonical.Space)
	proved(t, s, deps)
	emulated(t, s, emulate.Size{"n": 7, "T": 4})
	s, deps = plan(t, p, Layout{Order: slices.Collect(strings.SplitSeq("k,i,j,l", ","))})
	proved(t, s, deps)
}

// TestUnboundedFromAbove takes distances that are bounded on one side only, in
// a classical dimension.
func TestUnboundedFromAbove(t *testing.T) {
	for _, x := range []struct{ name, params, body, cone string }{
		{"a column that all others read", "int T, int n, float A[T + 1][n][n]", `
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 0; j < n; j++)
        A[t + 1][i][j] = A[t][i - 1][j] + A[t][i + 1][0];`,
			"-1*dt <= ds0 <= 1*dt; -0*dt <= ds1"},
		{"a shallow nest whose values a whole row reads", "int T, int n, float A[T + 1][n][n], float b[T][n]", `
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      b[t][i] = 0.5f * A[t][i][0];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[t + 1][i][j] = A[t][i][j + 1] * b[t][i - 1];
  }`,
			"-0*dt <= ds0 <= 0*dt; -1/2*dt <= ds1"},
		{"a row of a plane, classical by its place", "int T, int n, float A[T + 1][n][n][n]", `
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n; k++)
          A[t + 1][i][j][k] = A[t][i + 1][1][k - 1] - A[t][i - 1][j + 1][k];`,
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1; -0*dt <= ds2 <= 1*dt"},
		{"unbounded from below only: the dimension is turned", "int T, int n, float A[T + 1][n][n]", `
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n; j++)
        A[t + 1][i][j] = A[t][i - 1][j - 1] + A[t][i + 1][n - 1];`,
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1"},
	} {
		s, deps := plan(t, parseC(t, region(x.params, x.body)), Layout{})
		assert.Equal(t, x.cone, strings.ReplaceAll(strings.TrimSpace(s.Cone.String()), "\n", "; "), x.name)
		proved(t, s, deps)
		emulated(t, s, emulate.Size{"n": 9, "T": 6})
	}
}

// TestDescendingPlaces aligns nests that run through an array in opposite directions.
func TestDescendingPlaces(t *testing.T) {
	for _, x := range []struct{ name, params, body, space, cone string }{
		{"copied back from the end", "int T, int n, float A[n], float B[n]", `
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      B[i] = A[i - 1] + A[i] - A[i + 1];
    for (int i = 1; i < n - 1; i++)
      A[n - 1 - i] = B[n - 1 - i];
  }`,
			"S0[t, i] -> [2*t, i]; S1[t, i] -> [2*t + 1, -i + n - 1]",
			"-1*dt <= ds0 <= 1*dt"},
		{"only descending", "int T, int n, float A[2][n]", `
  for (int t = 0; t < T; t++)
    for (int i = 2; i < n; i++)
      A[(t + 1) % 2][n - i] = A[t % 2][n - i + 1] - A[t % 2][n - i];`,
			"S0[t, i] -> [t, -i]",
			"-1*dt <= ds0 <= 1*dt"},
		{"first descending, then ascending, with a shallow nest", "int T, int n, float A[n][n], float B[n][n]", `
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n - 1; j++)
        B[n - i][j] = A[n - i][j] + A[n - i - 1][j + 1];
    for (int j = 1; j < n - 1; j++)
      A[n - 1][n - 1 - j] = B[n - 1][n - 1 - j];
    for (int i = 0; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][n - 1 - j] = B[i][n - 1 - j] - B[i + 1][n - 2 - j];
  }`,
			"S0[t, i, j] -> [2*t, -i + n, j]; S1[t, j] -> [2*t, n - 1, -j + n - 1]; S2[t, i, j] -> [2*t + 1, i, -j + n - 1]",
			"-1*dt <= ds0 <= 1*dt; -1*dt <= ds1 <= 1*dt"},
	} {
		s, deps := plan(t, parseC(t, region(x.params, x.body)), Layout{})
		assert.Equal(t, x.space, strings.ReplaceAll(strings.TrimSpace(s.Canonical.String()), "\n", "; "), x.name)
		assert.Equal(t, x.cone, strings.ReplaceAll(strings.TrimSpace(s.Cone.String()), "\n", "; "), x.name)
		proved(t, s, deps)
		emulated(t, s, emulate.Size{"n": 17, "T": 6})
	}
}

// TestArraysThatLieAcross aligns nests whose arrays are transposed or reversed
// against each other.
func TestArraysThatLieAcross(t *testing.T) {
	for _, x := range []struct{ body, space string }{
		{`
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[j][i] = A[i - 1][j] + A[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = B[j][i] - B[j - 1][i];
  }`, "S0[t, i, j] -> [2*t, j, i]; S1[t, i, j] -> [2*t + 1, j, i]"},
		{`
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][n - 1 - j] = A[i - 1][j] + A[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = B[i][n - 1 - j] - B[i][n - j];
  }`, "S0[t, i, j] -> [2*t, i, -j]; S1[t, i, j] -> [2*t + 1, i, -j]"},
	} {
		s, deps := plan(t, parseC(t, region("int T, int n, float A[n][n], float B[n][n]", x.body)), Layout{})
		assert.Equal(t, x.space, strings.ReplaceAll(strings.TrimSpace(s.Canonical.String()), "\n", "; "))
		proved(t, s, deps)
		emulated(t, s, emulate.Size{"n": 14, "T": 5})
	}
}

// TestUnboundedNeedsAnotherOrder puts the dimension that is unbounded first,
// which is refused, and then second.
func TestUnboundedNeedsAnotherOrder(t *testing.T) {
	p := parseC(t, region("int T, int n, float A[T + 1][n][n][n]", `
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[t + 1][i][j][k] = A[t][0][j][k + 1] - A[t][i][j + 1][k];`))
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := Canonicalize(p, deps)
	require.NoError(t, err)
	_, err = BoundCone(c, deps)
	var list diag.List
	require.ErrorAs(t, err, &list)
	assert.Equal(t, diag.Code("HX202"), list[0].Code)
	assert.Contains(t, list[0].Help, "--order")
	s, deps := plan(t, p, Layout{Order: []string{"j", "i", "k"}})
	proved(t, s, deps)
	emulated(t, s, emulate.Size{"n": 8, "T": 5})
}
