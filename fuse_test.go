package hexcc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// diffused is horizontal diffusion in time steps, with a limiter whose variables are of the nests.
const diffused = `void f(int T, int n, int m, double q[restrict 2][n][m], const double alpha[restrict n][m])
{
  double lap[n][m], flx[n][m], fly[n][m];
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++)
        lap[j][i] = 4.0 * q[t % 2][j][i] - (q[t % 2][j][i + 1] + q[t % 2][j][i - 1] + q[t % 2][j + 1][i] + q[t % 2][j - 1][i]);
    for (int j = 2; j < n - 2; j++)
      for (int i = 1; i < m - 2; i++) {
        double f = lap[j][i + 1] - lap[j][i];
        flx[j][i] = f * (q[t % 2][j][i + 1] - q[t % 2][j][i]) > 0.0 ? 0.0 : f;
      }
    for (int j = 1; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++) {
        double f = lap[j + 1][i] - lap[j][i];
        fly[j][i] = f * (q[t % 2][j + 1][i] - q[t % 2][j][i]) > 0.0 ? 0.0 : f;
      }
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++)
        q[(t + 1) % 2][j][i] = q[t % 2][j][i] - alpha[j][i] * (flx[j][i] - flx[j][i - 1] + fly[j][i] - fly[j - 1][i]);
  }
#pragma endscop
}
`

// TestParseFusion reads launches, and says what is wrong with some.
func TestParseFusion(t *testing.T) {
	res, err := Compile(Source{Name: "f.c", Text: []byte(diffused)}, Options{Stop: "scop"})
	require.NoError(t, err)
	for text, want := range map[string]string{
		"[[lap,flx],fly,q]":           "[[[0 1] [2] [3]]]",
		" [ [S0, flx] , [fly ,S3] ] ": "[[[0 1] [2 3]]]",
		"[[lap,fly,flx]],[q]":         "[[[0 2 1]] [[3]]]",
		"[lap],[flx,fly],[q]":         "[[[0]] [[1] [2]] [[3]]]",
		"[[lap],[flx],fly],[[q]]":     "[[[0] [1] [2]] [[3]]]",
		"":                            "'': [ is missing at the end",
		"lap,flx":                     "'lap,flx': [ is missing before 'lap,flx'",
		"[[lap,flx],fly,q":            "'[[lap,flx],fly,q': a comma or ] is missing at the end",
		"[[lap,flx]fly,q]":            "'[[lap,flx]fly,q]': a comma or ] is missing before 'fly,q]'",
		"[[lap,[flx]],fly,q]":         "'[[lap,[flx]],fly,q]': brackets nest to two levels: launches, and in them nests that share registers",
		"[lap,flx,fly][q]":            "'[lap,flx,fly][q]': a comma is missing before '[q]'",
		"[lap,flx,,q]":                "'[lap,flx,,q]': a name is missing before ',q]'",
		"[[],lap]":                    "'[[],lap]': a name is missing before '],lap]'",
		"[lap,flx,fly,out]":           "'out' is no statement, and no array that one writes: there are S0 (lap), S1 (flx), S2 (fly), S3 (q)",
		"[lap,flx,q]":                 "S2 (fly) is in no launch",
		"[lap,[flx,fly],S1,q]":        "S1 (flx) is named twice",
		"[lap,flx,fly,q,[S4]]":        "'S4' is no statement, and no array that one writes: there are S0 (lap), S1 (flx), S2 (fly), S3 (q)",
		"[[lap,flx],fly,q],[S0]":      "S0 (lap) is named twice",
		"[[lap,flx,fly,q],[[S0,S1]]":  "'[[lap,flx,fly,q],[[S0,S1]]': brackets nest to two levels: launches, and in them nests that share registers",
		"[[[lap,flx],fly,q]]":         "'[[[lap,flx],fly,q]]': brackets nest to two levels: launches, and in them nests that share registers",
	} {
		launches, err := parseFusion(text, res.Scop)
		if got := fmt.Sprint(launches); err == nil {
			require.Equal(t, want, got, text)
			continue
		}
		require.EqualError(t, err, want, text)
	}
	both := *res.Scop // an array called as a statement is
	both.Stmts = append([]*scop.Stmt(nil), both.Stmts...)
	named := *both.Stmts[0]
	named.Accesses = append([]*scop.Access(nil), named.Accesses...)
	write := *named.Accesses[len(named.Accesses)-1]
	write.Array = &scop.Array{Name: "S2"}
	named.Accesses[len(named.Accesses)-1], both.Stmts[0] = &write, &named
	_, err = parseFusion("[S2]", &both)
	require.ErrorContains(t, err, "'S2' is a statement, and an array that another one writes")
}

// fusions are programs with nests that share registers, and how many nests are left of them.
var fusions = []struct {
	name, fuse string
	left       int
}{
	{"diffused", "[[lap,flx,fly,q]]", 1},
	{"diffused", "[[lap,flx],[fly,q]]", 3},
	{"diffused", "[lap],[[flx,fly,q]]", 2},
	{"unsharp", "[[blurx,blury],out]", 2},
	{"unsharp", "[[blurx,blury,out]]", 1},
	{"harris", "[[ix,xx],[sxx,out]]", 2},
	{"harris", "[[ix,xx]],[[sxx,out]]", 2},
}

func fusionSource(t *testing.T, name string) Source {
	if name == "diffused" {
		return Source{Name: name + ".c", Text: []byte(diffused)}
	}
	return Source{Name: name + ".c", Text: []byte(cases.ReadIdiom(t, name).Text)}
}

// verified runs what was made of a file at some sizes.
func verified(t *testing.T, res *Result) *emulate.Verification {
	t.Helper()
	v, err := emulate.Verify(emulate.Request{Program: res.GPU, CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Seed: 3, Points: 3000})
	require.NoError(t, err)
	return v
}

// TestFusions compiles them for GPUs and CPUs and compares with the original program, bit for bit.
func TestFusions(t *testing.T) {
	for _, x := range fusions {
		for _, target := range []Target{CUDA, OpenMP} {
			res, err := Compile(fusionSource(t, x.name), Options{Target: target, Fuse: x.fuse, NoAlias: true})
			if target == OpenMP && strings.Contains(x.fuse, "],[") && !strings.HasPrefix(x.fuse, "[[lap,flx],[") && err != nil {
				continue // buffers of a launch that stores what several tiles compute
			}
			require.NoError(t, err, "%v %s", x, target)
			require.Len(t, res.Scop.Stmts, x.left, "%v", x)
			require.NotNil(t, res.Inlined, x)
			require.Same(t, res.Scop.AsWritten(), res.Scop.Original())
			v := verified(t, res)
			require.True(t, v.OK(), "%v %s\n%v", x, target, v)
		}
	}
}

// TestFusionByAnyStrategy tiles a program of one nest, which is left where all others share registers with it, in time and space.
func TestFusionByAnyStrategy(t *testing.T) {
	for _, s := range []Strategy{Hybrid, Space, Untiled, Wavefront, Overlapped} {
		res, err := Compile(fusionSource(t, "diffused"), Options{Target: CUDA, Fuse: "[[lap,flx,fly,q]]", Strategy: s, NoAlias: true, FMA: s == Space})
		require.NoError(t, err, s)
		require.Equal(t, s, res.Strategy)
		if s == Space {
			require.NotNil(t, res.Scop.Unfused)
			require.NotSame(t, res.Scop.AsWritten(), res.Scop.Original())
		}
		v := verified(t, res)
		require.NotEmpty(t, v.Trials)
		for _, x := range v.Trials { // the limiter makes roundings larger
			require.True(t, x.Report.OK() && x.Difference.Differ == 0, "%s\n%v", s, v)
		}
	}
}

// TestFusionVerified lets the rewritten program be another one: what is verified is that results are those of the original, whatever the kernels run.
func TestFusionVerified(t *testing.T) {
	res, err := Compile(fusionSource(t, "diffused"), Options{Target: CUDA, Fuse: "[[lap,flx,fly,q]]", NoAlias: true})
	require.NoError(t, err)
	require.True(t, verified(t, res).OK())
	require.NotNil(t, res.GPU.Scop.Uninlined)
	other := *res.GPU.Scop.Uninlined
	other.Stmts = append([]*scop.Stmt(nil), other.Stmts...)
	lap := *other.Stmts[0]
	store := lap.Body[0].(scop.Store)
	store.Value = scop.Binary{Op: "*", X: store.Value, Y: scop.Const{T: scop.Double, F: 1 + 0x1p-20}}
	lap.Body = []scop.Action{store}
	other.Stmts[0] = &lap
	res.GPU.Scop.Uninlined = &other
	v := verified(t, res)
	require.False(t, v.OK())
	require.Contains(t, v.String(), "MISMATCH")
}

// TestFusionRefused asks for nests that cannot share registers.
func TestFusionRefused(t *testing.T) {
	for fuse, want := range map[string]string{
		"[[flx,fly],lap,q]":  "of S1, S2 none reads what another one writes in the same iteration: nothing of it stays in registers",
		"[[lap,flx],fly]":    "fuse([[lap,flx],fly]): S3 (q) is in no launch",
		"[[lap,flx],fly,qq]": "fuse([[lap,flx],fly,qq]): 'qq' is no statement, and no array that one writes",
	} {
		_, err := Compile(fusionSource(t, "diffused"), Options{Fuse: fuse, NoAlias: true})
		require.ErrorContains(t, err, want, fuse)
		require.ErrorContains(t, err, "HX219", fuse)
	}
	clause := strings.Replace(diffused, "#pragma scop", "#pragma hexcc fuse([ [lap, flx], fly, q ])\n#pragma scop", 1)
	res, err := Compile(Source{Name: "f.c", Text: []byte(clause)}, Options{NoAlias: true, Stop: "deps"})
	require.NoError(t, err)
	require.Equal(t, "S1 computes lap of S0 at 2 places of each point\n", res.Inlined.String())
}

// TestPointwiseLoaded saves the schedule of a program whose temporaries are in registers, and loads it: the file is about the program that is left.
func TestPointwiseLoaded(t *testing.T) {
	src := Source{Name: "harris.c", Text: []byte(cases.ReadIdiom(t, "harris").Text)}
	res, err := Compile(src, Options{Target: CUDA, Strategy: Space})
	require.NoError(t, err)
	require.NotNil(t, res.Inlined)
	again, err := Compile(src, Options{Target: CUDA, Load: Source{Name: "harris.sched", Text: []byte(schedule.Save(res.Schedule))}})
	require.NoError(t, err)
	require.Equal(t, res.Schedule.Map.String(), again.Schedule.Map.String())
	require.Equal(t, res.Files.Kernel, again.Files.Kernel)
}
