package e2e_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/scop"
)

// A gridded is a stencil whose kernels have grids of several axes: its loops over space, its one array without planes,
// and how many axes its grids have, in tiles of time and of space.
type gridded struct {
	name, extents, at string
	loops             []string // from 1 to less than n - 1, or over all of the array where they begin with a *
	reads             []string
	axes, inSpace     int
}

// plane reads the neighbours along i and j.
var plane = []string{"i-1,j", "i+1,j", "i,j-1", "i,j+1"}

var griddeds = []gridded{
	{"line", "[n]", "i", []string{"i"}, []string{"i-1", "i+1"}, 1, 1},
	{"plane", "[n][n]", "i,j", []string{"i", "j"}, plane, 1, 2},
	{"batch_of_lines", "[m][n]", "k,i", []string{"*k m", "i"}, []string{"k,i-1", "k,i+1"}, 1, 2},
	{"interleaved_lines", "[n][m]", "i,k", []string{"i", "*k m"}, []string{"i-1,k", "i+1,k"}, 2, 2},
	{"levels_outside", "[m][n][n]", "k,i,j", []string{"*k m", "i", "j"}, []string{"k,i-1,j", "k,i+1,j", "k,i,j-1", "k,i,j+1"}, 2, 3},
	{"levels_between", "[n][m][n]", "i,k,j", []string{"i", "*k m", "j"}, []string{"i-1,k,j", "i+1,k,j", "i,k,j-1", "i,k,j+1"}, 2, 3},
	{"levels_inside", "[n][n][m]", "i,j,k", []string{"i", "j", "*k m"}, []string{"i-1,j,k", "i+1,j,k", "i,j-1,k", "i,j+1,k"}, 2, 3},
	{"volume", "[n][n][n]", "k,i,j", []string{"k", "i", "j"}, []string{"k-1,i,j", "k,i+1,j", "k,i,j-1"}, 1, 3},
	{"two_batches", "[m][m][n][n]", "k,l,i,j", []string{"*k m", "*l m", "i", "j"}, []string{"k,l,i-1,j", "k,l,i,j+1"}, 3, 3},
	{"three_batches", "[m][m][n][m]", "k,l,i,q", []string{"*k m", "*l m", "i", "*q m"}, []string{"k,l,i-1,q", "k,l,i+1,q"}, 3, 3},
}

// text returns the function of g, with narrow tiles, of time if they have a height.
func (g gridded) text(height string) string {
	access := func(plane, at string) string {
		return fmt.Sprintf("A[%s][%s]", plane, strings.ReplaceAll(at, ",", "]["))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "void %s(int T, int n, int m, float A[restrict 2]%s)\n{\n#pragma hexcc tile(%sw0=2", g.name, g.extents, height)
	for i := range g.loops[1:] {
		fmt.Fprintf(&b, ", w%d=2", i+1)
	}
	b.WriteString(")\n#pragma scop\n  for (int t = 0; t < T; t++)\n")
	for _, l := range g.loops {
		name, to, all := strings.Cut(strings.TrimPrefix(l, "*"), " ")
		if all {
			fmt.Fprintf(&b, "    for (int %s = 0; %s < %s; %s++)\n", name, name, to, name)
		} else {
			fmt.Fprintf(&b, "    for (int %s = 1; %s < n - 1; %s++)\n", name, name, name)
		}
	}
	sum := access("t % 2", g.at)
	for _, r := range g.reads {
		sum += " + " + access("t % 2", r)
	}
	fmt.Fprintf(&b, "      %s = 0.2f * (%s);\n#pragma endscop\n}\n", access("(t + 1) % 2", g.at), sum)
	return b.String()
}

// TestGrids runs kernels whose grids have one, two and three axes, and more dimensions than a grid has axes, on every
// target, and compares them with the interpreter: with tiles of time, of which those of dimensions without distances
// are axes, and with tiles of space.
func TestGrids(t *testing.T) {
	t.Setenv("OMP_WAIT_POLICY", "passive")
	all, missing := targets()
	if missing != nil && os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	for strategy, height := range map[hexcc.Strategy]string{hexcc.Hybrid: "h=2, ", hexcc.Space: "", hexcc.Untiled: ""} {
		t.Run(string(strategy), func(t *testing.T) {
			text := ""
			for _, g := range griddeds {
				text += g.text(height)
			}
			for _, x := range all {
				if strategy == hexcc.Untiled && (x.to == hexcc.OpenMP || x.to == hexcc.C) {
					continue // loops that are not tiled are for GPUs (HX217)
				}
				t.Run(x.name, func(t *testing.T) {
					o := hexcc.Options{Base: "grids", Target: x.to, Strategy: strategy}
					res, err := hexcc.Compile(hexcc.Source{Name: "grids.c", Text: []byte(text)}, o)
					require.NoError(t, err)
					for i, g := range griddeds {
						want := g.axes
						if strategy != hexcc.Hybrid {
							want = g.inSpace
						}
						if res.Regions[i].GPU != nil {
							require.Len(t, res.Regions[i].GPU.Kernels[0].Grid, want, g.name)
						}
					}
					run, err := x.build(t.TempDir(), o.Base, res, true)
					require.NoError(t, err)
					for seed, sizes := range [][]int64{{3, 7, 1}, {5, 13, 5}, {1, 3, 2}, {2, 2, 0}, {0, 5, 3}, {4, 23, 3}} {
						var got, wanted []*scop.Memory
						for _, r := range res.Regions {
							mem, err := scop.NewMemory(r.Scop, paramsOf(r.Scop, sizes), uint64(seed))
							require.NoError(t, err)
							want := mem.Clone()
							require.NoError(t, scop.Run(r.Scop, want))
							got, wanted = append(got, mem), append(wanted, want)
						}
						require.NoError(t, run(got))
						for i, g := range griddeds {
							require.Zero(t, got[i].Compare(wanted[i]).Differ, "%s at %v", g.name, sizes)
						}
					}
				})
			}
		})
	}
}

// paramsOf returns the values of T, n and m in the order of the parameters of p.
func paramsOf(p *scop.Program, sizes []int64) (params []int64) {
	for _, q := range p.Params {
		params = append(params, sizes[strings.Index("Tnm", q.Name)])
	}
	return params
}
