package openmp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs programs whose nests hand fields on by local arrays, as boxes that overlap, with buffers.

// overlapped translates such a program in tiles of these widths; nil: as chosen.
func overlapped(t *testing.T, base, text string, target hexcc.Target, widths []int64) *hexcc.Result {
	t.Helper()
	o := hexcc.Options{Target: target}
	if widths != nil {
		o.Strategy = hexcc.Overlapped
		o.Tile = &schedule.Sizes{H: 1, W: widths}
	}
	res := compile(t, base, text, o, true)
	require.Equal(t, hexcc.Overlapped, res.Strategy)
	require.NotEmpty(t, res.CPU.Buffers)
	return res
}

// chain is four nests in one dimension, of which the second and the third read what the first has written at different distances.
const chain = `void f(int n, float in[restrict n], float out[restrict n])
{
  float a[n], b[n], c[n];
#pragma scop
  for (int i = 1; i < n - 1; i++)
    a[i] = 0.5f * (in[i - 1] + in[i + 1]);
  for (int i = 3; i < n - 3; i++)
    b[i] = a[i - 2] - a[i + 1];
  for (int i = 4; i < n - 4; i++)
    c[i] = a[i] + 0.25f * b[i - 1];
  for (int i = 5; i < n - 6; i++)
    out[i] = c[i - 1] * b[i] + c[i + 2];
#pragma endscop
}
`

// TestOverlapped compares boxes that overlap with the original bit for bit, at odd sizes, run by as many threads as there are processors, fewer and more, and
// by one thread in C: with buffers that functions declare, and with those that threads allocate.
func TestOverlapped(t *testing.T) {
	allocated, declared := 0, 0
	for _, base := range []string{"chain", "harris", "fused-diffusion"} {
		text := chain
		if base != "chain" {
			text = cases.ReadIdiom(t, base).Text
		}
		res := overlapped(t, base, text, hexcc.OpenMP, nil)
		trials := oddTrials(t, res.Scop)
		widths := [][]int64{nil, {1, 1, 1}, {4, 3, 8}, {16, 5, 2048}, {7, 11, 64}}
		for _, w := range widths {
			if w != nil {
				w = w[3-len(res.Space.Space):]
			}
			for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
				res := overlapped(t, base, text, target, w)
				if res.CPU.Allocated() {
					allocated++
				} else {
					declared++
				}
				ours := built(t, "gcc", base, way{o: hexcc.Options{Target: target}, threads: target == hexcc.OpenMP}, res)
				for _, x := range trials {
					for _, threads := range []int{1, 2, 3, 7} {
						if threads == 1 || target == hexcc.OpenMP {
							x.Check(t, fmt.Sprint(base, " ", w, " ", threads, " threads"), ours.Run(t, x.Before, fmt.Sprint("OMP_NUM_THREADS=", threads)), res.Schedule.Temporaries...)
						}
					}
				}
			}
		}
	}
	require.Positive(t, allocated)
	require.Positive(t, declared)
}

// TestOverlappedMutants spoils what is printed: origins of buffers, and boxes. What it leaves then differs.
func TestOverlappedMutants(t *testing.T) {
	res := overlapped(t, "chain", chain, hexcc.OpenMP, []int64{32})
	trials := oddTrials(t, res.Scop)
	last := trials[len(trials)-1]
	differ := func(text string) int64 {
		translated := *res.Scop
		translated.Source = []byte(text)
		ours := oracle.CompileWith(t, "gcc", &translated, "-O1", "-fopenmp", "-DHEXCC_GRAIN=0")
		got := ours.Run(t, last.Before)
		return got.Compare(last.After, res.Schedule.Temporaries...).Differ
	}
	require.Zero(t, differ(res.C.Text))
	for _, cut := range [][2]string{{"-2L", "-1L"}, {"-1L", "0L"}} {
		if bad := strings.ReplaceAll(res.C.Text, cut[0], cut[1]); bad != res.C.Text {
			require.Positive(t, differ(bad), "%v", cut)
			return
		}
	}
	t.Fatalf("no halo to cut\n%s", res.C.Whole)
}

// TestOverlappedVectors runs boxes whose rows run side by side in vectors that start anywhere, under gcc's sanitizers, which find vectors that load or store outside of arrays and
// buffers: at sizes at which rows are shorter than a vector, and end anywhere in one.
func TestOverlappedVectors(t *testing.T) {
	if !compilesVectors(t, "gcc") {
		t.Skip("gcc has no shuffles of vectors, or no sanitizers")
	}
	text := cases.ReadIdiom(t, "harris").Text
	for _, w := range [][]int64{nil, {7, 43}} {
		res := overlapped(t, "harris", text, hexcc.OpenMP, w)
		require.Equal(t, 2, strings.Count(res.C.Text, "#if HEXCC_VECTORS\n        if ("), "one in each of two nests, in rows side by side")
		translated := *res.Scop
		translated.Source = []byte(res.C.Text)
		ours := oracle.CompileWith(t, "gcc", &translated, vectorFlags...)
		for _, x := range oddTrials(t, res.Scop) {
			x.Check(t, fmt.Sprint("harris ", w), ours.Run(t, x.Before, "OMP_NUM_THREADS=2"), res.Schedule.Temporaries...)
		}
	}
}
