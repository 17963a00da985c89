package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/emulate"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/scop"
)

// rowsApart are programs whose rows lie at no one distance, so that their first region runs on a copy, which is not what a probe finds.
var rowsApart = map[string]bool{"cxx-within-rows": true}

// TestCxx builds each program of testdata/idioms in C++ as it is, at -O0 and at -O2, and translated for each target whose
// output runs here, at one of these: all print the same. The region, run by the interpreter, leaves what the program leaves, and kernels and
// loops are verified.
func TestCxx(t *testing.T) {
	tool.CXX(t)
	testcases.EachCxx(t, func(t *testing.T, x testcases.Idiom) {
		dir := t.TempDir()
		build := func(name string, args ...string) string {
			tool.Run(t, "g++", append([]string{"-std=c++17", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-ffp-contract=off", "-I", dir, "-o", filepath.Join(dir, name)}, args...)...)
			return filepath.Join(dir, name)
		}
		plain := build("plain", "-O0", x.Path)
		programs := []string{build("fast", "-O2", x.Path)}
		var res *hexcc.Result
		for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C, hexcc.OpenCL, hexcc.CUDA} {
			made, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".cpp", Text: []byte(x.Text)}, hexcc.Options{Target: target, Base: x.Name})
			require.NoError(t, err)
			switch target {
			case hexcc.OpenMP, hexcc.C:
				out := filepath.Join(whole.Write(t, made.C.Named(x.Name)...), x.Name+".hex.cpp")
				programs = append(programs, build(string(target), levels[target], "-fopenmp", "-DHEXCC_GRAIN=0", out))
				v, err := emulate.Verify(emulate.Request{CPU: made.CPU, Schedule: made.Schedule, Proofs: made.Proofs, Points: 3000})
				require.NoError(t, err)
				require.True(t, v.OK(), "%v", v)
			case hexcc.OpenCL: // the driver's library need not be here
				out := whole.Write(t, made.OpenCL.Named(x.Name)...)
				tool.Run(t, "g++", "-std=c++17", "-fsyntax-only", "-Wno-unknown-pragmas", "-I", out, filepath.Join(out, x.Name+".hex_host.cpp"))
			default:
				res = made
				out := whole.Write(t, made.Files.Named(x.Name)...)
				require.NoError(t, os.WriteFile(filepath.Join(out, "cuda_runtime.h"), []byte(cuda.Shim), 0o666))
				programs = append(programs, build("cuda", "-O0", "-I", out, "-x", "c++",
					filepath.Join(out, cuda.HostFile(x.Name)), filepath.Join(out, cuda.KernelFile(x.Name))))
			}
		}
		for _, args := range x.Runs {
			for _, p := range programs {
				require.Empty(t, tool.SameOutput(t, plain, p, args...), "%s %v", p, args)
			}
		}
		probe := oracle.CompileProbe(t, res.Scop, "-O1")
		compared := 0
		for _, run := range x.Runs {
			before, want := probe.Run(t, run...)
			if before == nil {
				continue
			}
			require.NoError(t, scop.Run(res.Scop, before))
			require.Zero(t, want.Compare(before).Differ, "%v", run)
			compared++
		}
		require.Equal(t, !rowsApart[x.Name], compared > 0)
		v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
		require.NoError(t, err)
		require.True(t, v.OK(), "%v", v)
	})
}

// TestCxxCPU builds programs of testdata/idioms/cpu in C++, whose types no GPU has, as they are and translated: all print the same. Other
// targets refuse them.
func TestCxxCPU(t *testing.T) {
	tool.CXX(t)
	testcases.EachCxxOnCPU(t, func(t *testing.T, x testcases.Idiom) {
		dir := t.TempDir()
		build := func(name, compiler, level, path string) string {
			tool.Run(t, compiler, "-std=c++17", level, "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-fopenmp", "-DHEXCC_GRAIN=0", "-ffp-contract=off", "-o", filepath.Join(dir, name), path)
			return filepath.Join(dir, name)
		}
		plain := build("plain", "g++", "-O0", x.Path)
		programs := []string{build("fast", "g++", "-O2", x.Path)}
		for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
			made, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".cpp", Text: []byte(x.Text)}, hexcc.Options{Target: target, Base: x.Name})
			require.NoError(t, err)
			out := filepath.Join(whole.Write(t, made.C.Named(x.Name)...), x.Name+".hex.cpp")
			programs = append(programs, build(string(target), "g++", levels[target], out))
			v, err := emulate.Verify(emulate.Request{CPU: made.CPU, Schedule: made.Schedule, Proofs: made.Proofs, Points: 3000})
			require.NoError(t, err)
			require.True(t, v.OK(), "%v", v)
		}
		for _, args := range x.Runs {
			for _, p := range programs {
				require.Empty(t, tool.SameOutput(t, plain, p, args...), "%s %v", p, args)
			}
		}
		for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.PTX, hexcc.OpenCL} {
			_, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".cpp", Text: []byte(x.Text)}, hexcc.Options{Target: target})
			require.ErrorContains(t, err, "in which no GPU calculates")
		}
	})
}

// levels are those at which programs for CPUs are compiled: a compiler takes three times as long for one as for the other.
var levels = map[hexcc.Target]string{hexcc.OpenMP: "-O2", hexcc.C: "-O0"}

// TestCxxHostLoops builds programs of testdata/hostloops in C++, as they are and translated for CPUs: they print the same.
func TestCxxHostLoops(t *testing.T) {
	tool.CXX(t)
	paths, err := filepath.Glob("../testdata/hostloops/*.cpp")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for i, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		dir, name := t.TempDir(), strings.TrimSuffix(filepath.Base(path), ".cpp")
		build := func(name, level, path string) string {
			tool.Run(t, "g++", "-std=c++17", level, "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-fopenmp", "-DHEXCC_GRAIN=0", "-ffp-contract=off", "-o", filepath.Join(dir, name), path)
			return filepath.Join(dir, name)
		}
		plain := build("plain", "-O0", path)
		for _, target := range testcases.Turn([]hexcc.Target{hexcc.OpenMP, hexcc.C}, i+testcases.Round()) {
			made, err := hexcc.Compile(hexcc.Source{Name: name + ".cpp", Text: text}, hexcc.Options{Target: target, Base: name})
			require.NoError(t, err)
			program := build(string(target), levels[target], filepath.Join(whole.Write(t, made.C.Named(name)...), name+".hex.cpp"))
			for _, args := range strings.Split(hostRuns.FindStringSubmatch(string(text))[1], "|") {
				require.Empty(t, tool.SameOutput(t, plain, program, strings.Fields(args)...), "%s %s", target, args)
			}
		}
	}
}

// TestCxxCheck links the program of --check with the kernels of a region in C++, on the CPU.
func TestCxxCheck(t *testing.T) {
	tool.CXX(t)
	text := strings.ReplaceAll(testcases.ReadCxx(t, "cxx-references").Text, "const int &steps", "const int steps")
	res, err := hexcc.Compile(hexcc.Source{Name: "c.cpp", Text: []byte(text)}, hexcc.Options{Base: "c", Check: true})
	require.NoError(t, err)
	dir := whole.Write(t, res.Files.Named("c")...)
	for name, text := range map[string]string{"cuda_runtime.h": cuda.Shim, "check.cpp": res.Check} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	check := filepath.Join(dir, "check")
	tool.Run(t, "g++", "-o", check, "-std=c++17", "-O1", "-ffp-contract=off", "-w", "-I", dir,
		"-x", "c++", filepath.Join(dir, "check.cpp"), filepath.Join(dir, cuda.KernelFile("c")))
	says := tool.Run(t, check, "steps=40")
	require.Contains(t, says, "elements equal")
}
