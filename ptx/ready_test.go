package ptx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// This file runs tiles that start when their data is ready.

// ready is a variant whose tiles do.
func ready(v pipeline.Variant) pipeline.Variant {
	v.Ready = true
	return v
}

// TestReadyTextRuns runs the PTX of cases whose tiles wait for each other, in CI of one of four, in one launch or in several, by blocks that see each other's
// stores at once or late, and compares all arrays with those of the original program, bit for bit.
func TestReadyTextRuns(t *testing.T) {
	tools := llvm(t, "sm_80")
	cases.Each(t, func(t *testing.T, base, text string) {
		t.Parallel()
		if cases.InTurns() && len(base)%4 != 1 {
			return
		}
		variants := []pipeline.Variant{pipeline.Staged}
		if len(base)%3 == 0 || cases.Every() {
			variants = append(variants, pipeline.SpaceOnly)
		}
		for _, v := range variants {
			trial := waiting(t, tools, base, text, v)
			if len(base)%3 == 0 {
				trial.Chains = 1
			}
			compareRuns(t, trial, sizesOf(base))
			if trial.Wide != nil {
				trial.Kernels, trial.Chains = trial.Wide, 0
				compareRuns(t, trial, 1)
			}
		}
	})
}

// TestReadyNvccsTextRuns runs what nvcc makes of the CUDA text of cases whose tiles wait for each other in the same way, with loads that
// acquire and without: on a CPU the text runs with flags of the CPU's.
func TestReadyNvccsTextRuns(t *testing.T) {
	tool.NVCC(t)
	for _, base := range []string{"jacobi-2d", "em-2d"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			part := mapped(t, base, cases.Input(t, base), ready(pipeline.Variant{Widths: pipeline.Narrow}))
			m, k := nvccChains(t, base, part.Program)
			kernels := []ptx.Kernel{k}
			compareRuns(t, &ptx.Trial{Program: part.Program, Kernels: kernels, Module: m, Seed: 1}, 4)
			if base != "jacobi-2d" {
				return
			}
			x := largeTrial(t, part.Program)
			require.Empty(t, wrong(part, kernels, m, x))
			for _, k := range m.Kernels {
				for i, in := range k.Insts {
					if in.Has("acquire") {
						k.Insts[i].Mods = slices.Concat([]string{"relaxed"}, in.Mods[1:])
					}
				}
			}
			require.Contains(t, wrong(part, kernels, m, x), differs)
		})
	}
}

// waiting makes PTX of C text whose tiles wait.
func waiting(t *testing.T, tools ptx.Tools, base, text string, v pipeline.Variant) *ptx.Trial {
	part := mapped(t, base, text, ready(v))
	module := ptx.Lower([]ptx.Part{part})
	require.Len(t, module.Kernels[0], 1)
	made, err := tools.Compile(module.Text, "sm_80")
	require.NoError(t, err)
	return &ptx.Trial{Program: part.Program, Kernels: module.Kernels[0], Wide: module.Wide[0], Module: parse(t, made), Seed: 1}
}

// TestReadyMutants spoils how tiles wait and signal, and how they are taken, in LLVM IR or in the PTX: results are then wrong, or
// blocks wait for ever.
func TestReadyMutants(t *testing.T) {
	tools := llvm(t, "sm_80")
	part := mapped(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), ready(pipeline.Variant{Widths: pipeline.Narrow}))
	module := ptx.Lower([]ptx.Part{part})
	x := largeTrial(t, part.Program)
	made := func(t *testing.T, ir string) string {
		text, err := tools.Compile(ir, "sm_80")
		require.NoError(t, err)
		return text
	}
	right := made(t, module.Text)
	require.Empty(t, wrong(part, module.Kernels[0], parse(t, right), x))
	for _, m := range []struct {
		name  string
		inIR  bool
		spoil func(text string) string
		found string
	}{
		{"a place less", false, replaced(`2305843009213693953`, "2305843009213693952"), differs},
		{"no wait", false, replaced(`ld\.acquire\.gpu\.global\.s64 (%rd\d+), \[%rd\d+\]`, "mov.u64 $1, 4611686018427387904"), differs},
		{"no acquire", false, replaced(`ld\.acquire`, "ld.relaxed"), differs},
		{"no release", false, replaced(`st\.release`, "st.relaxed"), differs},
		{"ended at once", false, replaced(`(st\.release\.gpu\.global\.s64 \[%rd\d+\]), %rd\d+`, "$1, 4611686018427387904"), differs},
		{"never there", false, replaced(`(st\.release\.gpu\.global\.s64 \[%rd\d+\]), %rd\d+`, "$1, 1"), hang},
		{"each second chain", false, replaced(`(atom\S* %rd\d+, \[%rd\d+\]), 1;`, "$1, 2;"), hang},
		{"the last chain first", false, replaced(`(atom\S* (%rd\d+), \[%rd\d+\], 1;)`,
			"$1 ld.param.u64 %rd0, [hexcc_jacobi_2d_0_chains_param_4]; sub.s64 $2, %rd0, $2; sub.s64 $2, $2, 1;"), hang},
		{"a tile less", true, replaced(`(sub nsw i64 %\d+), 1(\n\t%\d+ = sub nsw i64 %\d+, 0\n\tbr label %head)`, "$1, 0$2"), differs},
		{"a tile less on the other side", true, replaced(`(sub nsw i64 %\d+, 0\n\t%\d+ = sub nsw i64 %\d+), -1(\n\tbr label %head)`, "$1, 0$2"), differs},
		{"not those of the time tile before", true, replaced(`(icmp sge i64 %\d+), 0(\n\t%\d+ = and i1 %1)`, "$1, 3$2"), differs},
		{"the phases in another order", true, replaced(`(icmp eq i64 %\d+), 0(\n\tbr i1 %\d+, label %phase)`, "$1, 1$2"), ""},
		{"no barrier behind a wait", true, noBarrierBehindWaits, differs},
		{"a signal before the tile", true, func(string) string { return ptx.Lower([]ptx.Part{signalEarly(part)}).Text }, differs},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			from := right
			if m.inIR {
				from = module.Text
			}
			text := m.spoil(from)
			require.NotEqual(t, from, text)
			if m.inIR {
				text = made(t, text)
			}
			what := wrong(part, module.Kernels[0], parse(t, text), x)
			require.NotEmpty(t, what)
			require.Contains(t, what, m.found)
		})
	}
}

// TestReadySeveralRegions runs a program with several regions, each call of which has flags of its own, against a driver that runs the PTX
// with as many blocks at the same time as it says that there may be.
func TestReadySeveralRegions(t *testing.T) {
	w := buildWhole(t, "several", cases.Several, hexcc.Options{Launch: hexcc.Ready})
	want := tool.Run(t, w.original)
	got, errs, status, g := runProgram(t, w.ours, nil)
	require.Empty(t, g.faults)
	require.Empty(t, errs)
	require.Zero(t, status)
	require.Equal(t, want, got)
	require.NotEmpty(t, want)
	require.Empty(t, g.arrays, "all flags are freed")
	require.GreaterOrEqual(t, g.asked[setTo], 4, "flags are cleared for each launch")
	require.Equal(t, g.asked[setTo], g.asked[launchKernel])
	require.Contains(t, w.files.PTX.PTX, ".entry hexcc_several_3_chains(")
	require.NotContains(t, w.files.PTX.PTX, "_phase0")
}

// TestReadyInLaunches runs a program whose chains go in several launches, one for each time tile.
func TestReadyInLaunches(t *testing.T) {
	w := buildWhole(t, "extent", cases.Extent, hexcc.Options{Launch: hexcc.Ready})
	few := strings.Replace(w.files.PTX.Loader, "(1LL << 18)", "1LL", 1)
	require.NotEqual(t, w.files.PTX.Loader, few)
	dir := filepath.Dir(w.ours)
	path := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(path(ptx.LoaderFile("extent")), []byte(few), 0o666))
	tool.Run(t, "gcc", "-O1", "-I", dir, path(ptx.HostFile("extent")), path(ptx.LoaderFile("extent")), driverObject(t), "-o", path("few"), "-lm")
	want := tool.Run(t, w.original, "9", "90")
	launches := func(program string) int {
		got, errs, status, g := runProgram(t, program, nil, "9", "90")
		require.Empty(t, g.faults)
		require.Zero(t, status, errs)
		require.Equal(t, want, got)
		return g.asked[launchKernel]
	}
	require.Equal(t, 2, launches(w.ours), "one for each call")
	require.Greater(t, launches(path("few")), 2)
}

// TestReadyFailures makes each call of the driver fail in turn.
func TestReadyFailures(t *testing.T) {
	w := buildWhole(t, "fail", cases.Failing, hexcc.Options{Launch: hexcc.Ready, Strategy: hexcc.Hybrid}, failingMain)
	for call := 1; ; call++ {
		require.Less(t, call, 100)
		_, errs, status, g := runProgram(t, w.ours, []string{fmt.Sprintf("DRIVER_FAIL=%d", call)})
		require.Empty(t, g.faults) // what is not given back the driver tells on stderr
		if status == 0 {
			require.Greater(t, call, 35)
			require.Empty(t, errs)
			return // there are fewer calls
		}
		require.Equal(t, 1, status, "%s", errs)
		require.Regexp(t, `^\S*fail.hex_kernel.c:\d+: (cu|hexcc_)\w+\(.*\): CUDA_ERROR_TEST: as told\n$`, errs, "call %d", call)
	}
}

// TestReadyCheck looks at how long tiles wait: with --check not for ever. Then a kernel whose flags are spoilt ends with an error, which
// the program tells.
func TestReadyCheck(t *testing.T) {
	tools := llvm(t, "sm_80")
	trial := waiting(t, tools, "jacobi-2d", cases.Input(t, "jacobi-2d"), pipeline.Variant{Widths: pipeline.Narrow})
	for _, k := range trial.Module.Kernels {
		for i, in := range k.Insts {
			if in.Has("release") {
				k.Insts[i].Args = append(in.Args[:1:1], asm.Operand{Kind: asm.Int, Bits: 1})
			}
		}
	}
	x := largeTrial(t, trial.Program)
	require.ErrorContains(t, trial.Run(x.Before.Clone()), hang)
	trial.Patience = 1000
	require.ErrorContains(t, trial.Run(x.Before.Clone()), "trap;: the kernel says that this is an error")
	for check, seconds := range map[bool]string{true: "20", false: "0"} {
		res := whole.Compile(t, "fail", cases.Failing, hexcc.Options{Check: check, Target: hexcc.PTX, Launch: hexcc.Ready, LLC: tools.LLC})
		require.Contains(t, res.PTX.Loader, "#define HEXCC_PATIENCE "+seconds+" //")
	}
}

// TestReadyRefused checks where tiles do not wait: on devices that have no loads that acquire.
func TestReadyRefused(t *testing.T) {
	_, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: hexcc.Example}, hexcc.Options{Target: hexcc.PTX, Launch: hexcc.Ready, Arch: "sm_61"})
	require.ErrorContains(t, err, "sm_61 has no loads that acquire what other blocks have written")
}

// TestReadyAssembles assembles the PTX of cases, in CI of a few, for three architectures, the oldest of which is of a version of PTX without nanosleep: no
// kernel spills a register. Loads of arrays that tiles write go through memory that others see; those of others need not.
func TestReadyAssembles(t *testing.T) {
	for arch, length := range map[string]int{"sm_70": 6, "sm_80": 12, "sm_90": 10} { // of names, in CI: box-2d, laplacian-3d, poisson-3d, ..
		t.Run(arch, func(t *testing.T) {
			tools := llvm(t, arch)
			ptxas(t, arch)
			cases.Each(t, func(t *testing.T, base, text string) {
				t.Parallel()
				if cases.InTurns() && len(base) != length {
					return
				}
				part := mapped(t, base, text, ready(pipeline.Staged))
				made, err := tools.Compile(ptx.Lower([]ptx.Part{part}).Text, arch)
				require.NoError(t, err)
				require.NotContains(t, made, ".local")
				for _, want := range []string{"ld.acquire.gpu.global.s64", "st.release.gpu.global.s64", "atom.relaxed.gpu.global.add.u64", "nanosleep.u32"} {
					require.Contains(t, made, want)
				}
				only := slices.ContainsFunc(part.Program.Scop.Arrays, func(a *scop.Array) bool { return a.Const })
				require.Equal(t, only, strings.Contains(made, "ld.global.nc"))
				said := assemble(t, arch, made)
				require.Len(t, entries.FindAllString(said, -1), len(parse(t, made).Kernels), said)
				for _, s := range spilled.FindAllStringSubmatch(said, -1) {
					require.Equal(t, "0", s[1], said)
				}
			})
		})
	}
}

// TestReadyBarriers runs tiles that end without a barrier, with the one of signals and without it: where tiles end with one, as
// most do, the other is not needed.
func TestReadyBarriers(t *testing.T) {
	tools := llvm(t, "sm_80")
	part := mapped(t, "jacobi-2d", cases.Input(t, "jacobi-2d"), ready(pipeline.Variant{Widths: pipeline.Narrow, Strategy: lower.Global}))
	x := largeTrial(t, part.Program)
	module := ptx.Lower([]ptx.Part{endless(part)})
	spoilt := replaced(`call void @llvm\.nvvm\.barrier0\(\)(\n\tbr i1 %1, )`, "$1")(module.Text)
	require.NotEqual(t, module.Text, spoilt)
	for text, want := range map[string]string{module.Text: "", spoilt: differs} {
		made, err := tools.Compile(text, "sm_80")
		require.NoError(t, err)
		what := wrong(part, module.Kernels[0], parse(t, made), x)
		require.Contains(t, what, want)
		require.Equal(t, want == "", what == "", what)
	}
}

// endless returns a part whose tiles have no barrier at their end.
func endless(p ptx.Part) ptx.Part {
	var trim func(nodes []gpu.Node) []gpu.Node
	trim = func(nodes []gpu.Node) []gpu.Node {
		nodes = slices.Clone(nodes)
		for i, n := range nodes {
			switch n := n.(type) {
			case gpu.For:
				n.Body = trim(n.Body)
				nodes[i] = n
			case gpu.If:
				n.Then, n.Else = trim(n.Then), trim(n.Else)
				nodes[i] = n
			}
		}
		if i := len(nodes) - 1; i >= 0 {
			if _, ok := nodes[i].(gpu.Barrier); ok {
				return nodes[:i]
			}
		}
		return nodes
	}
	return withBodies(p, trim)
}

// withBodies returns a part whose kernels have what change makes of their bodies.
func withBodies(p ptx.Part, change func([]gpu.Node) []gpu.Node) ptx.Part {
	program := *p.Program
	program.Kernels = nil
	for _, k := range p.Program.Kernels {
		kernel := *k
		kernel.Body = change(k.Body)
		program.Kernels = append(program.Kernels, &kernel)
	}
	p.Program = &program
	return p
}

// largeTrial is a run of many tiles.
func largeTrial(t *testing.T, p *gpu.Program) oracle.Trial {
	params, ok := oracle.Sized(p.Scop, 61, 23)
	require.True(t, ok)
	return ranAt(t, p.Scop, params)
}

// What is found of PTX that is spoilt.
const (
	hang    = "wait for each other for ever"
	differs = "differs"
)

// wrong runs PTX of a part several times, and returns what is wrong, "" if nothing is.
func wrong(part ptx.Part, kernels []ptx.Kernel, m *asm.Module, x oracle.Trial) string {
	trial := &ptx.Trial{Program: part.Program, Kernels: kernels, Module: m}
	for seed := range uint64(12) {
		after := x.Before.Clone()
		trial.Seed = seed
		if err := trial.Run(after); err != nil {
			return err.Error()
		}
		if d := oracle.Different(x.After, after); d != "" {
			return differs + ": " + d
		}
	}
	return ""
}

// replaced returns what replaces old by new.
func replaced(old, new string) func(string) string {
	return func(text string) string { return regexp.MustCompile(old).ReplaceAllString(text, new) }
}

// noBarrierBehindWaits takes the barriers away from LLVM IR by which threads wait for the first one, which waits.
func noBarrierBehindWaits(text string) string {
	waits := regexp.MustCompile(`icmp sge i64 %\d+, 0\n\t%\d+ = and i1 %1, %\d+\n\tbr i1 %\d+, label %then\.\d+, label %(fi\.\d+)\n`)
	for _, w := range waits.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, "\n"+w[1]+":\n\tcall void @llvm.nvvm.barrier0()\n", "\n"+w[1]+":\n")
	}
	return text
}

// signalEarly returns a part whose tiles are signalled when they begin.
func signalEarly(p ptx.Part) ptx.Part {
	return withBodies(p, func(body []gpu.Node) []gpu.Node {
		body = slices.Clone(body)
		for i, n := range body {
			if f, ok := n.(gpu.For); ok {
				last := len(f.Body) - 1
				f.Body = slices.Concat(f.Body[:1], f.Body[last:], f.Body[1:last])
				body[i] = f
			}
		}
		return body
	})
}
