package ptx_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/scop"
)

// This file runs kernels of three dimensions, whose planes stream: warps hold several lines of a row, and strips of lines wait for each other.

// volumes are cases with shapes of pipelines: columns, steps, warps, period, lines, and warps across.
var volumes = []struct {
	base  string
	arch  string
	shape stream.Shape
	full  bool // some turns are full
}{
	{"gradient-3d", "sm_80", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2}, true},
	{"heat-3d", "sm_90", stream.Shape{Columns: 1, Steps: 1, Warps: 2, Period: 1, Lines: 3}, false},
	{"heat-3d-27", "sm_90", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 3}, true},
	{"heat-3d-27", "sm_70", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1, Lines: 4}, true},
	{"rician-3d", "sm_80", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 4}, true},
	{"laplacian-3d", "sm_70", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2}, false},
	{"poisson-3d", "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 4, Period: 2, Lines: 3}, true},
	{"star-3d-2", "sm_90", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1, Lines: 4}, true},
	{"em-3d", "sm_80", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2}, false},
	{"tv-3d", "sm_70", stream.Shape{Columns: 1, Steps: 3, Warps: 2, Period: 1, Lines: 5}, false},
	{"wave-3d", "sm_90", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 4}, true},
	{"fdtd-3d", "sm_80", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2}, false},
}

// TestVolumeStreamRuns runs pipelines of several shapes, in CI of every third case, as TestStreamRuns does. Where full turns take cubes, or many
// arrays, there are some with HEXCC_TESTS=all.
func TestVolumeStreamRuns(t *testing.T) {
	for i, c := range volumes {
		if cases.InTurns() && i%3 != 0 {
			continue
		}
		t.Run(fmt.Sprint(c.base, "/", c.arch, "/", c.shape), func(t *testing.T) {
			t.Parallel()
			trial := streamTrial(t, c.base, cases.Input(t, c.base), c.arch, c.shape)
			checkStream(t, trial, [][2]int64{{7, 4}, {13, 3}, {3, 2}, {6, 0}})
			if c.full || cases.Every() {
				runAt(t, trial, volumeWithFullTurns(t, trial.Program))
			}
		})
	}
}

// TestVolumesOfStepsRun runs programs of three dimensions with several statements in a step, in CI one of them.
func TestVolumesOfStepsRun(t *testing.T) {
	for i, x := range cases.StreamsOfVolumes {
		if cases.InTurns() && i != 1 {
			continue
		}
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			trial := streamTrial(t, fmt.Sprint("volume", i), x.Text, "sm_80", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2, Across: 1 + i%2})
			checkStream(t, trial, [][2]int64{{9, 5}, {4, 2}, {6, 0}})
			if cases.Every() {
				runAt(t, trial, volumeWithFullTurns(t, trial.Program))
			}
		})
	}
}

// volumeWithFullTurns returns parameters with which p, a cube or one of three sides, has full turns.
func volumeWithFullTurns(t *testing.T, p *gpu.Program) (params []int64) {
	t.Helper()
	steps := int64(p.Kernels[0].Pipeline().Steps*p.Kernels[0].Pipeline().Warps) + 3
	for n := int64(11); n < 24; n += 6 {
		for m := int64(17); m < 34; m += 8 {
			for l := int64(37); l < 200; l += 10 {
				params = []int64{steps, n, m, l}
				if len(p.Scop.Params) == 2 {
					params = []int64{steps, l}
				}
				if fullTurns(p, params) > 0 {
					return params
				}
			}
		}
	}
	t.Fatal("no turn is full")
	return nil
}

// runAt runs a trial with these parameters, and compares.
func runAt(t *testing.T, trial *ptx.Trial, params []int64) {
	t.Helper()
	trial.Seed++
	compareRun(t, trial, ranAt(t, trial.Program.Scop, params), trial.Seed)
}

// ranAt runs the original with these parameters.
func ranAt(t *testing.T, p *scop.Program, params []int64) oracle.Trial {
	t.Helper()
	mem, err := scop.NewMemory(p, params, 1)
	require.NoError(t, err)
	return oracle.Trial{Before: mem, After: oracle.CompileC(t, p).Run(t, mem)}
}

// TestVolumeStreamAssembles assembles pipelines in the shape that is chosen, in CI one.
func TestVolumeStreamAssembles(t *testing.T) {
	for i, base := range []string{"laplacian-3d", "heat-3d-27", "star-3d-2"} {
		if cases.InTurns() && i > 0 {
			continue
		}
		arch := []string{"sm_80", "sm_70", "sm_90"}[i]
		t.Run(base+"/"+arch, func(t *testing.T) {
			t.Parallel()
			res := whole.Compile(t, base, cases.Input(t, base), hexcc.Options{Target: hexcc.PTX, Kernel: hexcc.Streaming, Arch: arch, NoAlias: true, LLC: llvm(t, arch).LLC})
			for _, k := range parse(t, res.PTX.PTX).Kernels {
				require.Empty(t, k.Fusible(), "sums that ptxas may fuse with a product")
			}
			assemble(t, arch, res.PTX.PTX)
		})
	}
}

// TestVolumeStreamMutants spoils, in LLVM IR, how strips wait for each other and are taken, where lines are, and which rings warps copy to: results
// are then wrong, or something happens that may not.
func TestVolumeStreamMutants(t *testing.T) {
	tools := llvm(t, "sm_80")
	res := streaming(t, "gradient-3d", cases.Input(t, "gradient-3d"), "sm_80", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 3})
	part := ptx.Part{Program: res.GPU, Names: ptx.Names{Base: "gradient-3d"}}
	kernels := res.PTX.Module.Kernels[0]
	x := ranAt(t, res.GPU.Scop, []int64{7, 13, 15, 71})
	require.Empty(t, wrong(part, kernels, parse(t, res.PTX.PTX), x))
	in := res.PTX.Module.Text
	for _, m := range []struct {
		name  string
		spoil func(text string) string
		found string
	}{
		{"no strip before", header(11, "-1"), differs},
		{"the strip before is not ahead", header(10, "0"), differs},
		{"one row of chains", replaced(`(select i1 %\d+, i64 -1, i64 )%\d+(\n\tstore i64 %\d+, .* i32 64\))`, "${1}0$2"), differs},
		{"the lines of the first strip", header(9, "0"), differs},
		{"flags of the first chain", replaced(`(fi\.\d+\n\nthen\.\d+:\n\tstore i64 )%\d+(, i64 addrspace\(3\)\* bitcast.*i32 0, i32 0\).*\n\tbr)`, "${1}0$2"), hang},
		{"the first place along y", replaced(`(add nsw i64 %\d+), %\d+(\n\t%\d+ = mul nsw i64 %\d+, %order\.width\.x\n\t%\d+ = add nsw i64 %\d+, %\d+\n\tbr)`, "$1, 0$2"), ""},
		{"chains at more places", replaced(`(icmp ult i64 %\d+), %order\.width\.x`, "$1, 9999"), ""},
		{"chains of more levels", replaced(`icmp ult (i64 %\d+, %\d+\n\t%\d+ = icmp ult i64 %\d+, %order\.width\.x)`, "icmp uge $1"), ""},
		{"an end at a ticket for none", replaced(`(br i1 %\d+, label %chain\.\d+, label )%body\.1`, "$1%none.4"), differs},
		{"a level less", replaced(`(sub nsw i64 %\d+), 1(\n\t%\d+ = mul nsw i64 %\d+, 2\n\t%\d+ = add nsw i64 %order\.width\.x)`, "$1, 3$2"), differs},
		{"narrow diagonals", replaced(`udiv i64 (%\d+), 2\n`, "udiv i64 $1, 1\n"), ""},
		{"lines no distance apart", replaced(`(= ptrtoint .*\n\t%\d+ = ptrtoint .*\n\t%\d+ = )sub i64 (%\d+), %\d+`, "${1}sub i64 $2, $2"), ""},
		{"copies for the first warp alone", func(string) string { return ptx.Lower([]ptx.Part{copiedTo(part, 0)}).Text }, differs},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			spoiled := m.spoil(in)
			require.NotEqual(t, in, spoiled)
			text, err := tools.Compile(spoiled, "sm_80")
			require.NoError(t, err)
			what := wrong(part, kernels, parse(t, text), x)
			require.NotEmpty(t, what)
			require.Contains(t, what, m.found)
			t.Log(what)
		})
	}
}

// header sets a word of the header of shared memory to a value.
func header(word int, value string) func(string) string {
	return replaced(fmt.Sprintf(`store i64 \S+, (i64 addrspace\(3\)\* bitcast \(i8 addrspace\(3\)\* getelementptr \(.* @hexcc_shared, i32 0, i32 %d\) to i64)`, 8*word), "store i64 "+value+", $1")
}

// copiedTo returns part with all lines that come from the strip before copied to one number of their rings.
func copiedTo(part ptx.Part, number int) ptx.Part {
	pipe := *part.Program.Kernels[0].Pipeline()
	pipe.Copies = slices.Clone(pipe.Copies)
	for i := range pipe.Copies {
		if c := &pipe.Copies[i]; c.In && strings.HasPrefix(c.Ring.Name, "halo") {
			c.Number = number
		}
	}
	return withBodies(part, func(body []gpu.Node) []gpu.Node {
		s := body[0].(gpu.Stream)
		s.Pipeline = &pipe
		return []gpu.Node{s}
	})
}

// TestVolumeStreamVersions runs a pipeline where shared memory has no room for what partial turns keep there, nor for how far pointers lie apart.
func TestVolumeStreamVersions(t *testing.T) {
	res := streaming(t, "gradient-3d", cases.Input(t, "gradient-3d"), "sm_80", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 3})
	for _, free := range []int64{0, 1000} {
		t.Run(fmt.Sprint(free, " bytes free"), func(t *testing.T) {
			t.Parallel()
			p := *res.GPU
			p.Device.SharedBytes = int(p.Kernels[0].SharedBytes() + free)
			module := ptx.Lower([]ptx.Part{{Program: &p}})
			text, err := llvm(t, "sm_80").Compile(module.Text, "sm_80")
			require.NoError(t, err)
			require.Less(t, module.Kernels[0][0].Dynamic, res.PTX.Module.Kernels[0][0].Dynamic)
			trial := &ptx.Trial{Program: &p, Kernels: module.Kernels[0], Module: parse(t, text)}
			checkStream(t, trial, [][2]int64{{9, 5}, {5, 2}})
			runAt(t, trial, volumeWithFullTurns(t, &p))
		})
	}
}
