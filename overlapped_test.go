package hexcc

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
)

// TestOverlappedChosen compiles programs whose nests hand on fields: the model takes boxes that overlap, a launch for all of them, and says so.
func TestOverlappedChosen(t *testing.T) {
	for _, name := range []string{"fused-diffusion", "harris", "unsharp"} {
		x := cases.ReadIdiom(t, name)
		for _, target := range []Target{CUDA, OpenCL} {
			res, err := Compile(Source{Name: name + ".c", Text: []byte(x.Text)}, Options{Target: target, Arch: "sm_80"})
			require.NoError(t, err, name)
			require.Equal(t, Overlapped, res.Region.Strategy, name)
			require.Len(t, res.GPU.Kernels, 1, name)
			require.NotEmpty(t, res.Schedule.Temporaries, name)
			said := false
			for _, w := range res.Warnings {
				require.NotEqual(t, diag.Code("HX118"), w.Code, "%s: %v", name, w)
				said = said || w.Code == "HX210" && strings.Contains(w.Msg, "boxes that overlap") && strings.Contains(w.Help, "--strategy=space")
			}
			require.True(t, said, "%s: %v", name, res.Warnings)
		}
	}
}

// TestOverlappedGivenUp lets a pass give up on boxes that overlap, which the model has chosen: tiles are those that it would have taken without.
func TestOverlappedGivenUp(t *testing.T) {
	x := cases.ReadIdiom(t, "harris")
	for _, pass := range []string{"schedule", "proof", "gpu", "kernels"} {
		o := Options{Target: CUDA, Arch: "sm_80"}
		o.hard = func(at string, s Strategy, _ schedule.Sizes) bool { return at == pass && s == Overlapped }
		res, err := Compile(Source{Name: "harris.c", Text: []byte(x.Text)}, o)
		require.NoError(t, err, pass)
		require.Equal(t, Untiled, res.Region.Strategy, pass)
		said := false
		for _, w := range res.Warnings {
			said = said || w.Code == "HX212" && strings.Contains(w.Msg, "nothing is tiled")
		}
		require.True(t, said, "%s: %v", pass, res.Warnings)
	}
}

// TestOverlappedRefused asks for boxes that overlap where they cannot be.
func TestOverlappedRefused(t *testing.T) {
	const inPlace = `void f(int n, float a[restrict n], float b[restrict n], float c[restrict n][n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      c[i][j] = 0.5f * c[i][j];
  for (int j = 1; j < n - 1; j++)
    b[j] = a[j - 1] + a[j + 1];
  for (int j = 2; j < n - 2; j++)
    a[j] = b[j - 1] + b[j + 1];
#pragma endscop
}
`
	res, err := Compile(Source{Name: "f.c", Text: []byte(inPlace)}, Options{Target: CUDA, Arch: "sm_80", Strategy: Overlapped})
	require.NoError(t, err)
	require.Greater(t, len(res.Groups), 1, "launches of their own")
	_, err = Compile(Source{Name: "f.c", Text: []byte(inPlace)}, Options{Target: CUDA, Arch: "sm_80", Strategy: Overlapped, Fuse: "[c,b,a]"})
	var list diag.List
	require.True(t, errors.As(err, &list), "%v", err)
	require.Equal(t, diag.Code("HX218"), list[0].Code)
	require.Len(t, list[0].Notes, 2)
}

// TestOverlappedRefusedOnCPU asks for them on a CPU where several tiles compute what is in memory.
func TestOverlappedRefusedOnCPU(t *testing.T) {
	const text = `void f(int n, float a[restrict n], float b[restrict n], float c[restrict n])
{
#pragma scop
  for (int i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i + 1];
  for (int i = 2; i < n - 2; i++)
    c[i] = b[i - 1] + b[i + 1];
#pragma endscop
}
`
	for text, says := range map[string]string{
		text:                                     "several tiles compute the same elements of b",
		strings.ReplaceAll(text, "c[i]", "a[i]"): "what tiles beside may still have to read of",
	} {
		for _, tile := range []*schedule.Sizes{nil, {H: 1, W: []int64{8}}} {
			_, err := Compile(Source{Name: "f.c", Text: []byte(text)}, Options{Target: OpenMP, Strategy: Overlapped, Tile: tile})
			var list diag.List
			require.True(t, errors.As(err, &list), "%v", err)
			require.Equal(t, diag.Code("HX218"), list[0].Code)
			require.Contains(t, list[0].Msg, says)
			require.Len(t, list[0].Notes, 1)
		}
	}
}

// TestOverlappedOnCPU compiles the same programs for CPUs: the model takes boxes that overlap, and where a pass gives up on them, boxes of space.
func TestOverlappedOnCPU(t *testing.T) {
	for _, name := range []string{"fused-diffusion", "harris", "unsharp"} {
		x := cases.ReadIdiom(t, name)
		for _, hard := range []bool{false, true} {
			o := Options{Target: OpenMP}
			want, says := Overlapped, "each tile runs all nests, by boxes that overlap"
			if hard {
				o.hard = func(at string, s Strategy, _ schedule.Sizes) bool { return at == "proof" && s == Overlapped }
				want, says = Space, "apart from each other"
			}
			res, err := Compile(Source{Name: name + ".c", Text: []byte(x.Text)}, o)
			require.NoError(t, err, name)
			require.Equal(t, want, res.Region.Strategy, name)
			require.Equal(t, !hard, len(res.CPU.Buffers) > 0, name)
			said := false
			for _, w := range res.Warnings {
				said = said || strings.Contains(w.Msg, says) && (hard || strings.Contains(w.Help, "--strategy=space makes each nest a phase"))
			}
			require.True(t, said, "%s: %v", name, res.Warnings)
		}
	}
}

// TestFuse asks for launches of an iteration, by flag and by pragma: kernels, phases on CPUs, and what tiles have for themselves are as the lists say.
func TestFuse(t *testing.T) {
	x := cases.ReadIdiom(t, "limited-fluxes")
	text := x.Text
	clause := strings.Replace(text, "#pragma scop", "#pragma hexcc fuse([smooth], [east, north, out])\n#pragma scop", 1)
	for _, c := range []struct {
		text, fuse string
		groups     schedule.Groups
		own        []string // by CPUs and GPUs
		cpu        bool     // a CPU can
	}{
		{clause, "", schedule.Groups{{0}, {1, 2, 3}}, []string{"east", "north"}, true},
		{text, "[smooth],[out,north,east]", schedule.Groups{{0}, {1, 2, 3}}, []string{"east", "north"}, true},
		{text, "[S0,east],[S2,S3]", schedule.Groups{{0, 1}, {2, 3}}, []string{"north"}, false},
		{text, "[smooth],[north],[east],[out]", schedule.Groups{{0}, {2}, {1}, {3}}, nil, true},
	} {
		for _, target := range []Target{CUDA, OpenMP} {
			res, err := Compile(Source{Name: "spread.c", Text: []byte(c.text)}, Options{Target: target, Fuse: c.fuse})
			if target == OpenMP && !c.cpu {
				var list diag.List
				require.True(t, errors.As(err, &list), "%v", err)
				require.Equal(t, diag.Code("HX218"), list[0].Code)
				require.Contains(t, list[0].Help, "give what writes smooth a launch of its own")
				continue
			}
			require.NoError(t, err, c.fuse)
			require.Equal(t, Overlapped, res.Region.Strategy)
			require.Equal(t, c.groups, res.Groups)
			require.Equal(t, c.groups, res.Schedule.Groups())
			var own []string
			for _, a := range res.Schedule.Temporaries {
				own = append(own, a.Name)
			}
			require.Equal(t, c.own, own)
			if target == CUDA {
				require.Len(t, res.GPU.Kernels, len(c.groups))
			}
		}
	}
	for fuse, says := range map[string]string{
		"[east],[smooth],[north,out]":        "S1 depends on S0, which is in a later group",
		"[smooth],[east,out]":                "S2 (north) is in no launch",
		"[smooth,east],[S1,north,out]":       "S1 (east) is named twice",
		"[smooth],[west,north,out]":          "'west' is no statement, and no array that one writes: there are S0 (smooth), S1 (east), S2 (north), S3 (out)",
		"smooth,east,north,out":              "[ is missing before 'smooth,",
		"[smooth][east,north,out]":           "a comma is missing before '[east,north,out]'",
		"[smooth],[east,north,out],":         "[ is missing at the end",
		"[smooth],[[east],north,out],[west]": "'west' is no statement",
	} {
		_, err := Compile(Source{Name: "spread.c", Text: []byte(text)}, Options{Target: CUDA, Fuse: fuse})
		require.ErrorContains(t, err, says)
	}
	_, err := Compile(Source{Name: "spread.c", Text: []byte(text)}, Options{Target: CUDA, Strategy: Space, Fuse: "[smooth],[east,north,out]"})
	require.ErrorContains(t, err, "--strategy=space has others")
}

// TestOverlappedAbsent: where tiles overlap that a nest of fixed size never fills, beside nests that do, its array is handed on by tiles that test for it.
func TestOverlappedAbsent(t *testing.T) {
	text := cases.ReadIdiom(t, "loop-heads").Text
	for _, target := range []Target{CUDA, PTX} {
		res, err := Compile(Source{Name: "loop-heads.c", Text: []byte(text)}, Options{Base: "x", Strategy: Overlapped, Target: target, Stop: "gpu"})
		require.NoError(t, err)
		require.NotEmpty(t, res.Proofs)
		for _, p := range res.Proofs {
			require.True(t, p.Holds, "%s: %s", p.Name, p.Violation)
		}
	}
}

// TestThreadsApart: on CPUs threads share out tiles along a dimension along which they do not overlap, whichever it is, and else along the first.
func TestThreadsApart(t *testing.T) {
	for subscript, want := range map[string]string{"[k][i - 1][j]": "S1", "[k][i][j - 1]": "S0", "[k - 1][i - 1][j - 1]": "S0"} {
		text := `void f(int l, int n, const double in[restrict l][n][n], double out[restrict l][n][n])
{
  double mid[20][60][60];
#pragma scop
  for (int k = 1; k < l; k++)
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
        mid[k][i][j] = in[k][i][j] + in` + subscript + `;
  for (int k = 2; k < l; k++)
    for (int i = 2; i < n; i++)
      for (int j = 2; j < n; j++)
        out[k][i][j] = mid[k][i][j] - mid` + subscript + `;
#pragma endscop
}
`
		res, err := Compile(Source{Name: "f.c", Text: []byte(text)}, Options{NoAlias: true, Target: OpenMP, Strategy: Overlapped})
		require.NoError(t, err)
		p, apart := res.Schedule.Apart()
		require.Equal(t, want, res.CPU.Phases[0].Tile, "%s: places %v", subscript, res.Space)
		require.Equal(t, subscript != "[k - 1][i - 1][j - 1]", apart)
		require.Equal(t, schedule.Block, res.Schedule.Phases[0].Space[p].Role)
		v, err := emulate.Verify(emulate.Request{CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
		require.NoError(t, err)
		require.True(t, v.OK(), v)
	}
}
