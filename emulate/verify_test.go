package emulate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// requestFor returns the request for a function f of C.
func requestFor(t *testing.T, text string) emulate.Request {
	p := newPlan(t, "f", text)
	return p.request(t, p.small())
}

const average = `void f(int T, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * (A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`

// TestChosenSizes looks at the sizes that are chosen where none are given.
func TestChosenSizes(t *testing.T) {
	r := requestFor(t, average)
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	height, width := r.Schedule.Height, r.Schedule.Phases[0].Space[0].Stride
	seen := map[string]bool{}
	for _, x := range v.Trials {
		steps, points := x.Params[0], x.Params[1]-2
		seen["no step"] = seen["no step"] || steps == 0
		seen["one step"] = seen["one step"] || steps == 1
		seen["some tiles high, not exactly"] = seen["some tiles high, not exactly"] || steps > height && steps%height != 0
		seen["less than a tile wide"] = seen["less than a tile wide"] || points < width/2
		seen["some tiles wide, not exactly"] = seen["some tiles wide, not exactly"] || points > 2*width && points%width != 0
		full, partial := int64(0), int64(0)
		for _, b := range x.Report.Branches {
			if b.Role.Kind == gpu.FullTile {
				full, partial = full+b.Then, partial+b.Else
			}
		}
		seen["full tiles"] = seen["full tiles"] || full > 1
		seen["partial tiles"] = seen["partial tiles"] || partial > 1
	}
	for what, found := range seen {
		require.True(t, found, "%s\n%v", what, v)
	}
	require.GreaterOrEqual(t, len(v.Trials), 6)
}

// TestGivenSizes gives all parameters, some, unknown ones, and values not allowed.
func TestGivenSizes(t *testing.T) {
	r := requestFor(t, average)
	r.Sizes = []emulate.Size{{"T": 4, "n": 19}}
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.Len(t, v.Trials, 2) // one for each version of the kernels
	require.Equal(t, "T=4, n=19", v.Trials[0].Sizes)
	require.Equal(t, "T=4, n=19, in 64 bits", v.Trials[1].Sizes)

	r.Sizes = []emulate.Size{{"n": 23}}
	v, err = emulate.Verify(r)
	require.NoError(t, err)
	require.Greater(t, len(v.Trials), 3)
	for _, x := range v.Trials {
		require.EqualValues(t, 23, x.Params[1])
	}

	r.Sizes = []emulate.Size{{"m": 2}}
	_, err = emulate.Verify(r)
	require.EqualError(t, err, `no parameter "m": the region has T, n`)

	r.Sizes = []emulate.Size{{"T": 1, "n": -1}}
	_, err = emulate.Verify(r)
	require.ErrorContains(t, err, "T=1, n=-1 is not allowed")

	r.Sizes = []emulate.Size{{"T": 1, "n": 1<<24 + 1}}
	_, err = emulate.Verify(r)
	require.ErrorContains(t, err, "[HX403]")
	require.ErrorContains(t, err, "elements")

	r.Sizes = []emulate.Size{{"T": 1<<31 - 1, "n": 1 << 16}} // before the original runs, which would take days
	_, err = emulate.Verify(r)
	require.ErrorContains(t, err, "[HX403]")
	require.ErrorContains(t, err, "instances")
}

// TestNothingToDo verifies at sizes at which nothing is done: by themselves they show nothing.
func TestNothingToDo(t *testing.T) {
	r := requestFor(t, average)
	r.Sizes = []emulate.Size{{"T": 0, "n": 19}, {"T": 3, "n": 2}}
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.False(t, v.OK())
	require.Contains(t, v.String(), "verification failed: no iteration runs at any of the sizes")

	r.Sizes = append(r.Sizes, emulate.Size{"T": 1, "n": 3})
	v, err = emulate.Verify(r)
	require.NoError(t, err)
	require.True(t, v.OK())

	for i := range v.Trials { // as if no array were compared
		v.Trials[i].Difference.Elements = 0
	}
	require.False(t, v.OK())
	require.Contains(t, v.String(), "no element is compared")
	require.False(t, (&emulate.Verification{Outside: []string{"n <= 100 does not hold"}}).OK())
}

// TestRelatedParameters has arrays that are large enough only if one parameter
// is at least another, and not so with the values that come first to mind.
func TestRelatedParameters(t *testing.T) {
	r := requestFor(t, `void f(int T, int n, int m, float A[restrict 2][n][m], float w[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = w[i][j] * (A[t % 2][i - 1][j] + A[t % 2][i][j + 1]);
#pragma endscop
}
`)
	r.Points = 20_000
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.True(t, v.OK(), v)
	require.GreaterOrEqual(t, len(v.Trials), 6)
	most := int64(0)
	for _, x := range v.Trials {
		require.GreaterOrEqual(t, x.Params[1], x.Params[2]-1)
		most = max(most, x.Report.Expected)
	}
	require.Positive(t, most)

	r.Sizes = []emulate.Size{{"m": 31}}
	v, err = emulate.Verify(r)
	require.NoError(t, err)
	for _, x := range v.Trials {
		require.EqualValues(t, 31, x.Params[2])
	}
}

// TestProgramFails has an original program that divides by zero.
func TestProgramFails(t *testing.T) {
	r := requestFor(t, strings.NewReplacer("float", "int", "0.5f * (", "7 / (", "] + A", "] - A").Replace(average))
	_, err := emulate.Verify(r)
	require.ErrorContains(t, err, "[HX121]")
}

// TestPrint pins what a verification prints: of a success, and of a mutant.
func TestPrint(t *testing.T) {
	r := requestFor(t, average)
	r.Sizes = []emulate.Size{{"T": 0, "n": 4}, {"T": 9, "n": 40}}
	r.Proofs = []schedule.Proof{{Name: "partition", Holds: true, Tests: 4}, {Name: "legality", Holds: true, Tests: 3}}
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.Equal(t, `  T=0, n=4               OK        0 instances in 0 full and 0 partial tiles, 8 elements compared
  T=9, n=40              OK        342 instances in 6 full and 12 partial tiles, 80 elements compared
  T=9, n=40, in 64 bits  OK        342 instances, 80 elements compared
dependences respected:   proved for all sizes, 3 emptiness tests
each instance in a tile: proved for all sizes, 4 emptiness tests
instances:               684, each run once
data races:              none
out of bounds:           none
uninitialised reads:     none
elements compared:       168
largest difference:      0
verified: bit for bit at 2 sizes
`, v.String())

	r.Program, _ = edited(r.Program, 0, func(p place) bool { return p.role(0).Kind == gpu.Store && p.inFull }, func(place) []gpu.Node { return []gpu.Node{} })
	v, err = emulate.Verify(r)
	require.NoError(t, err)
	require.Regexp(t, `(?s)T=9, n=40  +MISMATCH  A\[0\]\[\d+\] is -?0\.\d+, should be -?0\.\d+; \d+ of 80 elements differ.*`+
		`largest difference:      [01]\.\d+\nverification failed\n`, v.String())
}

// TestInputsTell checks that the random inputs of the cases stay finite and in
// motion, so that a comparison means something.
func TestInputsTell(t *testing.T) {
	for name, p := range oracle.Cases(t) {
		dims := 1
		for _, s := range p.Stmts {
			dims = max(dims, len(s.Iters)-1)
		}
		params := make([]int64, len(p.Params))
		for i := range params {
			params[i] = []int64{30, 30, 14, 9}[dims-1]
		}
		mem, err := scop.NewMemory(p, params, 2)
		require.NoError(t, err)
		before := mem.Clone()
		require.NoError(t, scop.Run(p, mem))
		d := mem.Compare(before)
		require.Greater(t, 10*d.Differ, d.Elements, "%s: %d of %d elements change", name, d.Differ, d.Elements)
		require.False(t, math.IsInf(d.Largest, 0) || d.Largest > 1e12, "%s: %v", name, d.Largest)
	}
}
