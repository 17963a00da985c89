package hexcc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	programs "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
)

const (
	seidel = `void seidel(int T, int n, float A[n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = 0.2f * (A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j]);
#pragma endscop
}
`
	twice = `void twice(int n, int m, const float in[restrict n][m], float out[restrict n][m])
{
  float mid[500][500];
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      mid[i][j] = in[i - 1][j] + in[i + 1][j] + in[i][j - 1];
  for (int i = 2; i < n - 2; i++)
    for (int j = 1; j < m - 1; j++)
      out[i][j] = mid[i - 1][j] + mid[i + 1][j] + in[i][j];
#pragma endscop
}
`
)

// An edit of a schedule file.
type edit struct {
	from, to string
	wrong    string // what is said; "": nothing is wrong
}

// TestSavedTiles: parallelograms, boxes that overlap, step by step and plane by plane, whole columns and rows that stream are saved and read back as the same
// schedule and the same text. What is changed is proved again, and what is then wrong is refused, with two instances, or with the line.
func TestSavedTiles(t *testing.T) {
	jacobi := programs.Input(t, "jacobi-2d")
	sizes := func(h int64, w ...int64) *schedule.Sizes { return &schedule.Sizes{H: h, W: w} }
	planes := &schedule.Sizes{H: 1, W: []int64{16, 32}, Stream: new(0)}
	for _, c := range []struct {
		name, text string
		o          hexcc.Options
		edits      []edit
	}{
		{"parallelograms that wait", jacobi, hexcc.Options{Target: hexcc.OpenMP, Strategy: hexcc.Wavefront, Tile: sizes(2, 8, 64)}, []edit{
			{"h=2, w0=8", "h=3, w0=11", ""},
			{"slope s1 -1..1", "slope s1 -3/2..1", ""},
			{"slope s0 -1..1", "slope s0 -1/2..1", "must run later"},
			{"slope s1 -1..1", "slope s1 0..1", "must run later"},
			{"w0=8", "w0=0", "w0 is at least 1"},
			{"strategy wavefront", "strategy wavefront\nphase 0 time = 0, s0 = 0, s1 = 0", "phase lines go with strategy hybrid"},
			{"strategy wavefront", "strategy space", "tiles of space only have no height h"},
		}},
		{"points in order", seidel, hexcc.Options{Target: hexcc.OpenMP, Tile: sizes(2, 8, 64)}, []edit{
			{"order i, j", "order j, i", "cannot be the first space dimension"},
			{"order i, j", "# order", ""},
			{"order i, j", "order i, k", "does not name each space loop once"},
			{"slope s0 -1..inf", "slope s0 0..inf", "must run later"},
			{"strategy wavefront", "", "go with strategy wavefront"},
		}},
		{"fronts", seidel, hexcc.Options{Strategy: hexcc.Wavefront, Tile: sizes(2, 8, 32)}, []edit{
			{"front 3 2", "front 4 4", ""},
			{"front 3 2", "front 3 1", "must run later"},
			{"front 3 2", "front 2 2", "must run later"},
			{"front 3 2", "front 3", "the line ends is not a number"},
			{"w0=8", "w0=4", "the dependences need front 4 2 here"},
			{"front 3 2", "# front", ""},
		}},
		{"boxes", twice, hexcc.Options{Strategy: hexcc.Overlapped, Tile: sizes(1, 8, 32)}, []edit{
			{"w0=8", "w0=5", ""},
			{"box S0 0: s0 = -1..w0", "box S0 0: s0 = -2..w0 + 1", ""},
			{"box S0 0: s0 = -1..w0", "box S0 0: s0 = 0..w0", "must run later"},
			{"box S0 0: s0 = -1..w0", "box S0 0: s0 = -1..w0 - 1", "the box usually is s0 = -1..w0,"},
			{"box S1 1: s0 = 0..w0 - 1", "box S1 1: s0 = 0..w0 - 2", "is in no tile"},
			{"box S0 0: s0", "# box S0 0: s0", "there is a box line for S1 1, but none for S0 0"},
			{"box S0 0: s0", "box S0 1: s0", "S0 runs at none of the 2 steps of a tile that is step 1"},
			{"box S0 0: s0", "box S7 0: s0", "there is no statement 'S7'"},
			{"w1=32\n", "w1=32\ngroup S0\ngroup S1\n", ""},
			{"w1=32\n", "w1=32\ngroup S1\ngroup S0\n", "S1 depends on S0, which is in a later group"},
			{"w1=32\n", "w1=32\ngroup S1\n", "S0 is in no group"},
			{"tile h=1, w0=8, w1=32", "", "a box is of sizes, and there is no tile line"},
			{"h=1", "h=2", "spans 1 to 1 iterations"},
			{"w1=32\n", "w1=32\nfront 2 2\n", "front lines go with strategy wavefront"},
			{"w1=32\n", "w1=32\ndelay S0 0: 1\n", "the tile does not stream"},
		}},
		{"planes", twice, hexcc.Options{Strategy: hexcc.Overlapped, Tile: planes}, []edit{
			{"delay S1 1: 1", "delay S1 1: 2", ""},
			{"delay S1 1: 1", "delay S1 1: 0", "the delay usually is 1"},
			{"delay S0 0: 0", "delay S0 0: 1", "must run later"},
			{", stream=0", "", "the tile does not stream"},
			{"delay S1", "# delay S1", "there is a delay line for S0 0, but none for S1 1"},
			{"stream=0", "stream=5", "stream=5: dimensions of space are 0 to 1"},
		}},
		{"buffers of a CPU", twice, hexcc.Options{Target: hexcc.OpenMP, Strategy: hexcc.Overlapped, Tile: sizes(1, 8, 32)}, []edit{
			{"box S0 0: s0 = -1..w0", "box S0 0: s0 = -2..w0", ""},
			{"box S0 0: s0 = -1..w0", "box S0 0: s0 = -1..w0 - 1", "must run later"},
		}},
		{"versions", jacobi, hexcc.Options{Strategy: hexcc.Overlapped, Tile: sizes(2, 16, 32)}, []edit{
			{"box S0 0: s0 = -1..w0, s1 = -1..w1", "box S0 0: s0 = 0..w0, s1 = -1..w1", "must run later"},
			{"w0=16", "w0=8", ""},
		}},
		{"columns", programs.ReadIdiom(t, "vertical-diffusion").Text, hexcc.Options{Strategy: hexcc.Overlapped}, nil},
		{"hexagons that wait", jacobi, hexcc.Options{Target: hexcc.OpenMP, Strategy: hexcc.Hybrid, Launch: hexcc.Ready, Tile: sizes(2, 4, 64)}, []edit{
			{"clause launch(ready)", "clause launch(phases)", ""},
			{"slope s0 -1..1", "slope s0 0..1", "must run later"},
		}},
		{"hexagons that wait on a GPU", jacobi, hexcc.Options{Strategy: hexcc.Hybrid, Launch: hexcc.Ready, Tile: sizes(2, 4, 64)}, nil},
		{"rows that stream", jacobi, hexcc.Options{Arch: "sm_90", Kernel: hexcc.Streaming}, []edit{
			{"columns=8", "columns=4", "they follow from it"},
			{"steps=4", "steps=3", "they follow from it"},
			{"tile h=", "# tile h=", ""},
			{"clause kernel(streaming)", "", "cannot be the first space dimension"},
			{"phase 1 time = 0, s0 = 0", "phase 1 time = 0, s0 = 1", "S0["},
			{"slope s1 -1..1", "slope s1 0..1", "must run later"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.NoAlias = true
			saved := func(o hexcc.Options) (*hexcc.Result, string, error) {
				res, err := hexcc.Compile(source([]byte(c.text)), o)
				if err != nil {
					return nil, "", err
				}
				return res, schedule.Save(res.Schedule, res.Clauses...), nil
			}
			first, text, err := saved(c.o)
			require.NoError(t, err)
			load := func(text string) (*hexcc.Result, string, error) {
				return saved(hexcc.Options{Target: c.o.Target, Arch: c.o.Arch, NoAlias: true, Load: hexcc.Source{Name: "d", Text: []byte(text)}})
			}
			again, same, err := load(text)
			require.NoError(t, err, text)
			require.Equal(t, text, same)
			require.Equal(t, first.Schedule.String(), again.Schedule.String())
			for _, e := range c.edits {
				require.Contains(t, text, e.from)
				res, _, err := load(strings.Replace(text, e.from, e.to, 1))
				if e.wrong == "" {
					require.NoError(t, err, "%s => %s", e.from, e.to)
					for _, p := range res.Proofs {
						require.True(t, p.Holds)
					}
					continue
				}
				var list diag.List
				require.ErrorAs(t, err, &list, "%s => %s", e.from, e.to)
				require.Contains(t, list[0].Msg+notesOf(list[0]), e.wrong)
			}
		})
	}
}
