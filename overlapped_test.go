package hexcc

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
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
		require.Equal(t, Space, res.Region.Strategy, pass)
		said := false
		for _, w := range res.Warnings {
			said = said || w.Code == "HX212" && strings.Contains(w.Msg, "apart from each other")
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
	_, err := Compile(Source{Name: "f.c", Text: []byte(inPlace)}, Options{Target: CUDA, Arch: "sm_80", Strategy: Overlapped})
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
