package ptx_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// ptxas returns the assembler for an architecture: the one beside nvcc or, for
// those that nvcc has given up, $HEXCC_PTXAS.
func ptxas(t *testing.T, arch string) string {
	t.Helper()
	if arch != "sm_70" {
		return filepath.Join(filepath.Dir(tool.NVCC(t)), "ptxas")
	}
	path := os.Getenv("HEXCC_PTXAS")
	if path == "" {
		tool.Missing(t, "HEXCC_PTXAS does not name a ptxas that knows sm_70; .ci/install-ptxas installs it")
	}
	return path
}

var (
	spilled = regexp.MustCompile(`(\d+) bytes spill stores, (\d+) bytes spill loads`)
	entries = regexp.MustCompile(`Compiling entry function`)
)

// assemble assembles PTX and returns what ptxas says of it.
func assemble(t *testing.T, arch, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kernel.ptx")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return tool.Run(t, ptxas(t, arch), "-v", "-arch="+arch, path, "-o", path+".cubin")
}

// mostSpilled are the bytes that kernels spill where they are known to run out of registers, by architecture and case.
var mostSpilled = map[string]int{"sm_70 fdtd-3d": 16}

// TestAssembles assembles the PTX of every case for one of three architectures, with HEXCC_TESTS=all for each: no
// kernel spills a register, but four of fdtd-3d where copies go through registers.
func TestAssembles(t *testing.T) {
	for i, arch := range []string{"sm_70", "sm_80", "sm_90"} {
		t.Run(arch, func(t *testing.T) {
			tools := llvm(t, arch)
			ptxas(t, arch)
			cases.EachNth(t, 3, i, func(t *testing.T, base, text string) {
				t.Parallel()
				module := ptx.Lower([]ptx.Part{mapped(t, base, text, pipeline.Staged)})
				made, err := tools.Compile(module.Text, arch)
				require.NoError(t, err)
				m := parse(t, made)
				require.Equal(t, arch, m.Target)
				for _, k := range m.Kernels {
					require.Empty(t, k.Fusible(), "sums that ptxas may fuse with a product")
				}
				require.NotContains(t, made, ".local")
				said := assemble(t, arch, made)
				require.Len(t, entries.FindAllString(said, -1), len(m.Kernels), said)
				for _, s := range spilled.FindAllStringSubmatch(said, -1) {
					bytes, err := strconv.Atoi(s[1])
					require.NoError(t, err)
					require.LessOrEqual(t, bytes, mostSpilled[arch+" "+base], "%s", said)
				}
			})
		})
	}
}

// nvccPTX returns what nvcc makes of the CUDA text of p, and how its kernels are launched.
func nvccPTX(t *testing.T, base string, p *gpu.Program) (*asm.Module, []ptx.Kernel) {
	names := cuda.Names{Base: base}
	files := cuda.Print(p, names)
	m := nvccModule(t, base, files)
	var kernels []ptx.Kernel
	for _, k := range p.Kernels {
		name := names.Function() + "_phase" + string(rune('0'+k.Phase))
		i := slices.IndexFunc(m.Kernels, func(x *asm.Kernel) bool {
			return strings.Contains(x.Name, name) && !strings.Contains(x.Name, name+"_long")
		})
		require.GreaterOrEqual(t, i, 0, name)
		kernels = append(kernels, launched(t, files.Kernel, p, k, name, m.Kernels[i].Name))
	}
	return m, kernels
}

// nvccChains returns what nvcc makes of the CUDA text of p, whose tiles wait for each other, and how the kernel that runs them is launched.
func nvccChains(t *testing.T, base string, p *gpu.Program) (*asm.Module, ptx.Kernel) {
	names := cuda.Names{Base: base}
	files := cuda.Print(p, names)
	m := nvccModule(t, base, files)
	first := *p.Kernels[0]
	name := names.Chains(0)
	i := slices.IndexFunc(m.Kernels, func(x *asm.Kernel) bool {
		return strings.Contains(x.Name, name) && !strings.Contains(x.Name, name+"_long")
	})
	require.GreaterOrEqual(t, i, 0, name)
	k := launched(t, files.Kernel, p, &first, name, m.Kernels[i].Name)
	for _, x := range p.Kernels {
		k.Dynamic = max(k.Dynamic, 8, int(x.SharedBytes()))
	}
	return m, k
}

// nvccModule returns the PTX that nvcc makes of a kernel file.
func nvccModule(t *testing.T, base string, files cuda.Files) *asm.Module {
	dir := whole.Write(t, files.Named(base)...)
	kernel := filepath.Join(dir, cuda.KernelFile(base))
	tool.Run(t, tool.NVCC(t), "-O3", "-arch=sm_80", "-ptx", kernel, "-o", kernel+".ptx")
	text, err := os.ReadFile(kernel + ".ptx")
	require.NoError(t, err)
	return parse(t, string(text))
}

// launched reads from CUDA text what the kernel of that name is given.
func launched(t *testing.T, text string, p *gpu.Program, k *gpu.Kernel, name, mangled string) ptx.Kernel {
	out := ptx.Kernel{Kernel: k, Name: mangled}
	if n := int(k.SharedBytes()); n > 48<<10 {
		out.Dynamic = n
	}
	params := regexp.MustCompile(`(?s)\n` + name + `\((.*?)\)\n`).FindStringSubmatch(text)
	require.NotNil(t, params, name)
	for _, decl := range strings.Split(params[1], ",") {
		words := strings.Fields(decl)
		last := strings.TrimLeft(words[len(words)-1], "*")
		arg := ptx.Arg{Kind: ptx.FirstArg, Type: scop.Int}
		if words[0] == "long" {
			arg.Type = scop.Long
		}
		if last == p.T {
			arg.Kind = ptx.TimeArg
		}
		if slices.Contains(words, "hexcc_order") {
			out.Args = append(out.Args, ptx.OrderWords()...)
			continue
		}
		for i, q := range p.Scop.Params {
			if q.Name == last {
				arg.Kind, arg.Index = ptx.ParamArg, i
			}
		}
		for i, q := range p.Scop.Scalars {
			if q.Name == last {
				arg.Kind, arg.Index = ptx.ScalarArg, i
			}
		}
		for i, a := range p.Scop.Arrays {
			if a.Name == last {
				arg.Kind, arg.Index = ptx.ArrayArg, i
			}
		}
		out.Args = append(out.Args, arg)
	}
	return out
}

// TestNvccsTextRuns runs what nvcc makes of the CUDA text of cases of all kinds,
// instruction by instruction, against the original program.
func TestNvccsTextRuns(t *testing.T) {
	tool.NVCC(t)
	for _, base := range []string{"asymmetric", "diffusion-2d", "fdtd-2d", "heat-2d", "jacobi-1d", "jacobi-2d", "laplacian-3d", "life", "rician-2d", "tv-2d", "wave-2d"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			text := cases.Input(t, base)
			part := mapped(t, base, text, pipeline.Staged)
			m, kernels := nvccPTX(t, base, part.Program)
			for _, k := range m.Kernels {
				require.Empty(t, k.Fusible(), "sums that ptxas may fuse with a product")
			}
			trial := &ptx.Trial{Program: part.Program, Kernels: kernels, Module: m, Seed: 1}
			compareRuns(t, trial, min(4, sizesOf(base)))
		})
	}
}

// TestFusedText runs what LLVM makes of cases with products fused, and what nvcc makes of their CUDA text, against the
// interpreter: per update of a full tile there is one fused multiply-add for each that the program has, and no sum that ptxas may fuse.
func TestFusedText(t *testing.T) {
	tools := llvm(t, "sm_80")
	for _, base := range []string{"heat-2d", "gaussian-2d", "wave-2d"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			part := mapped(t, base, cases.Input(t, base), pipeline.Fused)
			fused := part.Program.Scop.Fusions
			require.Positive(t, fused)
			check := func(t *testing.T, m *asm.Module, kernels []ptx.Kernel) {
				for i, k := range kernels {
					kernel := m.Kernel(k.Name)
					require.Empty(t, kernel.Fusible())
					text := spelled(kernel, kernel.Steps())
					require.Equal(t, fused*ptx.Updates(part.Program.Kernels[i]), strings.Count(text, "fma.rn.f"))
				}
				compareRuns(t, &ptx.Trial{Program: part.Program, Kernels: kernels, Module: m, Seed: 1}, 3)
			}
			t.Run("LLVM", func(t *testing.T) {
				module := ptx.Lower([]ptx.Part{part})
				made, err := tools.Compile(module.Text, "sm_80")
				require.NoError(t, err)
				check(t, parse(t, made), module.Kernels[0])
			})
			t.Run("nvcc", func(t *testing.T) {
				m, kernels := nvccPTX(t, base, part.Program)
				check(t, m, kernels)
			})
		})
	}
}

// TestFigure2 checks the core of the paper's Figure 2, jacobi-2d with h=2, w0=3 and
// w1=32, in LLVM's PTX and in nvcc's: between barriers there is no branch and no
// predicate, and per update one shared store, five additions and multiplications, and
// less than three shared loads, for values go from row to row and step to step in registers.
func TestFigure2(t *testing.T) {
	text := cases.Input(t, "jacobi-2d")
	part := mapped(t, "jacobi-2d", text, pipeline.Staged)
	module := ptx.Lower([]ptx.Part{part})
	made, err := llvm(t, "sm_80").Compile(module.Text, "sm_80")
	require.NoError(t, err)
	check := func(t *testing.T, m *asm.Module, kernels []ptx.Kernel) {
		for i, k := range kernels {
			kernel := m.Kernel(k.Name)
			updates := ptx.Updates(part.Program.Kernels[i])
			require.Equal(t, 36, updates)
			steps := kernel.Steps()
			require.Len(t, steps, 6)
			var all asm.Mix
			for _, s := range steps {
				mix := kernel.MixOf(s)
				require.True(t, s.Straight, "behind line %d there is a branch", kernel.Insts[s.From].Line)
				require.Zero(t, mix[asm.Branch])
				require.Zero(t, mix[asm.Predicate])
				all = all.Plus(mix)
			}
			require.Equal(t, 92, all[asm.SharedLoad])
			require.Equal(t, 36, all[asm.SharedStore])
			require.Equal(t, 5*36, all[asm.Float])
			require.Equal(t, 6, all[asm.Barrier])
			require.Zero(t, all[asm.GlobalLoad])
			require.NotContains(t, spelled(kernel, steps), "rem.")
			require.NotContains(t, spelled(kernel, steps), "div.")
			require.Contains(t, spelled(kernel, steps), "0f3E4CCCCD") // 0.2f
		}
	}
	t.Run("LLVM", func(t *testing.T) { check(t, parse(t, made), module.Kernels[0]) })
	t.Run("nvcc", func(t *testing.T) {
		m, kernels := nvccPTX(t, "jacobi-2d", part.Program)
		check(t, m, kernels)
	})
}

// spelled returns the instructions of stretches.
func spelled(k *asm.Kernel, stretches []asm.Stretch) string {
	var b strings.Builder
	blocks := k.Blocks()
	for _, s := range stretches {
		for _, i := range s.Blocks {
			for _, in := range k.Insts[blocks[i].First:blocks[i].End] {
				b.WriteString(in.String() + "\n")
			}
		}
	}
	return b.String()
}
