package hexcc_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/heavy"
)

// TestFilesOnly: where only files are wanted they are the same, and of regions little is kept.
func TestFilesOnly(t *testing.T) {
	src := hexcc.Source{Name: "regions.c", Text: []byte(heavy.Regions(5))}
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenCL, hexcc.OpenMP, hexcc.C} {
		o := hexcc.Options{Target: target, Lines: true, Defines: []string{"X=1"}}
		want, err := hexcc.Compile(src, o)
		require.NoError(t, err)
		o.FilesOnly = true
		got, err := hexcc.Compile(src, o)
		require.NoError(t, err)
		require.Equal(t, want.Files, got.Files)
		require.Equal(t, want.OpenCL, got.OpenCL)
		require.Equal(t, want.C, got.C)
		require.Equal(t, want.Warnings, got.Warnings)
		require.Len(t, got.Regions, 5)
		for i, r := range got.Regions {
			require.Equal(t, hexcc.Region{Scop: r.Scop, Strategy: r.Strategy}, *r)
			require.Equal(t, want.Regions[i].Scop.String(), r.Scop.String())
		}

		o.Check, o.Lines = true, false // which runs the kernels' tiles, and needs all of them
		want, err = hexcc.Compile(src, hexcc.Options{Target: target, Defines: o.Defines, Check: true})
		require.NoError(t, err)
		got, err = hexcc.Compile(src, o)
		require.NoError(t, err)
		require.Equal(t, want.Check, got.Check)
	}
}

// TestRegionAfterRegion: no region begins before all but a few of those before it have ended, so that what is not kept
// of them is forgotten.
func TestRegionAfterRegion(t *testing.T) {
	const regions = 12
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenMP} {
		last := map[hexcc.Target]string{hexcc.CUDA: "kernels", hexcc.OpenMP: "emission"}[target]
		var mu sync.Mutex
		begun, ending, most := map[int]bool{}, 0, 0
		_, err := hexcc.Compile(hexcc.Source{Name: "regions.c", Text: []byte(heavy.Regions(regions))}, hexcc.Options{
			Target: target, FilesOnly: true,
			Began: func(pass string, region, all int) {
				mu.Lock()
				defer mu.Unlock()
				if region >= 0 {
					begun[region] = true
				}
				if region >= 0 && pass == last {
					ending++
				}
				most = max(most, len(begun)-ending)
			},
		})
		require.NoError(t, err)
		require.Equal(t, regions, ending)
		require.LessOrEqual(t, most, runtime.GOMAXPROCS(0))
	}
}

// TestToldInOrder: what is wrong with regions and worth telling is told in one order, however many are compiled at once
// and whatever is kept.
func TestToldInOrder(t *testing.T) {
	region := func(name, body string) string {
		return "void " + name + "(int T, int n, double a[restrict 2][n], double b[restrict n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n" +
			"    for (int i = 1; i < n - 1; i++)\n      " + body + "\n  }\n#pragma endscop\n}\n"
	}
	text := region("spread", "a[(t + 1) % 2][i] = a[t % 2][1];") + // no slope bounds it
		region("fine", "a[(t + 1) % 2][i] = a[t % 2][i - 1] + a[t % 2][i + 1];") +
		region("far", "a[(t + 1) % 2][i] = a[t % 2][2 * i];") +
		region("far_too", "a[(t + 1) % 2][i] = a[t % 2][i] + a[t % 2][0];")
	var all []string
	for _, processors := range []int{1, 2, 4} {
		for _, only := range []bool{false, true} {
			func() {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
				res, err := hexcc.Compile(hexcc.Source{Name: "told.c", Text: []byte(text)}, hexcc.Options{FilesOnly: only})
				require.Error(t, err)
				all = append(all, err.Error()+"\n"+res.Warnings.Error())
			}()
		}
	}
	require.GreaterOrEqual(t, strings.Count(all[0], "told.c:"), 3, all[0])
	for _, said := range all[1:] {
		require.Equal(t, all[0], said)
	}
}
