package hexcc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/schedule"
)

// TestHiddenSizes: where a function that a loop of ranks calls has a variable with the name of one around the region, the nests in it are of sizes that may change, and what they read of rows of others depends on these.
func TestHiddenSizes(t *testing.T) {
	const text = `
#include <math.h>
static void smooth(int m, double *a, double *b)
{
    int LOCAL = m;
    LOCAL -= 2;
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < LOCAL; j++)
            b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j];
}

void f(int n, int m, double tol, double *A, double *B)
{
    double e = 1;
#pragma scop
    while (e > tol) {
        smooth(m, A, B);
        e = 0;
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n; j++)
                e = fmax(e, B[(i - 1) * m + j]);
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i * m + j] = 0.1 * B[i * m + j];
    }
#pragma endscop
}
`
	for _, local := range []string{"n", "inside"} {
		res, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(text)}, hexcc.Options{Target: hexcc.MPI, Base: "s", Defines: []string{"LOCAL=" + local}})
		require.NoError(t, err)
		loop := res.Regions[0].Together
		require.NotNil(t, loop)
		sized := []bool{}
		for _, h := range loop.Halos {
			sized = append(sized, h.Sized)
		}
		require.Equal(t, map[string][]bool{"n": {true, true, true}, "inside": {true, true, false}}[local], sized, "%v", loop)
	}
}

// TestTimeLoopsOnRanks: of time loops in a loop that ranks run one is tiled in time, with sizes that leave ranks tiles to share out, and nests beside it have boxes of single rows; where that cannot be, all run step by step, and a
// remark says why.
func TestTimeLoopsOnRanks(t *testing.T) {
	const text = `
#ifndef N
#define N n
#endif
void f(int n, int m, int T, double A[N][m], double B[N][m], double C[N][m])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 4; i < N - 4; i++)
            for (int j = 0; j < m; j++)
                C[i][j] = 0.5 * (C[i][j] + A[i AWAY][j]);
        for (int k = 0; k < 20; k++) {
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) + C[i][j];
            for (int i = 1; i < N - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    A[i][j] = B[i][j];
        }
    }
#pragma endscop
}
`
	for _, c := range []struct {
		name    string
		defines []string
		o       hexcc.Options
		tiled   bool
		remark  string
	}{
		{"of any size", []string{"AWAY=-1"}, hexcc.Options{}, true, ""},
		{"as asked", []string{"AWAY=-1", "N=60"}, hexcc.Options{Tile: &schedule.Sizes{H: 3, W: []int64{1, 8}}}, true, ""},
		{"too few rows", []string{"AWAY=-1", "N=60"}, hexcc.Options{}, false, "ranks run this time loop step by step: arrays of this size have fewer than 8 rows of tiles [HX311]"},
		{"in space", []string{"AWAY=-1"}, hexcc.Options{Strategy: hexcc.Space}, false, ""},
		{"boxes of three rows", []string{"AWAY=-3"}, hexcc.Options{Tile: &schedule.Sizes{H: 3, W: []int64{2, 8}}}, true, ""},
		{"tiles of such boxes", []string{"AWAY=-4", "N=400"}, hexcc.Options{}, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.Target, c.o.Base, c.o.Defines = hexcc.MPI, "s", c.defines
			res, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(text)}, c.o)
			require.NoError(t, err)
			require.Len(t, res.Regions, 2)
			require.True(t, res.Regions[0].Ranks.OneByOne())
			require.Equal(t, !c.tiled, res.Regions[1].Ranks.OneByOne())
			loop := res.Regions[0].Together
			require.Equal(t, c.tiled, loop.Widest == 1)
			said := ""
			for _, d := range res.Warnings {
				if strings.Contains(d.Msg, "ranks run this time loop") {
					said = d.Msg
				}
			}
			require.Equal(t, c.remark, said)
		})
	}
}
