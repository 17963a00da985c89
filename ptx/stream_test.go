package ptx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/scop"
)

// This file runs kernels whose rows stream through the registers of a pipeline of warps.

// streaming translates C text to such kernels.
func streaming(t *testing.T, base, text, arch string, shape stream.Shape) *hexcc.Result {
	t.Helper()
	return whole.Compile(t, base, text, hexcc.Options{Target: hexcc.PTX, Kernel: hexcc.Streaming, Pipeline: &shape, Arch: arch, NoAlias: true, LLC: llvm(t, arch).LLC})
}

// streamTrial translates C text to such kernels, to be run.
func streamTrial(t *testing.T, base, text, arch string, shape stream.Shape) *ptx.Trial {
	t.Helper()
	res := streaming(t, base, text, arch, shape)
	trial, err := res.PTX.Trial(0, res.GPU)
	require.NoError(t, err)
	return trial
}

// streams are cases whose rows stream, with shapes of pipelines: columns, steps, warps and period. They have few columns and steps, so that small arrays have full turns.
var streams = []struct {
	base  string
	arch  string
	shape stream.Shape
}{
	{"jacobi-2d", "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1}},
	{"box-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 1}},
	{"diffusion-2d", "sm_90", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 2}},
	{"em-2d", "sm_80", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 2, Code: 1}},
	{"fdtd-2d", "sm_70", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1}},
	{"gaussian-2d", "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1}},
	{"jacobi-2d", "sm_70", stream.Shape{Columns: 3, Steps: 1, Warps: 4, Period: 2}},
	{"gradient-2d", "sm_70", stream.Shape{Columns: 3, Steps: 2, Warps: 2, Period: 1}},
	{"heat-2d", "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1}},
	{"jacobi-2d", "sm_80", stream.DefaultShape},
	{"life", "sm_80", stream.Shape{Columns: 3, Steps: 2, Warps: 2, Period: 2}},
	{"poisson-2d", "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 4, Period: 3}},
	{"rician-2d", "sm_80", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 1, Code: 1}},
	{"star-2d-2", "sm_90", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 2}},
	{"star-2d-4", "sm_80", stream.Shape{Columns: 4, Steps: 1, Warps: 2, Period: 1}},
	{"tv-2d", "sm_80", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 2}},
	{"wave-2d", "sm_80", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 2}},
}

// TestStreamRuns runs pipelines of several shapes, in CI of every third case, instruction by instruction, and compares all arrays with those of the original program, bit for
// bit: at sizes of which all turns are partial, and at one that has full turns.
func TestStreamRuns(t *testing.T) {
	for i, c := range streams {
		if cases.InTurns() && i%3 != 0 {
			continue
		}
		t.Run(fmt.Sprint(c.base, "/", c.arch, "/", c.shape), func(t *testing.T) {
			t.Parallel()
			trial := streamTrial(t, c.base, cases.Input(t, c.base), c.arch, c.shape)
			checkStream(t, trial, [][2]int64{{37, 7}, {3, 2}, {5, 0}, {11, 12}, withFullTurns(t, trial.Program)})
		})
	}
}

// TestOtherStreamsRun is TestStreamRuns for programs whose arrays have one subscript in the source, and lack elements of their last row, and for those with several
// statements in a step.
func TestOtherStreamsRun(t *testing.T) {
	all := cases.Streams
	for _, base := range []string{"flat-index-macro", "plain-pointers"} {
		all = append(all[:len(all):len(all)], cases.Case{Name: base, Text: cases.ReadIdiom(t, base).Text})
	}
	for i, x := range all {
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			shape := stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1}
			trial := streamTrial(t, fmt.Sprint("x", i), x.Text, "sm_80", shape)
			checkStream(t, trial, [][2]int64{{37, 7}, {1, 3}, {2, 2}, {5, 0}, {11, 13}, withFullTurns(t, trial.Program)})
		})
	}
}

// withFullTurns returns an extent and a number of steps with which p has full turns.
func withFullTurns(t *testing.T, p *gpu.Program) [2]int64 {
	t.Helper()
	pipe := p.Kernels[0].Pipeline()
	for extent := int64(17); extent < 1200; extent += 7 {
		size := [2]int64{extent, 2*int64(pipe.Steps*pipe.Warps) + 3}
		if params, ok := oracle.Sized(p.Scop, size[0], size[1]); ok && fullTurns(p, params) > 1 {
			return size
		}
	}
	t.Fatal("no turn is full")
	return [2]int64{}
}

// fullTurns returns how many turns of a program are full.
func fullTurns(p *gpu.Program, params []int64) (n int) {
	env := map[string]int64{}
	for i, q := range p.Scop.Params {
		env[q.Name] = params[i]
	}
	first, last := affine.Eval(p.TLo, env), affine.Eval(p.THi, env)
	for time := first; time <= last; time++ {
		env[p.T] = time
		for _, k := range p.Kernels {
			eachTile(k.Grid, env, func() { n += fullTurnsOf(k, env) })
		}
	}
	return n
}

// eachTile calls f with the variables of a grid set to each of its tiles.
func eachTile(grid []gpu.Axis, env map[string]int64, f func()) {
	if len(grid) == 0 {
		f()
		return
	}
	for tile, last := affine.Eval(grid[0].Lo, env), affine.Eval(grid[0].Hi, env); tile <= last; tile++ {
		env[grid[0].Var] = tile
		eachTile(grid[1:], env, f)
	}
	delete(env, grid[0].Var)
}

// fullTurnsOf returns how many turns of a chain are full.
func fullTurnsOf(k *gpu.Kernel, env map[string]int64) (n int) {
	s, _ := k.Stream()
	v, turn := s.Pipeline.Vars, int64(s.Pipeline.Turn)
	env[v.Time], env[v.Column] = affine.Eval(s.Time, env), affine.Eval(s.Column, env)
	if s.Line != nil {
		env[v.Line] = affine.Eval(s.Line, env)
	}
	for b, hi := affine.Eval(s.Lo, env), affine.Eval(s.Hi, env); b <= hi; b += turn {
		env[v.Beat], env[v.Last] = b, b+turn-1
		if s.Pipeline.Full.Holds(env) {
			n++
		}
	}
	return n
}

// TestStreamVersions runs pipelines where shared memory has no room for what partial turns keep there, and refuses to make them with indices of 32 bits.
func TestStreamVersions(t *testing.T) {
	res := streaming(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 2, Period: 1})
	sizes := [][2]int64{{11, 5}, withFullTurns(t, res.GPU)}
	tight := *res.GPU
	tight.Device.SharedBytes = 1
	least := ptx.Lower([]ptx.Part{{Program: &tight}}).Kernels[0][0].Dynamic
	check := func(name string, change func(p *gpu.Program)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := *res.GPU
			change(&p)
			module := ptx.Lower([]ptx.Part{{Program: &p}})
			text, err := llvm(t, "sm_80").Compile(module.Text, "sm_80")
			require.NoError(t, err)
			require.NotEqual(t, res.PTX.PTX, text)
			require.LessOrEqual(t, module.Kernels[0][0].Dynamic, max(p.Device.SharedBytes, least))
			checkStream(t, &ptx.Trial{Program: &p, Kernels: module.Kernels[0], Module: parse(t, text)}, sizes)
		})
	}
	t.Run("32 bits", func(t *testing.T) {
		p := *res.GPU
		p.Told = true
		require.Panics(t, func() { ptx.Lower([]ptx.Part{{Program: &p}}) })
	})
	for _, free := range []int64{0, 256, 2048} {
		check(fmt.Sprint(free, " bytes free"), func(p *gpu.Program) { p.Device.SharedBytes = int(p.Kernels[0].SharedBytes() + free) })
	}
}

// TestStreamAssembles assembles pipelines in the shape that is chosen, in CI one: nothing is spilled.
func TestStreamAssembles(t *testing.T) {
	for i, base := range []string{"jacobi-2d", "poisson-2d", "wave-2d"} {
		if cases.InTurns() && i > 0 {
			continue
		}
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			arch := "sm_80"
			res := whole.Compile(t, base, cases.Input(t, base), hexcc.Options{Target: hexcc.PTX, Kernel: hexcc.Streaming, Arch: arch, NoAlias: true, LLC: llvm(t, arch).LLC})
			for _, k := range parse(t, res.PTX.PTX).Kernels {
				require.Empty(t, k.Fusible(), "sums that ptxas may fuse with a product")
			}
			said := assemble(t, arch, res.PTX.PTX)
			require.Contains(t, said, "0 bytes spill stores, 0 bytes spill loads")
		})
	}
}

// checkStream runs a trial at several extents and numbers of steps.
func checkStream(t *testing.T, trial *ptx.Trial, sizes [][2]int64) {
	t.Helper()
	p := trial.Program.Scop
	original := oracle.CompileC(t, p)
	for i, size := range sizes {
		params, ok := oracle.Sized(p, size[0], size[1])
		if !ok {
			continue
		}
		mem, err := scop.NewMemory(p, params, uint64(i))
		require.NoError(t, err)
		x := oracle.Trial{Before: mem, After: original.Run(t, mem)}
		trial.Seed = 10 + uint64(i)
		compareRun(t, trial, x, trial.Seed)
	}
}

// TestStreamMutants spoils how lanes, warps and blocks work together, in LLVM IR or in the PTX: results are then wrong, or something happens that may not.
func TestStreamMutants(t *testing.T) {
	tools := llvm(t, "sm_80")
	res := streaming(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), "sm_80", stream.Shape{Columns: 2, Steps: 1, Warps: 4, Period: 2})
	part := ptx.Part{Program: res.GPU}
	kernels := res.PTX.Module.Kernels[0]
	p := res.GPU.Scop
	params, ok := oracle.Sized(p, 211, 11)
	require.True(t, ok)
	x := ranAt(t, p, params)
	right := res.PTX.PTX
	require.Empty(t, wrong(part, kernels, parse(t, right), x))
	const afterWait = `(cp\.async\.wait_group 1;\n\t// end inline asm\n)\tbar\.sync\s+0;\n`
	for _, m := range []struct {
		name  string
		inIR  bool
		spoil func(text string) string
		found string
	}{
		{"from the other side", false, replaced(`shfl\.sync\.up\.b32\s+(.*), 1, 0, -1`, "shfl.sync.down.b32 $1, 1, 31, -1"), differs},
		{"from further", false, replaced(`shfl\.sync\.up\.b32\s+(.*), 1, 0, -1`, "shfl.sync.up.b32 $1, 2, 0, -1"), differs},
		{"no wait for copies", false, replaced(`cp\.async\.wait_group 1;`, ""), differs},
		{"a wait for less", false, replaced(`cp\.async\.wait_group 1;`, "cp.async.wait_group 2;"), differs},
		{"no groups", false, replaced(`cp\.async\.commit_group;`, ""), differs},
		{"no barriers", false, replaced(afterWait, "$1"), differs},
		{"no barrier of warps", false, replaced(`bar\.warp\.sync\s+-1;`, ""), differs},
		{"no wait for chains", false, replaced(`ld\.acquire\.gpu\.global\.s64 (%rd\d+), \[%rd\d+\]`, "mov.u64 $1, 4611686018427387904"), differs},
		{"no acquire", false, replaced(`ld\.acquire`, "ld.relaxed"), differs},
		{"no release", false, replaced(`st\.release`, "st.relaxed"), differs},
		{"no place", false, replaced(`(st\.release\.gpu\.global\.s64 \[%rd\d+\]), %rd\d+`, "$1, 1"), hang},
		{"all turns full", true, replaced(`br i1 %\d+, label (%full\.\d+), label %guarded\.\d+`, "br label $1"), ""},
		{"full for ever", true, replaced(`select i1 (%\d+), i64 (%\d+), i64 (%\d+)(\n\tbr label %turn)`, "select i1 $1, i64 99999, i64 $3$4"), ""},
		{"columns of all lanes", true, replaced(`(icmp eq i64 %\d+), 31\n`, "$1, 30\n"), ""},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			from := right
			if m.inIR {
				from = res.PTX.Module.Text
			}
			text := m.spoil(from)
			require.NotEqual(t, from, text)
			if m.inIR {
				var err error
				text, err = tools.Compile(text, "sm_80")
				require.NoError(t, err)
			}
			what := wrong(part, kernels, parse(t, text), x)
			require.NotEmpty(t, what)
			require.Contains(t, what, m.found)
			t.Log(what)
		})
	}
}
