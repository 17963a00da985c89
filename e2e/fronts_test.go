package e2e_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
)

// TestFronts runs programs whose space loops carry dependences for every target, in parallelograms as they are chosen and in small ones, at odd
// sizes, and compares with the original, bit for bit.
func TestFronts(t *testing.T) {
	all, missing := targets()
	t.Log(missing)
	testcases.InPlaceInTurns(t, func(t *testing.T, base, text string) {
		for _, small := range []bool{false, true} {
			for i, x := range all {
				if !small && (i+len(base))%2 > 0 && !testcases.Every() {
					continue // tiles as they are chosen, for targets in turn
				}
				o := hexcc.Options{Target: x.to, NoAlias: true, Base: base, Strategy: hexcc.Wavefront}
				if small {
					first, err := hexcc.Compile(source([]byte(text)), hexcc.Options{NoAlias: true, Strategy: hexcc.Wavefront, Stop: "space"})
					require.NoError(t, err)
					o.Tile = &schedule.Sizes{H: schedule.LegalH(first.Space.K)[1]}
					for p := range first.Space.Space {
						o.Tile.W = append(o.Tile.W, 3+2*int64(p))
					}
				}
				res, err := hexcc.Compile(source([]byte(text)), o)
				require.NoError(t, err, x.name)
				require.Equal(t, hexcc.Wavefront, res.Strategy)
				x.atOddSizes(t, base, res)
			}
		}
	})
}

// TestFrontsBetweenWalls verifies a program of which one statement of a level depends on the one before, and a third on none of them: in a wave the
// third runs before the second.
func TestFrontsBetweenWalls(t *testing.T) {
	text, err := os.ReadFile("../examples/gallery/cardiac.c")
	require.NoError(t, err)
	res, err := hexcc.Compile(source(text), hexcc.Options{Strategy: hexcc.Wavefront})
	require.NoError(t, err)
	c := res.Schedule.Canonical
	require.Equal(t, c.Levels[1], c.Levels[2])
	require.Greater(t, c.Ranks[1], c.Ranks[2])
	v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
	require.NoError(t, err)
	require.True(t, v.OK(), "%v", v)
}

// TestFrontsByNest verifies updates in place of which the proof of what waves store needs more than sums of iterators:
// planes that the steps use in turn, with steps of a tile as a loop, so that none of them is the plane of all; a loop in steps of two; iterations of the time loop that begin
// with the same wave.
func TestFrontsByNest(t *testing.T) {
	for _, nest := range []string{
		"for (int i = 3; i < m - 1; i++) { C[i][n] = C[i - 2][n]; C[i][n] -= A[(t + 2) % 2][i + 2][n]; }",
		"for (int j = 3; j < n - 3; j++) for (int i = 2; i < m - 1; i += 2) C[i][j] = C[i - 2][j + 2];",
		"{ for (int i = 3; i < n - 3; i++) C[0][i] = 1; for (int i = 3; i < n - 2; i++) C[0][i] += C[0][i - 1] * A[t % 2][0][i - 1];" +
			" for (int i = 2; i < n - 3; i++) A[(t + 1) & 1][0][i] *= C[0][i - 2] + A[t % 2][0][i + 2]; }",
	} {
		res, err := hexcc.Compile(source([]byte(`void f(int T, int n, int m, int A[restrict 2][m + 1][n + 2], double C[restrict m + 1][n + 2]) {
#pragma scop
  for (int t = 1; t < T; t++)
    `+nest+`
#pragma endscop
}
`)), hexcc.Options{Strategy: hexcc.Wavefront})
		verifiedInEmulator(t, res, err)
	}
}

// TestColumnsBesideOthers verifies a nest whose middle loop runs in order, and that reads an array by the last one: tiles follow each other along the middle.
func TestColumnsBesideOthers(t *testing.T) {
	res, err := hexcc.Compile(source([]byte(`void f(int T, int m, float B[restrict m][m + 1][m], const int D[restrict m]) {
#pragma scop
  for (int t = 1; t < T; t++)
    for (int i = 2; i < m - 1; i++)
      for (int j = 2; j < m - 1; j++)
        for (int k = 2; k < m - 1; k++)
          B[i][j][k] = B[i][j + 1][k] < 1 == D[k];
#pragma endscop
}
`)), hexcc.Options{Fallback: hexcc.Space})
	verifiedInEmulator(t, res, err)
}

// verifiedInEmulator checks that the kernels of a translation, if there was no error, leave what the original does.
func verifiedInEmulator(t *testing.T, res *hexcc.Result, err error) {
	t.Helper()
	require.NoError(t, err)
	v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
	require.NoError(t, err)
	require.True(t, v.OK(), "%v", v)
}
