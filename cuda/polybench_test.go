package cuda_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/scop"
)

const polybench = "../testdata/polybench"

// TestPolyBench translates programs in the style of PolyBench as they are: what
// they print is what they print without us, compiled at -O0 and at -O2: in CI each in one of the ways, with HEXCC_TESTS=all in every one.
func TestPolyBench(t *testing.T) {
	ways := map[string]hexcc.Options{
		"constants":  {NoAlias: true, Defines: []string{"SMALL_DATASET"}},
		"parameters": {Defines: []string{"MINI_DATASET", "POLYBENCH_USE_C99_PROTO", "POLYBENCH_USE_SCALAR_LB", "POLYBENCH_USE_RESTRICT", "DATA_TYPE_IS_FLOAT"}},
		"facts":      {NoAlias: true, Defines: []string{"MINI_DATASET", "POLYBENCH_USE_SCALAR_LB", "POLYBENCH_STACK_ARRAYS"}},
	}
	names := slices.Sorted(maps.Keys(ways))
	for i, base := range []string{"jacobi-1d", "jacobi-2d", "heat-3d", "fdtd-2d"} {
		if base != "jacobi-2d" && !cases.Whole() {
			continue // it takes long to compile and run
		}
		text, err := os.ReadFile(filepath.Join(polybench, base+".c"))
		require.NoError(t, err)
		for _, way := range cases.Turn(names, i) {
			o := ways[way]
			t.Run(base+"/"+way, func(t *testing.T) {
				t.Parallel()
				o.Defines = append(o.Defines, "POLYBENCH_DUMP_ARRAYS")
				o.IncludeDirs = []string{polybench}
				library := filepath.Join(polybench, "polybench.c")
				w := buildWhole(t, base, string(text), o, library)
				_, want, status := tool.Output(t, w.original)
				require.Zero(t, status)
				require.Greater(t, strings.Count(want, " "), 30)
				_, fast, _ := tool.Output(t, original(t, base, string(text), "-O2", slices.Concat([]string{library}, flagsOf(o))...))
				require.Equal(t, want, fast, "-O2")
				_, got, _ := tool.Output(t, w.ours)
				require.Equal(t, want, got)

				res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: text}, o)
				require.NoError(t, err)
				compareRegion(t, res.Scop, o)
				v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 4000})
				require.NoError(t, err)
				require.True(t, v.OK(), "%v", v)
			})
		}
	}
}

// compareRegion runs the program that holds p, compiled at -O0 and at -O2: what its region
// leaves in the arrays is what the interpreter makes of what it begins with, bit for bit.
func compareRegion(t *testing.T, p *scop.Program, o hexcc.Options) {
	folder, err := filepath.Abs(polybench)
	require.NoError(t, err)
	flags := []string{"-I", folder, filepath.Join(folder, "polybench.c")}
	for _, d := range o.Defines {
		flags = append(flags, "-D"+d)
	}
	for _, level := range oracle.Levels {
		before, want := oracle.CompileProbe(t, p, append(flags, level)...).Run(t)
		require.NotNil(t, before, "a fact does not hold")
		require.NoError(t, scop.Run(p, before))
		require.Zero(t, want.Compare(before).Differ, level)
	}
}

// TestPolyBenchSweeps checks how sweeps through a field, which no time step can do in parallel, are tiled.
func TestPolyBenchSweeps(t *testing.T) {
	compile := func(base string) (*hexcc.Result, error) {
		text, err := os.ReadFile(filepath.Join(polybench, base+".c"))
		require.NoError(t, err)
		return hexcc.Compile(hexcc.Source{Name: base + ".c", Text: text}, hexcc.Options{NoAlias: true, IncludeDirs: []string{polybench}})
	}
	res, err := compile("seidel-2d")
	require.NoError(t, err)
	require.Equal(t, hexcc.Wavefront, res.Strategy)
	require.Contains(t, res.Warnings[0].Msg, "carries a flow dependence")
	res, err = compile("adi") // each of its sweeps goes along one loop, and the other has its columns
	require.NoError(t, err)
	require.Equal(t, hexcc.Space, res.Strategy)
}
